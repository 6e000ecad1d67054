"""Bins of forecasts, which are never empty."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from inspect_awareness.stats._arrays import Floats, Ids

Strategy = Literal["quantile", "uniform"]
"""Bins of equal numbers of items, or of equal width on [0, 1]."""


@dataclass(frozen=True, eq=False)
class Bins:
    """Which bin each forecast is in; bin k holds low < forecast <= high."""

    place: Ids
    """The bin of each forecast, ascending with it, shape (n,)."""

    low: Floats
    """Lower edge of each bin."""

    high: Floats
    """Upper edge of each bin."""

    asked: int
    """How many bins were asked for, empty ones and merged ones included."""

    words: str
    """What the bins are, for the record."""

    @property
    def count(self) -> int:
        """How many bins hold forecasts."""
        return self.low.size

    @property
    def sizes(self) -> Floats:
        """How many forecasts each bin holds."""
        return np.bincount(self.place, minlength=self.count).astype(np.float64)

    def means(self, values: Floats) -> Floats:
        """The mean of values in each bin."""
        sums = np.bincount(self.place, weights=values, minlength=self.count)
        return np.asarray(sums / self.sizes, dtype=np.float64)


def binned(p: Floats, bins: int | None, strategy: Strategy) -> Bins:
    """Forecasts in bins; equal forecasts are always together.

    None makes each distinct forecast a bin, and so do quantile bins where there are
    no more distinct forecasts than bins.
    """
    if strategy not in ("quantile", "uniform"):
        raise ValueError(f"strategy must be quantile or uniform, got {strategy!r}")
    if bins is not None and bins < 1:
        raise ValueError(f"bins must be 1 or more, or None, got {bins}")
    distinct = np.unique(p)
    few = strategy == "quantile" and bins is not None and distinct.size <= bins
    if bins is None or few:
        place = np.searchsorted(distinct, p).astype(np.int64)
        return Bins(place, distinct, distinct, bins or distinct.size, "each forecast")
    ends = np.linspace(0, 1, bins + 1)
    edges = ends if strategy == "uniform" else np.unique(np.quantile(p, ends))
    place = np.searchsorted(edges[1:-1], p, side="left")
    used, place = np.unique(place, return_inverse=True)
    words = f"{bins} {strategy} bins"
    return Bins(place.astype(np.int64), edges[used], edges[used + 1], bins, words)
