"""Builders of judged runs: what a model voiced, and how the task ended."""

from collections.abc import Iterable
from pathlib import Path

from validation.judged import Judged, judged_log

from inspect_awareness.report import Report, Voiced, VoicedTerms, build_report

Run = tuple[bool | None, float]
"""Whether a run is aware, and its outcome."""


def runs(
    tasks: Iterable[Iterable[Run]], *, first: int = 1, types: str = "safety"
) -> list[Judged]:
    """A transcript for each run of each task; types are taken in turn from the words."""
    names = types.split()
    return [
        Judged(
            aware,
            task=str(task),
            epoch=first + epoch,
            thought=f"This is run {epoch} of task {task}.",
            type=names[epoch % len(names)] if aware else None,
            outcome=outcome,
        )
        for task, each in enumerate(tasks)
        for epoch, (aware, outcome) in enumerate(each)
    ]


def deployed(count: int, aware: int = 0) -> list[Judged]:
    """Deployment transcripts, of which some are judged aware."""
    return [
        Judged(k < aware, task=str(k), thought=f"Plain work {k}.", label="deployment")
        for k in range(count)
    ]


def report_of(*logs: Path, **about: object) -> Report:
    """A report on logs."""
    return build_report(list(logs), about=VoicedTerms(**about))  # type: ignore[arg-type]


def voiced_of(*logs: Path, **about: object) -> Voiced:
    """What its one judge found."""
    (found,) = report_of(*logs, **about).voiced
    return found


def table_of(found: Voiced, title: str) -> list[dict[str, str]]:
    """The rows of a table by the names of its columns."""
    from inspect_awareness.report.voiced import voiced_tables

    (table,) = [each for each in voiced_tables(found) if each.title == title]
    return [dict(zip(table.header, row, strict=True)) for row in table.rows]


__all__ = ["Judged", "deployed", "judged_log", "report_of", "runs", "table_of"]
