"""The mean over values, with an interval over clusters."""

from math import nan

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats._arrays import Floats, Ids, finite_vector, matching_ids
from inspect_awareness.stats._estimate import Estimate, undefined
from inspect_awareness.stats._intervals import (
    NO_SPREAD,
    ONE_CLUSTER,
    UNRESPONSIVE,
    Clusters,
    Interval,
    effective,
    exact_bound,
    influence,
    on_logit_scale,
    t_quantile,
)


def clustered_mean(
    values: npt.ArrayLike,
    clusters: Clusters,
    *,
    level: float = 0.95,
    bounds: tuple[float, float] | None = (0.0, 1.0),
    unit: str = "sample",
) -> Estimate:
    """The mean over values, with an interval over clusters.

    With cluster shares h = n_g / n and sums of residuals e_g, the standard error is
    se^2 = sum e_g^2 / (1 - h_g) / n^2 (CR2; for G clusters of one size it is
    sd(cluster means) / sqrt(G)), with t on G* - 1 degrees of freedom,
    G* = 1 / sum h_g^2 (G for clusters of one size). For bounded values the interval
    is logit(p) ± t se / (p (1 - p)), which stays inside the bounds. If every value
    sits on one bound, it is the exact one-sided bound 1 - (alpha / 2)^(1/G) with
    the clusters as trials.

    Args:
        values: The values, shape (n,).
        clusters: The cluster of each value, shape (n,).
        level: Nominal coverage.
        bounds: Least and greatest possible value; None for an unbounded scale.
        unit: What a cluster is, for the record: `source`, `task` or `sample`.

    Returns:
        The estimate. The interval is NaN with one cluster or without any spread
        between clusters, never of zero width.

    Raises:
        ValueError: A value is not finite or outside the bounds, or the lengths differ.
    """
    x = finite_vector(values, "values")
    ids = matching_ids(clusters, x.size, "clusters")
    if not x.size:
        return undefined(level, "no value")
    unit_scale = _to_unit(x, bounds) if bounds else x
    count = int(ids.max()) + 1
    interval = _mean_interval(unit_scale, ids, level=level, bounded=bounds is not None)
    if bounds:
        interval = interval.scaled(*bounds)
    return interval.around(
        float(x.mean()), level=level, n=x.size, clusters=count, unit=unit
    )


def _mean_interval(x: Floats, ids: Ids, *, level: float, bounded: bool) -> Interval:
    """The interval of a mean, on the unit scale where it is bounded."""
    count = int(ids.max()) + 1
    if count == 1:
        return Interval(nan, nan, "none", ONE_CLUSTER)
    if x.min() == x.max():
        if bounded and x[0] in (0.0, 1.0):
            return exact_bound(float(x[0]), count, level)
        return Interval(nan, nan, "none", UNRESPONSIVE)
    center = float(x.mean())
    se = float(np.sqrt(np.sum(influence(x, ids, center, count) ** 2)))
    if se < 1e-12 * float(np.ptp(x)):
        return Interval(nan, nan, "none", NO_SPREAD)
    quantile = t_quantile(level, effective(ids) - 1)
    if bounded:
        return on_logit_scale(center, se, quantile)
    half = quantile * se
    return Interval(center - half, center + half, "cluster-robust (CR2), t")


def _to_unit(x: Floats, bounds: tuple[float, float]) -> Floats:
    """From [low, high] to [0, 1]."""
    low, high = bounds
    if x.min() < low or x.max() > high:
        raise ValueError(
            f"values must be in [{low}, {high}], got {x.min()} to {x.max()}"
        )
    return np.asarray((x - low) / (high - low), dtype=np.float64)
