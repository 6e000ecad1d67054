"""`awareness shares`: where awareness varies in a table."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from inspect_awareness.cli._shared import estimate_record, one_line_errors, out

if TYPE_CHECKING:
    from inspect_awareness.stats import AwarenessShares, Estimate, ShareComponent


@click.command()
@click.option(
    "--table",
    required=True,
    type=click.Path(path_type=Path),
    help="CSV: model, benchmark, task, aware (0, 1 or empty); a row for each sample.",
)
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@one_line_errors
def shares(table: Path, *, seed: int, as_json: bool) -> None:
    """How much of awareness lies in models, benchmarks, tasks and their interplay."""
    import numpy as np

    from inspect_awareness.stats import awareness_shares
    from inspect_awareness.tables import read_table

    cells = read_table(table, "model", "benchmark", "task", "aware")
    found = awareness_shares(
        cells.binary("aware", empty=True),
        models=cells.text("model"),
        benchmarks=cells.text("benchmark"),
        tasks=cells.text("task"),
        rng=np.random.default_rng(seed),
    )
    if as_json:
        click.echo(json.dumps(_record(found), allow_nan=False))
        return
    _print_shares(found)


def _known(value: float) -> float | None:
    """NaN becomes null."""
    return value if value == value else None


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
    known = estimate_record(component.estimate)
    return {
        "raw": _known(component.raw),
        "truncated": known["value"],
        "share": _known(component.share),
        "low": known["low"],
        "high": known["high"],
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
        shown.add_column(name, justify="right")
    for name, share in found.shares.items():
        component = found.components[name]
        mark = " *" if component.raw < 0 else ""
        shown.add_row(
            name,
            _cell(share),
            _cell(found.noise_corrected[name]),
            f"{100 * component.share:.1f}{mark}",
        )
    shown.add_row("noise", "", _cell(found.noise_corrected["noise"]), "")
    out.print(shown)
    for line in _remarks(found):
        out.print(f"  {line}", markup=False, highlight=False)


def _remarks(found: "AwarenessShares") -> list[str]:
    """What the table cannot say."""
    lines = [
        f"{found.models} models x {found.tasks} tasks in {found.benchmarks} "
        "benchmarks; intervals are about other tasks of these benchmarks",
        "an effect's sum of squares grows with its degrees of freedom, a component not",
    ]
    if any(each.raw < 0 for each in found.components.values()):
        lines.append("* solved to less than 0: not resolved here, which is not absent")
    if found.incomplete:
        lines.append(
            f"left out: {found.incomplete} tasks on which some model has no known sample"
        )
    notes = {each.note for each in found.shares.values() if each.value != each.value}
    return lines + sorted(notes)


def _cell(estimate: "Estimate") -> str:
    """Value and interval in percent."""
    low, high = 100 * estimate.low, 100 * estimate.high
    return f"{100 * estimate.value:.1f} [{low:.1f}, {high:.1f}]"
