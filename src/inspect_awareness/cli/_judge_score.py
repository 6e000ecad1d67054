"""`awareness judge score`: a judge against people, and its rates corrected."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from inspect_awareness.cli._judge_cues import score_cues
from inspect_awareness.cli._kappa import TITLES
from inspect_awareness.cli._shared import estimate_record, one_line_errors, out
from inspect_awareness.cli._stated import percent, plain, say
from inspect_awareness.tables import read_table

if TYPE_CHECKING:
    from inspect_awareness.stats import Estimate
    from inspect_awareness.validation import Frame, JudgeScore, StratumScore

FILE = click.Path(path_type=Path)
COUNTS = ("tp", "fp", "fn", "tn")


@click.command()
@click.argument("labels", type=FILE)
@click.argument("paths", nargs=-1, required=True, metavar="JUDGED...")
@click.option("--judge", help="The judge, where several judged.")
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="For intervals of corrected rates.",
)
@click.option(
    "--scout", type=FILE, help="Also write the labels as a validation set of Scout."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@one_line_errors
def score(
    labels: Path,
    paths: tuple[str, ...],
    judge: str | None,
    seed: int,
    scout: Path | None,
    *,
    as_json: bool,
) -> None:
    """Compare a judge with the people who filled in LABELS, and correct its rates.

    LABELS is the file of `awareness judge sample` with its column `label` filled in;
    JUDGED are the logs that it was drawn from. Only numbers that the way of drawing
    identifies are given.

    A file of `judge sample --cues` is recognised: then the judge's cues are compared
    with the labels, and columns of labels (label, label_2, ...) with each other.
    """
    import numpy as np

    from inspect_awareness.measurements import Measurements
    from inspect_awareness.validation import (
        frame_of,
        is_of_cues,
        labels_of,
        score_labels,
        write_scout,
    )

    table = read_table(labels)
    if is_of_cues(table):
        score_cues(table, paths, judge, as_json=as_json)
        return
    frame = frame_of(Measurements.load(paths), judge=judge)
    given = labels_of(table, frame)
    found = score_labels(frame, given, rng=np.random.default_rng(seed))
    if scout is not None:
        items = [frame.items[row] for row in given.rows]
        write_scout(scout, items, given.labels.tolist())
    if as_json:
        click.echo(json.dumps(_record(found, frame, seed), allow_nan=False))
        return
    _print(found, frame, seed)


def _record(found: "JudgeScore", frame: "Frame", seed: int) -> dict[str, Any]:
    """Everything as JSON."""
    return {
        "judge": frame.judge,
        "design": found.design,
        "drawn": found.drawn,
        "labelled": found.labelled,
        "unlabelled": found.drawn - found.labelled,
        "no_verdict": dict(frame.missing),
        "agreement": {k: _estimate(each) for k, each in found.agreement.items()},
        "refused": found.refused,
        "strata": [_stratum(each) for each in found.strata],
        "seed": seed,
    }


def _stratum(each: "StratumScore") -> dict[str, Any]:
    """A model and benchmark as JSON."""
    bounds = {"low": each.raw.bounds.low, "high": each.raw.bounds.high}
    return {
        "model": each.model,
        "benchmark": each.benchmark,
        **{name: getattr(each.validation, name) for name in COUNTS},
        "unlabelled": each.unlabelled,
        "ppv": _estimate(each.ppv),
        "npv": _estimate(each.npv),
        "raw": {
            **_estimate(each.raw.estimate),
            "missing": each.raw.missing,
            "bounds": {k: None if v != v else v for k, v in bounds.items()},
        },
        "corrected": _estimate(each.corrected),
    }


def _estimate(each: "Estimate") -> dict[str, Any]:
    """A number with its interval, and how it was made."""
    known = estimate_record(each)
    return {
        **known,
        "clusters": each.clusters,
        "method": each.method,
        "note": each.note,
    }


def _print(found: "JudgeScore", frame: "Frame", seed: int) -> None:
    """Tables, and what a reader must know below each."""
    drawn = "at random" if found.design == "random" else "by the judge's verdict"
    lost = found.drawn - found.labelled
    left_out = f"; left out without a label: {lost}" if lost else ""
    say(
        f"{frame.judge} against people: {found.labelled} of {found.drawn} transcripts "
        f"drawn {drawn} are labelled{left_out}"
    )
    if found.agreement:
        _print_agreement(found)
    _print_strata(found)
    for name, why in found.refused.items():
        say(f"no {name}: {why}")
    if found.refused:
        say("a sample drawn at random (judge sample --design random) shows these")
    say(
        "PPV: aware to people among those judged aware; NPV: not aware among those "
        "judged not aware; rates in percent with 95 % intervals over tasks"
    )
    say(f"corrected by post-stratification, seed {seed}; people are taken to be right")


def _print_agreement(found: "JudgeScore") -> None:
    """The numbers over all transcripts."""
    from rich.table import Table

    shown = Table("", box=None, header_style="bold")
    for name in ("value", "95 % interval", "of"):
        shown.add_column(name, justify="right")
    for name, each in found.agreement.items():
        value = f"{each.value:.3f}" if each.value == each.value else "undefined"
        ends = f"[{each.low:.3f}, {each.high:.3f}]" if each.has_interval else "(none)"
        shown.add_row(TITLES[name], plain(value), plain(ends), str(each.n))
    out.print(shown)
    for name, each in found.agreement.items():
        if each.note:
            say(f"{name}: {each.note}")


def _print_strata(found: "JudgeScore") -> None:
    """What was validated of each model and benchmark, and its rates."""
    _print_table(
        found,
        {
            "TP FP FN TN": _counts,
            "PPV %": lambda each: percent(each.ppv),
            "NPV %": lambda each: percent(each.npv),
        },
    )
    _print_table(
        found,
        {
            "judged %": lambda each: percent(each.raw.estimate),
            "corrected %": lambda each: percent(each.corrected),
        },
    )
    for each in found.strata:
        for remark in _remarks(each):
            say(f"{each.model}, {each.benchmark}: {remark}")


def _print_table(
    found: "JudgeScore", columns: "dict[str, Callable[[StratumScore], str]]"
) -> None:
    """A row for each model and benchmark."""
    from rich.table import Table

    shown = Table(box=None, header_style="bold")
    for name in ("model", "benchmark"):
        shown.add_column(name, overflow="fold")
    for name in columns:
        shown.add_column(name, justify="right", overflow="fold")
    for each in found.strata:
        cells = (each.model, each.benchmark, *(made(each) for made in columns.values()))
        shown.add_row(*map(plain, cells))
    out.print(shown)


def _counts(each: "StratumScore") -> str:
    """The four counts."""
    return " ".join(str(getattr(each.validation, name)) for name in COUNTS)


def _remarks(each: "StratumScore") -> list[str]:
    """What must be known of one model and benchmark."""
    low, high = 100 * each.raw.bounds.low, 100 * each.raw.bounds.high
    missing = (
        f"{each.raw.missing} without a verdict, the judged rate is {low:.1f} to "
        f"{high:.1f} % with them"
    )
    corrected = f"corrected: {each.corrected.note}" if each.corrected.note else ""
    remarks = (
        f"{each.unlabelled} drawn without a label" if each.unlabelled else "",
        f"judged: {each.raw.estimate.note}" if each.raw.estimate.note else "",
        missing if each.raw.missing else "",
        corrected,
    )
    return [remark for remark in remarks if remark]
