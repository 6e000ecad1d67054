"""`awareness transcripts`: what is there."""

import json
from typing import Any

import click

from inspect_awareness._counted import counted
from inspect_awareness.cli._shared import (
    one_line_errors,
    out,
    print_counts,
    selection,
)


@click.command()
@click.argument("paths", nargs=-1, required=True)
@selection
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@one_line_errors
def transcripts(paths: tuple[str, ...], *, as_json: bool, **wanted: Any) -> None:
    """Count the transcripts in logs, folders of logs, or chat files (PATHS)."""
    from inspect_awareness.runs import Inputs, Selection, inventory

    found = inventory(Inputs(list(paths), Selection(**wanted)))
    record = {
        "transcripts": found.transcripts,
        "skipped": dict(found.skipped),
        "by_source": dict(found.by_source),
        "by_label": dict(found.by_label),
        "by_reasoning": dict(found.by_reasoning),
    }
    if as_json:
        click.echo(json.dumps(record))
        return
    out.print(
        f"{counted(found.transcripts, 'transcript')}, "
        f"{counted(found.characters, 'character')}",
        highlight=False,
    )
    for name in ("by_source", "by_label", "by_reasoning", "skipped"):
        print_counts(name.removeprefix("by_"), record[name])
