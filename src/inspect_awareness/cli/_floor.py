"""`awareness floor`: what surface form alone achieves."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from inspect_awareness._counted import counted
from inspect_awareness.cli._shared import (
    VIEWS,
    err,
    held_out,
    one_line_errors,
    out,
    print_counts,
)
from inspect_awareness.cli._stated import plain, say
from inspect_awareness.errors import InputError

if TYPE_CHECKING:
    from inspect_awareness.datasets._inputs import Inputs
    from inspect_awareness.datasets._transcript import Transcript
    from inspect_awareness.surface import SurfaceFloor, SurfaceFloors

MANY = 1_500
"""Transcripts from which on the user is told that it takes long."""


@click.command()
@click.argument("paths", nargs=-1, required=True)
@click.option(
    "--reference",
    multiple=True,
    help="Deployment transcripts: a log, a folder of logs, or a chat file; may be "
    "repeated. Not needed where PATHS hold transcripts labelled deployment.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="Write the floors to this .json file, for `awareness report --floor`.",
)
@click.option("--view", type=VIEWS, default="full", show_default=True)
@click.option("--subject-role", help="Model role that wrote the transcripts.")
@click.option(
    "--sample",
    type=click.IntRange(min=1),
    help="Draw this many of PATHS and of the reference, stratified by source.",
)
@held_out
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@one_line_errors
def floor(
    paths: tuple[str, ...], *, reference: tuple[str, ...], as_json: bool, **options: Any
) -> None:
    """Ask no model: how far do words, characters and length tell the two apart?

    PATHS are logs, folders of logs, or chat files; their transcripts count as
    evaluation, unless they are labelled deployment. An AUROC of P(eval) that is no
    higher than these says nothing that the surface of the transcripts does not say.
    """
    from inspect_awareness.surface import (
        floors_record,
        surface_floors,
        write_floors,
    )

    output: Path | None = options["output"]
    if output is not None and output.suffix != ".json":
        raise InputError(f"{output}: floors are written to a .json file")
    both = [
        *_inputs(paths, options, label=None),
        *_inputs(reference, options, label="deployment"),
    ]
    found = surface_floors(
        _labelled(both),
        seed=options["seed"],
        folds=options["folds"],
        permutations=options["permutations"],
    )
    if output is not None:
        write_floors(found, output)
    if as_json:
        click.echo(json.dumps(floors_record(found), allow_nan=False))
        return
    _show(found)
    for inputs in both:
        print_counts("skipped", dict(inputs.skipped))
    if output is not None:
        say(f"floors: {output}")


def _inputs(
    paths: Sequence[str], options: dict[str, Any], *, label: str | None
) -> list["Inputs"]:
    """What is read of some paths; logs and chat files may stand beside each other."""
    from inspect_awareness.datasets._inputs import Inputs, kind_of
    from inspect_awareness.datasets._selection import Selection

    names = ("view", "subject_role", "sample", "seed")
    wanted = Selection(label, **{name: options[name] for name in names})
    kinds: dict[str, list[str]] = {}
    for path in paths:
        kinds.setdefault(kind_of([path]), []).append(path)
    return [Inputs(each, wanted) for each in kinds.values()]


def _labelled(inputs: Sequence["Inputs"]) -> Iterator["Transcript"]:
    """All transcripts; one without a label counts as evaluation.

    Raises:
        InputError: One of the inputs holds none.
    """
    count = 0
    for each in inputs:
        before = count
        for transcript in each:
            count += 1
            if count == MANY:
                err.print(
                    f"{MANY:,} transcripts or more: this takes minutes; "
                    "--sample 500 does for a floor",
                    highlight=False,
                )
            if transcript.origin.label == "unknown":
                yield transcript.relabelled(label="evaluation")
            else:
                yield transcript
        if count == before:
            raise InputError(f"{', '.join(each.paths)}: holds no transcript")


def _show(found: "SurfaceFloors") -> None:
    """The floors, and what they rest on."""
    from rich.table import Table as Shown

    if found.folds == 0:
        say(found.note)
        say(_counted(found))
        return
    shown = Shown(box=None, header_style="bold")
    shown.add_column("surface form", no_wrap=True)
    for name in ("AUROC", "95 % interval", "p"):
        shown.add_column(name, justify="right", no_wrap=True)
    for each in found.floors:
        shown.add_row(plain(each.kind), *_cells(each))
    out.print(shown)
    say(_counted(found))
    say(
        f"{found.folds} folds of whole sources, "
        f"{counted(found.permutations, 'permutation')}, "
        f"view {found.view}, seed {found.seed}"
    )
    notes = [found.note, *(f.auroc.note for f in found.floors)]
    for note in dict.fromkeys([*notes, *(f.note for f in found.floors)]):
        if note:
            say(f"! {note}")


def _counted(found: "SurfaceFloors") -> str:
    """Transcripts and sources of each label."""
    parts = [
        f"{n:,} {label} from {counted(len(found.sources[label]), 'source')}"
        for label, n in (
            ("evaluation", found.evaluation),
            ("deployment", found.deployment),
        )
    ]
    return ", ".join(parts)


def _cells(floor: "SurfaceFloor") -> tuple[str, str, str]:
    """Value, interval and p."""
    area, p = floor.auroc, floor.permutation_p
    interval = f"[{area.low:.3f}, {area.high:.3f}]" if area.has_interval else "none"
    return f"{area.value:.3f}", interval, "-" if p != p else f"{p:.3f}"
