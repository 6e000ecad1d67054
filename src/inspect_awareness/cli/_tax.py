"""`awareness tax`: what goes with awareness in the outcomes of a table."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from inspect_awareness.cli._shared import estimate_record, one_line_errors, out

if TYPE_CHECKING:
    import numpy as np

    from inspect_awareness.stats import Actors, AwarenessTax, Estimate

ACTORS = ("naive", "strategically_aware", "robustly_aligned", "undetermined")


@click.command()
@click.option(
    "--table",
    required=True,
    type=click.Path(path_type=Path),
    help="CSV: model, benchmark, task, aware (0, 1 or empty), outcome (a number or "
    "empty); a row for each sample.",
)
@click.option(
    "--margin",
    type=click.FloatRange(min=0, min_open=True),
    help="Smallest effect that would matter: adds a test that it is smaller.",
)
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@one_line_errors
def tax(table: Path, *, margin: float | None, seed: int, as_json: bool) -> None:
    """Outcomes of aware minus unaware samples, within the same model and task."""
    import numpy as np

    from inspect_awareness.stats import AwarenessTax, awareness_actors, awareness_tax
    from inspect_awareness.tables import read_table

    cells = read_table(table, "model", "benchmark", "task", "aware", "outcome")
    outcome = cells.numbers("outcome", empty=True)
    aware = cells.binary("aware", empty=True)
    models, tasks = cells.text("model"), cells.text("task")
    benchmarks = cells.text("benchmark")
    rng = np.random.default_rng(seed)

    def taxed(rows: "np.ndarray[Any, Any]") -> AwarenessTax:
        return awareness_tax(
            outcome[rows],
            aware[rows],
            tasks=[tasks[k] for k in rows],
            models=[models[k] for k in rows],
            benchmarks=[benchmarks[k] for k in rows],
            rng=rng,
        )

    found = taxed(np.arange(len(cells)))
    actors = awareness_actors(
        outcome, aware, tasks=tasks, models=models, benchmarks=benchmarks, rng=rng
    )
    names = list(dict.fromkeys(models)) if len(set(models)) > 1 else []
    each = {name: taxed(np.flatnonzero(np.array(models) == name)) for name in names}
    if as_json:
        record = _record(found, actors, each, margin)
        click.echo(json.dumps(record, allow_nan=False))
        return
    _print_tax(found, each, margin)
    _print_actors(actors)


def _known(value: float) -> float | None:
    """NaN becomes null."""
    return value if value == value else None


def _ends(estimate: "Estimate") -> dict[str, Any]:
    """Value and interval, and what to know about them."""
    known = estimate_record(estimate)
    kept = {key: known[key] for key in ("value", "low", "high", "n")}
    return {**kept, "note": estimate.note}


def _record(
    found: "AwarenessTax",
    actors: tuple["Actors", ...],
    each: dict[str, "AwarenessTax"],
    margin: float | None,
) -> dict[str, Any]:
    """The tax as JSON."""
    change = found.behaviour
    record: dict[str, Any] = {
        "within": {**_ends(found.within), "p": _known(found.p)},
        "pooled": _ends(found.pooled),
        "between": _ends(found.between),
        "paper_mean": _ends(found.paper_mean),
        "informative_tasks": found.informative,
        "tasks": found.pairs,
        "mde": _known(found.mde),
        "simpson": found.simpson,
        "actors": {each.model: _actors_record(each) for each in actors},
        "behaviour_change": {
            **_ends(change.rate),
            "without_effect": _known(change.without_effect),
            "excess": _ends(change.excess),
        },
        "missing": {
            "aware": found.unknown,
            "outcome": found.bounds.missing,
            "within_low": _known(found.bounds.low),
            "within_high": _known(found.bounds.high),
        },
        "models": {
            name: {
                **_ends(one.within),
                "p": _known(one.p),
                "informative_tasks": one.informative,
            }
            for name, one in each.items()
        },
    }
    if margin is not None:
        test = found.equivalence(margin)
        record["equivalence"] = {
            "margin": margin,
            "p": _known(test.p),
            "equivalent": test.equivalent,
        }
    return record


def _actors_record(actors: "Actors") -> dict[str, Any]:
    """The shares of a model, and how many would change by chance."""
    shares = {name: _ends(getattr(actors, name)) for name in ACTORS}
    return {**shares, "changed_without_effect": _known(actors.changed_without_effect)}


def _print_tax(
    found: "AwarenessTax", each: dict[str, "AwarenessTax"], margin: float | None
) -> None:
    """A table of the differences, and what a reader must know below it."""
    from rich.table import Table

    shown = Table("aware - unaware", box=None, header_style="bold")
    for name in ("value", "95 % interval", "p"):
        shown.add_column(name, justify="right")
    shown.add_row("within tasks", *_cells(found.within), f"{found.p:.3g}")
    for name, one in each.items():
        shown.add_row(f"  {name}", *_cells(one.within), f"{one.p:.3g}")
    for name, estimate in (
        ("unweighted mean (paper)", found.paper_mean),
        ("pooled", found.pooled),
        ("between tasks (slope)", found.between),
    ):
        shown.add_row(name, *_cells(estimate), "")
    out.print(shown)
    notes = [f"{name}: {one.within.note}" for name, one in each.items()]
    for line in _remarks(found, margin) + [n for n in notes if not n.endswith(": ")]:
        out.print(f"  {line}", markup=False, highlight=False)


def _remarks(found: "AwarenessTax", margin: float | None) -> list[str]:
    """What the table cannot say."""
    change = found.behaviour
    lines = [
        f"{found.informative} of {found.pairs} model-task pairs have both kinds of "
        f"samples; smallest effect found with 80 % power: {found.mde:.3f}",
        "associated with awareness, not shown to be caused by it",
        f"behaviour changed in {100 * change.rate.value:.1f} % of aware samples, "
        f"where {100 * change.without_effect:.1f} % would without any effect",
    ]
    if found.within.note:
        lines.append(f"within: {found.within.note}")
    if found.simpson:
        lines.append(
            "the pooled difference misleads: within tasks the effect has the other "
            "sign or cannot be told from 0"
        )
    if margin is not None:
        test = found.equivalence(margin)
        verdict = "is" if test.equivalent else "is not shown to be"
        lines.append(f"the effect {verdict} smaller than {margin:g} (p {test.p:.3g})")
    if found.unknown or found.bounds.missing:
        lines.append(
            f"left out: {found.unknown} without awareness, {found.bounds.missing} "
            f"without outcome (within between {found.bounds.low:.3f} and "
            f"{found.bounds.high:.3f} whatever those were)"
        )
    return lines


def _print_actors(actors: tuple["Actors", ...]) -> None:
    """Shares in percent for each model."""
    from rich.table import Table

    shown = Table("model", "samples are", box=None, header_style="bold")
    for name in ("%", "95 % interval", "without effect"):
        shown.add_column(name, justify="right")
    for each in actors:
        chance = f"{100 * each.changed_without_effect:.1f}"
        for name in ACTORS:
            share = getattr(each, name)
            shown.add_row(
                each.model if name == ACTORS[0] else "",
                name.replace("_", " "),
                f"{100 * share.value:.1f}",
                f"[{100 * share.low:.1f}, {100 * share.high:.1f}]",
                chance if name == "strategically_aware" else "",
            )
    out.print()
    out.print(shown)


def _cells(estimate: "Estimate") -> tuple[str, str]:
    """Value and interval."""
    return f"{estimate.value:+.3f}", f"[{estimate.low:+.3f}, {estimate.high:+.3f}]"
