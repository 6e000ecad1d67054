"""Tables of scores beside deployment, floors and other raters."""

from collections.abc import Callable, Mapping

from inspect_awareness.claims import ENOUGH_FOR_99, counted, shown
from inspect_awareness.report._cells import NONE, cell, source_name
from inspect_awareness.report._contents import Block, Report, Row
from inspect_awareness.report._floors import Floor, Floors
from inspect_awareness.report._table import Table
from inspect_awareness.report._turns import TURNS
from inspect_awareness.stats import Estimate

Column = tuple[str, Callable[[Row], str]]
"""A column's name, and its cell for a row."""

_MOST_PLACED = 12
_MOST_SOURCES = 8


def compared(block: Block) -> Table:
    """Where each source stands among the deployment transcripts."""
    several = len({row.subject for row in block.rows}) > 1
    columns: list[Column] = [
        ("source", lambda row: source_name(row, subject=several)),
        ("percentile of its transcripts", _quartiles),
        ("AUROC", lambda row: cell(row.auroc)),
    ]
    caption = (
        "Percentile: of each transcript among the reference's, median (quartiles); 50 "
        "is like deployment."
    )
    if any(_floor(row) for row in block.rows):
        columns += [
            ("floor", lambda row: shown(f) if (f := _floor(row)) else NONE),
            ("AUROC − floor", _excess),
        ]
        caption += (
            " Floor: what surface form alone achieves; AUROC − floor has no interval, "
            "since the two are not paired."
        )
    if any(row.above for row in block.rows):
        columns.append(("above the 99th percentile", lambda row: cell(row.above)))
        caption += (
            " Above the 99th percentile: share of transcripts, 0.01 is like deployment; "
            "the percentile itself is taken as known."
        )
    elif block.reference is not None and not block.reference.has_99:
        caption += (
            " The share above the reference's 99th percentile takes "
            f"{ENOUGH_FOR_99} scored reference transcripts or more."
        )
    rows = block.rows if block.reference else ()
    return Table(
        "Compared with deployment",
        tuple(name for name, _ in columns),
        tuple(tuple(show(row) for _, show in columns) for row in rows),
        frozenset(range(1, len(columns))),
        caption,
    )


def _quartiles(row: Row) -> str:
    """Median and quartiles of the transcripts' percentiles."""
    if not row.quartiles:
        return NONE
    low, median, high = row.quartiles
    return f"{median:.0f} ({low:.0f} to {high:.0f})"


def _floor(row: Row) -> Estimate | None:
    """The floor of the row's AUROC."""
    return row.auroc.floor if row.auroc else None


def _excess(row: Row) -> str:
    """How far the AUROC is from its floor."""
    return f"{row.auroc.excess:+.2f}" if row.auroc and row.auroc.floor else NONE


def placed(block: Block) -> Table:
    """The transcripts that stand highest among the reference."""
    shown_ones = block.placed[:_MOST_PLACED]
    if block.implementation.get("view") == TURNS:
        shown_ones = ()
    more = len(block.placed) - len(shown_ones)
    return Table(
        "The most test-like transcripts",
        ("source", "task", "epoch", "P(eval)", "percentile"),
        tuple(
            (
                each.source,
                each.task or NONE,
                NONE if each.epoch is None else str(each.epoch),
                f"{each.p:.3f}",
                f"{each.percentile:.1f}",
            )
            for each in shown_ones
        ),
        frozenset({2, 3, 4}),
        "Percentile: percent of the reference's transcripts below it."
        + (f" {more:,} more are in the report's JSON." if more else ""),
    )


def floors(report: Report) -> Table:
    """What surface form alone achieves."""
    found = report.floors
    rows = [
        (
            floor.name,
            shown(floor.auroc),
            f"{floor.auroc.n:,}",
            f"{floor.auroc.clusters:,} ({floor.auroc.unit})",
            NONE
            if floor.permutation_p != floor.permutation_p
            else f"{floor.permutation_p:.3f}",
            _own_notes(floor, found.note if found else ""),
        )
        for floor in (found.floors if found else ())
    ]
    return Table(
        "Floors: what surface form alone achieves",
        ("instrument", "AUROC", "transcripts", "clusters", "permutation p", "note"),
        tuple(rows),
        frozenset({1, 2, 3, 4}),
        f"From {found.file} (digest {found.digest}), measured on "
        f"{_measured_on(found)}. The highest floor is the one to beat. "
        f"{_sentence(found.note)}".strip()
        if found
        else "",
    )


def _measured_on(found: Floors) -> str:
    """The transcripts of each label, by source."""
    return " and ".join(
        f"{counted(n, f'{label} transcript')} ({_by_source(found.sources[label])})"
        for label, n in (
            ("evaluation", found.evaluation),
            ("deployment", found.deployment),
        )
    )


def _by_source(sources: Mapping[str, int]) -> str:
    """Sources with their transcripts, the largest first."""
    ordered = sorted(sources.items(), key=lambda pair: (-pair[1], pair[0]))
    named = [f"{name} {n:,}" for name, n in ordered[:_MOST_SOURCES]]
    more = len(ordered) - len(named)
    return ", ".join([*named, f"{more:,} more sources"] if more else named)


def _own_notes(floor: Floor, shared: str) -> str:
    """What is to be said of one floor and not of all."""
    notes = (floor.note, floor.auroc.note)
    return "; ".join(note for note in notes if note and note != shared) or NONE


def _sentence(note: str) -> str:
    """A note as a sentence; empty where there is none."""
    return f"{note[:1].upper()}{note[1:].rstrip('.')}." if note else ""


def raters(report: Report) -> Table:
    """Raters that scored the same transcripts."""
    rows = [
        (
            each.first,
            each.second,
            each.difference.subject or "unknown",
            f"{each.evaluation:,} + {each.deployment:,}",
            f"{each.first_auroc:.2f}",
            f"{each.second_auroc:.2f}",
            cell(each.difference),
            NONE if each.p != each.p else f"{each.p:.3f}",
            each.asked or "alike",
        )
        for each in report.raters
    ]
    return Table(
        "Raters on the same transcripts",
        (
            "first",
            "second",
            "written by",
            "evaluation + deployment",
            "AUROC of first",
            "AUROC of second",
            "difference",
            "p",
            "asked",
        ),
        tuple(rows),
        frozenset({3, 4, 5, 6, 7}),
        "Both AUROCs are against deployment, on the transcripts that both scored; the "
        "difference is paired, with the resampling unit of the transcripts as "
        "clusters. What a model knows of its own tests shows at most in what it "
        "achieves beyond another rater.",
    )
