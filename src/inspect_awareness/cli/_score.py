"""`awareness score`: ask, and write the scores."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from inspect_awareness.cli._models_by_name import model_args, named
from inspect_awareness.cli._score_page import print_plans, print_scored
from inspect_awareness.cli._shared import (
    err,
    given,
    one_line_errors,
    progress_bar,
    selection,
)
from inspect_awareness.errors import InputError

if TYPE_CHECKING:
    from inspect_ai.model import Model


@click.command()
@click.argument("paths", nargs=-1, required=True)
@click.option("--model", required=True, help="The rater, as Inspect names models.")
@click.option("-M", "model_args", multiple=True, metavar="KEY=VALUE")
@click.option("--model-base-url", help="Address of the rater's API.")
@click.option(
    "--max-retries",
    type=click.IntRange(min=0),
    help="Attempts after a failed call of any rater; 3 by default.",
)
@click.option(
    "--timeout",
    type=click.IntRange(min=1),
    help="Seconds for an answer, retries among them; 600 by default.",
)
@click.option(
    "--also-ask",
    multiple=True,
    metavar="MODEL",
    help="A further rater, asked the same about the same transcripts; may be repeated. "
    "-M and --model-base-url are not for it.",
)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="What to write.")
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
@click.option("--repeats", type=int, default=1, show_default=True)
@click.option("--temperature", type=float, help="Of sampled answers; 1 by default.")
@click.option(
    "--max-tokens",
    type=int,
    help="Of sampled answers; 2048 by default, 256 of a local model.",
)
@click.option("--reasoning-effort", help="Of sampled answers; the provider's default.")
@click.option("--min-mass", type=float, default=0.01, show_default=True)
@click.option("--min-answered", type=float, default=0.5, show_default=True)
@click.option("--replace", is_flag=True, help="Drop earlier p_eval scores.")
@click.option("--overwrite", is_flag=True, help="Replace an output that exists.")
@click.option("--scores-only", is_flag=True, help="Write numbers, and no text.")
@click.option("--dry-run", is_flag=True, help="Say what would be asked, and stop.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
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
        Target,
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
    planned = plan_raters(inputs, how, raters)
    if not as_json or options["dry_run"]:
        print_plans(planned, raters, as_json=as_json)
    if options["dry_run"]:
        return
    if options["output"] is None:
        raise InputError("give -o OUTPUT, or --dry-run to see what would be asked")
    target = Target(
        options["output"],
        options["scores_only"],
        options["replace"],
        options["overwrite"],
    )
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


def _say_continued(output: Path, raters: "Sequence[Model]") -> None:
    """That an earlier run left replies that are used."""
    from inspect_awareness.runs import journal_path

    for rater in (None, *raters[1:]):
        journal = journal_path(output, rater)
        if journal.exists():
            err.print(f"continuing with {journal}", markup=False, highlight=False)
