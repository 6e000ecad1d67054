"""Awareness rates over tasks, and what a judge's errors do to them."""

from inspect_awareness.stats.rates._corrected_rates import corrected_rates
from inspect_awareness.stats.rates._judge_corrections import Validation
from inspect_awareness.stats.rates._judge_error import corrected_rate
from inspect_awareness.stats.rates._rates import Rate, awareness_rate, awareness_rates

__all__ = [
    "Rate",
    "Validation",
    "awareness_rate",
    "awareness_rates",
    "corrected_rate",
    "corrected_rates",
]
