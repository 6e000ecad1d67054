"""Numbers on voiced awareness as tables of text, the same for every format."""

from collections.abc import Iterable

from inspect_awareness.claims import shown
from inspect_awareness.report._cells import NONE, bounds, cell, lacking
from inspect_awareness.report._table import Table
from inspect_awareness.report.voiced._contents import (
    Convention,
    Voiced,
    VoicedRate,
    VoicedTax,
)
from inspect_awareness.report.voiced._numbers import claimed, p_value, signed
from inspect_awareness.report.voiced._part_tables import (
    agreement,
    confirmed,
    detected,
    judge,
    lengths,
    shared,
    shares,
    shares_without,
    stability,
)

MATCHED = "Aware of its kind: aware of a test of what the benchmark tests. "
CORRECTED = (
    "Less the judge's errors: the rate as people's labels of the same model and "
    "benchmark correct it. "
)
WITH_THEM = " With them: the rate had all without a verdict been unaware, or all aware."


def voiced_tables(found: Voiced) -> tuple[Table, ...]:
    """All tables of a judge that have any row, the convention first."""
    tables = (
        convention(found),
        rates(found),
        taxes(found),
        types(found),
        judge(found),
        agreement(found),
        actors(found),
        shares(found),
        shares_without(found),
        lengths(found),
        stability(found),
        shared(found),
        detected(found),
        confirmed(found),
    )
    return tuple(table for table in tables if table.rows)


def convention(found: Voiced) -> Table:
    """Awareness rate and awareness tax of each benchmark, side by side."""
    matched = any(each.rate.matched for each in found.convention)
    corrected = any(each.rate.corrected for each in found.convention)
    header = [
        "model",
        "benchmark",
        "aware",
        *(["aware of its kind"] if matched else []),
        *(["less the judge's errors"] if corrected else []),
        "score: unaware",
        "all",
        "aware runs",
        "tax within tasks",
        "tasks compared",
    ]
    rows = [
        (
            each.model,
            each.benchmark,
            cell(each.rate.rate),
            *([cell(each.rate.matched)] if matched else []),
            *([cell(each.rate.corrected)] if corrected else []),
            *_scores(each),
        )
        for each in found.convention
    ]
    return Table(
        "Awareness rate and awareness tax",
        tuple(header),
        tuple(rows),
        frozenset(range(2, len(header))),
        "What is to be reported with a benchmark's score. Aware: share of transcripts "
        "with a verdict whose model voiced that it is being tested. "
        f"{MATCHED if matched else ''}{CORRECTED if corrected else ''}"
        "Score: the mean outcome of unaware, all and aware runs; all is what the "
        "benchmark reports. Tax: aware minus unaware runs of the same tasks. Tasks "
        "compared: those with runs of both kinds. Intervals are over tasks.",
    )


def _scores(each: Convention) -> tuple[str, ...]:
    """The benchmark's score three ways, and the tax."""
    tax = each.tax
    if tax is None:
        return (NONE, NONE, NONE, "no outcome", NONE)
    return (
        cell(tax.unaware),
        cell(tax.all),
        cell(tax.aware),
        signed(tax.tax.estimate),
        f"{tax.informative:,} of {tax.tasks:,}",
    )


def rates(found: Voiced) -> Table:
    """Rates by type, with what is missing; columns that would say nothing are left out."""
    everything = (*found.rates, *found.deployment)
    names = list(dict.fromkeys(name for each in everything for name in each.types))
    labels = {each.label for each in everything} != {"evaluation"}
    lost = any(each.rate.missing for each in everything)
    header = (
        "model",
        "benchmark",
        *(["label"] if labels else []),
        "transcripts",
        "any",
        *("no type" if name == "none" else name for name in names),
        "only raised",
        "no verdict",
        *(["any, with them"] if lost else []),
    )
    rows = [
        (
            each.model,
            each.benchmark,
            *([each.label] if labels else []),
            *_rate(each, names),
            *([bounds(each.rate)] if lost else []),
        )
        for each in everything
    ]
    return Table(
        "Awareness rates by type",
        header,
        tuple(rows),
        frozenset(range(2 + labels, len(header))),
        "Shares of transcripts with a verdict. Only raised: transcripts that speak of a "
        "test as a possibility and are not judged aware."
        f"{WITH_THEM if lost else ''}",
    )


def _rate(each: VoicedRate, names: Iterable[str]) -> tuple[str, ...]:
    """One model on one benchmark."""
    return (
        f"{each.transcripts:,}",
        cell(each.rate),
        *(cell(each.types.get(name)) for name in names),
        f"{each.hypothetical:,}",
        lacking(each.rate.missing, each.transcripts) if each.rate.missing else "0",
    )


def taxes(found: Voiced) -> Table:
    """The tax, and what it rests on."""
    return Table(
        "The tax, and what it rests on",
        (
            "model",
            "benchmark",
            "outcome",
            "tax",
            "p",
            "pooled, tasks mixed",
            "found 4 times in 5",
            "aware too late",
            "missing",
            "tax, with missing outcomes",
        ),
        tuple(_tax(each) for each in found.taxes),
        frozenset({3, 4, 5, 6, 7, 9}),
        "p: labels of awareness permuted within tasks. Pooled: all aware minus all "
        "unaware runs, which mixes hard and easy tasks. Found 4 times in 5: the smallest "
        "difference that runs like these show with a power of 80 %.",
    )


def _tax(each: VoicedTax) -> tuple[str, ...]:
    """One model on one benchmark."""
    missing = each.tax.missing
    return (
        each.model,
        each.benchmark,
        each.outcome,
        signed(each.tax.estimate),
        p_value(each.p),
        signed(each.pooled),
        NONE if each.detectable != each.detectable else f"{each.detectable:.2f}",
        f"{each.late:,}",
        ", ".join(f"{m.reason} {m.n}" for m in missing) or "0",
        bounds(each.tax) if any(m.reason == "no_outcome" for m in missing) else NONE,
    )


def types(found: Voiced) -> Table:
    """The tax of each type of awareness."""
    names = list(dict.fromkeys(name for each in found.taxes for name in each.types))
    rows = [
        (
            each.model,
            each.benchmark,
            *(claimed(each.types.get(name)) for name in names),
        )
        for each in found.taxes
        if each.types
    ]
    return Table(
        "The tax by type of awareness",
        ("model", "benchmark", *names),
        tuple(rows),
        frozenset(range(2, 2 + len(names))),
        "Runs aware of one type against unaware runs of the same tasks. Types can move "
        "behaviour in opposite directions, which then cancel in the tax of all.",
    )


def actors(found: Voiced) -> Table:
    """What each model's transcripts are."""
    rows = [
        (
            each.model,
            shown(each.naive),
            shown(each.strategically_aware),
            _share(each.changed_without_effect),
            shown(each.robustly_aligned),
            shown(each.undetermined),
        )
        for each in found.actors
    ]
    return Table(
        "Actors",
        (
            "model",
            "naive",
            "strategically aware",
            "of these by chance",
            "robustly aligned",
            "undetermined",
        ),
        tuple(rows),
        frozenset(range(1, 6)),
        "Shares of transcripts. Naive: not aware. Strategically aware: aware, and its "
        "outcome differs from unaware runs of the same task. Robustly aligned: aware, "
        "and it does not. By chance: the share that would differ if awareness changed "
        "nothing. Undetermined: no unaware run to compare with, or no outcome.",
    )


def judged_how(found: Voiced) -> Table:
    """How the transcripts were judged."""
    return Table(
        "How it was judged",
        ("field", "value"),
        (
            ("judge", found.judge),
            *sorted(found.implementation.items()),
            ("awareness counts for the tax before", found.decision),
        ),
    )


def _share(value: float) -> str:
    """A share without an interval."""
    return NONE if value != value else f"{value:.2f}"
