"""The Brier score, and what it is made of."""

from dataclasses import dataclass
from math import nan

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats._arrays import Floats
from inspect_awareness.stats._clustered_mean import clustered_mean
from inspect_awareness.stats._estimate import Estimate, undefined
from inspect_awareness.stats._intervals import Clusters
from inspect_awareness.stats.calibration._bins import Bins, Strategy, binned
from inspect_awareness.stats.calibration._inputs import (
    cluster_ids,
    forecasts,
)
from inspect_awareness.stats.calibration._isotonic import pooled_fit


@dataclass(frozen=True)
class BrierParts:
    """Parts that add up to a Brier score."""

    reliability: float
    """REL: mean squared distance of a bin's mean forecast from its observed rate; 0 if
    calibrated."""

    resolution: float
    """RES: mean squared distance of a bin's observed rate from the base rate."""

    uncertainty: float
    """UNC: the score of a forecast that is always the base rate."""

    within_variance: float
    """WBV: variance of the forecasts within bins; 0 if a bin is one forecast."""

    within_covariance: float
    """WBC: twice the covariance of forecasts and labels within bins."""

    bins: int
    """How many bins."""

    @property
    def total(self) -> float:
        """REL - RES + UNC + WBV - WBC: the Brier score."""
        within = self.within_variance - self.within_covariance
        return self.reliability - self.resolution + self.uncertainty + within


@dataclass(frozen=True)
class BrierScore:
    """Mean squared error of probabilities, and three ways to take it apart."""

    score: Estimate
    """Mean of (p - y)^2: 0 is perfect."""

    skill: Estimate
    """1 - score / UNC: 1 is perfect, 0 is no better than the base rate."""

    murphy: BrierParts
    """By bins."""

    corrected: BrierParts
    """By bins, with REL, RES and UNC freed of their bias at first order, so that any
    may be negative; NaN if a bin holds one item. Takes items for independent: with
    clusters it corrects too little."""

    isotonic: BrierParts
    """Without bins, against the isotonic curve: REL is miscalibration, RES is
    discrimination, neither ever negative."""

    base_rate: float
    """Share of evaluation items."""

    n: int
    """How many items."""

    bins: str
    """What the bins are."""

    note: str = ""
    """What a reader must know."""


def brier(
    probabilities: npt.ArrayLike,
    evaluation: npt.ArrayLike,
    *,
    clusters: Clusters | None = None,
    bins: int | None = 10,
    strategy: Strategy = "quantile",
    level: float = 0.95,
    unit: str = "sample",
) -> BrierScore:
    """The Brier score, its skill, and its parts.

    B = mean (p - y)^2. Over bins k with mean forecast f_k and observed rate o_k:
    B = sum n_k (f_k - o_k)^2 / n - sum n_k (o_k - o)^2 / n + o (1 - o)
    + mean (p - f_k)^2 - 2 mean (p - f_k)(y - o_k), that is REL - RES + UNC + WBV - WBC,
    exactly; the last two vanish where each forecast is its own bin (`bins=None`).
    Corrected: with v = sum (n_k / n) o_k (1 - o_k) / (n_k - 1) and
    w = o (1 - o) / (n - 1), REL - v, RES - v + w, UNC + w. The interval of B is that
    of a clustered mean; skill 1 - B / UNC has one from its influence values.

    Args:
        probabilities: Forecast of each item, shape (n,).
        evaluation: 1 for evaluation, 0 for deployment, shape (n,).
        clusters: The cluster (source, task) of each item; None takes items for
            independent.
        bins: How many bins; None makes each distinct forecast one.
        strategy: `quantile` or `uniform`.
        level: Nominal coverage.
        unit: What a cluster is, for the record: `source`, `task` or `sample`.

    Returns:
        The record. Skill is NaN with one label; without items all is NaN.

    Raises:
        ValueError: A probability is outside [0, 1] or NaN, a label is neither 0 nor 1,
            lengths differ, or bins or strategy are unknown.

    References:
        Brier, Monthly Weather Review 78 (1950) 1. Murphy, J. Applied Meteorology 12
        (1973) 595. Stephenson, Coelho and Jolliffe, Weather and Forecasting 23 (2008)
        752. Ferro and Fricker, QJRMS 138 (2012) 1954. Dimitriadis, Gneiting and
        Jordan, PNAS 118 (2021) e2016191118, on the isotonic parts.

    Example:
        >>> found = brier([0.25, 0.25, 0.75, 0.75], [0, 0, 1, 0])
        >>> found.score.value, found.murphy.reliability, found.murphy.resolution
        (0.1875, 0.0625, 0.0625)
    """
    p, y = forecasts(probabilities, evaluation)
    ids = cluster_ids(clusters, p.size)
    if not p.size:
        nothing = undefined(level, "no item")
        parts = BrierParts(nan, nan, nan, nan, nan, 0)
        return BrierScore(
            nothing, nothing, parts, parts, parts, nan, 0, "none", nothing.note
        )
    grouped = binned(p, bins, strategy)
    murphy = _murphy(p, y, grouped)
    alone = int((grouped.sizes == 1).sum())
    return BrierScore(
        score=clustered_mean((p - y) ** 2, ids, level=level, unit=unit),
        skill=_skill(p, y, ids, level, unit),
        murphy=murphy,
        corrected=_corrected(murphy, y, grouped),
        isotonic=_isotonic(p, y),
        base_rate=float(y.mean()),
        n=p.size,
        bins=grouped.words,
        note=f"{alone} of {grouped.count} bins hold one item" if alone else "",
    )


def _murphy(p: Floats, y: Floats, grouped: Bins) -> BrierParts:
    """Murphy's parts, with Stephenson's two for forecasts that differ within a bin."""
    weight = grouped.sizes / p.size
    forecast, observed = grouped.means(p), grouped.means(y)
    base = float(y.mean())
    off = p - forecast[grouped.place]
    return BrierParts(
        float(weight @ (forecast - observed) ** 2),
        float(weight @ (observed - base) ** 2),
        base * (1 - base),
        float(np.mean(off**2)),
        float(2 * np.mean(off * (y - observed[grouped.place]))),
        grouped.count,
    )


def _corrected(parts: BrierParts, y: Floats, grouped: Bins) -> BrierParts:
    """Less v, the sampling variance of the bins' rates; w is that of the base rate."""
    sizes, rate = grouped.sizes, grouped.means(y)
    if sizes.min() < 2:
        return BrierParts(nan, nan, nan, nan, nan, parts.bins)
    v = float(np.sum(sizes / y.size * rate * (1 - rate) / (sizes - 1)))
    w = parts.uncertainty / (y.size - 1)
    return BrierParts(
        parts.reliability - v,
        parts.resolution - v + w,
        parts.uncertainty + w,
        parts.within_variance,
        parts.within_covariance,
        parts.bins,
    )


def _isotonic(p: Floats, y: Floats) -> BrierParts:
    """B(p) - B(isotonic), and UNC - B(isotonic)."""
    knots, values = pooled_fit(p, y)
    fitted = values[np.searchsorted(knots, p)]
    best = float(np.mean((fitted - y) ** 2))
    base = float(y.mean())
    uncertainty = base * (1 - base)
    miss = max(0.0, float(np.mean((p - y) ** 2)) - best)
    blocks = np.unique(values).size
    return BrierParts(miss, max(0.0, uncertainty - best), uncertainty, 0.0, 0.0, blocks)


def _skill(
    p: Floats, y: Floats, ids: npt.NDArray[np.int64], level: float, unit: str
) -> Estimate:
    """1 - B / U as the mean of its influence values, U = o (1 - o)."""
    base = float(y.mean())
    worst = base * (1 - base)
    if not worst:
        note = "one label: the base rate makes no error, so there is no skill"
        return undefined(level, note, n=p.size, clusters=int(ids.max()) + 1)
    error = (p - y) ** 2
    score = float(error.mean())
    moved = (error - score) / worst - score * (1 - 2 * base) * (y - base) / worst**2
    values = 1 - score / worst - moved
    return clustered_mean(values, ids, level=level, bounds=None, unit=unit)
