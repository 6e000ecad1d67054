"""The AUROC among ever more of the least aware items."""

from dataclasses import dataclass

import numpy as np

from inspect_awareness.stats._estimate import Estimate
from inspect_awareness.stats.correction._items import Items
from inspect_awareness.stats.correction._subsets import TOO_FEW, area_of, newcombe_of

CUTS = tuple(k / 10 for k in range(1, 11))
"""Which shares of the items the curve goes through."""


@dataclass(frozen=True)
class CutPoint:
    """A cut of awareness, and the AUROC below it."""

    share: float
    """The least aware share of the items that is meant."""

    below: float
    """Items with e below this value; infinite for all items."""

    estimate: Estimate
    """The AUROC among them, with Newcombe's interval."""

    positives: int
    """Positive items among them."""

    negatives: int
    """Negative items among them."""


def curve_of(items: Items, level: float) -> tuple[CutPoint, ...]:
    """The AUROC below each cut that leaves enough of both classes."""
    found = (_point(items, share, level) for share in CUTS)
    return tuple(p for p in found if min(p.positives, p.negatives) >= TOO_FEW)


def _point(items: Items, share: float, level: float) -> CutPoint:
    """The AUROC below one cut."""
    below = float(np.quantile(items.awareness, share)) if share < 1 else float("inf")
    members = items.awareness < below
    n1, n0 = items.counts(members)
    area = float(area_of(items, members, np.ones((1, members.size)))[0])
    return CutPoint(share, below, newcombe_of(items, members, area, level), n1, n0)
