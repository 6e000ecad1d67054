"""Runs over files: what `awareness score` does, for use from Python."""

from inspect_awareness.runs._inputs import Inputs, Wanted
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
    "Target",
    "Wanted",
    "inventory",
    "journal_path",
    "plan_run",
    "score_files",
]
