"""Awareness rates by how much there was to read, within tasks and pooled."""

from inspect_awareness.stats.bands._bands import Band, RatesByBand, rates_by_band

__all__ = ["Band", "RatesByBand", "rates_by_band"]
