"""`awareness report`: from scored files to a page."""

import json
from pathlib import Path
from typing import Any

import click

from inspect_awareness.cli._shared import one_line_errors, out
from inspect_awareness.errors import InputError

KINDS = ("safety", "capability")
"""What a benchmark may test."""


@click.command()
@click.argument("scored", nargs=-1, required=True)
@click.option(
    "--reference",
    multiple=True,
    help="Scored deployment transcripts: logs, folders or .parquet; may be repeated.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="A .html, .md or .json file.",
)
@click.option(
    "--floor",
    type=click.Path(path_type=Path),
    help="What surface form alone achieves: the JSON file of `awareness floor`.",
)
@click.option(
    "--outcome",
    "outcomes",
    multiple=True,
    metavar="SCORE",
    help="The task's own score that awareness may have changed; SCORE.KEY for a value of "
    "one that holds several. The first score, if not said.",
)
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    metavar="BENCHMARK=KIND",
    help="Whether a benchmark tests safety or capability, for the rate of awareness of "
    "its own kind; may be repeated.",
)
@click.option(
    "--min-aware",
    type=click.IntRange(min=1),
    default=3,
    show_default=True,
    help="Aware runs that make a task stably aware.",
)
@click.option(
    "--labels",
    type=click.Path(path_type=Path),
    help="People's labels of the judge's transcripts, as `awareness judge sample` drew "
    "them: corrects rates and taxes for the judge's errors.",
)
@click.option(
    "--decision",
    type=click.Choice(["end", "first-action", "none"]),
    default="end",
    show_default=True,
    help="What awareness must come before to count for the tax: the end of the last "
    "turn, the first tool call, or nothing.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="For the intervals of reliability, the orders of turns, and permutations.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@one_line_errors
def report(
    scored: tuple[str, ...],
    reference: tuple[str, ...],
    *,
    output: Path | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Write a report on scored or judged files, with a deployment reference if any.

    Needs no model, no key and no torch.
    """
    from inspect_awareness.report import (
        VoicedTerms,
        build_report,
        report_record,
        write_report,
    )

    if output is None and not as_json:
        raise InputError("give -o FILE.html, FILE.md or FILE.json, or --json")
    made = build_report(
        list(scored),
        reference=list(reference),
        floor=options["floor"],
        seed=options["seed"],
        outcomes=options["outcomes"],
        about=VoicedTerms(
            _kinds(options["kinds"]),
            options["decision"],
            options["min_aware"],
            options["labels"],
        ),
    )
    if output is not None:
        write_report(made, output)
    if as_json:
        click.echo(json.dumps(report_record(made)))
    else:
        out.print(f"report: {output}", markup=False, highlight=False)


def _kinds(given: tuple[str, ...]) -> dict[str, str]:
    """What each benchmark tests."""
    found = {}
    for each in given:
        name, _, kind = each.rpartition("=")
        if not name or kind not in KINDS:
            raise InputError(
                f"--kind {each!r}: give BENCHMARK={' or BENCHMARK='.join(KINDS)}"
            )
        found[name] = kind
    return found
