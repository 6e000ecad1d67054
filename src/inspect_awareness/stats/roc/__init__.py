"""The area under the ROC curve: one or many at once, and their intervals."""

from inspect_awareness.stats.roc._argmax import ArgmaxDistribution, argmax_layers
from inspect_awareness.stats.roc._auroc import auroc, percentile_of
from inspect_awareness.stats.roc._clustered import clustered_auroc
from inspect_awareness.stats.roc._clustered_difference import clustered_auroc_difference
from inspect_awareness.stats.roc._delong import (
    AurocDifference,
    delong_auroc,
    delong_difference,
)
from inspect_awareness.stats.roc._newcombe import newcombe_auroc
from inspect_awareness.stats.roc._ranked import RankedScores, aurocs, folded, signed
from inspect_awareness.stats.roc._resampled import bootstrap_auroc, bootstrap_weights
from inspect_awareness.stats.roc._split_half import (
    SplitHalf,
    folded_peak,
    spearman_brown,
    split_half,
)

__all__ = [
    "ArgmaxDistribution",
    "AurocDifference",
    "RankedScores",
    "SplitHalf",
    "argmax_layers",
    "auroc",
    "aurocs",
    "bootstrap_auroc",
    "bootstrap_weights",
    "clustered_auroc",
    "clustered_auroc_difference",
    "delong_auroc",
    "delong_difference",
    "folded",
    "folded_peak",
    "newcombe_auroc",
    "percentile_of",
    "signed",
    "spearman_brown",
    "split_half",
]
