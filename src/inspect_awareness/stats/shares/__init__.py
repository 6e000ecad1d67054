"""Where awareness varies: models, benchmarks, tasks and their interactions."""

from inspect_awareness.stats.shares._components import ShareComponent
from inspect_awareness.stats.shares._shares import (
    AwarenessShares,
    awareness_shares,
    variance_shares,
)
from inspect_awareness.stats.shares._without import (
    SharesWithout,
    shares_without_each,
)

__all__ = [
    "AwarenessShares",
    "ShareComponent",
    "SharesWithout",
    "awareness_shares",
    "shares_without_each",
    "variance_shares",
]
