"""`awareness tax`: what goes with awareness in the outcomes of a table."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from inspect_awareness.cli._shared import one_line_errors
from inspect_awareness.cli._stated import stated
from inspect_awareness.cli._tax_page import Answer, Taxed, record, show
from inspect_awareness.errors import InputError
from inspect_awareness.tables import Table, read_table

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from inspect_awareness.stats.tax import AdjustedTax

COLUMNS = ("model", "benchmark", "task", "aware", "outcome")


@click.command()
@click.option(
    "--table",
    required=True,
    type=click.Path(path_type=Path),
    help="CSV: model, benchmark, task, aware (0, 1 or empty), outcome (a number or "
    "empty); a row for each sample.",
)
@click.option(
    "--covariate",
    "covariates",
    multiple=True,
    help="Column of numbers, such as the length of the reasoning, to hold equal "
    "within tasks; may be repeated.",
)
@click.option(
    "--margin",
    type=click.FloatRange(min=0, min_open=True),
    help="Smallest effect that would matter: adds a test that it is smaller.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@one_line_errors
def tax(
    table: Path,
    covariates: tuple[str, ...],
    margin: float | None,
    seed: int,
    *,
    as_json: bool,
) -> None:
    """Outcomes of aware minus unaware samples, within the same model and task.

    Beside it the differences that mislead where hard tasks are also suspicious ones
    (pooled, between tasks), and what the aware samples of each model did.
    """
    _check(covariates, margin)
    columns = _columns(read_table(table, *COLUMNS, *covariates), covariates)
    answer = stated(lambda: _answer(columns, margin, seed))
    if as_json:
        click.echo(json.dumps(record(answer), allow_nan=False))
        return
    show(answer, seed)


def _check(covariates: tuple[str, ...], margin: float | None) -> None:
    """Each covariate is a column of its own, and the margin finite."""
    for name in covariates:
        if name in COLUMNS:
            raise InputError(
                f"--covariate {name}: this column is in the comparison already"
            )
        if covariates.count(name) > 1:
            raise InputError(f"--covariate {name} is named twice")
    if margin is not None and not margin < float("inf"):
        raise InputError(f"--margin must be a finite number above 0, got {margin}")


@dataclass(frozen=True, eq=False)
class Columns:
    """The columns of the table, as arrays."""

    outcome: "npt.NDArray[np.float64]"
    aware: "npt.NDArray[np.float64]"
    names: "dict[str, npt.NDArray[np.object_]]"
    covariates: "dict[str, npt.NDArray[np.float64]]"

    def of(self, rows: "npt.NDArray[np.intp]") -> "Columns":
        """Some of the rows."""
        return Columns(
            self.outcome[rows],
            self.aware[rows],
            {name: column[rows] for name, column in self.names.items()},
            {name: column[rows] for name, column in self.covariates.items()},
        )


def _columns(cells: Table, covariates: tuple[str, ...]) -> Columns:
    """Checked columns."""
    import numpy as np

    return Columns(
        cells.numbers("outcome", empty=True),
        cells.binary("aware", empty=True),
        {
            f"{name}s": np.array(cells.text(name), dtype=object)
            for name in ("model", "benchmark", "task")
        },
        {name: cells.numbers(name, empty=True) for name in covariates},
    )


def _answer(columns: Columns, margin: float | None, seed: int) -> Answer:
    """The tax of all models and of each, and the actors."""
    import numpy as np

    from inspect_awareness.stats import awareness_actors

    rng = np.random.default_rng(seed)
    whole = _taxed(columns, rng)
    actors = awareness_actors(columns.outcome, columns.aware, **_ids(columns), rng=rng)
    models = columns.names["models"]
    names = list(dict.fromkeys(models.tolist()))
    each = {
        name: _taxed(columns.of(np.flatnonzero(models == name)), rng)
        for name in (names if len(names) > 1 else [])
    }
    return Answer(whole, each, actors, margin)


def _taxed(columns: Columns, rng: "np.random.Generator") -> Taxed:
    """The tax, and beside it at equal covariates where there are any."""
    from inspect_awareness.stats import awareness_tax

    found = awareness_tax(columns.outcome, columns.aware, **_ids(columns), rng=rng)
    return Taxed(found, _adjusted(columns) if columns.covariates else None)


def _adjusted(columns: Columns) -> "AdjustedTax":
    """The tax at equal covariates."""
    from inspect_awareness.stats.tax import adjusted_tax

    return adjusted_tax(
        columns.outcome,
        columns.aware,
        covariates=columns.covariates,
        **_ids(columns),
    )


def _ids(columns: Columns) -> dict[str, Any]:
    """Models, benchmarks and tasks as the statistics take them."""
    return dict(columns.names)
