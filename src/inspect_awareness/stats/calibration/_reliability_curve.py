"""The reliability curve: observed rates over mean forecasts."""

from dataclasses import dataclass
from math import nan

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats._clustered_mean import clustered_mean
from inspect_awareness.stats._estimate import Estimate, undefined
from inspect_awareness.stats._intervals import Clusters
from inspect_awareness.stats.calibration._bins import Bins, Strategy, binned
from inspect_awareness.stats.calibration._inputs import (
    cluster_ids,
    forecasts,
)


@dataclass(frozen=True)
class ReliabilityBin:
    """Forecasts that are alike, and how often they came true."""

    low: float
    """Lower edge: the bin holds low < forecast <= high (the first holds low too)."""

    high: float
    """Upper edge."""

    forecast: float
    """Mean forecast."""

    observed: Estimate
    """Share of evaluation items, with its interval; n is the number of items."""


@dataclass(frozen=True)
class ReliabilityCurve:
    """Bins in ascending order of forecast."""

    bins: tuple[ReliabilityBin, ...]
    """The bins; an empty one has n 0 and NaN."""

    empty: int
    """How many of them are empty."""

    n: int
    """How many items."""

    words: str
    """What the bins are."""

    note: str = ""
    """What a reader must know."""


def reliability_curve(
    probabilities: npt.ArrayLike,
    evaluation: npt.ArrayLike,
    *,
    bins: int | None = 10,
    strategy: Strategy = "quantile",
    clusters: Clusters | None = None,
    level: float = 0.95,
    unit: str = "sample",
) -> ReliabilityCurve:
    """Mean forecast and observed rate of each bin of forecasts.

    The interval of a rate is that of a clustered mean over the items in the bin, each
    bin by itself: of ten bins of a calibrated model one is outside its 95 % interval
    four times in ten.

    Args:
        probabilities: Forecast of each item, shape (n,).
        evaluation: 1 for evaluation, 0 for deployment, shape (n,).
        bins: How many bins; None makes each distinct forecast one.
        strategy: `quantile`, bins of equal numbers of items, where equal forecasts
            stay together, so that there may be fewer; or `uniform`, bins of equal
            width on [0, 1], which may be empty.
        clusters: The cluster (source, task) of each item; None takes items for
            independent.
        level: Nominal coverage.
        unit: What a cluster is, for the record: `source`, `task` or `sample`.

    Returns:
        The curve.

    Raises:
        ValueError: A probability is outside [0, 1] or NaN, a label is neither 0 nor 1,
            lengths differ, or bins or strategy are unknown.

    References:
        Murphy and Winkler, Applied Statistics 26 (1977) 41. Broecker and Smith,
        Weather and Forecasting 22 (2007) 651, on what reading one needs.

    Example:
        >>> curve = reliability_curve([0.2, 0.2, 0.7, 0.7], [0, 1, 1, 1], bins=2)
        >>> [(b.forecast, b.observed.value) for b in curve.bins]
        [(0.2, 0.5), (0.7, 1.0)]
    """
    p, y = forecasts(probabilities, evaluation)
    ids = cluster_ids(clusters, p.size)
    if not p.size:
        return ReliabilityCurve((), 0, 0, "none", "no item")
    grouped = binned(p, bins, strategy)
    forecast = grouped.means(p)
    found = []
    for k in range(grouped.count):
        inside = grouped.place == k
        observed = clustered_mean(y[inside], ids[inside], level=level, unit=unit)
        ends = float(grouped.low[k]), float(grouped.high[k])
        found.append(ReliabilityBin(*ends, float(forecast[k]), observed))
    if strategy == "uniform" and bins is not None:
        found = _with_empty(found, bins, level)
    empty = len(found) - grouped.count
    note = _note(grouped, empty)
    return ReliabilityCurve(tuple(found), empty, p.size, grouped.words, note)


def _with_empty(
    found: list[ReliabilityBin], bins: int, level: float
) -> list[ReliabilityBin]:
    """The bins of equal width that hold no forecast put in their places."""
    held = {one.low: one for one in found}
    ends = np.linspace(0, 1, bins + 1).tolist()
    nothing = undefined(level, "no forecast in this bin")
    return [
        held.get(ends[k], ReliabilityBin(ends[k], ends[k + 1], nan, nothing))
        for k in range(bins)
    ]


def _note(grouped: Bins, empty: int) -> str:
    """What became of the bins that were asked for."""
    if empty:
        return f"{empty} of {grouped.asked} bins hold no forecast"
    if grouped.count < grouped.asked:
        return (
            f"{grouped.count} bins instead of {grouped.asked}: equal forecasts stay "
            "together"
        )
    return ""
