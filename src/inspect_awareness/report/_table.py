"""A table of text, the same for every format."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Table:
    """Text in rows and columns; not escaped for any format."""

    title: str
    """What it shows."""

    header: tuple[str, ...]
    """Names of the columns."""

    rows: tuple[tuple[str, ...], ...]
    """The cells."""

    numeric: frozenset[int] = frozenset()
    """Columns that hold numbers, and so stand at the right."""

    caption: str = ""
    """What a reader must know to read it."""
