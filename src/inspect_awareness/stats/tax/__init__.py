"""How outcomes differ between aware and unaware samples of the same task."""

from inspect_awareness.stats.tax._actors import Actors, awareness_actors
from inspect_awareness.stats.tax._attenuation import (
    attenuation,
    attenuation_within,
    disattenuated,
)
from inspect_awareness.stats.tax._behaviour import BehaviourChange
from inspect_awareness.stats.tax._covariates import AdjustedTax, adjusted_tax
from inspect_awareness.stats.tax._intervals import MeanFit
from inspect_awareness.stats.tax._tax import AwarenessTax, Equivalence, awareness_tax

__all__ = [
    "Actors",
    "AdjustedTax",
    "AwarenessTax",
    "BehaviourChange",
    "Equivalence",
    "MeanFit",
    "adjusted_tax",
    "attenuation",
    "attenuation_within",
    "awareness_actors",
    "awareness_tax",
    "disattenuated",
]
