"""CSV files as checked columns, for the commands that need no log and no model."""

from inspect_awareness.tables._csv import Table, read_table

__all__ = ["Table", "read_table"]
