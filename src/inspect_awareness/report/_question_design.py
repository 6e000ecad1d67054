"""Question pairs x transcripts (within models): the cells, and their components."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from inspect_awareness.claims import counted
from inspect_awareness.report._selection import optional, tasks_in
from inspect_awareness.stats import fiducial, tabulated_components

if TYPE_CHECKING:
    import pandas as pd

    from inspect_awareness.stats import Components
    from inspect_awareness.stats.generalizability import Fiducial

MODEL, TRANSCRIPT, PAIR = "model", "transcript", "question pair"

_DRAWS = 5_000
_NAMES: Mapping[str, str] = {
    "model:transcript": "transcript (within a model)",
    "transcript:question pair": "transcript x question pair, and the rest",
    "model:question pair": "model x question pair",
    "model:question pair:transcript": "transcript x question pair, and the rest",
    "model:transcript:question pair": "transcript x question pair, and the rest",
}


@dataclass(frozen=True, eq=False)
class Design:
    """Components of cells, and what was left out for them."""

    known: "Fiducial"
    cells: "pd.DataFrame"
    left_out: int


def design_of(cells: "pd.DataFrame", rng: np.random.Generator) -> Design:
    """Components of all cells; of whole transcripts where else nothing can be drawn.

    Where too many cells are missing for intervals, transcripts without an answer to
    some pair are left out, if these are at most half.
    """
    several = cells["subject"].fillna("unknown").nunique() > 1
    known = fiducial(_components(cells, several=several), rng=rng, draws=_DRAWS)
    pairs = cells["instrument"].nunique()
    answered = cells.groupby("item")["instrument"].transform("nunique")
    whole = cells[answered.eq(pairs)]
    kept, items = whole["item"].nunique(), cells["item"].nunique()
    drawn = not np.isnan(known.drawn).any()
    if drawn or several or kept == items or kept < max(2, items / 2):
        return Design(known, cells, 0)
    again = fiducial(_components(whole, several=False), rng=rng, draws=_DRAWS)
    return Design(again, whole, items - kept)


def _components(cells: "pd.DataFrame", *, several: bool) -> "Components":
    """Variance components of the cells."""
    labels = {
        TRANSCRIPT: cells["item"].tolist(),
        PAIR: cells["instrument"].tolist(),
    }
    if not several:
        return tabulated_components(cells["value"].to_numpy(), labels)
    models = cells["subject"].fillna("unknown").tolist()
    return tabulated_components(
        cells["value"].to_numpy(),
        {MODEL: models, **labels},
        nested={TRANSCRIPT: MODEL},
    )


def part_name(component: str) -> str:
    """What a component is called."""
    return _NAMES.get(component, component)


def too_small(cells: "pd.DataFrame") -> str:
    """Why there is no design; empty where there is one."""
    pairs, items = cells["instrument"].nunique(), cells["item"].nunique()
    if pairs < 2:
        return "fewer than 2 pairs of questions: how they differ cannot be seen"
    if items < 2:
        return "fewer than 2 scored transcripts: there is nothing to tell apart"
    if len(cells) == len(cells.drop_duplicates("item")):
        return "no transcript has two pairs of questions answered"
    return ""


def notes_of(design: Design) -> tuple[str, ...]:
    """What the design ignores."""
    known, cells = design.known, design.cells
    items = cells.drop_duplicates("item")
    sources = len(set(optional(items["source"])))
    tasks = tasks_in(items)
    repeats = f", and that {counted(len(items), 'transcript')} repeat {counted(tasks, 'task')}"
    ignored = (
        "Ignored: that transcripts come from "
        f"{counted(sources, 'source')}{repeats if tasks < len(items) else ''}. What "
        "these share is counted as a difference between transcripts, and intervals "
        "are too narrow where they share much."
    )
    found = [
        ignored,
        "Each cell has one value, so that what only this pair does to only this "
        "transcript cannot be told from chance.",
        "Questions that agree may agree on length or topic: reliable is not the same "
        "as right.",
    ]
    if design.left_out:
        found.append(
            f"{counted(design.left_out, 'transcript')} without an answer to some pair "
            "are left out here: too many cells are missing for intervals with them."
        )
    missing = known.components.missing
    if missing:
        found.append(f"{counted(missing, 'cell')} of the design have no value.")
    unresolved = [part_name(n) for n in known.components.unresolved]
    if unresolved:
        found.append(
            f"Estimates below 0 are shown as 0: {', '.join(unresolved)} is not "
            "resolved by these data."
        )
    if known.note:
        found.append(f"{known.note[:1].upper()}{known.note[1:]}.")
    return tuple(found)
