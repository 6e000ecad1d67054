"""`awareness rate`: awareness rates from a table."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from inspect_awareness.cli._shared import estimate_record, one_line_errors, out

if TYPE_CHECKING:
    from inspect_awareness.stats import Rate


@click.command()
@click.option(
    "--table",
    required=True,
    type=click.Path(path_type=Path),
    help="CSV: model, benchmark, task, aware (0, 1 or empty); a row for each sample.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@one_line_errors
def rate(table: Path, *, as_json: bool) -> None:
    """How often each model is aware on each benchmark, with intervals over tasks."""
    from inspect_awareness.stats import awareness_rates
    from inspect_awareness.tables import read_table

    cells = read_table(table, "model", "benchmark", "task", "aware")
    rates = awareness_rates(
        cells.binary("aware", empty=True),
        models=cells.text("model"),
        benchmarks=cells.text("benchmark"),
        tasks=cells.text("task"),
    )
    if as_json:
        click.echo(json.dumps([_record(each) for each in rates], allow_nan=False))
        return
    _print_rates(rates)


def _record(rate: "Rate") -> dict[str, Any]:
    """A rate as JSON."""
    known = estimate_record(rate.estimate)
    return {
        "model": rate.model,
        "benchmark": rate.benchmark,
        **{key: known[key] for key in ("value", "low", "high", "n")},
        "tasks": rate.estimate.clusters,
        "missing": rate.missing,
        "note": rate.estimate.note,
    }


def _print_rates(rates: tuple["Rate", ...]) -> None:
    """A table in percent, and what a reader must know below it."""
    from rich.table import Table

    shown = Table(box=None, header_style="bold")
    for name in ("model", "benchmark"):
        shown.add_column(name, overflow="fold")
    for name in ("aware %", "95 % interval", "samples", "tasks", "missing"):
        shown.add_column(name, justify="right")
    for each in rates:
        found = each.estimate
        shown.add_row(
            each.model,
            each.benchmark,
            f"{100 * found.value:.1f}",
            f"[{100 * found.low:.1f}, {100 * found.high:.1f}]",
            str(found.n),
            str(found.clusters),
            str(each.missing),
        )
    out.print(shown)
    for each in rates:
        for remark in filter(None, (each.estimate.note, _missing(each))):
            line = f"  {each.model}, {each.benchmark}: {remark}"
            out.print(line, markup=False, highlight=False)


def _missing(rate: "Rate") -> str:
    """Between what the rate lies, whatever the missing samples were."""
    if not rate.missing:
        return ""
    low, high = 100 * rate.bounds.low, 100 * rate.bounds.high
    return f"{rate.missing} missing, the rate is {low:.1f} to {high:.1f} % with them"
