"""The cues that stably aware tasks cite, by benchmark and model."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from inspect_awareness._cues import CATEGORIES, FACTORS
from inspect_awareness.claims import counted
from inspect_awareness.measurements import CUE, Measurements, cue_repeats
from inspect_awareness.report._reference import Made
from inspect_awareness.report._table import Table
from inspect_awareness.report._terms import Terms
from inspect_awareness.report.voiced._numbers import percent
from inspect_awareness.stats import CueShares, TaskCue, cue_shares, task_cues

if TYPE_CHECKING:
    import pandas as pd

LOWER = " With fewer runs a task, lower --min-aware."
"""What helps where no task has enough aware runs."""

ALL = "all"
"""Stands for every model, or every benchmark."""


@dataclass(frozen=True)
class CitedBy:
    """The cues of the stably aware tasks of a model on a benchmark."""

    model: str
    """The model, or `all`."""

    benchmark: str
    """The benchmark, or `all`."""

    cues: CueShares
    """How many of its stably aware tasks cite each cue."""


@dataclass(frozen=True)
class Cited:
    """The cues that one judge found in one way."""

    judge: str
    """The judge, or several."""

    implementation: Mapping[str, str]
    """How it judged."""

    least: int
    """Aware runs that make a task stably aware."""

    rows: tuple[CitedBy, ...]
    """All tasks, then each benchmark, then each model on each benchmark."""

    @property
    def tasks(self) -> int:
        """Stably aware tasks."""
        return self.rows[0].cues.tasks if self.rows else 0


def cited(scored: Measurements, terms: Terms, *, least: int) -> tuple[Cited, ...]:
    """The cues that each judge found, deployment transcripts apart.

    Args:
        scored: The files in question.
        terms: Coverage.
        least: Aware runs that make a task stably aware.
    """
    values = scored.values
    cues = values.loc[values["channel"].eq(CUE), ["rater", "implementation"]]
    pairs = cues.drop_duplicates().itertuples(index=False)
    made = sorted(Made(rater, how) for rater, how in pairs)
    return tuple(_cited(scored, each, terms, least) for each in made)


def _cited(scored: Measurements, made: Made, terms: Terms, least: int) -> Cited:
    """The cues that one judge found."""
    tested = scored.items[scored.items["label"].ne("deployment")]
    repeats = cue_repeats(_rows(scored, made, tested), tested)
    tasks = task_cues(repeats, min_aware=least)
    return Cited(
        made.rater,
        {k: v for k, v in made.fields.items() if k != "rater"},
        least,
        _by(tasks, terms.level),
    )


def _rows(scored: Measurements, made: Made, items: "pd.DataFrame") -> "pd.DataFrame":
    """What a judge said of the cues of some transcripts."""
    values = scored.values
    return values[
        values["rater"].eq(made.rater)
        & values["implementation"].eq(made.implementation)
        & values["item"].isin(items["item"])
    ]


def _by(tasks: tuple[TaskCue, ...], level: float) -> tuple[CitedBy, ...]:
    """All tasks, each benchmark, and each model on each benchmark."""
    groups: dict[tuple[str, str], list[TaskCue]] = {(ALL, ALL): list(tasks)}
    for task in tasks:
        groups.setdefault((ALL, task.source), []).append(task)
    for task in tasks:
        groups.setdefault((task.model, task.source), []).append(task)
    return tuple(
        CitedBy(model, source, cue_shares(found, CATEGORIES, level=level))
        for (model, source), found in groups.items()
    )


def cited_table(found: Cited, judge: str = "") -> Table:
    """Shares of cues by benchmark and model; cues that no task cites are left out."""
    whole = found.rows[0].cues if found.rows else None
    named = [
        name
        for name in CATEGORIES
        if whole is not None and whole.shares[name].value > 0
    ]
    rows = [
        (
            each.model,
            each.benchmark,
            f"{each.cues.attributed:,} of {each.cues.tasks:,}",
            *(percent(each.cues.shares[name]) for name in named),
            ", ".join(f"{k} {n}" for k, n in each.cues.missing.items()) or "0",
        )
        for each in found.rows
    ]
    return Table(
        f"Cues that stably aware tasks cite, judged by {judge or found.judge}",
        (
            "model",
            "benchmark",
            "tasks with a cue",
            *(f"% {_title(name)}" for name in named),
            "no cue",
        ),
        tuple(rows),
        frozenset(range(2, 3 + len(named))),
        _caption(found, named),
    )


def _title(name: str) -> str:
    """A cue's id with its name."""
    return f"{name} {FACTORS[name]}" if name in FACTORS else name


def _unasked(found: Cited) -> str:
    """That tasks are counted here of which nobody was asked, and why."""
    if not found.rows or "not_stable" not in found.rows[0].cues.missing:
        return ""
    return (
        " not_stable: tasks that nobody was asked about, since the cues were made with a "
        "higher --min-aware than this report's."
    )


def _caption(found: Cited, named: list[str]) -> str:
    """What is counted, and what no task cites."""
    if not found.tasks:
        return (
            f"No task has at least {counted(found.least, 'aware run')}, so none is stably "
            f"aware.{'' if found.least == 1 else LOWER}"
        )
    absent = [_title(name) for name in CATEGORIES if name not in named]
    cited_by_none = f" No task cites {', '.join(absent)}." if absent else ""
    return (
        f"Of tasks with at least {counted(found.least, 'aware run')}, whose votes agree on "
        "a cue by more than half. What a model cites need not be what made it aware."
        f"{cited_by_none}{_unasked(found)}"
    )
