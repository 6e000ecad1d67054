"""Intervals of smooth statistics from what they are without each cluster."""

from math import inf, nan

import numpy as np

from inspect_awareness.stats._arrays import Floats
from inspect_awareness.stats._intervals import (
    NO_SPREAD,
    ONE_CLUSTER,
    Interval,
    t_quantile,
)

HINGES_ON_ONE = "without one of the clusters it is undefined, so there is no interval"


def jackknife(
    value: float,
    without: Floats,
    level: float,
    *,
    bounds: tuple[float, float] = (-inf, inf),
    freedom: float = inf,
) -> Interval:
    """Value ± t se, se^2 = (G - 1) / G sum (theta_(g) - mean theta)^2.

    `without` holds the statistic without each of G clusters; `freedom` may lower the
    G - 1 degrees of freedom.
    """
    count = without.size
    if count < 2:
        return Interval(nan, nan, "none", ONE_CLUSTER)
    if not np.isfinite(without).all():
        return Interval(nan, nan, "none", HINGES_ON_ONE)
    se = float(np.sqrt((count - 1) * np.var(without)))
    if se < 1e-12:
        return Interval(nan, nan, "none", NO_SPREAD)
    half = t_quantile(level, min(freedom, count - 1)) * se
    low, high = max(bounds[0], value - half), min(bounds[1], value + half)
    return Interval(low, high, "jackknife over clusters, t")
