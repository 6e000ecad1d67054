"""Where a curve over turns rises."""

from inspect_awareness.stats.onset._rise import Rise, first_above, rise

__all__ = ["Rise", "first_above", "rise"]
