"""Mean squares of an incomplete table, drawn together with its missing cells."""

from math import prod

import numpy as np
import numpy.typing as npt
from scipy.linalg import helmert

from inspect_awareness.stats._arrays import Floats
from inspect_awareness.stats.generalizability._designs import Design, Effect, design_of

BURN_IN = 200
"""Draws that are thrown away: the chain starts with the missing cells at the mean."""

MOST_MISSING = 400
"""Each draw decomposes a matrix of this size: a few milliseconds."""


def incomplete_rows(table: Floats, design: Design) -> int:
    """How many rows have no value, a row being a cell of the incomplete facets.

    Args:
        table: The values in the cells of a balanced design, NaN where there is none.
        design: Its facets and all of its effects.
    """
    axes = tuple(design.position(facet) for facet in complete_facets(table, design))
    return int(np.isnan(table).any(axis=axes).sum())


def complete_facets(table: Floats, design: Design) -> tuple[str, ...]:
    """Facets without nesting whose levels are all there, or all missing, in each row."""
    missing = np.isnan(table)
    inner = {above for facet in design.facets for above in design.above(facet)}
    return tuple(
        facet
        for axis, facet in enumerate(design.facets)
        if not design.above(facet)
        and facet not in inner
        and bool((missing.any(axis=axis) == missing.all(axis=axis)).all())
    )


def drawn_squares(
    table: Floats, design: Design, rng: np.random.Generator, draws: int
) -> Floats:
    """Draws of the mean squares, shape (draws, effects), by Gibbs sampling.

    Orthonormal contrasts along the complete facets split the table into strata that are
    independent; a stratum has its own contrasts as columns, and the effects that vary
    in just these facets. In each `_chain` draws the rows that are missing.

    Args:
        table: The values in the cells of a balanced design, NaN where there is none.
        design: Its facets and all of its effects.
        rng: For the draws.
        draws: How many to keep.
    """
    columns = complete_facets(table, design)
    rows = [facet for facet in design.facets if facet not in columns]
    order = [design.position(facet) for facet in (*rows, *columns)]
    y = np.where(np.isnan(table), 0.0, table - np.nanmean(table)).transpose(order)
    for axis in range(len(rows), y.ndim):
        turned = helmert(y.shape[axis], full=True) @ np.moveaxis(y, axis, -2)
        y = np.moveaxis(turned, -2, axis)
    first = (slice(None),) * len(rows) + (0,) * len(columns)
    missing = np.isnan(table).transpose(order)[first]
    nested = {
        facet: tuple(design.above(facet)) for facet in rows if design.above(facet)
    }
    below, degrees = design_of(rows, nested), design.degrees(table.shape)
    found = np.empty((draws, degrees.size))
    for bits in range(2 ** len(columns)):
        varies = [bool(bits >> place & 1) for place in range(len(columns))]
        part = tuple(slice(1, None) if v else slice(0, 1) for v in varies)
        block = y[(..., *part)].reshape(*missing.shape, -1)
        stratum = tuple(c for c, v in zip(columns, varies, strict=True) if v)
        effects = [e for e in ((), *below.effects) if e or stratum]
        places = [design.index(":".join((*effect, *stratum))) for effect in effects]
        found[:, places] = _chain(
            block, missing, below, effects, degrees[places], rng=rng, draws=draws
        )
    return found


def _chain(
    block: Floats,
    missing: npt.NDArray[np.bool_],
    design: Design,
    effects: list[Effect],
    degrees: Floats,
    *,
    rng: np.random.Generator,
    draws: int,
) -> Floats:
    """Draws of the mean squares of one stratum, shape (draws, effects).

    With P_e the projection of rows on the part of effect e and l_e its expected mean
    square, each column has precision Q = sum P_e / l_e. Given the missing rows Z,
    l_e = SS_e / chi-square(df_e), as for a complete table; given l and the rows Y,
    Z ~ N(-Q_zz^-1 Q_zy Y, Q_zz^-1), column by column (without an effect for it, the
    mean is integrated out). Both need the missing rows only:
    SS_e = |P_e Y|^2 + 2 tr(Z'P_e Y) + tr(Z'P_e Z), with 0 for Z in P_e Y.
    """
    parts = _parts(block, design)
    constant = np.array([np.sum(parts[effect] ** 2) for effect in effects])
    linear = np.array([parts[effect][missing] for effect in effects])
    projections = _projections(np.argwhere(missing), missing.shape, design)
    within = np.array([projections[effect] for effect in effects])
    z: Floats = np.zeros(linear.shape[1:])
    found = np.empty((draws, len(effects)))
    least = 1e-12 * constant.sum() + 1e-300
    for k in range(-BURN_IN, draws):
        cross = np.tensordot(linear, z) * 2
        sums = constant + cross + np.tensordot(within @ z, z)
        squares = np.maximum(sums, least) / rng.chisquare(degrees)
        lower = np.linalg.cholesky(np.tensordot(1 / squares, within, axes=1))
        pull = np.tensordot(1 / squares, linear, axes=1)
        half = rng.normal(size=z.shape) - np.linalg.solve(lower, pull)
        z = np.asarray(np.linalg.solve(lower.T, half), dtype=np.float64)
        if k >= 0:
            found[k] = squares
    return found


def _parts(block: Floats, design: Design) -> dict[Effect, Floats]:
    """The part of each effect: its means over rows without those of effects below."""
    every = tuple(range(len(design.facets)))
    mean = np.broadcast_to(block.mean(axis=every, keepdims=True), block.shape)
    found: dict[Effect, Floats] = {(): mean}
    for effect in design.effects:
        gone = tuple(k for k, f in enumerate(design.facets) if f not in effect)
        means = np.broadcast_to(block.mean(axis=gone, keepdims=True), block.shape)
        found[effect] = means - sum(found[b] for b in design.below(effect))
    return found


def _projections(
    places: npt.NDArray[np.int64], levels: tuple[int, ...], design: Design
) -> dict[Effect, Floats]:
    """P_e between the missing rows, shape (missing, missing) each."""
    rows = prod(levels)
    found: dict[Effect, Floats] = {(): np.full((len(places), len(places)), 1 / rows)}
    for effect in design.effects:
        own = [design.position(facet) for facet in effect]
        keys = places[:, own]
        same = (keys[:, None, :] == keys[None, :, :]).all(axis=2)
        mean = same * (prod(levels[axis] for axis in own) / rows)
        found[effect] = mean - sum(found[b] for b in design.below(effect))
    return found
