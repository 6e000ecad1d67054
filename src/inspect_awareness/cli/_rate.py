"""`awareness rate`: awareness rates from a table."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from inspect_awareness.cli._shared import estimate_record, one_line_errors, out
from inspect_awareness.cli._stated import percent, plain, say, stated
from inspect_awareness.cli._validations import DESIGNS, Judge, judge_of
from inspect_awareness.errors import InputError
from inspect_awareness.tables import read_table

if TYPE_CHECKING:
    from inspect_awareness.stats import Estimate, Rate

    Corrected = Sequence[Estimate] | None

METHODS = click.Choice(["post_stratified", "ppi", "rogan_gladen"])


@click.command()
@click.option(
    "--table",
    required=True,
    type=click.Path(path_type=Path),
    help="CSV: model, benchmark, task, aware (0, 1 or empty); a row for each sample.",
)
@click.option(
    "--judge",
    help="Corrects for a judge's errors: TP,FP,FN,TN of a validation set, or a CSV with "
    "columns tp, fp, fn, tn and model, benchmark.",
)
@click.option(
    "--validation",
    type=click.Choice(list(DESIGNS)),
    help="How that set was drawn: at random from the samples, by the judge's label, or "
    "by the true label (or elsewhere).",
)
@click.option(
    "--method", type=METHODS, help="Correction; else the one that suits the set."
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="For intervals of corrected rates.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@one_line_errors
def rate(
    table: Path,
    judge: str | None,
    validation: str | None,
    method: str | None,
    seed: int,
    *,
    as_json: bool,
) -> None:
    """How often each model is aware on each benchmark, with intervals over tasks.

    With --judge the rates are also corrected for the errors of the judge that labelled
    the samples, as far as the way the validation set was drawn allows.
    """
    from inspect_awareness.stats import awareness_rates

    _check(judge, validation, method)
    cells = read_table(table, "model", "benchmark", "task", "aware")
    names = {name: cells.text(name) for name in ("model", "benchmark", "task")}
    aware = cells.binary("aware", empty=True)
    rates = stated(
        lambda: awareness_rates(
            aware,
            models=names["model"],
            benchmarks=names["benchmark"],
            tasks=names["task"],
        )
    )
    found: Judge | None = None
    corrected: Corrected = None
    if judge is not None and validation is not None:
        strata = [(each.model, each.benchmark) for each in rates]
        found = judge_of(judge, validation, strata)
        corrected = _corrected(aware, names, found, method, seed)
    if as_json:
        records = _records(rates, corrected, found)
        click.echo(json.dumps(records, allow_nan=False))
        return
    _print_rates(rates, corrected)
    if found is not None:
        _print_correction(found, validation, seed)


def _check(judge: str | None, validation: str | None, method: str | None) -> None:
    """A correction needs the counts and how they were drawn."""
    if judge is None and (validation is not None or method is not None):
        raise InputError(
            "--validation and --method correct for a judge's errors: add --judge "
            "TP,FP,FN,TN"
        )
    if judge is not None and validation is None:
        raise InputError(
            "--judge needs --validation random, judge or truth: how the validated "
            "samples were drawn decides which correction is right"
        )


def _corrected(
    aware: Any, names: dict[str, list[str]], judge: Judge, method: Any, seed: int
) -> "Sequence[Estimate]":
    """The corrected rate of each model and benchmark."""
    import numpy as np

    from inspect_awareness.stats.rates import corrected_rates

    return stated(
        lambda: corrected_rates(
            aware,
            models=names["model"],
            benchmarks=names["benchmark"],
            tasks=names["task"],
            validations=judge.validations,
            rng=np.random.default_rng(seed),
            method=method,
        )
    )


def _records(
    rates: Sequence["Rate"], corrected: "Corrected", judge: Judge | None
) -> list[dict[str, Any]]:
    """The rates as JSON."""
    if corrected is None or judge is None:
        return [_record(each) for each in rates]
    return [
        {**_record(each), "corrected": _corrected_record(one, judge.warning)}
        for each, one in zip(rates, corrected, strict=True)
    ]


def _record(rate: "Rate") -> dict[str, Any]:
    """A rate as JSON."""
    known = estimate_record(rate.estimate)
    ends = {"low": rate.bounds.low, "high": rate.bounds.high}
    return {
        "model": rate.model,
        "benchmark": rate.benchmark,
        **{key: known[key] for key in ("value", "low", "high", "n")},
        "tasks": rate.estimate.clusters,
        "missing": rate.missing,
        "bounds": {key: None if v != v else v for key, v in ends.items()},
        "method": rate.estimate.method,
        "note": rate.estimate.note,
    }


def _corrected_record(corrected: "Estimate", warning: str) -> dict[str, Any]:
    """A corrected rate as JSON."""
    known = estimate_record(corrected)
    notes = [each for each in (corrected.note, warning) if each]
    return {
        **{key: known[key] for key in ("value", "low", "high")},
        "method": corrected.method,
        "note": "; ".join(notes),
    }


def _print_rates(rates: Sequence["Rate"], corrected: "Corrected") -> None:
    """A table in percent, and what a reader must know below it."""
    from rich.table import Table as Shown

    shown = Shown(box=None, header_style="bold")
    for name in ("model", "benchmark"):
        shown.add_column(name, overflow="fold")
    more = ("corrected %",) if corrected else ()
    for name in ("aware %", *more, "samples", "tasks", "missing"):
        shown.add_column(plain(name), justify="right", overflow="fold")
    for row, each in enumerate(rates):
        found = each.estimate
        shown.add_row(
            plain(each.model),
            plain(each.benchmark),
            plain(percent(found)),
            *([plain(percent(corrected[row]))] if corrected else ()),
            str(found.n),
            str(found.clusters),
            str(each.missing),
        )
    out.print(shown)
    for row, each in enumerate(rates):
        note = f"corrected: {corrected[row].note}" if corrected else ""
        for remark in (each.estimate.note, _missing(each), note):
            if remark and remark != "corrected: ":
                say(f"{each.model}, {each.benchmark}: {remark}")
    say(
        "rates are shares of samples in percent; in brackets 95 % intervals, which are "
        "about other tasks like these"
    )


def _print_correction(judge: Judge, validation: str | None, seed: int) -> None:
    """What the corrected column rests on."""
    drawn = {
        "random": "at random",
        "judge": "by the judge's label",
        "truth": "by the true label",
    }[validation or ""]
    say(f"corrected for the judge's errors in a validation set drawn {drawn}")
    if judge.warning:
        say(judge.warning)
    say(f"seed of the corrected intervals: {seed}")


def _missing(rate: "Rate") -> str:
    """Between what the rate lies, whatever the missing samples were."""
    if not rate.missing:
        return ""
    low, high = 100 * rate.bounds.low, 100 * rate.bounds.high
    return f"{rate.missing} missing, the rate is {low:.1f} to {high:.1f} % with them"
