"""The area under the ROC curve: one or many at once, and their intervals."""

from inspect_awareness.stats.auroc._auroc import auroc, percentile_of
from inspect_awareness.stats.auroc._clustered import clustered_auroc
from inspect_awareness.stats.auroc._newcombe import newcombe_auroc
from inspect_awareness.stats.auroc._ranked import RankedScores, aurocs, folded, signed

__all__ = [
    "RankedScores",
    "auroc",
    "aurocs",
    "clustered_auroc",
    "folded",
    "newcombe_auroc",
    "percentile_of",
    "signed",
]
