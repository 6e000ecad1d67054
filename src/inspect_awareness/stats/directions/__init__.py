"""Difference-of-means directions: all pairs of framings, scores, and geometry."""

from inspect_awareness.stats.directions._crossed import crossed_mean
from inspect_awareness.stats.directions._directions import (
    direction_scores,
    pair_directions,
)
from inspect_awareness.stats.directions._geometry import (
    Geometry,
    geometry,
    single_task_cosine,
)

__all__ = [
    "Geometry",
    "crossed_mean",
    "direction_scores",
    "geometry",
    "pair_directions",
    "single_task_cosine",
]
