"""A probe's AUROC, corrected for evaluation awareness."""

from inspect_awareness.stats.correction._advice import Flag
from inspect_awareness.stats.correction._corrected import (
    AwarenessOfLabels,
    CorrectedAuroc,
    corrected_auroc,
)
from inspect_awareness.stats.correction._curve import CutPoint
from inspect_awareness.stats.correction._subsets import SubsetAuroc

__all__ = [
    "AwarenessOfLabels",
    "CorrectedAuroc",
    "CutPoint",
    "Flag",
    "SubsetAuroc",
    "corrected_auroc",
]
