"""Runs over files: what `awareness score` does, for use from Python."""

from inspect_awareness.datasets._inputs import Inputs
from inspect_awareness.datasets._selection import Selection
from inspect_awareness.runs._plan import Inventory, Plan
from inspect_awareness.runs._score_files import (
    Scored,
    Target,
    inventory,
    journal_path,
    plan_run,
    score_files,
)

__all__ = [
    "Inputs",
    "Inventory",
    "Plan",
    "Scored",
    "Selection",
    "Target",
    "inventory",
    "journal_path",
    "plan_run",
    "score_files",
]
