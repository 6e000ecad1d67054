"""Inspect's entry point: what is registered. Imports only, and nothing heavy."""

from inspect_awareness.scorers.p_eval import p_eval
from inspect_awareness.solvers.probe_questions import probe_questions
from inspect_awareness.tasks.probe_log import probe_log
from inspect_awareness.whitebox._entry import whitebox

__all__ = ["p_eval", "probe_log", "probe_questions", "whitebox"]
