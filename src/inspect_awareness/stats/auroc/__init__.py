"""The area under the ROC curve, plain and clustered."""

from inspect_awareness.stats.auroc._auroc import auroc, percentile_of
from inspect_awareness.stats.auroc._clustered import clustered_auroc

__all__ = [
    "auroc",
    "clustered_auroc",
    "percentile_of",
]
