"""A CSV file as columns that are checked when they are asked for."""

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import nan
from pathlib import Path
from typing import TextIO, TypeVar

import numpy as np
import numpy.typing as npt

from inspect_awareness.errors import InputError

V = TypeVar("V")
S = TypeVar("S")

EMPTY = frozenset({"", "na", "nan", "null", "none", "."})
"""What spreadsheets, R and Python write where a value is missing; case is ignored."""

NAMELESS = frozenset({"", "NA", "NaN", "nan", "<NA>"})
"""What R and Python write where a name is missing; `none` may be one."""

BINARY = {
    **dict.fromkeys(("0", "0.0", "false", "no"), 0.0),
    **dict.fromkeys(("1", "1.0", "true", "yes"), 1.0),
}
"""What counts as 0 or 1; case is ignored."""

CLASSES = {**BINARY, "deployment": 0.0, "evaluation": 1.0}
"""What a label of a transcript may be; case is ignored."""

DELIMITERS = ",;\t"

LEAST, MOST = 1e-100, 1e100
"""Sizes of numbers other than 0: the squares of others are 0 or infinite."""

QUOTED = re.compile('"[^"]*"')
EXTREME = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?", re.IGNORECASE)
DECIMAL_COMMA = re.compile(r"[-+]?\d*,\d+")


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
        """The cells of a column in which none may be empty (or NA).

        Raises:
            InputError: The column is missing, or a cell is empty.
        """
        return self._convert(name, _filled, "is empty: name it, or leave the row out")

    def numbers(self, name: str, *, empty: bool = False) -> npt.NDArray[np.float64]:
        """The numbers of a column; NaN for an empty cell where `empty` allows it.

        Raises:
            InputError: The column is missing, or a cell is no finite number.
        """
        return self._vector(name, _number, "is not a number", empty=empty)

    def counts(self, name: str) -> list[int]:
        """A column of whole numbers from 0 on.

        Raises:
            InputError: The column is missing, or a cell is none.
        """
        return self._convert(name, _count, "is no count (a whole number from 0 on)")

    def binary(self, name: str, *, empty: bool = False) -> npt.NDArray[np.float64]:
        """A column of 0 and 1 (true, false, yes, no); NaN as in `numbers`.

        Raises:
            InputError: The column is missing, or a cell is neither.
        """
        return self._vector(name, _binary, "is neither 0 nor 1", empty=empty)

    def evaluation(self, name: str) -> npt.NDArray[np.bool_]:
        """A column of labels: evaluation or deployment, or what `binary` takes.

        Raises:
            InputError: The column is missing, or a cell is neither.
        """
        wrong = "is neither evaluation nor deployment (nor 1 or 0, true or false)"
        return np.array(self._convert(name, _class, wrong), dtype=np.bool_)

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
        cells = self.cells(name)
        try:
            return [convert(cell) for cell in cells]
        except ValueError:
            row = next(i for i, cell in enumerate(cells) if not _works(convert, cell))
            hint = _hint(cells[row], wrong)
            raise InputError(
                f"{self.path}, line {self.lines[row]}, column {_shown(name)}: "
                f"{cells[row]!r} {wrong}{hint}"
            ) from None

    def cells(self, name: str) -> list[str]:
        """The cells of a column as they are.

        Raises:
            InputError: The column is missing.
        """
        self.require(name)
        return self.columns[name]

    def require(self, *names: str) -> None:
        """Check that columns are there.

        Raises:
            InputError: One is not; the message names those that are.
        """
        missing = [_shown(name) for name in names if name not in self.columns]
        if missing:
            present = ", ".join(map(_shown, self.columns))
            alone = len(self.columns) == 1
            hint = " (cells are separated by commas, semicolons or tabs)" * alone
            raise InputError(
                f"{self.path}: no column {', '.join(missing)}; present: {present}{hint}"
            )


def read_table(path: Path | str, *required: str) -> Table:
    """Read a CSV file with a header line.

    Commas, semicolons or tabs separate the cells, whichever is most frequent in the
    header; lines without any cell are skipped, as are columns without a name.

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
    except (OSError, UnicodeDecodeError) as ex:
        raise InputError(f"{file}: {_reason(file, ex)}") from ex
    table.require(*required)
    if not table.lines:
        raise InputError(f"{file}: a header, but no row")
    return table


def _read(file: Path, stream: TextIO) -> Table:
    """Header and rows of an open file."""
    first = QUOTED.sub("", stream.readline())
    stream.seek(0)
    delimiter = max(DELIMITERS, key=first.count)
    reader = csv.reader(stream, delimiter=delimiter, strict=True)
    header = [cell.strip() for cell in next(_checked(file, reader), [])]
    if not any(header):
        raise InputError(f"{file}: no header line with the names of the columns")
    twice = [n for n, count in Counter(header).items() if count > 1 and n]
    if twice:
        raise InputError(f"{file}: column {', '.join(map(_shown, twice))} occurs twice")
    lines: list[int] = []
    rows = list(_rows(file, reader, len(header), lines))
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(header)
    cells = [[cell.strip() for cell in column] for column in columns]
    named = {name: c for name, c in zip(header, cells, strict=True) if name}
    return Table(file, named, lines)


def _rows(
    file: Path, reader: Iterator[list[str]], width: int, lines: list[int]
) -> Iterator[list[str]]:
    """Rows as wide as the header; notes the line of each."""
    for row in _checked(file, reader):
        if not any(cell.strip() for cell in row):
            continue
        line = _line(reader)
        if len(row) != width:
            raise InputError(
                f"{file}, line {line}: {len(row)} cells where the header has {width}"
            )
        lines.append(line)
        yield row


def _checked(file: Path, reader: Iterator[list[str]]) -> Iterator[list[str]]:
    """The same rows; quotes that do not close are named with their line."""
    try:
        yield from reader
    except csv.Error as ex:
        raise InputError(f"{file}, line {_line(reader)}: {ex} (quotes?)") from ex


def _line(reader: Iterator[list[str]]) -> int:
    """The line that a reader has come to."""
    return int(getattr(reader, "line_num"))  # noqa: B009  csv's reader has no public type


def _reason(file: Path, ex: Exception) -> str:
    """Why a file cannot be read, in a few words."""
    if isinstance(ex, FileNotFoundError):
        return "no such file"
    if isinstance(ex, UnicodeDecodeError):
        return f"not UTF-8 text (line {_undecodable(file)}): save it as CSV UTF-8"
    return str(getattr(ex, "strerror", None) or ex)


def _undecodable(file: Path) -> int:
    """The first line that is not UTF-8."""
    lines = file.read_bytes().split(b"\n")
    return next(k for k, line in enumerate(lines, 1) if not _works(bytes.decode, line))


def _shown(name: str) -> str:
    """A name on one line."""
    return name if name and name.isprintable() else repr(name)


def _hint(cell: str, wrong: str) -> str:
    """What a cell that is no number may have been meant as."""
    if "number" not in wrong:
        return ""
    if DECIMAL_COMMA.fullmatch(cell):
        return ": write decimals with a point"
    if EXTREME.fullmatch(cell):
        return f" between {LEAST:g} and {MOST:g} in size: use another unit"
    return ""


def _filled(cell: str) -> str:
    """A cell that says something."""
    if cell in NAMELESS:
        raise ValueError
    return cell


def _number(cell: str) -> float:
    """A number whose square is one too; Python's 1_000 is none in a table."""
    value = float(cell)
    if "_" in cell or not (value == 0 or LEAST <= abs(value) <= MOST):
        raise ValueError
    return value


def _count(cell: str) -> int:
    """A whole number from 0 on, such as 3 or 3.0."""
    value = _number(cell)
    if value < 0 or value != int(value):
        raise ValueError
    return int(value)


def _binary(cell: str) -> float:
    """0 or 1."""
    return _one_of(BINARY, cell)


def _class(cell: str) -> float:
    """1 for evaluation, 0 for deployment."""
    return _one_of(CLASSES, cell)


def _one_of(known: Mapping[str, float], cell: str) -> float:
    """What a word stands for, in any case; most cells are as they are listed."""
    value = known.get(cell)
    if value is None:
        value = known.get(cell.lower())
    if value is None:
        raise ValueError
    return value


def _or_nan(parse: Callable[[str], float]) -> Callable[[str], float]:
    """The same, with NaN for an empty cell."""
    return lambda cell: nan if cell.lower() in EMPTY else parse(cell)


def _works(convert: Callable[[S], object], cell: S) -> bool:
    """Whether a cell converts."""
    try:
        convert(cell)
    except ValueError:
        return False
    return True
