"""The demo: bundled logs, the embedded model, a report."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from inspect_ai.model import get_model

from inspect_awareness.datasets.bundled_items import bundled_log
from inspect_awareness.errors import InputError
from inspect_awareness.report import build_report, write_report
from inspect_awareness.runs import Inputs, Scored, Selection, Target, score_files
from inspect_awareness.runs._scoring import Progress
from inspect_awareness.scorers._awareness import Rule
from inspect_awareness.solvers._asking import asking

MODEL = "whitebox/smollm2-135m"
"""The embedded model."""


@dataclass(frozen=True)
class Demo:
    """What the demo wrote."""

    evaluation: Scored
    """The log of requests that look like a test, scored."""

    deployment: Scored
    """The log of requests that read like users, scored."""

    report: Path
    """The page."""


def run_demo(
    folder: Path,
    *,
    say: Callable[[str], None],
    progress: Progress | None = None,
    model: str = MODEL,
    rule: Rule | None = None,
) -> Demo:
    """Score both bundled logs with the embedded model, and report on them.

    The second log stands in for a deployment reference: its requests were written to
    read like users, and nobody sent them.

    Args:
        folder: Where the scored logs and the report go; made if it is missing.
        say: Told, line by line, what is being done.
        progress: Told after each transcript, with 1.
        model: The rater.
        rule: When an answer counts.

    Raises:
        ModelError: The embedded model was not fetched.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as ex:
        raise InputError(f"{folder}: cannot be made ({ex.strerror})") from ex
    scored = []
    for name, label in (
        ("exam_items", "evaluation"),
        ("everyday_requests", "deployment"),
    ):
        say(f"asking {model} about the transcripts of {name}.eval (label: {label})")
        scored.append(
            score_files(
                Inputs([str(bundled_log(name))], Selection(label=label)),
                get_model(model),
                asking(),
                Target(folder / f"{name}-scored.eval", overwrite=True),
                rule=rule,
                progress=progress,
            )
        )
    evaluation, deployment = scored
    report = folder / "report.html"
    made = build_report(list(evaluation.outputs), reference=list(deployment.outputs))
    write_report(made, report)
    return Demo(evaluation, deployment, report)
