"""A number with its interval."""

from dataclasses import dataclass
from math import nan


@dataclass(frozen=True)
class Estimate:
    """A value that never travels without its interval and its n.

    What is undefined is NaN: `low` and `high` are NaN where no interval can be
    computed, and `note` then says why.
    """

    value: float
    """The point estimate."""

    low: float
    """Lower end of the interval."""

    high: float
    """Upper end of the interval."""

    level: float
    """Nominal coverage of the interval, such as .95."""

    n: int
    """How many values went in."""

    clusters: int
    """How many of them count as independent."""

    unit: str = "sample"
    """What is independent: `source`, `task` or `sample`."""

    method: str = ""
    """How value and interval were computed."""

    note: str = ""
    """What a reader must know: why there is no interval, or why it is fragile."""

    @property
    def has_interval(self) -> bool:
        """Whether both ends are known."""
        return self.low == self.low and self.high == self.high

    def contains(self, value: float) -> bool:
        """Whether the interval is known and holds a value."""
        return self.low <= value <= self.high


def undefined(level: float, note: str, *, n: int = 0, clusters: int = 0) -> Estimate:
    """The estimate of something that does not exist, with the reason."""
    return Estimate(nan, nan, nan, level, n, clusters, note=note)
