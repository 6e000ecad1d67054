"""Between statistics and reader: refusals as errors, numbers as JSON and as text."""

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from inspect_awareness.cli._shared import out
from inspect_awareness.errors import InputError

if TYPE_CHECKING:
    from rich.text import Text

    from inspect_awareness.stats import Estimate

V = TypeVar("V")


def stated(compute: Callable[[], V]) -> V:
    """What a computation returns.

    Raises:
        InputError: The statistics refused the values, with their own words.
    """
    try:
        return compute()
    except ValueError as ex:
        raise InputError(str(ex)) from ex


def listed(text: str) -> list[str]:
    """The parts between commas."""
    return [part.strip() for part in text.split(",") if part.strip()]


def known(value: float) -> float | None:
    """A finite number, or null."""
    return float(value) if abs(value) < float("inf") else None


def percent(estimate: "Estimate") -> str:
    """A share and its interval in percent, words where there is none."""
    value, low, high = (100 * x for x in (estimate.value, estimate.low, estimate.high))
    if value != value:
        return "undefined"
    if low != low:
        return f"{value:.1f} (no interval)"
    return f"{value:.1f} [{low:.1f}, {high:.1f}]"


def plain(name: str) -> "Text":
    """A name as it is: square brackets are no markup, escapes no commands."""
    from rich.text import Text

    return Text(printable(name))


def say(text: str) -> None:
    """A line below a table, without markup."""
    out.print(f"  {printable(text)}", markup=False, highlight=False)


def printable(text: str) -> str:
    """Text in which what a terminal would obey is spelled out."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
