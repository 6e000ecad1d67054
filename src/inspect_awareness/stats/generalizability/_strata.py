"""REML in strata: where some crossed facets are complete for all rows of the rest."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from inspect_awareness.stats._arrays import Floats, Ids
from inspect_awareness.stats.generalizability._cells import Cells
from inspect_awareness.stats.generalizability._reml_core import (
    LEAST_SQUARES,
    Fit,
    least,
    profiled,
)

MOST_ROWS = 150
"""With more rows than this the general form is faster."""


@dataclass(frozen=True)
class Strata:
    """The likelihood of complete columns, as one scatter matrix a stratum.

    Rows are what may be unbalanced (models within families); columns are crossed
    facets with a value for every row. In the stratum s (facets that vary) an effect of
    row facets K and column facets u has covariance prod_{c not in u} n_c K where
    s is inside u, else 0: a rows x rows matrix instead of one of all values.
    """

    scatter: Floats
    """Sums of products of rows, shape (strata, rows, rows); the mean first, as 0."""

    freedom: Floats
    """Contrasts in each stratum, shape (strata,); 1 for the mean."""

    mean: Floats
    """Row means times sqrt(columns), shape (rows,)."""

    kernels: Floats
    """Which rows share a level of the row facets of an effect, (effects, rows, rows)."""

    weights: Floats
    """prod n_c, or 0, shape (strata, effects)."""

    n: int
    """How many values."""

    columns: int
    """How many columns."""


def strata_of(cells: Cells, values: Floats) -> Strata | None:
    """The strata of a table, with as few rows as possible; None if they do not apply.

    Args:
        cells: The table.
        values: Its values, scaled.
    """
    best: tuple[int, tuple[str, ...]] | None = None
    for columns in _subsets(_free(cells)):
        rest = [f for f in cells.design.facets if f not in columns]
        if not columns or not rest:
            continue
        rows = int(cells.ids(rest).max()) + 1
        count = prod(cells.levels[cells.design.position(c)] for c in columns)
        if rows * count == values.size and (best is None or rows < best[0]):
            best = rows, columns
    if best is None or best[0] > MOST_ROWS:
        return None
    return _strata(cells, values, best[1])


def strata_fit(strata: Strata, start: Floats) -> Fit:
    """REML of all effects; the last one is the residual.

    Args:
        strata: The data.
        start: Ratios of the other effects to the residual, to start from.
    """
    return least(lambda ratios: _criterion(strata, ratios), start)


def _criterion(p: Strata, ratios: Floats) -> tuple[float, Floats, float]:
    """-2 log L_R at ratios, its gradient, and the residual variance.

    Sum over strata of df log|S| + tr(S^-1 W); for the mean log|S| + log(X'S^-1 X) +
    y'Py with X = sqrt(columns) 1.
    """
    all_ratios = np.append(ratios, 1.0)
    covariances = np.einsum("se,eij->sij", p.weights * all_ratios, p.kernels)
    inverse = np.linalg.inv(covariances)
    logs = float(p.freedom @ np.linalg.slogdet(covariances)[1])
    sums = inverse[0].sum(axis=1)
    total = float(sums.sum())
    projected = inverse[0] - np.outer(sums, sums) / total
    error = projected @ p.mean
    quadratic = float(np.sum(inverse * p.scatter) + p.mean @ error)
    quadratic = max(quadratic, LEAST_SQUARES)
    residual = quadratic / (p.n - 1)
    slopes = (
        p.freedom[:, None, None] * inverse - inverse @ p.scatter @ inverse / residual
    )
    slopes[0] = projected - np.outer(error, error) / residual
    gradient = np.einsum("se,eij,sij->e", p.weights, p.kernels, slopes)[:-1]
    logs += float(np.log(p.columns * total))
    return profiled(p.n - 1, quadratic, logs), gradient, residual


def _strata(cells: Cells, values: Floats, columns: tuple[str, ...]) -> Strata:
    """Scatter matrices of the data, and how each effect enters them."""
    design = cells.design
    rest = [f for f in design.facets if f not in columns]
    rows = cells.ids(rest)
    sizes = [cells.levels[design.position(c)] for c in columns]
    places = tuple(cells.places[:, design.position(c)] for c in columns)
    table = np.empty((int(rows.max()) + 1, *sizes))
    table[(rows, *places)] = values
    strata = sorted(_subsets(columns), key=len)
    scatter = np.array([_scatter(table, columns, stratum) for stratum in strata])
    scatter[0] = 0.0
    weights = [
        [_weight(effect, stratum, columns, sizes) for effect in design.effects]
        for stratum in strata
    ]
    kernels = [_kernel(cells, effect, rest, rows) for effect in design.effects]
    count = prod(sizes)
    return Strata(
        scatter,
        np.array([_freedom(stratum, columns, sizes) for stratum in strata]),
        table.reshape(table.shape[0], -1).mean(axis=1) * np.sqrt(count),
        np.array(kernels),
        np.array(weights),
        values.size,
        count,
    )


def _free(cells: Cells) -> list[str]:
    """Facets without nesting in either direction."""
    design = cells.design
    inner = {above for facet in design.facets for above in design.above(facet)}
    return [f for f in design.facets if f not in inner and not design.above(f)]


def _subsets(names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """All subsets, the empty one first."""
    for bits in range(2 ** len(names)):
        yield tuple(name for place, name in enumerate(names) if bits >> place & 1)


def _scatter(
    table: Floats, columns: tuple[str, ...], stratum: tuple[str, ...]
) -> Floats:
    """Products of rows of the part that varies along the facets of a stratum only."""
    part = table
    for axis, column in enumerate(columns, start=1):
        mean = part.mean(axis=axis, keepdims=True)
        part = part - mean if column in stratum else np.broadcast_to(mean, part.shape)
    flat = part.reshape(part.shape[0], -1)
    return np.asarray(flat @ flat.T, dtype=np.float64)


def _freedom(
    stratum: tuple[str, ...], columns: tuple[str, ...], sizes: Sequence[int]
) -> float:
    """Prod (n_c - 1) over the facets of a stratum."""
    pairs = zip(columns, sizes, strict=True)
    return float(prod(size - 1 for column, size in pairs if column in stratum))


def _weight(
    effect: tuple[str, ...],
    stratum: tuple[str, ...],
    columns: tuple[str, ...],
    sizes: Sequence[int],
) -> float:
    """Prod n_c over columns outside an effect that holds the stratum, else 0."""
    if not set(stratum) <= set(effect):
        return 0.0
    pairs = zip(columns, sizes, strict=True)
    return float(prod(size for column, size in pairs if column not in effect))


def _kernel(
    cells: Cells, effect: tuple[str, ...], rest: Sequence[str], rows: Ids
) -> Floats:
    """1 where two rows share the level of the row facets of an effect."""
    own = [facet for facet in effect if facet in rest]
    first = np.unique(rows, return_index=True)[1]
    if not own:
        return np.ones((first.size, first.size))
    ids = cells.ids(own)[first]
    return np.asarray(ids[:, None] == ids, dtype=np.float64)
