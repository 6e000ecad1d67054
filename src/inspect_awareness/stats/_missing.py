"""What the values that are missing could have done."""

from dataclasses import dataclass
from math import nan

import numpy.typing as npt

from inspect_awareness.stats._arrays import finite_vector


@dataclass(frozen=True)
class Bounds:
    """The least and the most that a statistic could be, had nothing been missing."""

    low: float
    """Every missing value at the end that lowers the statistic most."""

    high: float
    """Every missing value at the end that raises it most."""

    observed: int
    """How many values are known."""

    missing: int
    """How many are not."""


def mean_bounds(values: npt.ArrayLike, missing: int) -> Bounds:
    """Bounds of the mean of values in [0, 1] of which some are missing.

    low = sum / (n + m) with all missing at 0; high = (sum + m) / (n + m) with all
    at 1. NaN where there is no value at all, known or missing.

    Raises:
        ValueError: A value is outside [0, 1], or `missing` is negative.

    Example:
        >>> mean_bounds([0.5, 1.0], missing=1)
        Bounds(low=0.5, high=0.8333333333333334, observed=2, missing=1)
    """
    vector = finite_vector(values, "values")
    if vector.size and not (vector.min() >= 0 and vector.max() <= 1):
        raise ValueError(
            f"values must be in [0, 1], got {vector.min()} to {vector.max()}"
        )
    _check_count(missing)
    total = vector.size + missing
    if not total:
        return Bounds(nan, nan, 0, 0)
    known = float(vector.sum())
    return Bounds(known / total, (known + missing) / total, vector.size, missing)


def auroc_bounds(
    area: float, *, observed: tuple[int, int], missing: tuple[int, int]
) -> Bounds:
    """Bounds of an AUROC when scores of either class are missing.

    With n1 n0 known pairs of N1 N0 pairs in all, a missing pair is worth 0 or 1:
    low = A n1 n0 / (N1 N0), high = 1 - (1 - A) n1 n0 / (N1 N0).

    Args:
        area: AUROC of the known scores.
        observed: Known scores: evaluation, deployment.
        missing: Missing scores: evaluation, deployment.

    Example:
        >>> auroc_bounds(0.8, observed=(9, 10), missing=(1, 0))
        Bounds(low=0.7200000000000001, high=0.8200000000000001, observed=19, missing=1)
    """
    for count in (*observed, *missing):
        _check_count(count)
    everything = (observed[0] + missing[0]) * (observed[1] + missing[1])
    if not everything:
        return Bounds(nan, nan, sum(observed), sum(missing))
    if not observed[0] * observed[1]:
        return Bounds(0.0, 1.0, sum(observed), sum(missing))
    known = observed[0] * observed[1] / everything
    return Bounds(area * known, 1 - (1 - area) * known, sum(observed), sum(missing))


def _check_count(count: int) -> None:
    """A count is no less than 0."""
    if count < 0:
        raise ValueError(f"a count of values cannot be negative: {count}")
