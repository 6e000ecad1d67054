"""`awareness study`: how far scores in a table can be trusted, and what would help."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
import numpy as np
import numpy.typing as npt

from inspect_awareness.cli._shared import one_line_errors
from inspect_awareness.cli._study_page import Answer, Wanted, record, show
from inspect_awareness.errors import InputError

if TYPE_CHECKING:
    from inspect_awareness.stats import Components
    from inspect_awareness.tables import Table

V = TypeVar("V")

METHODS = click.Choice(["auto", "anova", "henderson", "reml"])


@dataclass(frozen=True)
class Asked:
    """The options of the command, parsed."""

    object_: str
    facets: tuple[str, ...]
    nested: dict[str, tuple[str, ...]]
    sizes: dict[str, float]
    fixed: tuple[str, ...]
    target: float
    seed: int


@click.command()
@click.option(
    "--table",
    required=True,
    type=click.Path(path_type=Path),
    help="CSV with a column of values and a column for each facet; a row a value.",
)
@click.option("--value", required=True, help="Column of the values.")
@click.option("--object", "object_", required=True, help="Column of what is measured.")
@click.option("--facets", required=True, help="Columns of the other facets: B,C.")
@click.option(
    "--nested", default="", help="Facets within others: c:b says that c is within b."
)
@click.option(
    "--k",
    "sizes",
    default="",
    help="Levels to average over: B=6,C=6; else as measured.",
)
@click.option("--fixed", default="", help="Facets that are not sampled: B,C.")
@click.option("--target", default=0.8, show_default=True, help="Coefficient wanted.")
@click.option(
    "--method",
    type=METHODS,
    default="auto",
    show_default=True,
    help="auto: ANOVA where no cell is missing, else REML.",
)
@click.option("--repeats", is_flag=True, help="Several rows of a cell are repeats.")
@click.option("--seed", default=0, show_default=True, help="For the intervals.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@one_line_errors
def study(
    table: Path,
    value: str,
    method: str,
    *,
    repeats: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Variance components and reliability of the scores in a table.

    Says how much of the variance belongs to the object (such as the model), how far
    the scores rank objects (E rho^2) and place them (Phi), and how many levels of each
    facet would reach a target.
    """
    asked = _asked(**options)
    _check_columns(asked, value)
    from inspect_awareness.tables import read_table

    cells = read_table(table, value, asked.object_, *asked.facets)
    values = cells.numbers(value, empty=True)
    components = _stated(lambda: _components(cells, values, asked, method, repeats))
    empty = int(np.isnan(values).sum())
    answer = _stated(lambda: _answer(components, asked, empty))
    if as_json:
        click.echo(json.dumps(record(answer), allow_nan=False))
    else:
        show(answer, asked.seed)


def _asked(
    *,
    object_: str,
    facets: str,
    nested: str,
    sizes: str,
    fixed: str,
    target: float,
    seed: int,
) -> Asked:
    """The options, parsed."""
    return Asked(
        object_.strip(),
        tuple(_listed(facets)),
        dict(_nesting(part) for part in _listed(nested)),
        dict(_size(part) for part in _listed(sizes)),
        tuple(_listed(fixed)),
        target,
        seed,
    )


def _listed(text: str) -> list[str]:
    """The parts between commas."""
    return [part.strip() for part in text.split(",") if part.strip()]


def _nesting(part: str) -> tuple[str, tuple[str, ...]]:
    """`c:b` as c within b; `c:b:a` as c within b and a."""
    inner, *outer = [name.strip() for name in part.split(":")]
    if not outer or not all((inner, *outer)):
        raise InputError(f"--nested {part!r}: write c:b for facet c within facet b")
    return inner, tuple(outer)


def _size(part: str) -> tuple[str, float]:
    """`B=6` as a facet and a number."""
    name, _, number = part.partition("=")
    try:
        return name.strip(), int(number)
    except ValueError:
        raise InputError(
            f"--k {part!r}: write B=6 for 6 levels of facet B, a whole number"
        ) from None


def _check_columns(asked: Asked, value: str) -> None:
    """Every column has one part to play."""
    columns = [value, asked.object_, *asked.facets]
    twice = sorted({name for name in columns if columns.count(name) > 1})
    if twice:
        raise InputError(
            f"column {', '.join(twice)} is named twice among --value, --object, --facets"
        )


def _stated(compute: Callable[[], V]) -> V:
    """What the statistics refuse, as an error of the input."""
    try:
        return compute()
    except ValueError as ex:
        raise InputError(str(ex)) from ex


def _components(
    cells: "Table",
    values: npt.NDArray[np.float64],
    asked: Asked,
    method: Any,
    repeats: bool,  # noqa: FBT001
) -> "Components":
    """Components of the rows that have a value."""
    from inspect_awareness.stats import tabulated_components

    there = np.isfinite(values)
    labels = {
        facet: np.array(cells.text(facet), dtype=object)[there]
        for facet in (asked.object_, *asked.facets)
    }
    return tabulated_components(
        values[there], labels, nested=asked.nested, method=method, repeats=repeats
    )


def _answer(components: "Components", asked: Asked, empty: int) -> Answer:
    """Coefficients and numbers of levels, each with its interval."""
    from inspect_awareness.stats import (
        component_estimates,
        fiducial,
        levels_needed,
        levels_needed_estimate,
        reliability,
    )

    rng = np.random.default_rng(asked.seed)
    known = fiducial(components, rng=rng)
    found = reliability(known, asked.object_, asked.sizes, fixed=asked.fixed)
    wanted = [
        levels_needed(
            components,
            asked.object_,
            facet,
            target=asked.target,
            sizes=asked.sizes,
            fixed=asked.fixed,
            kind=kind,
        )
        for facet in found.sizes
        if facet not in asked.fixed
        for kind in ("g_coefficient", "phi")
    ]
    return Answer(
        components,
        component_estimates(known),
        found,
        tuple(
            Wanted(
                each,
                levels_needed_estimate(known, asked.object_, each, fixed=asked.fixed),
            )
            for each in wanted
        ),
        asked.target,
        empty,
    )
