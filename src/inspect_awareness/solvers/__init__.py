"""Stage 2: how it is asked. Probe questions become replies."""

from inspect_awareness.solvers._bank import Bank, Question, core_bank
from inspect_awareness.solvers._replies import Instrument, Replies, Reply
from inspect_awareness.solvers.probe_questions import probe_questions

__all__ = [
    "Bank",
    "Instrument",
    "Question",
    "Replies",
    "Reply",
    "core_bank",
    "probe_questions",
]
