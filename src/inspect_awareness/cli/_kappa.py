"""`awareness kappa`: what a validation table says about a judge."""

import json
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import click

from inspect_awareness.cli._shared import estimate_record, one_line_errors, out

if TYPE_CHECKING:
    from inspect_awareness.stats import Estimate, JudgeAgreement

COUNT = click.IntRange(min=0)


@click.command()
@click.argument("tp", type=COUNT)
@click.argument("fp", type=COUNT)
@click.argument("fn", type=COUNT)
@click.argument("tn", type=COUNT)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@one_line_errors
def kappa(tp: int, fp: int, fn: int, tn: int, *, as_json: bool) -> None:
    """How well a judge agrees with a human, from four counts.

    TP: judged aware, and aware to the human. FP: judged aware, and not so to the
    human. FN: judged unaware, and aware to the human. TN: judged unaware, and so to
    the human.
    """
    from inspect_awareness.stats import judge_agreement

    found = judge_agreement(tp, fp, fn, tn)
    if as_json:
        click.echo(json.dumps(_record(found), allow_nan=False))
        return
    _print_agreement(found)


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
        ends = f"[{each.low:.3f}, {each.high:.3f}]"
        shown.add_row(name, f"{each.value:.3f}", ends, str(each.n))
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
