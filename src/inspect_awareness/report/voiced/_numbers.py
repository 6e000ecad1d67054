"""Numbers of voiced awareness as text."""

from inspect_awareness.claims import Claim
from inspect_awareness.report._cells import NONE
from inspect_awareness.stats import Estimate


def claimed(claim: Claim | None) -> str:
    """A difference, where there is one."""
    return NONE if claim is None else signed(claim.estimate)


def signed(estimate: Estimate) -> str:
    """A difference with its sign and interval."""
    if estimate.value != estimate.value:
        return "not defined"
    if not estimate.has_interval:
        return f"{_sign(estimate.value)} [no interval]"
    return f"{_sign(estimate.value)} [{_sign(estimate.low)}, {_sign(estimate.high)}]"


def percent(estimate: Estimate) -> str:
    """A share in percent with its interval."""
    if estimate.value != estimate.value:
        return NONE
    value = f"{100 * estimate.value:.1f}"
    if not estimate.has_interval:
        return value
    return f"{value} [{100 * estimate.low:.1f}, {100 * estimate.high:.1f}]"


def p_value(value: float) -> str:
    """A p-value; none is 0."""
    if value != value:
        return NONE
    return "<\N{NO-BREAK SPACE}0.001" if value < 0.001 else f"{value:.3f}"


def number(value: float, digits: int = 2) -> str:
    """A number without an interval."""
    return NONE if value != value else f"{value:.{digits}f}"


def _sign(value: float) -> str:
    """Two digits with a sign; what rounds to 0 has none."""
    rounded = round(value, 2)
    return f"{rounded:+.2f}" if rounded else "0.00"
