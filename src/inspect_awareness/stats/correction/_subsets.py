"""The AUROC among some of the items, with both of its intervals."""

from dataclasses import dataclass, replace
from math import nan

import numpy as np

from inspect_awareness.stats._arrays import Floats
from inspect_awareness.stats._estimate import Estimate, undefined
from inspect_awareness.stats._intervals import Interval
from inspect_awareness.stats.correction._items import Items
from inspect_awareness.stats.roc import newcombe_auroc
from inspect_awareness.stats.roc._ranked import Labels
from inspect_awareness.stats.roc._resampled import percentile
from inspect_awareness.stats.roc._weighted import weighted_areas

TOO_FEW = 3
"""With fewer items of a class than this no AUROC is given."""

FEW = 15
"""With fewer items of a class than this resampling under-covers."""


@dataclass(frozen=True)
class SubsetAuroc:
    """The AUROC of a probe among items of a range of awareness."""

    estimate: Estimate
    """The area, with the interval of the stratified bootstrap."""

    newcombe: Estimate
    """The same area with Newcombe's interval, which holds with few positives."""

    positives: int
    """Positive items."""

    negatives: int
    """Negative items."""

    least: float
    """The least awareness among them; NaN without an item."""

    median: float
    """The median awareness among them."""

    most: float
    """The greatest awareness among them."""


def subset_auroc(
    items: Items, members: Labels, resampled: Floats, level: float
) -> SubsetAuroc:
    """Area, intervals, counts and awareness of some items.

    `resampled` holds the area in each resample.
    """
    n1, n0 = items.counts(members)
    e = items.awareness[members]
    spread = [float(f(e)) for f in (np.min, np.median, np.max)] if e.size else [nan] * 3
    if min(n1, n0) < TOO_FEW:
        note = (
            f"{n1} positive and {n0} negative items: fewer than {TOO_FEW} of a class "
            "give no AUROC"
        )
        nothing = undefined(level, note, n=n1 + n0)
        return SubsetAuroc(nothing, nothing, n1, n0, *spread)
    area = float(area_of(items, members, np.ones((1, items.scores.size)))[0])
    units = items.independent(members)
    return SubsetAuroc(
        interval_of(resampled, level, items).around(
            area, level=level, n=n1 + n0, clusters=sum(units), unit=items.unit.name
        ),
        newcombe_of(items, members, area, level),
        n1,
        n0,
        *spread,
    )


def area_of(items: Items, members: Labels, weights: Floats) -> Floats:
    """The area among some items in each resample, shape (draws,)."""
    return weighted_areas(
        items.scores[members], items.positive[members], weights.T[members].T
    )


def interval_of(resampled: Floats, level: float, items: Items) -> Interval:
    """The percentile interval, named after what was resampled."""
    how = "source" if items.by_source else "stratified"
    method = f"{how} bootstrap, percentile, {resampled.size} draws"
    return percentile(resampled, level, method)


def newcombe_of(items: Items, members: Labels, area: float, level: float) -> Estimate:
    """Newcombe's interval with what is independent as n; none without a pair."""
    n = int(members.sum())
    units = items.independent(members)
    if area != area:
        return undefined(level, "a class is empty", n=n)
    found = newcombe_auroc(area, *units, level=level)
    method = f"{found.method}, {items.unit.name}s as n"
    unit = items.unit.name
    return replace(found, n=n, clusters=sum(units), unit=unit, method=method)
