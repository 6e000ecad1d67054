"""Stage 3: how a reply becomes a number."""

from inspect_awareness.scorers.p_eval import p_eval

__all__ = ["p_eval"]
