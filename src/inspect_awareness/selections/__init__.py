"""Selections of probe questions as files: what was chosen, for whom, and how well."""

from inspect_awareness.selections._files import read_selection, write_selection
from inspect_awareness.selections._made import Origin, selection_of
from inspect_awareness.selections._selection import (
    Interval,
    Search,
    Selection,
)

__all__ = [
    "Interval",
    "Origin",
    "Search",
    "Selection",
    "read_selection",
    "selection_of",
    "write_selection",
]
