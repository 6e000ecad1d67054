"""Single cells of a report's tables, as text that is not escaped yet."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from inspect_awareness.claims import Claim, Missing, shown, total

if TYPE_CHECKING:
    from inspect_awareness.report._contents import Row

NONE = "–"
"""A cell without a value."""

_BARS = "▁▂▃▄▅▆▇█"


def bars(values: Sequence[float]) -> str:
    """A histogram of values in [0, 1] in ten characters.

    Example:
        >>> bars([0.05, 0.05, 0.55, 1.0])
        '█▁▁▁▁▅▁▁▁▅'
    """
    if not values:
        return NONE
    counts = [0] * 10
    for value in values:
        counts[min(9, int(value * 10))] += 1
    top = max(counts)
    return "".join(_BARS[-(-count * 7 // top)] for count in counts)


def source_name(row: "Row", *, subject: bool) -> str:
    """The source, with what is unusual about the row."""
    name = f"{row.source} ({row.subject or 'unknown'})" if subject else row.source
    return name if row.label != "unknown" else f"{name} (label unknown)"


def cell(claim: Claim | None) -> str:
    """A claim's number with its interval."""
    return NONE if claim is None else shown(claim.estimate)


def spread(claim: Claim) -> str:
    """SD and range over question pairs."""
    found = claim.reliability
    if found is None or found.questions < 2:
        return NONE
    return f"{found.sd:.2f} ({found.low:.2f} to {found.high:.2f})"


def bounds(claim: Claim | None) -> str:
    """What the missing could have made of a number."""
    if claim is None or claim.bounds is None:
        return NONE
    return f"{claim.bounds.low:.2f} to {claim.bounds.high:.2f}"


def lacking(found: Sequence[Missing], whole: int) -> str:
    """How many are missing of how many, and why."""
    reasons = ", ".join(f"{m.reason} {m.n}" for m in found)
    return f"{total(found):,} of {whole:,}" + (f" ({reasons})" if reasons else "")


def share(part: int, whole: int) -> str:
    """A share; 100 % only if nothing is missing."""
    if not whole:
        return NONE
    percent = 100 * part / whole
    return f"{min(percent, 99) if part < whole else percent:.0f} %"
