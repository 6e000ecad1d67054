"""Floors: what chance alone reaches on a peak over layers."""

from inspect_awareness.stats.floors._construction import permuted_construction_floor
from inspect_awareness.stats.floors._contrast import ContrastGrams
from inspect_awareness.stats.floors._effective import effective_layers
from inspect_awareness.stats.floors._floor import Floor
from inspect_awareness.stats.floors._isotropic import isotropic_floor, layer_persistence
from inspect_awareness.stats.floors._normals import MaximumOfNormals, maximum_of_normals
from inspect_awareness.stats.floors._peak import PeakEstimates, peak_estimates
from inspect_awareness.stats.floors._refit import permuted_refit_floor
from inspect_awareness.stats.floors._scoring import (
    permuted_scoring_floor,
    permuted_scoring_floors,
)
from inspect_awareness.stats.floors._selection import (
    SelectionFloor,
    lag_one_floor,
    layer_selection_floor,
    null_sd,
)

__all__ = [
    "ContrastGrams",
    "Floor",
    "MaximumOfNormals",
    "PeakEstimates",
    "SelectionFloor",
    "effective_layers",
    "isotropic_floor",
    "lag_one_floor",
    "layer_persistence",
    "layer_selection_floor",
    "maximum_of_normals",
    "null_sd",
    "peak_estimates",
    "permuted_construction_floor",
    "permuted_refit_floor",
    "permuted_scoring_floor",
    "permuted_scoring_floors",
]
