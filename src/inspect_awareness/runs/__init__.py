"""Runs over files: what `awareness score` does, for use from Python."""

from inspect_awareness.datasets._inputs import Inputs
from inspect_awareness.datasets._selection import Selection
from inspect_awareness.runs._plan import (
    Inventory,
    Plan,
    inventory,
    plan_raters,
    plan_run,
)
from inspect_awareness.runs._rated import Rated, Scored
from inspect_awareness.runs._raters import check_raters, journal_path
from inspect_awareness.runs._score_files import score_files
from inspect_awareness.runs._target import Target
from inspect_awareness.runs._tokens import Tokens

__all__ = [
    "Inputs",
    "Inventory",
    "Plan",
    "Rated",
    "Scored",
    "Selection",
    "Target",
    "Tokens",
    "check_raters",
    "inventory",
    "journal_path",
    "plan_raters",
    "plan_run",
    "score_files",
]
