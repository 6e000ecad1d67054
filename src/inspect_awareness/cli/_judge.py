"""`awareness judge`: what a model voiced by itself, by the word of another."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from inspect_awareness.cli._judge_attribute import attribute
from inspect_awareness.cli._judge_options import (
    asking_judges,
    check_output,
    judges_of,
    line,
    print_written,
    say_continued,
)
from inspect_awareness.cli._judge_sample import sample
from inspect_awareness.cli._judge_score import score
from inspect_awareness.cli._shared import (
    LABELS,
    estimate_record,
    given,
    one_line_errors,
    print_counts,
    progress_bar,
)

if TYPE_CHECKING:
    from inspect_ai.model import Model

    from inspect_awareness.runs._judging import Judged, JudgePlan


@click.group()
def judge() -> None:
    """Have a model judge whether another voiced that it is being tested."""


judge.add_command(attribute)
judge.add_command(sample)
judge.add_command(score)


@judge.command()
@click.argument("paths", nargs=-1, required=True)
@asking_judges
@click.option(
    "--channel",
    type=click.Choice(["reasoning", "output", "both"]),
    default="reasoning",
    show_default=True,
    help="What of the subject's own turns is judged.",
)
@click.option("--votes", type=int, default=1, show_default=True, help="Odd.")
@click.option(
    "--unsupported",
    type=click.Choice(["missing", "aware"]),
    default="missing",
    show_default=True,
    help="What an aware verdict counts as if none of its quotes stands in the text.",
)
@click.option("--view", type=click.Choice(["full", "model"]), default="full")
@click.option("--label", type=LABELS, help="Label for all transcripts.")
@click.option("--source", help="Name of the source for all transcripts.")
@click.option("--subject-role", help="Model role that wrote the transcripts.")
@click.option("--sample", type=int, help="Draw this many, stratified by source.")
@click.option("--limit", type=int, help="Take only the first ones.")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--replace", is_flag=True, help="Drop earlier verdicts.")
@one_line_errors
def run(paths: tuple[str, ...], **options: Any) -> None:
    """Judge what the subjects of transcripts voiced, and write the verdicts.

    PATHS are logs, folders of logs, or chat files. One log becomes a copy with the
    verdicts appended; several become a folder of copies; a chat file becomes a log.
    The inputs are never changed.
    """
    from inspect_awareness.runs import Inputs, Selection, Target
    from inspect_awareness.runs._judging import (
        judge_files,
        judging_journal,
        plan_judging,
    )
    from inspect_awareness.scorers.verdicts._judging import judging

    as_json: bool = options["as_json"]
    names = ("view", "label", "source", "subject_role", "sample", "limit", "seed")
    inputs = Inputs(list(paths), Selection(**{name: options[name] for name in names}))
    how = judging(
        channel=options["channel"],
        votes=options["votes"],
        unsupported=options["unsupported"],
        structured=options["structured"],
        rubric=options["rubric"],
        config=given(options, "temperature", "max_tokens", "reasoning_effort"),
    )
    judges = judges_of(options)
    planned = plan_judging(inputs, how, judges)
    if not as_json or options["dry_run"]:
        _print_plan(planned, judges, as_json=as_json)
    if options["dry_run"]:
        return
    check_output(options)
    target = Target(
        options["output"],
        replace=options["replace"],
        overwrite=options["overwrite"],
    )
    say_continued(judging_journal(target.output))
    with progress_bar(planned.transcripts) as progress:
        judged = judge_files(
            inputs, judges, how, target, planned=planned, progress=progress
        )
    _print_judged(judged, as_json=as_json)


def _print_plan(plan: "JudgePlan", judges: "Sequence[Model]", *, as_json: bool) -> None:
    """What will be judged, and about how many tokens that takes."""
    if as_json:
        record = {
            "transcripts": plan.transcripts,
            "judged": plan.judged,
            "characters": plan.characters,
            "verdicts": plan.calls,
            "input_tokens": plan.input_tokens,
            "output_tokens": plan.output_tokens,
            "reasoning": dict(plan.kinds),
            "nothing_to_judge": dict(plan.missing),
            "flags": dict(plan.flags),
            "skipped": dict(plan.skipped),
            "judges": [str(judge) for judge in judges],
        }
        click.echo(json.dumps(record))
        return
    names = " and ".join(str(judge) for judge in judges)
    line(
        f"{plan.judged} of {plan.transcripts} transcripts, {plan.characters:,} "
        f"characters, {plan.calls:,} verdicts of {names}: about "
        f"{plan.input_tokens:,} tokens read, {plan.output_tokens:,} written"
    )
    print_counts("reasoning", plan.kinds)
    print_counts("nothing to judge", plan.missing)
    print_counts("flags", plan.flags)
    print_counts("skipped", plan.skipped)


def _print_judged(judged: "Judged", *, as_json: bool) -> None:
    """What came of it."""
    if as_json:
        click.echo(json.dumps(_record(judged)))
        return
    line(_rate(judged))
    if judged.scored and judged.rate.note:
        line(f"  {judged.rate.note}")
    print_counts("aware, by type", judged.types)
    if judged.hypothetical:
        line(f"  raised as a possibility: {judged.hypothetical}")
    print_counts("no verdict", judged.unscored)
    print_counts("flags", judged.flags)
    print_written(judged.tokens, judged.outputs, judged.journal)


def _rate(judged: "Judged") -> str:
    """The awareness rate, or that there is none and why."""
    rate = judged.rate
    if judged.scored:
        ends = f" [{rate.low:.3f}, {rate.high:.3f}]" if rate.has_interval else ""
        return (
            f"{judged.scored} judged; share aware {rate.value:.3f}{ends}, "
            f"{rate.clusters} {rate.unit}{'' if rate.clusters == 1 else 's'}"
        )
    total = judged.unscored.total()
    return f"no rate: none of {total} transcripts got a verdict"


def _record(judged: "Judged") -> dict[str, Any]:
    """What came of it, for other programs."""
    outputs = [str(path) for path in judged.outputs]
    return {
        "output": outputs[0] if len(outputs) == 1 else outputs,
        "scored": judged.scored,
        "rate": estimate_record(judged.rate),
        "types": dict(judged.types),
        "hypothetical": judged.hypothetical,
        "unscored": dict(judged.unscored),
        "flags": dict(judged.flags),
        "skipped": dict(judged.skipped),
        "tokens": dict(judged.tokens),
        "resumed": judged.resumed,
        "journal": None if judged.journal is None else str(judged.journal),
    }
