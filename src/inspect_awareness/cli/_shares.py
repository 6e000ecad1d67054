"""`awareness shares`: where awareness varies in a table."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from inspect_awareness.cli._shared import estimate_record, one_line_errors, out
from inspect_awareness.cli._stated import known, percent, plain, say, stated
from inspect_awareness.tables import read_table

if TYPE_CHECKING:
    from inspect_awareness.stats import AwarenessShares, Estimate, ShareComponent


@click.command()
@click.option(
    "--table",
    required=True,
    type=click.Path(path_type=Path),
    help="CSV: model, benchmark, task, aware (0, 1 or empty); a row for each sample.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@one_line_errors
def shares(table: Path, *, seed: int, as_json: bool) -> None:
    """How much of awareness lies in models, benchmarks, tasks and their interplay."""
    import numpy as np

    from inspect_awareness.stats import awareness_shares

    cells = read_table(table, "model", "benchmark", "task", "aware")
    aware = cells.binary("aware", empty=True)
    names = {name: cells.text(name) for name in ("model", "benchmark", "task")}
    found = stated(
        lambda: awareness_shares(
            aware,
            models=names["model"],
            benchmarks=names["benchmark"],
            tasks=names["task"],
            rng=np.random.default_rng(seed),
        )
    )
    unknown = int(np.isnan(aware).sum())
    if as_json:
        record = {**_record(found), "missing": unknown}
        click.echo(json.dumps(record, allow_nan=False))
        return
    _print_shares(found)
    for line in (
        *_remarks(found, unknown),
        f"seed of the components' intervals: {seed}",
    ):
        say(line)


def _ends(estimates: "Mapping[str, Estimate]") -> dict[str, Any]:
    """Value and interval of each effect."""
    records = {name: estimate_record(each) for name, each in estimates.items()}
    keys = ("value", "low", "high")
    return {
        name: {**{key: record[key] for key in keys}, "note": estimates[name].note}
        for name, record in records.items()
    }


def _component(component: "ShareComponent") -> dict[str, Any]:
    """A component as JSON, as `awareness study` prints it."""
    found = estimate_record(component.estimate)
    return {
        "raw": known(component.raw),
        "truncated": found["value"],
        "share": known(component.share),
        "low": found["low"],
        "high": found["high"],
        "note": component.estimate.note,
    }


def _record(found: "AwarenessShares") -> dict[str, Any]:
    """The shares as JSON."""
    return {
        "shares": _ends(found.shares),
        "components": {
            name: _component(each) for name, each in found.components.items()
        },
        "noise_corrected": _ends(found.noise_corrected),
        "models": found.models,
        "benchmarks": found.benchmarks,
        "tasks": found.tasks,
        "incomplete_tasks": found.incomplete,
    }


def _print_shares(found: "AwarenessShares") -> None:
    """A table in percent, and how the three columns differ."""
    from rich.table import Table

    shown = Table("% of variation", box=None, header_style="bold")
    for name in ("sums of squares", "less noise", "components"):
        shown.add_column(name, justify="right", overflow="fold")
    for name, share in found.shares.items():
        component = found.components[name]
        mark = " *" if component.raw < 0 else ""
        of_all = component.share
        shown.add_row(
            name,
            plain(percent(share)),
            plain(percent(found.noise_corrected[name])),
            f"{100 * of_all:.1f}{mark}" if of_all == of_all else "undefined",
        )
    shown.add_row("noise", "", plain(percent(found.noise_corrected["noise"])), "")
    out.print(shown)


def _remarks(found: "AwarenessShares", unknown: int) -> list[str]:
    """What the columns are, and what the table cannot say."""
    lines = [
        f"{found.models} models x {found.tasks} tasks in {found.benchmarks} "
        "benchmarks; rates of each model on each task vary so; in brackets 95 % "
        "intervals, about other tasks of these benchmarks",
        "sums of squares: an effect's grows with its degrees of freedom, and holds "
        "the noise of few samples a task",
        "less noise: what k of n samples would vary by chance alone is taken out",
        "components: variances of models, benchmarks and tasks taken for random ones",
    ]
    if any(each.raw < 0 for each in found.components.values()):
        lines.append("* solved to less than 0: not resolved here, which is not absent")
    if found.incomplete:
        lines.append(
            f"left out: {found.incomplete} tasks on which some model has no known sample"
        )
    if unknown:
        lines.append(f"samples of unknown awareness: {unknown}")
    return lines + _undefined(found)


def _undefined(found: "AwarenessShares") -> list[str]:
    """Why numbers are missing, each reason once."""
    reasons: dict[str, list[str]] = {}
    for name, each in (*found.shares.items(), *found.noise_corrected.items()):
        if not each.has_interval and name not in reasons.setdefault(each.note, []):
            reasons[each.note].append(name)
    return [f"{', '.join(names)}: {note}" for note, names in reasons.items()]
