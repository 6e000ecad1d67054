"""Stage 2: how it is asked. Probe questions become replies."""

from inspect_awareness.solvers._bank import Bank, core_bank, load_bank
from inspect_awareness.solvers._question import Question
from inspect_awareness.solvers._replies import Instrument, Replies, Reply
from inspect_awareness.solvers.framed import framed
from inspect_awareness.solvers.probe_questions import probe_questions

__all__ = [
    "Bank",
    "Instrument",
    "Question",
    "Replies",
    "Reply",
    "core_bank",
    "framed",
    "load_bank",
    "probe_questions",
]
