"""Arrays in, estimates out; numpy and scipy only."""

from inspect_awareness.stats._auroc import auroc, percentile_of
from inspect_awareness.stats._clustered_auroc import clustered_auroc
from inspect_awareness.stats._clustered_mean import clustered_mean
from inspect_awareness.stats._estimate import Estimate
from inspect_awareness.stats._missing import Bounds, auroc_bounds, mean_bounds
from inspect_awareness.stats._units import Unit, resampling_unit

__all__ = [
    "Bounds",
    "Estimate",
    "Unit",
    "auroc",
    "auroc_bounds",
    "clustered_auroc",
    "clustered_mean",
    "mean_bounds",
    "percentile_of",
    "resampling_unit",
]
