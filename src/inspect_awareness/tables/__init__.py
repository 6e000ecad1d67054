"""CSV files as checked columns, for the commands that need no log and no model."""

from inspect_awareness.tables._csv import EMPTY, Table, read_table
from inspect_awareness.tables._join import Joined, join_column, unique_ids

__all__ = ["EMPTY", "Joined", "Table", "join_column", "read_table", "unique_ids"]
