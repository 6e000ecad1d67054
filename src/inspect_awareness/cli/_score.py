"""`awareness score`: ask, and write the scores."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from inspect_awareness.cli._models_by_name import model_args, named
from inspect_awareness.cli._score_page import print_plans, print_scored
from inspect_awareness.cli._shared import (
    asking_models,
    err,
    given,
    one_line_errors,
    progress_bar,
    selection,
)
from inspect_awareness.errors import InputError

if TYPE_CHECKING:
    from inspect_ai.model import Model

    from inspect_awareness.runs import Inputs, Target


@click.command()
@click.argument("paths", nargs=-1, required=True)
@click.option("--model", required=True, help="The rater, as Inspect names models.")
@click.option(
    "--also-ask",
    multiple=True,
    metavar="MODEL",
    help="A further rater, asked the same about the same transcripts; may be repeated. "
    "-M and --model-base-url are not for it.",
)
@asking_models("rater")
@selection
@click.option(
    "--questions",
    help="Ids or families of probe questions, with commas, or all; by default those "
    "that make P(eval).",
)
@click.option("--bank", help="A folder of questions of one's own.")
@click.option(
    "--elicitation",
    type=click.Choice(
        ["auto", "logprob", "top_logprobs", "label", "cot_label", "letter"]
    ),
    default="auto",
    show_default=True,
    help="How answers are had: the labels' probabilities (logprob of a local model, "
    "top_logprobs of a provider), a sampled label, one after reasoning, or a letter.",
)
@click.option(
    "--compare-with",
    multiple=True,
    help="Deployment transcripts for pairwise questions; may be repeated.",
)
@click.option(
    "--prior", is_flag=True, help="Subtract what is said of content-free transcripts."
)
@click.option("--grader", help="The model that classifies answers in words.")
@click.option(
    "--repeats",
    type=int,
    default=1,
    show_default=True,
    help="How often each question is asked.",
)
@click.option(
    "--temperature",
    type=click.FloatRange(min=0),
    help="Of sampled answers; 1 by default.",
)
@click.option(
    "--max-tokens",
    type=click.IntRange(min=1),
    help="Of sampled answers; 2048 by default, 256 of a local model.",
)
@click.option("--reasoning-effort", help="Of sampled answers; the provider's default.")
@click.option(
    "--min-mass",
    type=float,
    default=0.01,
    show_default=True,
    help="Least probability of both labels together for an answer to count.",
)
@click.option(
    "--min-answered",
    type=float,
    default=0.5,
    show_default=True,
    help="Least share of question pairs with an answer for a score.",
)
@click.option("--replace", is_flag=True, help="Drop earlier p_eval scores.")
@click.option("--scores-only", is_flag=True, help="Write numbers, and no text.")
@one_line_errors
def score(paths: tuple[str, ...], **options: Any) -> None:
    """Ask probe questions about transcripts, and write P(eval) of each.

    PATHS are logs, folders of logs, or chat files. One log becomes a copy with the
    scores appended; several become a folder of copies; a chat file becomes a log.
    The inputs are never changed.
    """
    from inspect_awareness.runs import (
        Inputs,
        Selection,
        check_raters,
        plan_raters,
        score_files,
    )
    from inspect_awareness.scorers._awareness import Rule
    from inspect_awareness.solvers._asking import asking

    as_json: bool = options["as_json"]
    rater = partial(named, given(options, "max_retries", "timeout"))
    names = ("view", "label", "source", "subject_role", "sample", "limit", "seed")
    inputs = Inputs(list(paths), Selection(**{name: options[name] for name in names}))
    how = asking(
        questions=options["questions"],
        elicitation=options["elicitation"],
        repeats=options["repeats"],
        config=given(options, "temperature", "max_tokens", "reasoning_effort", "seed"),
        bank=options["bank"],
        compare_with=list(options["compare_with"]) or None,
        prior=options["prior"],
        grader=rater(options["grader"]) if options["grader"] else None,
    )
    rule = Rule(options["min_mass"], options["min_answered"])
    raters = [
        rater(
            options["model"],
            base_url=options["model_base_url"],
            **model_args(options["model_args"]),
        ),
        *map(rater, options["also_ask"]),
    ]
    check_raters(raters)
    target = None if options["dry_run"] else _target(inputs, options)
    planned = plan_raters(inputs, how, raters)
    if not as_json or options["dry_run"]:
        print_plans(planned, raters, as_json=as_json)
    if target is None:
        return
    _say_continued(target.output, raters)
    with progress_bar(planned[0].inventory.transcripts * len(raters)) as progress:
        scored = score_files(
            inputs,
            raters[0],
            how,
            target,
            also=raters[1:],
            rule=rule,
            planned=planned[0],
            progress=progress,
        )
    print_scored(scored, as_json=as_json)


def _target(inputs: "Inputs", options: dict[str, Any]) -> "Target":
    """Where scores go; one that cannot be is refused before anything is read."""
    from inspect_awareness.runs import Target
    from inspect_awareness.runs._target import check_target

    if options["output"] is None:
        raise InputError("give -o OUTPUT, or --dry-run to see what would be asked")
    names = ("scores_only", "replace", "overwrite")
    target = Target(options["output"], **{name: options[name] for name in names})
    check_target(inputs, target)
    return target


def _say_continued(output: Path, raters: "Sequence[Model]") -> None:
    """That an earlier run left replies that are used."""
    from inspect_awareness.runs import journal_path

    for rater in (None, *raters[1:]):
        journal = journal_path(output, rater)
        if journal.exists():
            err.print(f"continuing with {journal}", markup=False, highlight=False)
