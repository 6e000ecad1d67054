"""`awareness correct`: a probe's AUROC where the model was least aware."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from inspect_awareness.cli._shared import one_line_errors, out
from inspect_awareness.cli._stated import known, say, stated

if TYPE_CHECKING:
    import numpy as np

    from inspect_awareness.stats import (
        CorrectedAuroc,
        CutPoint,
        Estimate,
        SubsetAuroc,
    )
    from inspect_awareness.tables import Table

MEASURED = ("label", "score", "awareness")

ADJUSTED = (
    ("pooled_within", "within quartiles"),
    ("weighted", "weighted by e"),
    ("matched", "matched on e"),
)
"""AUROCs that hold awareness fixed and use all items."""


@dataclass(frozen=True, eq=False)
class _Rows:
    """The columns of a table that are complete, and what was left out."""

    label: "np.ndarray[Any, Any]"
    score: "np.ndarray[Any, Any]"
    awareness: "np.ndarray[Any, Any]"
    sources: list[str] | None
    missing: dict[str, int]


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--awareness",
    "other",
    type=click.Path(path_type=Path),
    help="CSV with id and awareness, where FILE has no column awareness.",
)
@click.option(
    "--draws",
    type=click.IntRange(min=200),
    default=2_000,
    show_default=True,
    help="Bootstrap resamples.",
)
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@one_line_errors
def correct(
    file: Path, *, other: Path | None, draws: int, seed: int, as_json: bool
) -> None:
    """A probe's AUROC where the model took the items least for a test.

    FILE is a CSV: id, label (1 where the item has what the probe looks for, else 0),
    score (the probe's), awareness (how far the model took the item for a test: P(eval),
    or another scale), and source (a benchmark's name) where it is known.
    """
    import numpy as np

    from inspect_awareness.stats import corrected_auroc

    table, unused = _table(file, other)
    rows = _complete(table)
    found = stated(
        lambda: corrected_auroc(
            rows.score,
            rows.label,
            rows.awareness,
            sources=rows.sources,
            rng=np.random.default_rng(seed),
            draws=draws,
        )
    )
    missing = {**rows.missing, "unused_awareness": unused}
    if as_json:
        record = {**_record(found), "missing": missing, "seed": seed}
        click.echo(json.dumps(record, allow_nan=False))
        return
    _print_areas(found)
    _print_curve(found.curve)
    _print_remarks(found, missing)


def _table(file: Path, other: Path | None) -> "tuple[Table, int]":
    """The rows with their awareness, and how many values of it match no row."""
    from inspect_awareness.tables import join_column, read_table, unique_ids

    if other is None:
        table = read_table(file, *MEASURED)
        if "id" in table:
            unique_ids(table, "id")
        return table, 0
    table = read_table(file, "id", "label", "score")
    joined = join_column(table, read_table(other, "id", "awareness"), "awareness")
    return joined.table, joined.unused


def _complete(table: "Table") -> _Rows:
    """The rows in which label, score and awareness are known."""
    import numpy as np

    label = table.binary("label", empty=True)
    score = table.numbers("score", empty=True)
    awareness = table.numbers("awareness", empty=True)
    unknown = [np.isnan(each) for each in (label, score, awareness)]
    keep = ~np.logical_or.reduce(unknown)
    missing = {n: int(u.sum()) for n, u in zip(MEASURED, unknown, strict=True)}
    missing["rows_left_out"] = int((~keep).sum())
    sources = None
    if "source" in table:
        names = table.text("source")
        sources = [names[k] for k in np.flatnonzero(keep)]
    return _Rows(label[keep], score[keep], awareness[keep], sources, missing)


def _ends(estimate: "Estimate") -> dict[str, Any]:
    """Value and interval, and what to know about them."""
    return {
        "value": known(estimate.value),
        "low": known(estimate.low),
        "high": known(estimate.high),
        "n": estimate.n,
        "unit": estimate.unit,
        "method": estimate.method,
        "note": estimate.note,
    }


def _subset(found: "SubsetAuroc") -> dict[str, Any]:
    """An AUROC among some items as JSON."""
    return {
        **_ends(found.estimate),
        "newcombe_low": known(found.newcombe.low),
        "newcombe_high": known(found.newcombe.high),
        "n1": found.positives,
        "n0": found.negatives,
        "awareness_least": known(found.least),
        "awareness_median": known(found.median),
        "awareness_most": known(found.most),
    }


def _record(found: "CorrectedAuroc") -> dict[str, Any]:
    """All of it as JSON."""
    label = found.awareness_vs_label
    return {
        "raw": _subset(found.raw),
        "corrected": _subset(found.corrected),
        "difference": _ends(found.difference),
        **{name: _ends(getattr(found, name)) for name, _ in ADJUSTED},
        "quartiles": [_subset(each) for each in found.quartiles],
        "curve": [
            {
                "share": each.share,
                "below": known(each.below),
                **_ends(each.estimate),
                "n1": each.positives,
                "n0": each.negatives,
            }
            for each in found.curve
        ],
        "awareness_vs_label": {
            **_ends(label.auroc),
            "spearman_with_score": known(label.spearman),
            "mean_positive": known(label.positives),
            "mean_negative": known(label.negatives),
        },
        "q25": known(found.q25),
        "self_corrected": found.self_corrected,
        "flags": [f"{flag.code}: {flag.sentence}" for flag in found.flags],
        "quote": found.quote,
        "draws": found.draws,
    }


def _print_areas(found: "CorrectedAuroc") -> None:
    """A table of the AUROCs with both intervals."""
    from rich.table import Table as Shown

    shown = Shown(box=None, header_style="bold")
    shown.add_column("AUROC", no_wrap=True)
    for name in ("value", "95 % bootstrap", "95 % Newcombe", "n1", "n0"):
        shown.add_column(name, justify="right", no_wrap=True)
    subsets = [("raw, all items", found.raw)]
    if found.self_corrected:
        subsets.append(("corrected", found.corrected))
    for name, each in zip(
        (
            "corrected, e < q25",
            "  2nd quartile",
            "  3rd quartile",
            "  4th, most aware",
        ),
        found.quartiles,
        strict=False,
    ):
        subsets.append((name, each))
    for name, each in subsets:
        shown.add_row(
            name,
            *_cells(each.estimate),
            _cells(each.newcombe)[1],
            str(each.positives),
            str(each.negatives),
        )
    shown.add_row("raw - corrected", *_cells(found.difference), "", "", "")
    for attribute, name in ADJUSTED:
        shown.add_row(name, *_cells(getattr(found, attribute)), "", "", "")
    out.print(shown)


def _print_curve(curve: "tuple[CutPoint, ...]") -> None:
    """The AUROC among ever more of the least aware items, in one line."""
    if curve:
        points = ", ".join(
            f"{100 * each.share:.0f} %: {each.estimate.value:.3f}" for each in curve
        )
        out.print()
        say(f"among the least aware {points}")


def _print_remarks(found: "CorrectedAuroc", missing: dict[str, int]) -> None:
    """What limits the correction, what is missing, and what to quote."""
    label = found.awareness_vs_label
    say(
        f"awareness e: AUROC for the label {' '.join(_cells(label.auroc)).strip()}, rank "
        f"correlation with the scores {label.spearman:+.2f}, median "
        f"{found.corrected.median:.3g} below q25 = {found.q25:.3g}"
    )
    for name, each in (("raw", found.raw), ("corrected", found.corrected)):
        if each.estimate.note and not found.self_corrected:
            say(f"{name}: {each.estimate.note}")
    if found.raw.newcombe.unit == "source":
        say("Newcombe's intervals take sources for items: they are wide, and safe")
    for flag in found.flags:
        say(f"! {flag.sentence}")
    for attribute, name in ADJUSTED:
        note = getattr(found, attribute).note
        if note and not found.self_corrected:
            say(f"{name}: {note}")
    if missing["rows_left_out"] or missing["unused_awareness"]:
        extra = missing["unused_awareness"]
        unused = f"; {extra} values of awareness match no row" if extra else ""
        lacking = ", ".join(f"{n} {missing[n]}" for n in MEASURED if missing[n])
        say(
            f"left out: {missing['rows_left_out']} rows (without {lacking or 'nothing'})"
            f"{unused}"
        )
    out.print()
    say(found.quote)


def _cells(estimate: "Estimate") -> tuple[str, str]:
    """Value and interval."""
    if estimate.value != estimate.value:
        return "not given", ""
    if not estimate.has_interval:
        return f"{estimate.value:.3f}", "none"
    return f"{estimate.value:.3f}", f"[{estimate.low:.3f}, {estimate.high:.3f}]"
