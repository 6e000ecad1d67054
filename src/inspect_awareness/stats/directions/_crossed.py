"""Numbers over the crossing of two arms of framings, with intervals over both."""

from math import nan, sqrt

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats._arrays import Floats
from inspect_awareness.stats._estimate import Estimate, undefined
from inspect_awareness.stats._intervals import Interval, t_quantile
from inspect_awareness.stats._leave_one_out import jackknife

METHOD = "jackknife over the framings of both arms, t"


def crossed_mean(
    values: npt.ArrayLike,
    *,
    level: float = 0.95,
    bounds: tuple[float, float] | None = None,
) -> Estimate:
    """The mean over all pairs of framings, with an interval over framings of both arms.

    Pairs that share a framing are no independent draws: so each arm's framings are left
    out one at a time, and the variances of either arm's jackknife are added up, with
    Satterthwaite's degrees of freedom for t. The interval speaks of framings like these, for the same model and the same items.

    Args:
        values: A value for each pair, shape (E, D).
        level: Nominal coverage.
        bounds: Least and greatest possible value.

    Returns:
        The estimate; its `n` are pairs and its `clusters` framings of both arms. A NaN
        interval where an arm has one framing.

    Raises:
        ValueError: A value is NaN or infinite, or there are no two axes.

    Example:
        >>> found = crossed_mean([[0.1, 0.2], [0.3, 0.4]])
        >>> round(found.value, 2), found.clusters
        (0.25, 4)
    """
    y = np.asarray(values, dtype=np.float64)
    if y.ndim != 2 or not y.size:
        raise ValueError(
            f"values must be (evaluation framings, deployment framings), got {y.shape}"
        )
    if not np.isfinite(y).all():
        bad = int((~np.isfinite(y)).sum())
        raise ValueError(f"{bad} of {y.size} values are NaN or infinite")
    arms = [
        np.array([np.delete(y, k, axis).mean() for k in range(size)])
        if size > 1
        else np.array([nan])
        for axis, size in enumerate(y.shape)
    ]
    return over_framings(float(y.mean()), arms, level, pairs=y.size, bounds=bounds)


def over_framings(
    value: float,
    without: list[Floats],
    level: float,
    *,
    pairs: int,
    bounds: tuple[float, float] | None = None,
) -> Estimate:
    """An estimate from what it is without each framing of either arm."""
    clusters = sum(arm.size for arm in without)
    if value != value:
        return undefined(level, "not defined", n=pairs, clusters=clusters)
    found = _joined(value, without, level)
    if bounds is not None:
        found = found.within(*bounds)
    return found.around(value, level=level, n=pairs, clusters=clusters, unit="framing")


def _joined(value: float, without: list[Floats], level: float) -> Interval:
    """Value ± t se, se^2 the sum of both arms' (G - 1) var, df by Satterthwaite."""
    for arm in without:
        alone = jackknife(value, arm, level)
        if alone.low != alone.low:
            return alone
    parts = [(arm.size - 1) * float(np.var(arm)) for arm in without]
    total = sum(parts)
    shares = [p**2 / (arm.size - 1) for p, arm in zip(parts, without, strict=True)]
    half = t_quantile(level, total**2 / sum(shares)) * sqrt(total)
    return Interval(value - half, value + half, METHOD)
