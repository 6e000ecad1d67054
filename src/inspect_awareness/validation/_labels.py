"""Labels that people gave, read from the file that was drawn for them."""

from collections import Counter
from dataclasses import dataclass
from typing import cast, get_args

import numpy as np
import numpy.typing as npt

from inspect_awareness.errors import InputError
from inspect_awareness.tables import Table
from inspect_awareness.validation._draw import Design, sample_digest
from inspect_awareness.validation._frame import Frame, Rows
from inspect_awareness.validation._write import cell

NEEDED = ("id", "label", "design", "frame", "sample")
"""Columns that a file of labels must have."""


@dataclass(frozen=True, eq=False)
class Labels:
    """What people said of a drawn sample."""

    design: Design
    """How it was drawn."""

    rows: Rows
    """Numbers of the drawn transcripts in the frame."""

    labels: npt.NDArray[np.float64]
    """1 for aware, 0 for not, NaN where nobody said."""


def labels_of(table: Table, frame: Frame) -> Labels:
    """Read the labels of a sample, and check that it is the one that was drawn.

    Args:
        table: The file that `awareness judge sample` wrote, with labels filled in.
        frame: The transcripts that it was drawn from.

    Raises:
        InputError: A label is neither 0, 1 nor empty, a row was not drawn, a drawn
            one is gone, or the verdicts are not those that it was drawn from.
    """
    table.require(*NEEDED)
    design = _design(table)
    rows = drawn_rows(table, frame, design)
    return Labels(design, rows, table.binary("label", empty=True))


def _design(table: Table) -> Design:
    """How the sample was drawn."""
    said = same_cell(table, "design")
    for design in get_args(Design):
        if said == design:
            return cast(Design, design)
    raise InputError(f"{table.path}: design {said!r} is not one of: random, judge")


def same_cell(table: Table, name: str) -> str:
    """The one value of a column."""
    cells = table.cells(name)
    usual = Counter(cells).most_common(1)[0][0]
    for said, line in zip(cells, table.lines, strict=True):
        if said != usual:
            raise InputError(
                f"{table.path}, line {line}, column {name}: {said!r}, where other rows "
                f"have {usual!r}; this row does not belong to the drawn sample"
            )
    return usual


def drawn_rows(table: Table, frame: Frame, design: str) -> Rows:
    """The numbers in the frame of what a file drew from it, checked to be all of it.

    Args:
        table: The file.
        frame: What it must have been drawn from.
        design: How it was drawn.

    Raises:
        InputError: A row was not drawn, a drawn one is gone, or the frame is another.
    """
    drawn_from, sample = (same_cell(table, name) for name in ("frame", "sample"))
    if drawn_from != frame.digest:
        raise InputError(
            f"{table.path}: drawn from other verdicts than these (another judge, "
            "rubric or set of transcripts); give all the judged logs that it was drawn "
            "from, unchanged"
        )
    rows = _rows(table, frame)
    if sample_digest(frame, design, [frame.items[row] for row in rows]) != sample:
        raise InputError(
            f"{table.path}: its rows are not those that were drawn; put back removed "
            "rows (an empty label is counted as missing), and take out added ones"
        )
    return rows


def _rows(table: Table, frame: Frame) -> Rows:
    """The transcripts of a file's rows, each once and with a verdict."""
    written = {cell(item).strip(): row for item, row in frame.row.items()}
    found: dict[int, int] = {}
    for said, line in zip(table.cells("id"), table.lines, strict=True):
        row = written.get(said)
        if row is None or not frame.known[row]:
            raise InputError(
                f"{table.path}, line {line}: {said!r} is none of the transcripts with "
                "a verdict, and cannot have been drawn from them"
            )
        if row in found:
            raise InputError(
                f"{table.path}, line {line}: {said!r} stands on line {found[row]} "
                "already; keep one row of each"
            )
        found[row] = line
    return np.array(list(found), dtype=np.intp)
