"""A weighted mean of differences with the small-sample interval that it needs."""

from dataclasses import dataclass
from math import nan

import numpy as np
from scipy.stats import t

from inspect_awareness.stats._arrays import Floats, Ids
from inspect_awareness.stats._intervals import (
    NO_SPREAD,
    ONE_CLUSTER,
    Interval,
    t_quantile,
)

NOTHING = "no task has both aware and unaware samples"


@dataclass(frozen=True)
class MeanFit:
    """A weighted mean, its standard error, and the degrees of freedom of that."""

    value: float
    se: float
    freedom: float
    clusters: int

    def interval(self, level: float) -> Interval:
        """Value ± t se; NaN where the spread cannot be seen."""
        if not self.clusters:
            return Interval(nan, nan, "none", NOTHING)
        if self.clusters == 1:
            return Interval(nan, nan, "none", ONE_CLUSTER)
        if self.se < 1e-12:
            return Interval(nan, nan, "none", NO_SPREAD)
        half = t_quantile(level, self.freedom) * self.se
        method = f"CR2, Bell-McCaffrey t({self.freedom:.1f})"
        return Interval(self.value - half, self.value + half, method)

    def detectable(self, level: float, power: float) -> float:
        """(t_(1 - alpha / 2) + t_power) se: the effect that is found with that power."""
        if not self.se >= 1e-12:
            return nan
        at = t_quantile(level, self.freedom) + float(t.ppf(power, self.freedom))
        return at * self.se

    def outside(self, margin: float) -> float:
        """The p-value of |effect| >= margin: the larger of two one-sided tests."""
        if not self.se >= 1e-12:
            return nan
        nearest = (margin - abs(self.value)) / self.se
        return float(t.sf(nearest, self.freedom))


def cr2_mean(values: Floats, weights: Floats, clusters: Ids) -> MeanFit:
    """The weighted mean, CR2 standard error and Bell-McCaffrey degrees of freedom.

    With cluster shares h_g = sum_g w / sum w and sums u_g = sum_g w (x - mean) / sum w,
    se^2 = sum u_g^2 / (1 - h_g). Under a working model of independent errors with
    variance 1 / w the moments of se^2 give (with a_g = h_g^2 / (1 - h_g))
    nu = 1 / (sum h_g^2 + (sum a_g)^2 - sum a_g^2): G - 1 for G equal shares.

    For differences aware - unaware with w = n_a n_u / m these are exactly CR2 and its
    degrees of freedom in a regression on awareness with a dummy for each stratum:
    the regressor is then orthogonal to the dummies, and a cluster's hat matrix has
    rank one, with h_g its eigenvalue.
    """
    if not values.size:
        return MeanFit(nan, nan, nan, 0)
    total = float(weights.sum())
    mean = float(weights @ values) / total
    share = np.bincount(clusters, weights) / total
    sums = np.bincount(clusters, weights * (values - mean)) / total
    share, sums = share[share > 0], sums[share > 0]
    if share.size == 1:
        return MeanFit(mean, nan, nan, 1)
    se = float(np.sqrt(np.sum(sums**2 / (1 - share))))
    if se < 1e-12 * float(np.abs(values).max()):
        se = 0.0  # what is left of equal values is rounding
    a = share**2 / (1 - share)
    freedom = 1 / float(np.sum(share**2) + np.sum(a) ** 2 - np.sum(a**2))
    return MeanFit(mean, se, freedom, share.size)
