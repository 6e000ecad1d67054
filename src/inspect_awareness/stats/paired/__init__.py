"""Two instruments on the same items."""

from inspect_awareness.stats.paired._clustered_difference import (
    clustered_auroc_difference,
)

__all__ = ["clustered_auroc_difference"]
