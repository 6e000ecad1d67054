"""Intervals on the scales that suit them; what every clustered estimate shares."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from scipy.special import expit, logit
from scipy.stats import t

from inspect_awareness.stats._arrays import Floats, Ids
from inspect_awareness.stats._estimate import Estimate

Clusters = Sequence[Hashable] | npt.NDArray[np.generic]
"""The cluster of each value, as ids of any kind."""

FEW_CLUSTERS = 10
"""Below this many clusters an interval carries a warning."""

UNRESPONSIVE = "every value is identical: the instrument does not respond"
ONE_CLUSTER = "one cluster: its spread cannot be seen, so there is no interval"
NO_SPREAD = "all clusters agree exactly, so their spread cannot be estimated"


@dataclass(frozen=True)
class Interval:
    """Two ends, how they were found, and what to say about them."""

    low: float
    high: float
    method: str
    note: str = ""

    def scaled(self, low: float, high: float) -> "Interval":
        """From [0, 1] to [low, high]."""
        span = high - low
        return replace(self, low=low + span * self.low, high=low + span * self.high)

    def within(self, low: float, high: float) -> "Interval":
        """Cut to what is possible; NaN stays NaN."""
        # `max` and `min` keep their first argument where one is NaN.
        return replace(self, low=max(self.low, low), high=min(self.high, high))

    def around(
        self, value: float, *, level: float, n: int, clusters: int, unit: str
    ) -> Estimate:
        """The estimate, with a warning where the interval stands on few clusters.

        Notes call a cluster what it is, where that is said.
        """
        note = self.note
        if not note and clusters < FEW_CLUSTERS:
            note = f"only {clusters} clusters: the interval is approximate"
        if unit != "sample":
            note = note.replace("cluster", unit)
        return Estimate(
            value, self.low, self.high, level, n, clusters, unit, self.method, note
        )


def influence(x: Floats, ids: Ids, center: float, count: int) -> Floats:
    """Per cluster, sum (x - center) / n / sqrt(1 - h); 0 where it has no value."""
    sums = np.bincount(ids, weights=x - center, minlength=count)
    share = np.bincount(ids, minlength=count) / x.size
    return np.asarray(sums / x.size / np.sqrt(1 - share), dtype=np.float64)


def effective(ids: Ids) -> float:
    """1 / sum h^2: the number of clusters, less where few of them hold most values."""
    share = np.bincount(ids) / ids.size
    return float(1 / np.sum(share**2))


def t_quantile(level: float, freedom: float) -> float:
    """The two-sided quantile of Student's t."""
    return float(t.ppf((1 + level) / 2, freedom))


def on_logit_scale(value: float, se: float, quantile: float) -> Interval:
    """Logit(p) ± q se / (p (1 - p)), back on the scale of p."""
    middle = float(logit(value))
    half = quantile * se / (value * (1 - value))
    return Interval(
        float(expit(middle - half)),
        float(expit(middle + half)),
        "cluster-robust (CR2), logit scale, t",
    )


def exact_bound(value: float, count: int, level: float) -> Interval:
    """All clusters at 0 (or 1): (1 - p)^G = alpha / 2 at the bound."""
    far = 1 - ((1 - level) / 2) ** (1 / count)
    method = "exact one-sided bound, clusters as trials"
    if value == 0.0:
        return Interval(0.0, far, method)
    return Interval(1 - far, 1.0, method)
