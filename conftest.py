"""What pytest leaves out where an optional package is missing."""

from importlib.util import find_spec

collect_ignore_glob = (
    [] if find_spec("inspect_scout") else ["src/inspect_awareness/scanners/_[psv]*.py"]
)
"""Scanners import Scout; their tests are skipped with the reason."""
