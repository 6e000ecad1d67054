"""Where awareness varies: models, benchmarks, tasks and their interactions."""

from inspect_awareness.stats.shares._components import ShareComponent
from inspect_awareness.stats.shares._shares import (
    AwarenessShares,
    awareness_shares,
    variance_shares,
)

__all__ = [
    "AwarenessShares",
    "ShareComponent",
    "awareness_shares",
    "variance_shares",
]
