"""Measures whether a model knew that it was being tested, and how far to trust that.

The stages, each a folder: `datasets` (what is judged), `solvers` (how it is asked),
`scorers` (how a reply becomes a number), `measurements` (the one table), `stats`
(numbers in, estimates out) and `report`. Names are loaded when they are first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from inspect_awareness._version import __version__

if TYPE_CHECKING:
    from inspect_awareness.claims import Claim
    from inspect_awareness.datasets import (
        Origin,
        Transcript,
        transcripts_from_chats,
        transcripts_from_logs,
    )
    from inspect_awareness.measurements import Measurements
    from inspect_awareness.report import build_report, write_report
    from inspect_awareness.scorers.p_eval import p_eval
    from inspect_awareness.scorers.p_eval_selected import p_eval_selected
    from inspect_awareness.scorers.verbalized_awareness import verbalized_awareness
    from inspect_awareness.solvers import probe_questions
    from inspect_awareness.stats import Estimate
    from inspect_awareness.tasks.audit import audit
    from inspect_awareness.tasks.probe_log import probe_log

_HOMES = {
    "Claim": "claims",
    "Estimate": "stats",
    "Measurements": "measurements",
    "Origin": "datasets",
    "Transcript": "datasets",
    "audit": "tasks",
    "build_report": "report",
    "p_eval": "scorers",
    "p_eval_selected": "scorers",
    "probe_log": "tasks",
    "probe_questions": "solvers",
    "transcripts_from_chats": "datasets",
    "transcripts_from_logs": "datasets",
    "verbalized_awareness": "scorers",
    "write_report": "report",
}

__all__ = [
    "Claim",
    "Estimate",
    "Measurements",
    "Origin",
    "Transcript",
    "__version__",
    "audit",
    "build_report",
    "p_eval",
    "p_eval_selected",
    "probe_log",
    "probe_questions",
    "transcripts_from_chats",
    "transcripts_from_logs",
    "verbalized_awareness",
    "write_report",
]


def __getattr__(name: str) -> Any:
    """Load a public name from its stage."""
    if name in _HOMES:
        return getattr(import_module(f"inspect_awareness.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """The public names, for completion."""
    return sorted(__all__)
