"""Variance components of a long table, complete or not."""

from collections.abc import Sequence
from dataclasses import replace
from math import prod
from typing import Literal

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats._arrays import Floats
from inspect_awareness.stats.generalizability._cells import (
    REPEAT,
    Cells,
    Labels,
    cells_of,
)
from inspect_awareness.stats.generalizability._components import (
    ALL_EQUAL,
    Components,
    variance_components,
)
from inspect_awareness.stats.generalizability._designs import Nesting, design_of
from inspect_awareness.stats.generalizability._reml import MixedModel
from inspect_awareness.stats.generalizability._reml_core import NO_RESIDUAL, Fit
from inspect_awareness.stats.generalizability._strata import strata_fit, strata_of
from inspect_awareness.stats.generalizability._unbalanced import henderson_raw

Method = Literal["auto", "anova", "henderson", "reml"]
"""How components are estimated; `auto`: ANOVA where the table is complete, else REML."""

MOST_NUMBERED = 2**62
"""Combinations of levels that an id can hold."""

MOST_CELLS = 2_000_000
"""Tables with more cells are not kept for intervals."""

MOST_LEVELS = 3_000
"""REML decomposes a square matrix of as many levels, of all effects but the largest."""

NO_MAXIMUM = (
    "the residual is 0, so that the likelihood has no maximum: use the method henderson"
)


def tabulated_components(
    values: npt.ArrayLike,
    labels: Labels,
    *,
    nested: Nesting | None = None,
    method: Method = "auto",
    repeats: bool = False,
    effects: Sequence[str] | None = None,
) -> Components:
    """Variance components of a long table: one value a row, a label a facet.

    `anova`: as in `variance_components`; the table must be complete. `henderson`:
    analogous sums of squares, unbiased for any table (Henderson's first method).
    `reml`: the components >= 0 that maximise the restricted likelihood of normal
    effects, -2 log L_R = log|V| + log|X'V^-1 X| + y'Py + (n - p) log 2 pi; one at the
    bound is exactly 0, and `criterion` is lme4's REMLcrit.

    Args:
        values: The values, shape (n,).
        labels: For each facet the label of each value; their order is the order of
            facets. Labels of a nested facet are read within the level above.
        nested: For each nested facet the one, or those, that it is nested in.
        method: How to estimate; see above.
        repeats: Whether several values of one cell are repeats: they become a last
            facet, `repeat`, nested in all others.
        effects: The effects of the model, for REML and Henderson; that of all facets,
            the residual, is always in. By default all that the design has.

    Returns:
        The components. Mean squares exist for complete tables only.

    Raises:
        ValueError: A value is not finite, a facet has one level, a cell has two values
            without `repeats`, an effect is unknown or cannot be told from another, or
            `anova` was asked of an incomplete table or for some effects only.

    References:
        Henderson (1953); Patterson and Thompson (1971); Bates et al. (2015).
    """
    cells = _cells(values, labels, nested or {}, repeats=repeats)
    _check_size(cells)
    _check(cells)
    whole = not cells.empty and effects is None
    if method == "anova" or (method == "auto" and whole):
        return _anova(cells, effects)
    if effects is not None:
        cells = replace(cells, design=cells.design.only(effects))
    if method == "henderson":
        fitted = _incomplete(cells, henderson_raw(cells), "Henderson I")
    else:
        fitted = _reml(cells)
    if not whole:
        return fitted
    squares = _anova(cells, None)
    return replace(fitted, degrees=squares.degrees, mean_squares=squares.mean_squares)


def _cells(
    values: npt.ArrayLike, labels: Labels, nested: Nesting, *, repeats: bool
) -> Cells:
    """The cells, with repeats as a facet within all others."""
    above, facets = dict(nested), list(labels)
    if repeats:
        above[REPEAT] = tuple(facets)
        facets.append(REPEAT)
    return cells_of(values, labels, design_of(facets, above), repeats=repeats)


def _anova(cells: Cells, effects: Sequence[str] | None) -> Components:
    """From a complete table."""
    if effects is not None:
        raise ValueError("ANOVA takes all effects of a design; REML takes some")
    if cells.empty:
        raise ValueError(
            f"{cells.empty} of {cells.empty + cells.values.size} cells of a balanced "
            "table have no value: ANOVA needs them all; REML takes what is there"
            + _hint(cells)
        )
    design = cells.design
    nested = {f: tuple(design.above(f)) for f in design.facets if design.above(f)}
    return variance_components(cells.array, design.facets, nested=nested)


def _incomplete(
    cells: Cells, raw: Floats, method: str, criterion: float = float("nan")
) -> Components:
    """A record without mean squares."""
    nothing = np.full(raw.size, np.nan)
    equal = cells.values.min() == cells.values.max()
    small = prod(cells.levels) <= MOST_CELLS
    return Components(
        cells.design,
        cells.levels,
        raw,
        nothing,
        nothing,
        cells.values.size,
        cells.missing,
        method,
        criterion,
        ALL_EQUAL if equal else "",
        cells.array if small and not cells.design.partial else None,
        cells.usual,
        cells.distinct,
    )


def _reml(cells: Cells) -> Components:
    """REML, on values of unit variance; the effect of all facets is the residual."""
    centred = cells.values - cells.values[0]
    centred = centred - centred.mean()
    scale = float(centred.std())
    if scale == 0:
        return _incomplete(cells, np.zeros(len(cells.design.effects)), "REML")
    y = centred / scale
    fit = _fit(cells, y)
    raw = np.append(fit.ratios, 1.0) * fit.residual * scale**2
    shift = 2 * (y.size - 1) * np.log(scale)
    return _incomplete(cells, raw, "REML", fit.criterion + shift)


def _fit(cells: Cells, y: Floats) -> Fit:
    """The fit in the form that suits the table."""
    try:
        raw = henderson_raw(replace(cells, values=y))
        if abs(raw[-1]) < NO_RESIDUAL:
            raise ValueError(NO_MAXIMUM)
        start = _start(raw)
        strata = strata_of(cells, y)
        if strata is not None:
            fit = strata_fit(strata, start)
        else:
            fit = general_fit(cells, y, start)
    except np.linalg.LinAlgError as ex:
        raise ValueError(NO_MAXIMUM) from ex
    if not fit.residual > NO_RESIDUAL:
        raise ValueError(NO_MAXIMUM)
    return fit


def general_fit(cells: Cells, y: Floats, start: Floats) -> Fit:
    """REML without use of any structure: crossed, nested, unbalanced, incomplete."""
    factors = [cells.ids(effect) for effect in cells.design.effects[:-1]]
    counts = [int(ids.max()) + 1 for ids in factors]
    others = sum(counts) - max(counts, default=0)
    if others > MOST_LEVELS:
        raise ValueError(
            f"REML of an incomplete table with {others} levels of effects besides those "
            f"of the largest; {MOST_LEVELS} at most: use the method henderson, or fewer "
            "effects"
        )
    return MixedModel(y, np.ones((y.size, 1)), factors).fit(start)


def _start(raw: Floats) -> Floats:
    """Ratios of unbiased components, which are REML's where a design is balanced."""
    ratios = raw[:-1] / raw[-1] if raw[-1] > 0 else np.ones(raw.size - 1)
    return np.clip(ratios, 0.01, 100.0)


def _check_size(cells: Cells) -> None:
    """The cells of a balanced table can be numbered."""
    if prod(cells.levels) > MOST_NUMBERED:
        sizes = zip(cells.design.facets, cells.levels, strict=True)
        counts = ", ".join(f"{facet} {size}" for facet, size in sizes)
        raise ValueError(
            f"facets with so many levels ({counts}) cannot be crossed: say which are "
            "nested, or leave some out"
        )


def _check(cells: Cells) -> None:
    """Facets vary, and no two effects are the same grouping of the values."""
    for facet, levels in zip(cells.design.facets, cells.levels, strict=True):
        if levels < 2:
            above = " and ".join(sorted(cells.design.above(facet)))
            where = f" within each {above}" if above else ""
            raise ValueError(
                f"facet {facet!r} has 1 level{where}: its variance cannot be seen; leave it "
                "out of the facets"
            )
    counts: dict[int, str] = {}
    for name, effect in zip(cells.design.names, cells.design.effects, strict=True):
        levels = int(cells.ids(effect).max()) + 1
        smaller = counts.get(levels)
        if smaller and set(smaller.split(":")) < set(effect):
            raise ValueError(
                f"effects {smaller!r} and {name!r} are the same groups of values: "
                f"they cannot be told apart{_hint(cells)}"
            )
        counts[levels] = name


def _hint(cells: Cells) -> str:
    """A facet of which each level occurs with one level of another is nested in it."""
    design = cells.design
    for inner in design.facets:
        for outer in set(design.facets) - {inner} - design.above(inner):
            alone = set(design.above(inner)) | {inner}
            own = cells.ids(sorted(alone))
            both = cells.ids(sorted(alone | {outer} | design.above(outer)))
            if own.max() == both.max() and inner != REPEAT:
                return f" ({inner!r} looks nested in {outer!r}: say so)"
    return ""
