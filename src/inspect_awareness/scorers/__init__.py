"""Stage 3: how a reply becomes a number."""

from inspect_awareness.scorers.direction import direction
from inspect_awareness.scorers.factor_attribution import factor_attribution
from inspect_awareness.scorers.p_eval import p_eval
from inspect_awareness.scorers.p_eval_selected import p_eval_selected
from inspect_awareness.scorers.verbalized_awareness import verbalized_awareness

__all__ = [
    "direction",
    "factor_attribution",
    "p_eval",
    "p_eval_selected",
    "verbalized_awareness",
]
