"""Awareness by how much a model wrote, within tasks."""

from inspect_awareness.report._terms import Terms
from inspect_awareness.report.voiced._cases import Cases
from inspect_awareness.report.voiced._contents import Lengths
from inspect_awareness.stats import rates_by_band

BANDS = 3
"""Into how many parts the runs of a task are cut by length."""


def lengths(cases: Cases, terms: Terms) -> tuple[Lengths, ...]:
    """For each model, rates of short, middling and long runs of the same tasks."""
    return tuple(
        Lengths(
            model,
            rates_by_band(
                part.aware,
                part.column("length"),
                tasks=[*zip(part.table["benchmark"], part.table["task"], strict=True)],
                bands=BANDS,
                rng=terms.rng,
                level=terms.level,
            ),
        )
        for (model,), part in cases.in_question.by("model")
        if part.table["aware"].notna().any()
    )
