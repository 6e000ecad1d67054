"""Options of every command that asks judges: which models, and how."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import click

from inspect_awareness.cli._models_by_name import model_args, named
from inspect_awareness.cli._shared import (
    asking_models,
    err,
    given,
    out,
    print_counts,
)
from inspect_awareness.errors import InputError

if TYPE_CHECKING:
    from inspect_ai.model import Model

P = ParamSpec("P")
R = TypeVar("R")


def asking_judges(command: Callable[P, R]) -> Callable[P, R]:
    """Options that say who judges, how they are asked, and where it is written."""
    options = [
        click.option(
            "--judge",
            "judges",
            multiple=True,
            required=True,
            metavar="MODEL",
            help="The judge, as Inspect names models; may be repeated.",
        ),
        click.option(
            "--structured",
            type=click.Choice(["auto", "always", "never"]),
            default="auto",
            show_default=True,
            help="Whether the judge's provider holds it to the form of a reply.",
        ),
        click.option(
            "--rubric", help="A Markdown file with instructions of one's own."
        ),
        click.option("--temperature", type=float, help="0, or 1 with several votes."),
        click.option("--max-tokens", type=int, help="4096, or 256 of a local model."),
        click.option("--reasoning-effort", help="The provider's default."),
    ]
    command = asking_models("judge", reply="a reply")(command)
    for option in reversed(options):
        command = option(command)
    return command


def judges_of(options: Mapping[str, Any]) -> "list[Model]":
    """The judges; the first with the arguments that were given.

    Raises:
        InputError: A judge is given twice.
        ModelError: A judge cannot be had.
    """
    first, *others = options["judges"]
    if twice := {
        name for name in options["judges"] if options["judges"].count(name) > 1
    }:
        raise InputError(
            f"{', '.join(sorted(twice))} is given twice; to ask a judge several times "
            "give --votes"
        )
    judge = partial(named, given(options, "max_retries", "timeout"))
    args = model_args(options["model_args"])
    made = judge(first, base_url=options["model_base_url"], **args)
    return [made, *map(judge, others)]


def line(text: str) -> None:
    """A line as it stands."""
    out.print(text, markup=False, highlight=False)


def check_output(options: Mapping[str, Any]) -> None:
    """An output was named.

    Raises:
        InputError: None was.
    """
    if options["output"] is None:
        raise InputError("give -o OUTPUT, or --dry-run to see what would be asked")


def say_continued(journal: Path) -> None:
    """That an earlier run left votes that are used."""
    if journal.exists():
        err.print(f"continuing with {journal}", markup=False, highlight=False)


def print_written(
    tokens: Mapping[str, int], outputs: Sequence[Path], journal: Path | None
) -> None:
    """Tokens, files, and what to do about replies that did not come."""
    print_counts("tokens", {k: n for k, n in tokens.items() if n})
    for path in outputs:
        line(f"wrote {path}")
    if journal is not None:
        line(
            f"the provider failed on some: with {journal} the same command and "
            "--overwrite asks about those again"
        )
