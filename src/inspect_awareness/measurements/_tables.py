"""The columns of `Measurements`, and their way to parquet and back."""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inspect_awareness.errors import InputError

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

SCHEMA_VERSION = 1
"""Version of the columns, and of the record in a score that they are read from."""

VALUE_COLUMNS: Mapping[str, str] = {
    "subject": "string",
    "rater": "string",
    "item": "string",
    "instrument": "string",
    "implementation": "string",
    "channel": "string",
    "layer": "integer",
    "position": "string",
    "repeat": "integer",
    "value": "float",
    "category": "string",
    "reason": "string",
}
"""Columns of `values`. The channels of probe questions: `answer`, P(evaluation) of one
reply; `mass`, the probability of its two labels; `pair`, P(evaluation) of two opposite
questions; `score`, P(evaluation) of the transcript; `uncorrected`, the same before a
prior was subtracted. What stands apart from it has a channel for each family: `rating`,
`pairwise` and `open`, P(evaluation); `indirect` and `control`, P(yes); `correct`, the
probability of the true answer to a control. The channels of a judge's verdicts, the
rubric being the instrument: `verdict`, 1 for aware and 0 for not, with the type as
category; `hypothetical`, 1 where the thought was only raised; `onset`, where in the
judged text an aware subject first said so, in [0, 1], and `onset_turn`, in which of its
turns, with the part of the turn as category; `length`, characters judged; `turns`, how
many the subject wrote; `first_action`, the first of them with a tool call; `flag`, what
about the text a reader should know, as category; `vote_agreement`, the share of pairs
of votes that agree, where there are several. Those of the
cue that an aware subject cites hold no value, and as category `F1` to `F8` or
`generic`: `factor`, of the transcript; `factor_vote`, of each vote about it. Of local
models: `direction`, an item's mean score on directions, in SDs of the items.
"""

ITEM_COLUMNS: Mapping[str, str] = {
    "item": "string",
    "label": "string",
    "source": "string",
    "task": "string",
    "epoch": "integer",
    "outcome": "float",
    "outcome_name": "string",
    "has_tools": "boolean",
    "reasoning": "string",
    "origin": "string",
    "turn": "integer",
}
"""Columns of `items`; `outcome` is the task's own score as a number, and `outcome_name`
which score that is; `origin` is the log's file name and the transcript's id, and `turn`
how many of the subject's turns a beginning of a transcript holds (view `turns`; its id
then ends in `#` and this number)."""

INSTRUMENT_COLUMNS: Mapping[str, str] = {
    "implementation": "string",
    "instrument": "string",
    "question": "string",
    "pair": "string",
    "polarity": "string",
    "order": "string",
}
"""Columns of `instruments`: the form of a question that each answer was asked with."""

TABLES: Mapping[str, Mapping[str, str]] = {
    "values": VALUE_COLUMNS,
    "items": ITEM_COLUMNS,
    "instruments": INSTRUMENT_COLUMNS,
}
"""The three frames and their columns."""

_METADATA = b"inspect_awareness"


@dataclass(frozen=True, eq=False)
class Frames:
    """The three frames of `Measurements`."""

    values: "pd.DataFrame"
    """One row a value."""

    items: "pd.DataFrame"
    """One row a transcript."""

    instruments: "pd.DataFrame"
    """One row a form of a question."""


class Rows:
    """Rows of the three frames, collected one at a time."""

    def __init__(self) -> None:
        self._cells: dict[str, dict[str, list[Any]]] = {
            name: {column: [] for column in columns} for name, columns in TABLES.items()
        }

    def add(self, table: str, **row: Any) -> None:
        """Add a row; columns that are not named are missing."""
        for column, cells in self._cells[table].items():
            cells.append(row.get(column))

    def frames(self) -> Frames:
        """The three frames, with the columns' types."""
        return Frames(*(self._frame(name) for name in TABLES))

    def _frame(self, name: str) -> "pd.DataFrame":
        """One frame."""
        import pandas as pd

        cells = self._cells[name]
        return pd.DataFrame({c: typed(cells[c], k) for c, k in TABLES[name].items()})


def typed(cells: Sequence[Any], kind: str) -> "pd.Series[Any]":
    """A column of a kind, in which None is missing."""
    import pandas as pd

    column: pd.Series[Any] = pd.Series(list(cells), dtype=_dtype(kind))
    return column


def write_frames(frames: Frames, about: Mapping[str, Any], path: Path) -> None:
    """Write the three frames to one file, below each other, atomically."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    if not path.parent.is_dir():
        raise InputError(f"{path.parent}: no such folder; create it first")
    table = pa.concat_tables(
        [_to_arrow(getattr(frames, name), name) for name in TABLES],
        promote_options="default",
    ).replace_schema_metadata({_METADATA: json.dumps(about).encode()})
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        pq.write_table(table, temporary, compression="zstd")
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


@dataclass(frozen=True, eq=False)
class StoredFrames:
    """What a parquet file holds."""

    frames: Frames
    """The three frames."""

    about: Mapping[str, Any]
    """What the file says about itself."""


def read_frames(path: Path) -> StoredFrames:
    """Read what `write_frames` wrote.

    Raises:
        InputError: The file is missing, is something else, or is of a newer version.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    if not path.is_file():
        raise InputError(f"{path}: no such file")
    try:
        table = pq.read_table(path)
    except (pa.ArrowException, OSError) as ex:
        raise InputError(f"{path}: not a readable parquet file ({ex})") from ex
    stored = (table.schema.metadata or {}).get(_METADATA)
    if stored is None:
        raise InputError(
            f"{path}: not written by inspect-awareness; give a file that "
            "`awareness report ... -o FILE.parquet` wrote, or scored logs"
        )
    about: dict[str, Any] = json.loads(stored)
    check_schema(about["schema_version"], str(path))
    return StoredFrames(Frames(*(_from_arrow(table, name) for name in TABLES)), about)


def check_schema(version: Any, where: str) -> None:
    """Refuse what a newer version of the package wrote."""
    if not isinstance(version, int) or version > SCHEMA_VERSION:
        raise InputError(
            f"{where}: written with schema version {version}, this version of "
            f"inspect-awareness reads up to {SCHEMA_VERSION}; upgrade with "
            "`pip install -U inspect-awareness`"
        )


def _dtype(kind: str) -> Any:
    """The pandas type of a kind of column; each has a missing value."""
    import pandas as pd

    return {
        "string": pd.StringDtype("python"),
        "integer": pd.Int64Dtype(),
        "float": "float64",
        "boolean": pd.BooleanDtype(),
    }[kind]


def _to_arrow(frame: "pd.DataFrame", name: str) -> "pa.Table":
    """A frame with the column `table` in front."""
    import pyarrow as pa

    schema = pa.schema([(column, _arrow(name, column)) for column in TABLES[name]])
    table = pa.Table.from_pandas(frame, schema=schema, preserve_index=False)
    return table.add_column(0, "table", pa.array([name] * len(frame), pa.string()))


def _arrow(name: str, column: str) -> "pa.DataType":
    """The type of a column in a file."""
    import pyarrow as pa

    types = {
        "string": pa.string(),
        "integer": pa.int64(),
        "float": pa.float64(),
        "boolean": pa.bool_(),
    }
    return types[TABLES[name][column]]


def _from_arrow(table: "pa.Table", name: str) -> "pd.DataFrame":
    """The rows and columns of one frame."""
    import pyarrow as pa
    import pyarrow.compute as pc

    rows = table.filter(pc.equal(table["table"], name))
    for column in set(TABLES[name]) - set(rows.column_names):
        # files of before there was this column
        rows = rows.append_column(column, pa.nulls(len(rows), _arrow(name, column)))
    rows = rows.select(list(TABLES[name]))
    kinds = {
        pa.string(): _dtype("string"),
        pa.int64(): _dtype("integer"),
        pa.bool_(): _dtype("boolean"),
    }
    frame: pd.DataFrame = rows.replace_schema_metadata(None).to_pandas(
        types_mapper=kinds.get
    )
    return frame
