"""`awareness select`: the questions that work for a model, validated."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from inspect_awareness._counted import counted
from inspect_awareness.cli._shared import held_out, one_line_errors, out
from inspect_awareness.cli._stated import plain, say, stated
from inspect_awareness.errors import InputError

if TYPE_CHECKING:
    from inspect_awareness.cli._select_inputs import Answered
    from inspect_awareness.selections import Interval, Selection

STRATEGIES = ("all", "filter", "greedy", "exhaustive", "diversity")


@click.command()
@click.argument("scored", nargs=-1)
@click.option(
    "--table",
    type=click.Path(path_type=Path),
    help="Instead of SCORED a CSV: item, source, label (evaluation or deployment, 1 or "
    "0, true or false, yes or no), question, value (in [0, 1], 1 meaning evaluation, or "
    "empty).",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="Write the selection to this .json file, for `p_eval_selected`.",
)
@click.option(
    "--strategy",
    type=click.Choice(STRATEGIES),
    default="greedy",
    show_default=True,
    help="How the subset is looked for.",
)
@click.option(
    "--max-size",
    type=click.IntRange(min=1),
    default=5,
    show_default=True,
    help="Most questions in a subset.",
)
@held_out
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@one_line_errors
def select(scored: tuple[str, ...], *, as_json: bool, **options: Any) -> None:
    """Select the probe questions that tell evaluation from deployment for one model.

    SCORED: logs scored by `awareness score`, folders of them, or .parquet, of one rater
    and with both labels. The search is repeated without each fold of sources, and all
    questions are kept unless the subset found beats them out of sample.
    """
    table, output = options["table"], options["output"]
    if bool(scored) == (table is not None):
        raise InputError("give scored logs, or --table FILE.csv, and not both")
    found = _selected(_answered(scored, table), options)
    if output is not None:
        from inspect_awareness.selections import write_selection

        write_selection(found, output)
    if as_json:
        click.echo(json.dumps(found.model_dump(mode="json"), allow_nan=False))
    else:
        _show(found)
        if output is not None:
            say(f"selection: {output}")


def _answered(scored: tuple[str, ...], table: Path | None) -> "Answered":
    """The answers, from where they are."""
    from inspect_awareness.cli._select_inputs import from_scored, from_table

    return from_scored(scored) if table is None else from_table(table)


def _selected(given: "Answered", options: dict[str, Any]) -> "Selection":
    """The selection as it is kept."""
    import numpy as np

    from inspect_awareness.selections import selection_of
    from inspect_awareness.stats import QuestionSearch, select_questions

    found = stated(
        lambda: select_questions(
            given.values,
            given.evaluation,
            given.sources,
            rng=np.random.default_rng(options["seed"]),
            search=QuestionSearch(options["strategy"], max_size=options["max_size"]),
            questions=given.questions,
            folds=options["folds"],
            permutations=options["permutations"],
        )
    )
    return selection_of(found, given.origin(options["seed"], options["folds"]))


def _show(found: "Selection") -> None:
    """The areas, the questions, and what to know about them."""
    from rich.table import Table as Shown

    shown = Shown(box=None, header_style="bold")
    shown.add_column("AUROC", no_wrap=True)
    for name in ("value", "95 % interval"):
        shown.add_column(name, justify="right", no_wrap=True)
    shown.add_row("best found, in sample", f"{found.auroc_in_sample:.3f}", "")
    for title, each in (
        ("search, out of sample", found.auroc_out_of_sample),
        ("all questions, out of sample", found.auroc_all_out_of_sample),
        ("gain over all questions", found.gain),
    ):
        shown.add_row(title, *_cells(each))
    out.print(shown)
    out.print()
    _say_chance(found)
    asked = f" for {found.rater}" if found.rater else ""
    say(f"best found ({found.strategy}): {', '.join(found.best_found)}")
    say(f"chosen{asked}: {_chosen(found)}")
    for note in found.notes:
        say(f"! {note}")
    out.print()
    _show_shares(found)


def _say_chance(found: "Selection") -> None:
    """Optimism, and what the search makes of labels that mean nothing."""
    if found.optimism is not None:
        say(
            f"optimism {found.optimism:+.3f} (in sample - out of sample); "
            f"{counted(found.transcripts, 'transcript')}, "
            f"{counted(found.sources, 'source')}, {found.folds} folds, "
            f"seed {found.seed}"
        )
    if found.permutation_p is not None:
        say(
            f"with permuted labels the search finds "
            f"{found.auroc_in_sample_by_chance:.3f} in sample; p = "
            f"{found.permutation_p:.3f} out of sample, "
            f"{found.permutation_p_in_sample:.3f} in sample "
            f"({counted(found.permutations, 'permutation')})"
        )


def _chosen(found: "Selection") -> str:
    """The questions to use."""
    if found.kept_all and len(found.questions) > 1:
        return f"all {len(found.questions)}"
    return ", ".join(found.chosen)


def _show_shares(found: "Selection") -> None:
    """How often each question was found, without folds and on halves of the sources."""
    from rich.table import Table as Shown

    shown = Shown(box=None, header_style="bold")
    shown.add_column("question", no_wrap=True)
    shown.add_column("in folds", justify="right")
    shown.add_column("in halves", justify="right")
    for name in found.questions:
        shown.add_row(
            plain(name), _share(found.frequency[name]), _share(found.stability[name])
        )
    out.print(shown)


def _share(share: float | None) -> str:
    """A share in percent."""
    return "-" if share is None else f"{100 * share:.0f} %"


def _cells(interval: "Interval") -> tuple[str, str]:
    """Value and ends."""
    if interval.value is None:
        return "undefined", ""
    if interval.low is None:
        return f"{interval.value:.3f}", "none"
    return f"{interval.value:.3f}", f"[{interval.low:.3f}, {interval.high:.3f}]"
