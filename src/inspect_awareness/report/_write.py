"""Writing a report in the format that the file's ending names."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from inspect_awareness.errors import InputError
from inspect_awareness.report._contents import Report
from inspect_awareness.report._html import html_text
from inspect_awareness.report._markdown import markdown_text
from inspect_awareness.report._record import json_text

WRITERS: Mapping[str, Callable[[Report], str]] = {
    ".html": html_text,
    ".json": json_text,
    ".md": markdown_text,
}
"""What writes a format, by the file's ending."""


def write_report(report: Report, path: str | Path) -> None:
    """Write a report as HTML, Markdown or JSON; an older one is replaced whole.

    Args:
        report: What to write.
        path: Where to; the ending (`.html`, `.json` or `.md`) chooses the format.

    Raises:
        InputError: Another ending, or a folder that does not exist.
    """
    target = Path(path)
    writer = WRITERS.get(target.suffix.lower())
    if writer is None:
        raise InputError(
            f"{path}: a report is written as one of {', '.join(sorted(WRITERS))}; "
            "choose by the file's ending"
        )
    if not target.parent.is_dir():
        raise InputError(f"{target.parent}: no such folder; create it first")
    _replace(target, writer(report))


def _replace(target: Path, text: str) -> None:
    """Write beside the target, then move: a reader never sees half a file."""
    temporary = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        temporary.write_text(text, encoding="utf-8", newline="\n")
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
