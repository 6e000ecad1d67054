"""`awareness store`: what a folder of activations holds, and whether it is sound."""

import json
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.filesize import decimal

from inspect_awareness.cli._shared import one_line_errors, out

if TYPE_CHECKING:
    from inspect_awareness.whitebox._store_check import CollectionCheck

_FOLDER = click.argument("folder", type=click.Path(path_type=Path))
_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
_SHOWN = ("rendering", "pooling", "dropped", "states", "layers", "dtype")


@click.group()
def store() -> None:
    """Say what a store of activations holds, or check it."""


@store.command("list")
@_FOLDER
@_JSON
@one_line_errors
def store_list(folder: Path, *, as_json: bool) -> None:
    """List the collections of a store: model, convention, prompts, bytes.

    Only headers are read; `check` reads everything.
    """
    from inspect_awareness.errors import StoreError
    from inspect_awareness.whitebox._store import Store

    found = Store(folder).collections()
    if not found:
        raise StoreError(f"{folder}: no activations that can be read are stored here")
    if as_json:
        click.echo(json.dumps([collection.manifest() for collection in found]))
        return
    for collection in found:
        _line(_summary(collection.manifest()))
        for name, reason in collection.damaged().items():
            _line(f"  fault: {name}: {reason}")


@store.command("check")
@_FOLDER
@_JSON
@one_line_errors
def store_check(folder: Path, *, as_json: bool) -> None:
    """Read everything in a store and compare it with its hashes.

    Exits with 1 if anything is damaged: a shard that was cut off, changed, renamed or
    moved, a state that is no number, a manifest that says something else.
    """
    from inspect_awareness.whitebox._store_check import check_store

    found = check_store(folder)
    if as_json:
        click.echo(json.dumps([{**asdict(one), "sound": one.sound} for one in found]))
    else:
        for one in found:
            _print(one)
    if not all(one.sound for one in found):
        sys.exit(1)


def _print(found: "CollectionCheck") -> None:
    """One collection, with each fault and note on a line."""
    held = _summary(found.manifest) if found.manifest else f"{found.key}  unreadable"
    _line(f"{held}  {'sound' if found.sound else 'DAMAGED'}")
    for name, reason in found.faults.items():
        _line(f"  fault: {name}: {reason}")
    for name, reason in found.notes.items():
        _line(f"  note: {name}: {reason}")


def _summary(manifest: Mapping[str, Any]) -> str:
    """One line on what a collection holds."""
    convention = manifest["convention"]
    ways = [
        f"{name}={_word(convention[name])}" for name in _SHOWN if name in convention
    ]
    return (
        f"{manifest['collection']}  {manifest['model']['name']}  "
        f"{manifest['prompts']:,} prompts x {len(manifest['layers'])} layers x "
        f"{manifest['model']['width']:,}, {len(manifest['shards']):,} shards, "
        f"{decimal(manifest['bytes'])}  {' '.join(ways)}"
    )


def _word(value: object) -> str:
    """A field of a convention, lists with commas."""
    if isinstance(value, list):
        return ",".join(map(str, value)) or "none"
    return str(value)


def _line(text: str) -> None:
    """Text as it is, without markup or breaks."""
    out.print(text, markup=False, highlight=False)
