"""Two tables as one, matched by the ids of their rows."""

from collections import Counter
from dataclasses import dataclass, replace

from inspect_awareness.errors import InputError
from inspect_awareness.tables._csv import Table


@dataclass(frozen=True, eq=False)
class Joined:
    """A table that grew by a column of another one."""

    table: Table
    """The first table with the column; its cell is empty where there was no match."""

    unmatched: int
    """Rows of the first table without a match."""

    unused: int
    """Rows of the other table that match nothing."""


def join_column(table: Table, other: Table, name: str, *, on: str = "id") -> Joined:
    """Add a column of another table to the rows with the same id.

    Raises:
        InputError: An id is empty or stands twice in either table, the first table has
            the column already, or no id occurs in both.
    """
    if name in table:
        raise InputError(
            f"{table.path} and {other.path} both have a column {name}: remove one"
        )
    ids, others = unique_ids(table, on), unique_ids(other, on)
    cells = dict(zip(others, other.columns[name], strict=True))
    matched = [each in cells for each in ids]
    if not any(matched):
        raise InputError(
            f"no {on} of {table.path} occurs in {other.path}: {ids[0]!r} there, "
            f"{others[0]!r} here"
        )
    column = [cells.get(each, "") for each in ids]
    grown = replace(table, columns={**table.columns, name: column})
    used = len(set(ids) & cells.keys())
    return Joined(grown, matched.count(False), len(others) - used)


def unique_ids(table: Table, on: str) -> list[str]:
    """The ids of a table's rows.

    Raises:
        InputError: The column is missing, an id is empty, or one stands twice.
    """
    ids = table.text(on)
    twice = [each for each, count in Counter(ids).items() if count > 1]
    if twice:
        raise InputError(
            f"{table.path}: {on} {twice[0]!r} stands in more than one row "
            f"({len(twice)} such): each row must be another item"
        )
    return ids
