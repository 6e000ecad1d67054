"""`awareness store`: fill a folder of activations, and see whether it is sound."""

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.filesize import decimal

from inspect_awareness.cli._shared import err, one_line_errors, out
from inspect_awareness.errors import InputError

if TYPE_CHECKING:
    from inspect_awareness.whitebox import Progress
    from inspect_awareness.whitebox._store_check import CollectionCheck

_FOLDER = click.argument("folder", type=click.Path(path_type=Path))
_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
_SHOWN = ("rendering", "pooling", "dropped", "states", "layers", "dtype")


@click.group()
def store() -> None:
    """Say what a store of activations holds, check it, or fill it."""


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


@store.command("fill")
@_FOLDER
@click.option(
    "--model",
    required=True,
    metavar="NAME",
    help="The local model: what stands after whitebox/, a folder or a hub id.",
)
@click.option("-M", "model_options", multiple=True, metavar="KEY=VALUE")
@click.option("--framings", help="A folder or file of framings; else the package's.")
@click.option("--tasks", help="A file of tasks; else the package's.")
@click.option("--items", default="situations", show_default=True)
@click.option("--no-refusal", is_flag=True, help="Leave out the second concept.")
@click.option("--max-tasks", type=click.IntRange(min=1), help="The first tasks only.")
@click.option(
    "-C",
    "fields",
    multiple=True,
    metavar="FIELD=VALUE",
    help="Fields of the convention that are not the default: -C pooling=last.",
)
@click.option(
    "--shard",
    default="0/1",
    show_default=True,
    metavar="I/N",
    help="Do the i-th of n parts, from 0; others may do the rest at the same time.",
)
@one_line_errors
def store_fill(folder: Path, *, model: str, shard: str, **options: Any) -> None:
    """Extract what `inspect_awareness/directions` needs into a store.

    Run the parts 0/4 to 3/4 as four processes, or on four machines with a common
    folder, and then the task with `-T store=FOLDER`: it finds everything there. A part
    that was killed goes on where it stopped.
    """
    import anyio

    from inspect_awareness.cli._models_by_name import model_args
    from inspect_awareness.framed import asked, fill
    from inspect_awareness.whitebox import Store, load

    wanted = asked(
        framings_path=options["framings"],
        tasks_path=options["tasks"],
        items=options["items"],
        refusal=not options["no_refusal"],
        max_tasks=options["max_tasks"],
        convention=model_args(
            options["fields"], "-C takes FIELD=VALUE, as in -C pooling=last"
        ),
    )
    part = _part(shard)
    local = load(
        model.removeprefix("whitebox/"), **model_args(options["model_options"])
    )
    with _tokens_bar() as progress:
        count = anyio.run(fill, local, wanted, Store(folder), part, progress)
    _line(f"{folder}: {count:,} prompts of part {shard} are there")


def _part(shard: str) -> tuple[int, int]:
    """I/N as two numbers."""
    first, _, count = shard.partition("/")
    if not (first.isdigit() and count.isdigit()):
        raise InputError(f"--shard {shard!r}: give I/N, such as 0/4 to 3/4")
    return int(first), int(count)


@contextmanager
def _tokens_bar() -> "Iterator[Callable[[Progress], None]]":
    """A bar over prompts, with tokens per second; drawn when the first batch is done."""
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as Shown

    shown = Shown(
        TextColumn("extracting"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]:,.0f} tokens/s"),
        console=err,
    )
    task = shown.add_task("extracting", total=None, rate=0.0)

    def move(progress: "Progress") -> None:
        shown.start()
        shown.update(
            task, completed=progress.prompts, total=progress.of, rate=progress.rate
        )

    try:
        yield move
    finally:
        if shown.live.is_started:
            shown.stop()


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
