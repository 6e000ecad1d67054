"""Which tasks models are stably aware of, and whether they are the same."""

from collections.abc import Iterator

from inspect_awareness.report._terms import Terms
from inspect_awareness.report.voiced._cases import Cases
from inspect_awareness.report.voiced._contents import SharedTasks, Stability
from inspect_awareness.stats import overlaps, stable_tasks


def stability(cases: Cases, terms: Terms, least: int) -> tuple[Stability, ...]:
    """The stably aware tasks of each model on each benchmark."""
    return tuple(
        Stability(
            found.model,
            benchmark,
            len(found.stable),
            len(found.could_be),
            len(found.too_few),
            found.share,
        )
        for (benchmark,), part in cases.in_question.by("benchmark")
        for found in stable_tasks(
            part.aware,
            models=part.table["model"].tolist(),
            tasks=part.table["task"].tolist(),
            least=least,
            level=terms.level,
        )
    )


def shared_tasks(cases: Cases, terms: Terms, least: int) -> tuple[SharedTasks, ...]:
    """Each two models on each benchmark on which both could be stably aware."""
    return tuple(_shared(cases, terms, least))


def _shared(cases: Cases, terms: Terms, least: int) -> Iterator[SharedTasks]:
    """The pairs, benchmark by benchmark."""
    for (benchmark,), part in cases.in_question.by("benchmark"):
        if len(part.models) < 2:
            continue
        for found in overlaps(
            part.aware,
            models=part.table["model"].tolist(),
            tasks=part.table["task"].tolist(),
            least=least,
            level=terms.level,
        ):
            if found.common:
                yield SharedTasks(benchmark, found)
