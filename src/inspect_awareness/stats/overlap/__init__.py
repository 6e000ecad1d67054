"""Which tasks models are stably aware of, and whether these are the same tasks."""

from inspect_awareness.stats.overlap._overlaps import Overlap, overlaps
from inspect_awareness.stats.overlap._stable import StableTasks, stable_tasks

__all__ = ["Overlap", "StableTasks", "overlaps", "stable_tasks"]
