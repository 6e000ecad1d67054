"""Who confirms whom among several ways to detect awareness."""

from inspect_awareness.stats.confirmation._confirmations import (
    Confirmation,
    Confirmations,
    DetectionRate,
    confirmations,
)

__all__ = ["Confirmation", "Confirmations", "DetectionRate", "confirmations"]
