"""`awareness kappa`: what a validation table says about a judge."""

import json
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from inspect_awareness.cli._ratings import (
    agreement_of,
    agreement_record,
    print_agreement,
    read_ratings,
)
from inspect_awareness.cli._shared import estimate_record, one_line_errors, out
from inspect_awareness.cli._stated import listed, plain, stated
from inspect_awareness.errors import InputError
from inspect_awareness.tables import read_table

if TYPE_CHECKING:
    from inspect_awareness.stats import Estimate, JudgeAgreement

TITLES = {
    "kappa": "kappa (1 full agreement, 0 chance)",
    "pabak": "PABAK (kappa at equal margins)",
    "agreement": "agreement",
    "sensitivity": "sensitivity (found of the aware)",
    "specificity": "specificity (passed of the unaware)",
    "ppv": "PPV (right where judged aware)",
    "npv": "NPV (right where judged unaware)",
}

COUNT = click.IntRange(min=0)


@click.command()
@click.argument("counts", nargs=-1, type=COUNT, metavar="[TP FP FN TN]")
@click.option(
    "--table",
    type=click.Path(path_type=Path),
    help="CSV of ratings instead: a row an item, a column a rater, empty for no rating.",
)
@click.option("--raters", help="Columns of the raters: A,B,C.")
@click.option(
    "--metric",
    type=click.Choice(["nominal", "ordinal", "interval"]),
    help="Ratings are categories (nominal, if not said), ranks or numbers.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@one_line_errors
def kappa(
    counts: tuple[int, ...],
    table: Path | None,
    raters: str | None,
    metric: str | None,
    *,
    as_json: bool,
) -> None:
    """How well a judge agrees with a human, or several raters with each other.

    From four counts: TP: judged aware, and aware to the human. FP: judged aware, and
    not so to the human. FN: judged unaware, and aware to the human. TN: judged unaware,
    and so to the human.

    From a table: Krippendorff's alpha, and for categories Fleiss' kappa and Cohen's
    kappa of each two raters.
    """
    if table is not None:
        _from_table(counts, table, raters, metric or "nominal", as_json=as_json)
        return
    if len(counts) != 4 or raters is not None or metric is not None:
        raise click.UsageError(
            "give four counts TP FP FN TN, or --table FILE.csv --raters A,B"
        )
    from inspect_awareness.stats import judge_agreement

    found = stated(lambda: judge_agreement(*counts))
    if as_json:
        click.echo(json.dumps(_record(found), allow_nan=False))
        return
    _print_agreement(found)


def _from_table(
    counts: tuple[int, ...],
    table: Path,
    raters: str | None,
    metric: str,
    *,
    as_json: bool,
) -> None:
    """Agreement of raters in columns."""
    if counts:
        raise click.UsageError("four counts or --table, not both")
    if raters is None:
        present = ", ".join(read_table(table).columns)
        raise InputError(f"--table needs --raters: which columns? present: {present}")
    found = agreement_of(read_ratings(table, listed(raters), metric), metric)
    if as_json:
        click.echo(json.dumps(agreement_record(found), allow_nan=False))
        return
    print_agreement(found)


def _named(found: "JudgeAgreement") -> dict[str, "Estimate"]:
    """The numbers by name, in the order of the record."""
    return {field.name: getattr(found, field.name) for field in fields(found)}


def _record(found: "JudgeAgreement") -> dict[str, Any]:
    """Kappa with its interval, the rest as numbers, and their intervals beside."""
    records = {name: estimate_record(each) for name, each in _named(found).items()}
    return {
        **{name: record["value"] for name, record in records.items()},
        "low": records["kappa"]["low"],
        "high": records["kappa"]["high"],
        "n": found.kappa.n,
        "intervals": {name: [r["low"], r["high"]] for name, r in records.items()},
        "notes": {name: each.note for name, each in _named(found).items() if each.note},
    }


def _print_agreement(found: "JudgeAgreement") -> None:
    """A table, and what may be taken from it to other transcripts."""
    from rich.table import Table

    shown = Table("", box=None, header_style="bold")
    for name in ("value", "95 % interval", "of"):
        shown.add_column(name, justify="right")
    for name, each in _named(found).items():
        shown.add_row(TITLES[name], *_cells(each), str(each.n))
    out.print(shown)
    for name, each in _named(found).items():
        if each.note:
            out.print(f"  {name}: {each.note}", markup=False, highlight=False)
    out.print(
        "PPV and NPV hold beyond these transcripts where they were drawn at random or "
        "by the judge's label; sensitivity and specificity where they were drawn at "
        "random or by the human's.",
        highlight=False,
    )


def _cells(each: "Estimate") -> tuple[Any, Any]:
    """Value and interval, words where there is none."""
    value = f"{each.value:.3f}" if each.value == each.value else "undefined"
    ends = f"[{each.low:.3f}, {each.high:.3f}]" if each.has_interval else "(none)"
    return plain(value), plain(ends)
