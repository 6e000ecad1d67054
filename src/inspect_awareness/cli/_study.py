"""`awareness study`: how far scores in a table can be trusted, and what would help."""

import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import numpy as np
import numpy.typing as npt

from inspect_awareness.cli._shared import one_line_errors
from inspect_awareness.cli._stated import listed, stated
from inspect_awareness.cli._study_answer import Rows, answer_of
from inspect_awareness.cli._study_options import Asked, asked_of, numbers_by_name
from inspect_awareness.cli._study_page import record, show
from inspect_awareness.errors import InputError
from inspect_awareness.tables import read_table

if TYPE_CHECKING:
    from inspect_awareness.stats import Components

METHODS = click.Choice(["auto", "anova", "henderson", "reml"])


@click.command()
@click.option(
    "--table",
    type=click.Path(path_type=Path),
    help="CSV with a column of values and a column for each facet; a row a value.",
)
@click.option("--value", help="Column of the values.")
@click.option("--object", "object_", required=True, help="Column of what is measured.")
@click.option("--facets", default="", help="Columns of the other facets: B,C.")
@click.option(
    "--nested", default="", help="Facets within others: c:b says that c is within b."
)
@click.option(
    "--k",
    "sizes",
    default="",
    help="Levels to average over: B=6,C=6; several as B=2/4/8 or B=1..8; else as "
    "measured.",
)
@click.option("--fixed", default="", help="Facets that are not sampled: B,C.")
@click.option(
    "--arms",
    default="",
    help="Two crossed facets, B,C: adds what an analysis would say that takes them for "
    "one flat facet.",
)
@click.option("--target", default=0.8, show_default=True, help="Coefficient wanted.")
@click.option(
    "--method",
    type=METHODS,
    default="auto",
    show_default=True,
    help="auto: ANOVA where no cell is missing, else REML.",
)
@click.option(
    "--effects",
    default="",
    help="Effects of the model, for REML or Henderson: A,B,A:B.",
)
@click.option("--repeats", is_flag=True, help="Several rows of a cell are repeats.")
@click.option(
    "--stated",
    "published",
    default="",
    help="Instead of a table, published components: A=.8,B=37,A:B=5; with --levels.",
)
@click.option(
    "--levels", default="", help="Levels of the facets of those: A=4,B=36, in order."
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="For the intervals.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@one_line_errors
def study(
    table: Path | None,
    published: str,
    levels: str,
    *,
    as_json: bool,
    **options: Any,
) -> None:
    """Variance components and reliability of the scores in a table.

    Says how much of the variance belongs to the object (such as the model), how far
    the scores rank objects (E rho^2) and place them (Phi), and how many levels of each
    facet would reach a target.
    """
    if (table is None) == (not published):
        raise InputError("give --table FILE.csv, or --stated components and --levels")
    if table is not None and levels:
        raise InputError("--levels goes with --stated; a table says it by itself")
    if table is not None:
        asked, data = _measured(table, **options)
    else:
        asked, data = _published(published, levels, **options)
    answer = stated(lambda: answer_of(data.components, asked, data.rows))
    if as_json:
        click.echo(json.dumps(record(answer), allow_nan=False))
    else:
        show(answer, asked.seed, data.unit)


@dataclass(frozen=True)
class Data:
    """Components, and what was left out before them."""

    components: "Components"
    unit: str
    """The column of values; empty for stated components."""

    rows: Rows = field(default_factory=Rows)


def _measured(
    table: Path,
    *,
    value: str | None,
    object_: str,
    facets: str,
    method: str,
    effects: str,
    repeats: bool,
    **options: Any,
) -> tuple[Asked, Data]:
    """The components of a table."""
    if value is None or not listed(facets):
        raise InputError("--table needs --value, the column of values, and --facets")
    asked = asked_of(object_=object_, facets=listed(facets), **options)
    _check_columns(asked, value)
    if repeats and "repeat" in (asked.object_, *asked.facets):
        raise InputError("--repeats adds a facet named repeat: rename that column")
    cells = read_table(table, value, asked.object_, *asked.facets)
    values = cells.numbers(value, empty=True)
    there = np.isfinite(values)
    if not there.any():
        raise InputError(f"{table}: no row has a {value}")
    labels = {f: cells.text(f) for f in (asked.object_, *asked.facets)}
    how = {
        "method": method,
        "repeats": repeats,
        "effects": listed(effects) or None,
    }
    _check_objects(labels[asked.object_], there, asked.object_)
    components = stated(lambda: _components(values, there, labels, asked.nested, how))
    rows = Rows(int((~there).sum()), _lost(labels, there), _remarks(labels, asked))
    return asked, Data(components, value, rows)


def _published(
    published: str,
    levels: str,
    *,
    value: str | None,
    object_: str,
    facets: str,
    method: str,
    effects: str,
    repeats: bool,
    **options: Any,
) -> tuple[Asked, Data]:
    """Components that somebody published."""
    from inspect_awareness.stats import stated_components

    if value or facets or effects or repeats or method != "auto":
        raise InputError(
            "--stated takes no --value, --facets, --effects, --repeats or --method: "
            "there is no table; --levels names the facets"
        )
    sizes = numbers_by_name("--levels", levels)
    for facet, size in sizes.items():
        if not (size >= 2 and size == int(min(size, 2**62))):
            raise InputError(f"--levels {facet}={size:g}: a whole number from 2 on")
    variances = numbers_by_name("--stated", published)
    others = [facet for facet in sizes if facet != object_.strip()]
    asked = asked_of(object_=object_, facets=others, **options)
    counts = {facet: int(size) for facet, size in sizes.items()}
    components = stated(
        lambda: stated_components(variances, counts, nested=asked.nested)
    )
    return asked, Data(components, "")


def _check_columns(asked: Asked, value: str) -> None:
    """Every column has one part to play."""
    columns = [value, asked.object_, *asked.facets]
    twice = sorted({name for name in columns if columns.count(name) > 1})
    if twice:
        raise InputError(
            f"column {', '.join(twice)} is named twice among --value, --object, --facets"
        )


def _check_objects(
    column: list[str], there: npt.NDArray[np.bool_], object_: str
) -> None:
    """Two objects can be told apart, at least."""
    found = sorted({name for name, held in zip(column, there, strict=True) if held})
    if len(found) < 2:
        raise InputError(
            f"--object {object_}: only {found[0]!r} has values; reliability is about "
            "telling objects apart, so two are needed at least"
        )


def _components(
    values: npt.NDArray[np.float64],
    there: npt.NDArray[np.bool_],
    labels: dict[str, list[str]],
    nested: dict[str, tuple[str, ...]],
    how: dict[str, Any],
) -> "Components":
    """Components of the rows that have a value."""
    from inspect_awareness.stats import tabulated_components

    kept = {
        facet: np.array(column, dtype=object)[there] for facet, column in labels.items()
    }
    return tabulated_components(values[there], kept, nested=nested, **how)


def _lost(
    labels: dict[str, list[str]], there: npt.NDArray[np.bool_]
) -> tuple[str, ...]:
    """Levels none of whose rows has a value."""
    found = []
    for facet, column in labels.items():
        held = Counter(np.array(column, dtype=object)[there].tolist())
        found += [f"{facet} {name}" for name in dict.fromkeys(column) if not held[name]]
    return tuple(found)


def _remarks(labels: dict[str, list[str]], asked: Asked) -> tuple[str, ...]:
    """Where nested levels share their labels, so that they may be crossed."""
    found = []
    for inner, outer in asked.nested.items():
        above = list(zip(*(labels[name] for name in outer), strict=True))
        pairs = set(zip(labels[inner], above, strict=True))
        names, groups = set(labels[inner]), set(above)
        if len(groups) > 1 and len(pairs) == len(names) * len(groups):
            found.append(
                f"each {inner} stands in every {', '.join(outer)}: read as another "
                f"{inner} each time, as --nested says; if it is the same one, leave "
                "--nested out"
            )
    return tuple(found)
