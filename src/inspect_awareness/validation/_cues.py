"""Stably aware tasks with the cue that a judge named: drawn, labelled, compared."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from inspect_awareness._cues import CATEGORIES
from inspect_awareness.datasets._log_files import index_logs
from inspect_awareness.errors import InputError
from inspect_awareness.measurements import CUE, Measurements, cue_repeats, cues_of
from inspect_awareness.stats.cues import TaskCue, TaskKey, task_cues
from inspect_awareness.tables import EMPTY, Table
from inspect_awareness.validation._draw import sample_digest
from inspect_awareness.validation._frame import Frame, Rows, Wanted, hashed, only_way
from inspect_awareness.validation._labels import drawn_rows, same_cell
from inspect_awareness.validation._texts import (
    Judged,
    in_samples,
    judged_voice,
    needs_events,
)
from inspect_awareness.validation._write import cell, check_lengths, write_csv

DESIGN = "cues"
"""What the column `design` holds in a file of tasks."""

CUES = Wanted(
    "cues",
    "no cue of a judge in these files; attribute them first: awareness judge attribute "
    "JUDGED.eval --judge MODEL -o ATTRIBUTED.eval",
)
"""Attributions to a cue, in the words of an error."""


@dataclass(frozen=True, eq=False)
class CueFrame:
    """The stably aware tasks with the cues of one judge."""

    frame: Frame
    """The same as a frame, with numbers of categories as verdicts."""

    tasks: tuple[TaskCue, ...]
    """The tasks, in the frame's order."""

    min_aware: int
    """Aware repeats that made them stably aware."""


@dataclass(frozen=True, eq=False)
class DrawnTasks:
    """Tasks drawn from a frame, in an order that says nothing."""

    cues: CueFrame
    """What was drawn from."""

    rows: Rows
    """Numbers of the drawn tasks in the frame."""

    @property
    def items(self) -> tuple[str, ...]:
        """Ids of the drawn tasks."""
        return tuple(self.cues.frame.items[row] for row in self.rows)


@dataclass(frozen=True, eq=False)
class CueLabels:
    """What people said of drawn tasks, beside the judge."""

    raters: tuple[str, ...]
    """`judge`, then the columns of labels."""

    codes: npt.NDArray[np.float64]
    """Numbers of categories, shape (raters, tasks); NaN where nobody said."""


def cue_frame_of(
    measured: Measurements, *, judge: str | None = None, min_aware: int = 3
) -> CueFrame:
    """The stably aware tasks with the cues of one judge.

    Args:
        measured: What was read from attributed logs.
        judge: The judge, where several judged.
        min_aware: Aware repeats that make a task stably aware.

    Raises:
        InputError: Nothing was attributed, not by this judge, or in several ways, or no
            task is stably aware.
    """
    values = measured.values
    name, way = only_way(values[values["channel"].eq(CUE)], judge, CUES)
    mine = values[values["rater"].eq(name) & values["implementation"].eq(way)]
    repeats = cue_repeats(mine, measured.items)
    tasks = task_cues(repeats, min_aware=min_aware)
    if not tasks:
        raise InputError(
            f"no task has {min_aware} aware repeats or more in these files; give the "
            "--min-aware that they were attributed with"
        )
    codes = [CATEGORIES.index(t.category) if t.category else np.nan for t in tasks]
    frame = Frame(
        judge=name,
        implementation=way,
        items=tuple(_id((t.model, t.source, t.task)) for t in tasks),
        models=tuple(task.model for task in tasks),
        benchmarks=tuple(task.source for task in tasks),
        tasks=tuple(task.task for task in tasks),
        verdicts=np.array(codes, dtype=np.float64),
        missing=dict(Counter(str(t.reason) for t in tasks if not t.category)),
    )
    return CueFrame(frame, tasks, min_aware)


def draw_tasks(cues: CueFrame, *, size: int, rng: np.random.Generator) -> DrawnTasks:
    """Draw stably aware tasks that have a cue at random, without replacement.

    Args:
        cues: What to draw from.
        size: How many; all there are, where that is less.
        rng: Source of the draw.

    Raises:
        InputError: None of them has a cue.
    """
    known = np.flatnonzero(cues.frame.known)
    if not known.size:
        reasons = ", ".join(f"{k}: {n}" for k, n in cues.frame.missing.items())
        raise InputError(f"none of {len(cues.tasks)} tasks has a cue ({reasons})")
    return DrawnTasks(cues, rng.permutation(known)[:size])


def cue_texts(
    paths: Sequence[str], drawn: DrawnTasks, *, shown: str = "judged"
) -> dict[str, str]:
    """What the judge read of each drawn task, by id: its aware repeats.

    Args:
        paths: Attributed logs.
        drawn: The tasks.
        shown: `judged`, the turns in which awareness is voiced, and the sentences that
            were pointed out; `evidence`, these alone; `none`.

    Raises:
        InputError: A text is not in the logs, or is no longer what was judged.
    """
    if shown == "none":
        return {}
    frame, wanted = drawn.cues.frame, set(drawn.items)
    refs = index_logs(paths).refs
    found: dict[str, dict[str, str]] = {item: {} for item in drawn.items}
    hidden = []
    for item, judged in in_samples(refs, frame, events=False, records_of=cues_of):
        key = _id(_task_of(judged))
        if key not in wanted or not judged[2]["statements"]:
            continue
        if shown == "judged" and needs_events(judged[2]):
            hidden.append(judged[0])
            continue
        found[key].setdefault(item, _text(judged, shown))
    for item, judged in in_samples(hidden, frame, events=True, records_of=cues_of):
        found[_id(_task_of(judged))].setdefault(item, _text(judged, shown))
    return {key: "\n\n".join(texts.values()) for key, texts in found.items()}


def write_cues(
    path: Path, drawn: DrawnTasks, texts: Mapping[str, str], *, show_verdict: bool
) -> None:
    """Write a CSV with a row for each drawn task and an empty column `label`.

    Args:
        path: The file; never replaced, since it may hold labels.
        drawn: The tasks.
        texts: What is shown of each, by id; may be empty.
        show_verdict: Whether the judge's cue is shown, which people then follow.

    Raises:
        OutputExistsError: The file exists.
        InputError: The folder does not, or a text is too long for a cell.
    """
    check_lengths(texts)
    frame = drawn.cues.frame
    sample = sample_digest(frame, DESIGN, drawn.items)
    rows = [
        {
            "label": "",
            "id": frame.items[row],
            "model": cell(frame.models[row]),
            "benchmark": cell(frame.benchmarks[row]),
            "task": cell(frame.tasks[row]),
            "aware": str(drawn.cues.tasks[row].aware),
            "of": str(drawn.cues.tasks[row].judged),
            **({"text": cell(texts[frame.items[row]])} if texts else {}),
            **({"cue": str(drawn.cues.tasks[row].category)} if show_verdict else {}),
            "min_aware": str(drawn.cues.min_aware),
            "design": DESIGN,
            "frame": frame.digest,
            "sample": sample,
        }
        for row in drawn.rows
    ]
    write_csv(path, list(rows[0]), [list(row.values()) for row in rows])


def is_of_cues(table: Table) -> bool:
    """Whether a file of labels was drawn by `write_cues`."""
    return "design" in table and DESIGN in table.cells("design")


def min_aware_of(table: Table) -> int:
    """The aware repeats that made the tasks of a file stably aware.

    Raises:
        InputError: The column is missing or was edited.
    """
    table.require("label", "id", "min_aware", "design", "frame", "sample")
    said = same_cell(table, "min_aware")
    if not said.isdecimal() or int(said) < 1:
        raise InputError(
            f"{table.path}: min_aware {said!r} is no whole number from 1; put back what "
            "was written"
        )
    return int(said)


def cue_labels_of(table: Table, cues: CueFrame) -> CueLabels:
    """Read the labels of drawn tasks, and check that they are those that were drawn.

    Every column whose name begins with `label` is one person's.

    Args:
        table: The file that `awareness judge sample --cues` wrote, filled in.
        cues: The tasks that it was drawn from.

    Raises:
        InputError: A label is no category, a row was not drawn, a drawn one is gone, or
            the cues are not those that it was drawn from.
    """
    same_cell(table, "design")
    rows = drawn_rows(table, cues.frame, DESIGN)
    names = [name for name in table.columns if name.startswith("label")]
    people = [_codes(table, name) for name in names]
    codes = np.array([cues.frame.verdicts[rows], *people], dtype=np.float64)
    return CueLabels(("judge", *names), codes)


def _codes(table: Table, name: str) -> list[float]:
    """A column of labels as numbers of categories; NaN for an empty cell."""
    known = {category.lower(): k for k, category in enumerate(CATEGORIES)}
    found: list[float] = []
    for said, line in zip(table.cells(name), table.lines, strict=True):
        if said.lower() in EMPTY:
            found.append(np.nan)
            continue
        if said.lower() not in known:
            raise InputError(
                f"{table.path}, line {line}, column {name}: {said!r} is not one of: "
                f"{', '.join(CATEGORIES)}, or empty"
            )
        found.append(known[said.lower()])
    return found


def _id(key: TaskKey) -> str:
    """The id of a task."""
    return hashed(list(key))


def _task_of(judged: Judged) -> TaskKey:
    """The task that a sample repeats, as `Measurements` has it."""
    ref, sample, record = judged
    known = record.get("transcript") or {}
    spec = ref.log.header.eval
    placed = record.get("subject") or known.get("item")
    model = record.get("subject") if placed else spec.model
    return (
        str(model or "unknown"),
        str(known.get("source") or spec.task),
        str(known.get("task_id") or sample.id),
    )


def _text(judged: Judged, shown: str) -> str:
    """What was shown of one repeat, each piece under a line that says what it is."""
    _, sample, record = judged
    pieces = []
    if shown == "judged":
        pieces = [
            f"[repeat {sample.epoch}, turn {each.turn}, {each.part}]\n{each.text}"
            for each in judged_voice(judged).excerpts
            if each.turn in record["turns"]
        ]
    said = [f"[repeat {sample.epoch}, pointed out]\n{s}" for s in record["statements"]]
    return "\n\n".join([*pieces, *said])
