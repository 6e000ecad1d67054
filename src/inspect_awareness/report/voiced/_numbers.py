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
    value = f"{estimate.value:+.2f}"
    if not estimate.has_interval:
        return f"{value} [no interval]"
    return f"{value} [{estimate.low:+.2f}, {estimate.high:+.2f}]"


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
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def number(value: float, digits: int = 2) -> str:
    """A number without an interval."""
    return NONE if value != value else f"{value:.{digits}f}"
