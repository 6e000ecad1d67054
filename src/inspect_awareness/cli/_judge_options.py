"""Options of every command that asks judges: which models, and how."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import click

from inspect_awareness.cli._models_by_name import model_args, named
from inspect_awareness.cli._shared import given, out
from inspect_awareness.errors import InputError

if TYPE_CHECKING:
    from inspect_ai.model import Model

P = ParamSpec("P")
R = TypeVar("R")


def asked_models(command: Callable[P, R]) -> Callable[P, R]:
    """Options that name the judges."""
    options = [
        click.option(
            "--judge",
            "judges",
            multiple=True,
            required=True,
            metavar="MODEL",
            help="The judge, as Inspect names models; may be repeated.",
        ),
        click.option("-M", "model_args", multiple=True, metavar="KEY=VALUE"),
        click.option("--model-base-url", help="Address of the (first) judge's API."),
    ]
    return _with(command, options)


def asking(command: Callable[P, R]) -> Callable[P, R]:
    """Options that say how judges are asked."""
    options = [
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
        click.option(
            "--max-retries",
            type=click.IntRange(min=0),
            help="Attempts after a failed call; 3 by default.",
        ),
        click.option(
            "--timeout",
            type=click.IntRange(min=1),
            help="Seconds for a reply, retries among them; 600 by default.",
        ),
    ]
    return _with(command, options)


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


def _with(command: Callable[P, R], options: list[Any]) -> Callable[P, R]:
    """A command with options, in this order."""
    for option in reversed(options):
        command = option(command)
    return command
