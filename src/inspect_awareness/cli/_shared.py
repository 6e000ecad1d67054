"""What all commands share: consoles, errors as lines, options, numbers."""

import sys
from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import click
from rich.console import Console

from inspect_awareness.errors import AwarenessError

if TYPE_CHECKING:
    from inspect_awareness.stats import Estimate

P = ParamSpec("P")
R = TypeVar("R")

out = Console(soft_wrap=True)
err = Console(stderr=True, soft_wrap=True)

VIEWS = click.Choice(["full", "prompt", "no_self", "no_reasoning", "model", "turns"])
LABELS = click.Choice(["evaluation", "deployment", "unknown"])


def one_line_errors(command: Callable[P, R]) -> Callable[P, R]:
    """Print the package's own errors as a line, and exit with 1 (130 for Ctrl-C)."""

    @wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return command(*args, **kwargs)
        except AwarenessError as ex:
            err.print(f"error: {ex}", markup=False, highlight=False)
            sys.exit(1)
        except BaseExceptionGroup as group:
            ours, _ = group.split(AwarenessError)
            if ours is None:
                raise
            err.print(f"error: {_first(ours)}", markup=False, highlight=False)
            sys.exit(1)
        except KeyboardInterrupt:
            err.print("stopped; what was asked is kept: the same command continues")
            sys.exit(130)

    return run


def _first(group: BaseException) -> BaseException:
    """The first plain exception in nested groups."""
    while isinstance(group, BaseExceptionGroup):
        group = group.exceptions[0]
    return group


def selection(command: Callable[P, R]) -> Callable[P, R]:
    """Options that say which transcripts are read."""
    options = [
        click.option(
            "--view",
            type=VIEWS,
            default="full",
            show_default=True,
            help="The part of a transcript that is shown; turns: each beginning of it.",
        ),
        click.option("--label", type=LABELS, help="Label for all transcripts."),
        click.option("--source", help="Name of the source for all transcripts."),
        click.option("--subject-role", help="Model role that wrote the transcripts."),
        click.option(
            "--sample", type=int, help="Draw this many, stratified by source."
        ),
        click.option("--limit", type=int, help="Take only the first ones."),
        click.option(
            "--seed",
            type=int,
            default=0,
            show_default=True,
            help="Of what is drawn, and of sampled answers.",
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def asking_models(
    asked: str, *, reply: str = "an answer"
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Options of a command that asks models and writes what they said into logs.

    How the (first) model is reached, how long a call may take, where to write, and
    whether to ask at all.

    Args:
        asked: What the model is called: `rater` or `judge`.
        reply: What one call gives.
    """
    options = [
        click.option(
            "-M",
            "model_args",
            multiple=True,
            metavar="KEY=VALUE",
            help=f"Argument of the (first) {asked}, as Inspect takes them; may be "
            "repeated.",
        ),
        click.option("--model-base-url", help=f"Address of the (first) {asked}'s API."),
        click.option(
            "--max-retries",
            type=click.IntRange(min=0),
            help=f"Attempts after a failed one, of any {asked}; 3 by default.",
        ),
        click.option(
            "--timeout",
            type=click.IntRange(min=1),
            help=f"Seconds for {reply}, retries among them; 600 by default.",
        ),
        click.option(
            "-o", "--output", type=click.Path(path_type=Path), help="What to write."
        ),
        click.option(
            "--overwrite", is_flag=True, help="Replace an output that exists."
        ),
        click.option(
            "--dry-run", is_flag=True, help="Say what would be asked, and stop."
        ),
        click.option("--json", "as_json", is_flag=True, help="Print JSON."),
    ]

    def add(command: Callable[P, R]) -> Callable[P, R]:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def held_out(command: Callable[P, R]) -> Callable[P, R]:
    """Options of a validation that holds out sources, and of its null."""
    folds = click.option(
        "--folds",
        type=click.IntRange(min=2),
        default=5,
        show_default=True,
        help="Folds of whole sources.",
    )
    permutations = click.option(
        "--permutations",
        type=click.IntRange(min=0),
        default=200,
        show_default=True,
        help="Labelings of the null.",
    )
    return folds(permutations(command))


def given(options: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """The options that were given."""
    return {name: options[name] for name in names if options[name] is not None}


def progress_bar(total: int | None) -> Any:
    """A progress bar, and a function that moves it; drawn when it is first called.

    So an error before anything is asked stands alone.
    """
    from contextlib import contextmanager

    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    @contextmanager
    def bar() -> Any:
        columns = (TextColumn("asking"), BarColumn(), MofNCompleteColumn())
        shown = Progress(*columns, TimeRemainingColumn(), console=err)
        task = shown.add_task("asking", total=total)

        def move(done: int) -> None:
            shown.start()
            shown.advance(task, done)

        try:
            yield move
        finally:
            if shown.live.is_started:
                shown.stop()

    return bar()


def estimate_record(estimate: "Estimate") -> dict[str, Any]:
    """An estimate as JSON: NaN becomes null."""
    numbers = {"value": estimate.value, "low": estimate.low, "high": estimate.high}
    known = {k: None if v != v else v for k, v in numbers.items()}
    return {**known, "n": estimate.n, "unit": estimate.unit}


def print_counts(title: str, counts: Any) -> None:
    """A title with counts, largest first; nothing where there are none."""
    if counts:
        ordered = sorted(counts.items(), key=lambda pair: -pair[1])
        line = ", ".join(f"{name} {count}" for name, count in ordered)
        out.print(f"  {title}: {line}", markup=False, highlight=False)
