"""`awareness judge attribute`: which cue aware subjects cite."""

import json
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from inspect_awareness.cli._judge_options import (
    asking_judges,
    check_output,
    judges_of,
    line,
    print_written,
    say_continued,
)
from inspect_awareness.cli._shared import (
    estimate_record,
    given,
    one_line_errors,
    out,
    print_counts,
    progress_bar,
)
from inspect_awareness.cli._stated import percent, plain, say

if TYPE_CHECKING:
    from inspect_ai.model import Model

    from inspect_awareness.runs._attributing import Attributed
    from inspect_awareness.runs._cue_plan import CuePlan
    from inspect_awareness.stats.cues import CueShares, TaskCue

Group = tuple[str, str]
"""A model and a benchmark."""


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="JUDGED...")
@asking_judges
@click.option("--votes", type=int, default=5, show_default=True, help="Odd.")
@click.option(
    "--min-aware",
    type=click.IntRange(min=1),
    default=3,
    show_default=True,
    help="Aware repeats that make a task stably aware.",
)
@click.option("--awareness-judge", help="The judge of awareness, where several judged.")
@click.option("--replace", is_flag=True, help="Drop earlier cues.")
@one_line_errors
def attribute(paths: tuple[str, ...], **options: Any) -> None:
    """Have a judge name the cue that aware subjects cite, and write it to copies.

    JUDGED are logs that `awareness judge run` wrote, or folders of them. Only aware
    transcripts of stably aware tasks are asked about. One log becomes a copy with the
    cues appended; several become a folder of copies. The inputs are never changed.
    """
    from inspect_awareness.runs import Target
    from inspect_awareness.runs._attributing import attribute_files, cue_journal
    from inspect_awareness.runs._cue_plan import plan_attribution
    from inspect_awareness.scorers.factors._attributing import attributing

    as_json: bool = options["as_json"]
    how = attributing(
        votes=options["votes"],
        min_aware=options["min_aware"],
        structured=options["structured"],
        rubric=options["rubric"],
        config=given(options, "temperature", "max_tokens", "reasoning_effort"),
    )
    judges = judges_of(options)
    planned = plan_attribution(
        list(paths), how, judges, awareness_judge=options["awareness_judge"]
    )
    if not as_json or options["dry_run"]:
        _print_plan(planned, judges, as_json=as_json)
    if options["dry_run"]:
        return
    check_output(options)
    target = Target(
        options["output"], replace=options["replace"], overwrite=options["overwrite"]
    )
    say_continued(cue_journal(target.output))
    with progress_bar(planned.transcripts) as progress:
        found = attribute_files(planned, judges, how, target, progress=progress)
    _print_attributed(found, as_json=as_json)


def _print_plan(plan: "CuePlan", judges: "Sequence[Model]", *, as_json: bool) -> None:
    """What will be asked, and about how many tokens that takes."""
    if as_json:
        record = {
            "transcripts": plan.transcripts,
            "tasks": plan.tasks,
            "stably_aware": len(plan.stable),
            "asked": plan.asked,
            "characters": plan.characters,
            "votes": plan.calls,
            "input_tokens": plan.input_tokens,
            "output_tokens": plan.output_tokens,
            "left_out": dict(plan.left_out),
            "flags": dict(plan.flags),
            "skipped": dict(plan.skipped),
            "judges": [str(judge) for judge in judges],
            "awareness_judge": plan.judged.frame.judge,
        }
        click.echo(json.dumps(record))
        return
    names = " and ".join(str(judge) for judge in judges)
    line(
        f"{len(plan.stable)} of {plan.tasks} tasks are stably aware; {plan.asked} of "
        f"{plan.transcripts} transcripts, {plan.characters:,} characters, "
        f"{plan.calls:,} votes of {names}: about {plan.input_tokens:,} tokens read, "
        f"{plan.output_tokens:,} written"
    )
    print_counts("not asked about", plan.left_out)
    print_counts("flags", plan.flags)
    print_counts("skipped", plan.skipped)


def _print_attributed(found: "Attributed", *, as_json: bool) -> None:
    """What came of it."""
    if as_json:
        click.echo(json.dumps(_record(found)))
        return
    _print_shares(found.tasks)
    print_counts("transcripts without a cue", found.unscored)
    print_written(found.tokens, found.outputs, found.journal)


def _print_shares(tasks: "Sequence[TaskCue]") -> None:
    """Shares by model and benchmark, and over all where there are several."""
    from rich.table import Table

    groups = _groups(tasks)
    if not tasks:
        line("no task is stably aware, so that there is no share")
        return
    for (model, benchmark), shares in groups.items():
        line(
            f"{model}, {benchmark}: {shares.attributed} of {shares.tasks} stably aware "
            "tasks have a cue"
        )
        shown = Table(box=None, header_style="bold")
        shown.add_column("cue")
        for name in ("tasks", "percent, 95 % interval"):
            shown.add_column(name, justify="right")
        for name, each in shares.shares.items():
            if each.value > 0:
                count = str(round(each.value * each.n))
                shown.add_row(plain(_title(name)), count, plain(percent(each)))
        if shares.attributed:
            out.print(shown)
        print_counts("tasks without a cue", shares.missing)
    say("Wilson intervals over tasks; cues that no task has are not shown")


def _record(found: "Attributed") -> dict[str, Any]:
    """What came of it, for other programs."""
    outputs = [str(path) for path in found.outputs]
    return {
        "output": outputs[0] if len(outputs) == 1 else outputs,
        "shares": [
            {
                "model": model,
                "benchmark": benchmark,
                "stably_aware": shares.tasks,
                "attributed": shares.attributed,
                "cues": {k: estimate_record(e) for k, e in shares.shares.items()},
                "missing": dict(shares.missing),
            }
            for (model, benchmark), shares in _groups(found.tasks).items()
        ],
        "tasks": [
            {
                "model": each.model,
                "benchmark": each.source,
                "task": each.task,
                "judged": each.judged,
                "aware": each.aware,
                "votes": dict(each.votes),
                "cue": each.category,
                "reason": each.reason,
            }
            for each in found.tasks
        ],
        "unscored": dict(found.unscored),
        "skipped": dict(found.skipped),
        "tokens": dict(found.tokens),
        "resumed": found.resumed,
        "journal": None if found.journal is None else str(found.journal),
    }


def _groups(tasks: "Sequence[TaskCue]") -> "dict[Group, CueShares]":
    """The shares of each model on each benchmark."""
    from inspect_awareness._cues import CATEGORIES
    from inspect_awareness.stats.cues import cue_shares

    names = Counter((each.model, each.source) for each in tasks)
    return {
        name: cue_shares([t for t in tasks if (t.model, t.source) == name], CATEGORIES)
        for name in names
    }


def _title(category: str) -> str:
    """A category with its name."""
    from inspect_awareness.scorers.factors._explanation import title

    return category if category == "generic" else title(category)
