"""A CSV file as columns that are checked when they are asked for."""

import csv
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import isfinite, nan
from pathlib import Path
from typing import TextIO, TypeVar

import numpy as np
import numpy.typing as npt

from inspect_awareness.errors import InputError

V = TypeVar("V")

EMPTY = frozenset({"", "na", "nan", "null", "none", "."})
"""What spreadsheets, R and Python write where a value is missing; case is ignored."""

BINARY = {"0": 0.0, "1": 1.0, "0.0": 0.0, "1.0": 1.0, "false": 0.0, "true": 1.0}
"""What counts as 0 or 1; case is ignored."""

DELIMITERS = ",;\t"


@dataclass(frozen=True, eq=False)
class Table:
    """The cells of a CSV file, by column, and the line that each row came from."""

    path: Path
    """Where it was read."""

    columns: dict[str, list[str]]
    """The cells of each column, stripped, in the order of the file."""

    lines: list[int]
    """The line of each row in the file, from 1; the header is on line 1."""

    def __contains__(self, name: str) -> bool:
        return name in self.columns

    def __len__(self) -> int:
        return len(self.lines)

    def text(self, name: str) -> list[str]:
        """The cells of a column in which none may be empty.

        Raises:
            InputError: The column is missing, or a cell is empty.
        """
        return self._convert(name, _filled, "is empty")

    def numbers(self, name: str, *, empty: bool = False) -> npt.NDArray[np.float64]:
        """The numbers of a column; NaN for an empty cell where `empty` allows it.

        Raises:
            InputError: The column is missing, or a cell is no finite number.
        """
        return self._vector(name, _number, "is not a number", empty=empty)

    def binary(self, name: str, *, empty: bool = False) -> npt.NDArray[np.float64]:
        """A column of 0 and 1 (or true and false); NaN as in `numbers`.

        Raises:
            InputError: The column is missing, or a cell is neither.
        """
        return self._vector(name, _binary, "is neither 0 nor 1", empty=empty)

    def _vector(
        self, name: str, parse: Callable[[str], float], wrong: str, *, empty: bool
    ) -> npt.NDArray[np.float64]:
        """A column as floats, NaN where it may be empty."""
        convert = _or_nan(parse) if empty else parse
        if empty:
            wrong += " (nor empty)"
        return np.array(self._convert(name, convert, wrong), dtype=np.float64)

    def _convert(self, name: str, convert: Callable[[str], V], wrong: str) -> list[V]:
        """A column cell by cell; the first cell that cannot be named with its line."""
        cells = self._column(name)
        try:
            return [convert(cell) for cell in cells]
        except ValueError:
            row = next(i for i, cell in enumerate(cells) if not _works(convert, cell))
            raise InputError(
                f"{self.path}, line {self.lines[row]}, column {name}: "
                f"{cells[row]!r} {wrong}"
            ) from None

    def _column(self, name: str) -> list[str]:
        """The cells of a column that must be there."""
        if name not in self.columns:
            raise InputError(
                f"{self.path}: no column {name}; present: {', '.join(self.columns)}"
            )
        return self.columns[name]


def read_table(path: Path | str, *required: str) -> Table:
    """Read a CSV file with a header line.

    Commas, semicolons or tabs separate the cells, whichever is most frequent in the
    header; lines without any cell are skipped.

    Args:
        path: The file, in UTF-8.
        required: Columns that must be there.

    Raises:
        InputError: There is no such file, it is not text, it has no header or no
            row, a column is missing or occurs twice, or a row has more or fewer
            cells than the header.
    """
    file = Path(path)
    try:
        with file.open(encoding="utf-8-sig", newline="") as stream:
            table = _read(file, stream)
    except (OSError, UnicodeDecodeError, csv.Error) as ex:
        raise InputError(f"{file}: {_reason(ex)}") from ex
    missing = [name for name in required if name not in table]
    if missing:
        raise InputError(
            f"{file}: no column {', '.join(missing)}; "
            f"present: {', '.join(table.columns)}"
        )
    if not table.lines:
        raise InputError(f"{file}: a header, but no row")
    return table


def _read(file: Path, stream: TextIO) -> Table:
    """Header and rows of an open file."""
    first = stream.readline()
    stream.seek(0)
    reader = csv.reader(stream, delimiter=max(DELIMITERS, key=first.count))
    header = [cell.strip() for cell in next(reader, [])]
    if not any(header):
        raise InputError(f"{file}: no header line with the names of the columns")
    twice = [name for name, count in Counter(header).items() if count > 1]
    if twice:
        raise InputError(f"{file}: column {', '.join(twice)} occurs twice")
    lines: list[int] = []
    rows = list(_rows(file, reader, len(header), lines))
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(header)
    cells = [[cell.strip() for cell in column] for column in columns]
    return Table(file, dict(zip(header, cells, strict=True)), lines)


def _rows(
    file: Path, reader: Iterator[list[str]], width: int, lines: list[int]
) -> Iterator[list[str]]:
    """Rows as wide as the header; notes the line of each."""
    for row in reader:
        if not any(row):
            continue
        line = getattr(reader, "line_num")  # noqa: B009  csv's reader has no public type
        if len(row) != width:
            raise InputError(
                f"{file}, line {line}: {len(row)} cells where the header has {width}"
            )
        lines.append(line)
        yield row


def _reason(ex: Exception) -> str:
    """Why a file cannot be read, in a few words."""
    if isinstance(ex, FileNotFoundError):
        return "no such file"
    if isinstance(ex, UnicodeDecodeError):
        return f"not UTF-8 text (byte {ex.start})"
    return str(getattr(ex, "strerror", None) or ex)


def _filled(cell: str) -> str:
    """A cell that says something."""
    if not cell:
        raise ValueError
    return cell


def _number(cell: str) -> float:
    """A finite number."""
    value = float(cell)
    if not isfinite(value):
        raise ValueError
    return value


def _binary(cell: str) -> float:
    """0 or 1."""
    value = BINARY.get(cell)
    if value is None:
        value = BINARY.get(cell.lower())
    if value is None:
        raise ValueError
    return value


def _or_nan(parse: Callable[[str], float]) -> Callable[[str], float]:
    """The same, with NaN for an empty cell."""
    return lambda cell: nan if cell.lower() in EMPTY else parse(cell)


def _works(convert: Callable[[str], object], cell: str) -> bool:
    """Whether a cell converts."""
    try:
        convert(cell)
    except ValueError:
        return False
    return True
