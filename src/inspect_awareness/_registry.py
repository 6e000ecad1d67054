"""Inspect's entry point: what is registered. Imports only, and nothing heavy."""

from inspect_awareness.scanners import _entry  # noqa: F401 registers scanners
from inspect_awareness.scorers.direction import direction
from inspect_awareness.scorers.factor_attribution import factor_attribution
from inspect_awareness.scorers.p_eval import p_eval
from inspect_awareness.scorers.p_eval_selected import p_eval_selected
from inspect_awareness.scorers.verbalized_awareness import verbalized_awareness
from inspect_awareness.solvers.framed import framed
from inspect_awareness.solvers.probe_questions import probe_questions
from inspect_awareness.tasks import (
    audit,
    directions,
    everyday_requests,
    exam_items,
    probe_log,
)
from inspect_awareness.whitebox._entry import whitebox

__all__ = [
    "audit",
    "direction",
    "directions",
    "everyday_requests",
    "exam_items",
    "factor_attribution",
    "framed",
    "p_eval",
    "p_eval_selected",
    "probe_log",
    "probe_questions",
    "verbalized_awareness",
    "whitebox",
]
