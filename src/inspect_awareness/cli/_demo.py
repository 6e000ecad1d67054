"""`awareness demo`: all of it, on bundled logs."""

import os
from pathlib import Path

import click

from inspect_awareness.cli._score_page import print_scored
from inspect_awareness.cli._shared import err, one_line_errors, out, progress_bar


@click.command()
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("awareness-demo"),
    show_default=True,
    help="Folder for the scored logs and the report.",
)
@click.option("--open/--no-open", "show", default=True, help="Open the report.")
@one_line_errors
def demo(*, output: Path, show: bool) -> None:
    """Score bundled logs with the embedded model, and write a report.

    Needs no key and no network once `awareness models get smollm2-135m` has run.
    """
    from inspect_awareness.demo import run_demo

    with progress_bar(None) as progress:
        made = run_demo(output, say=lambda line: err.print(line), progress=progress)
    for scored in (made.evaluation, made.deployment):
        print_scored(scored, as_json=False)
    out.print("The model is small and may be at chance; the report says so.")
    out.print(f"report: {made.report}", markup=False, highlight=False)
    if show and (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        click.launch(str(made.report))
