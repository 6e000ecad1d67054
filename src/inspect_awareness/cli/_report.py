"""`awareness report`: from scored files to a page."""

import json
from pathlib import Path

import click

from inspect_awareness.cli._shared import one_line_errors, out
from inspect_awareness.errors import InputError


@click.command()
@click.argument("scored", nargs=-1, required=True)
@click.option(
    "--reference",
    multiple=True,
    help="Scored deployment transcripts: logs, folders or .parquet; may be repeated.",
)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="A .md or .html file."
)
@click.option(
    "--floor",
    type=click.Path(path_type=Path),
    help="What surface form alone achieves: the JSON file of `awareness floor`.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="For the intervals of reliability, and the orders of turns.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@one_line_errors
def report(
    scored: tuple[str, ...],
    reference: tuple[str, ...],
    *,
    output: Path | None,
    floor: Path | None,
    seed: int,
    as_json: bool,
) -> None:
    """Write a report on scored files, with a deployment reference where there is one.

    Needs no model, no key and no torch.
    """
    from inspect_awareness.report import build_report, report_record, write_report

    if output is None and not as_json:
        raise InputError("give -o FILE.md, -o FILE.html, or --json")
    made = build_report(list(scored), reference=list(reference), floor=floor, seed=seed)
    if output is not None:
        write_report(made, output)
    if as_json:
        click.echo(json.dumps(report_record(made)))
    else:
        out.print(f"report: {output}", markup=False, highlight=False)
