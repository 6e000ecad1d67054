"""Fiducial intervals for components, coefficients and the number of levels needed."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan, nan

import numpy as np

from inspect_awareness.stats._arrays import Floats
from inspect_awareness.stats._estimate import Estimate
from inspect_awareness.stats.generalizability._completed import (
    MOST_MISSING,
    drawn_squares,
    incomplete_rows,
)
from inspect_awareness.stats.generalizability._components import (
    ALL_EQUAL,
    Components,
    solved,
)
from inspect_awareness.stats.generalizability._d_study import (
    Sizes,
    d_study,
    parts_of,
    study_of,
)

EXACT_SUM = (
    "no interval: the residual is 0, so that nothing shows how far values spread"
)

FEW_OBJECTS = 10
"""Below this many objects a coefficient carries a warning."""


@dataclass(frozen=True)
class Fiducial:
    """Components of one data set, with draws that say how well they are known."""

    components: Components
    """The point estimates."""

    drawn: Floats
    """Draws, truncated at 0, shape (draws, effects); NaN where none can be had."""

    method: str
    """How they were drawn; `none` if they were not."""

    note: str
    """Why there are none."""


@dataclass(frozen=True)
class Reliability:
    """How far a score over stated numbers of levels ranks and places objects."""

    g_coefficient: Estimate
    """E rho^2: for ranking objects."""

    phi: Estimate
    """Phi: for the level of an object."""

    object_: str
    """What is measured."""

    sizes: Sizes
    """How many levels of the other facets are averaged over."""

    fixed: tuple[str, ...]
    """Facets that are not sampled."""


def fiducial(
    components: Components, *, rng: np.random.Generator, draws: int = 10_000
) -> Fiducial:
    """Draws of the components from their fiducial distribution.

    In each draw the mean square of each effect is SS / chi-square(df); the EMS system
    is solved and truncated at 0. Where cells are missing, they are drawn too, given the
    others (Gibbs sampling, a fifth of the draws). All facets are random: intervals that
    resample some and hold the objects fixed are far too narrow. Simulated coverage of
    95 % intervals: 93 to 97 for complete tables, 91 to 94 with a fifth of the cells
    missing or with families of 4, 1 and 2 models.

    Args:
        components: Of one data set.
        rng: For the draws.
        draws: How many.

    Returns:
        The draws, from which `reliability`, `component_estimates` and
        `levels_needed_estimate` take their intervals. None, with the reason, for stated
        components, a model without some effects, or too many missing cells.

    Raises:
        ValueError: There is more than one data set.

    References:
        Weerahandi (1993), Generalized confidence intervals; Tanner and Wong (1987).
    """
    if components.raw.ndim != 1:
        raise ValueError(
            f"components of {components.raw.shape[:-1]} data sets: an estimate is "
            "for one; `d_study` takes many"
        )
    reason = _reason(components)
    if reason:
        nothing = np.full((1, components.raw.size), nan)
        return Fiducial(components, nothing, "none", reason)
    design, levels = components.design, components.levels
    if np.isnan(components.degrees).any() and components.table is not None:
        squares = drawn_squares(components.table, design, rng, max(1, draws // 5))
        method = "fiducial, missing cells drawn"
    else:
        chance = rng.chisquare(components.degrees, size=(draws, components.raw.size))
        squares = components.mean_squares * components.degrees / chance
        method = "fiducial"
    drawn = np.maximum(solved(squares, design, levels), 0.0)
    return Fiducial(components, drawn, method, "")


def reliability(
    known: Fiducial,
    object_: str,
    sizes: Sizes | None = None,
    *,
    fixed: Sequence[str] = (),
    level: float = 0.95,
) -> Reliability:
    """Generalizability and dependability coefficients with intervals.

    Point values as in `d_study`; ends are quantiles of the same coefficient over the
    fiducial draws.

    Args:
        known: Components and draws, from `fiducial`.
        object_: The facet whose levels are measured.
        sizes: How many levels of the other facets are averaged over; as measured where
            not named.
        fixed: Facets that are not sampled.
        level: Nominal coverage.

    Returns:
        Both coefficients. Without draws the interval is NaN; if nothing varies, so is
        the value.

    Raises:
        ValueError: As in `d_study`.

    References:
        Brennan (2001), Generalizability Theory, section 6.2.
    """
    components = known.components
    study = d_study(components, object_, sizes, fixed=fixed)
    parts = parts_of(components.design, object_, study.sizes, fixed)
    spread = study_of(known.drawn, parts, study.sizes, tuple(fixed))
    g, phi = spread.g_coefficient, spread.phi
    return Reliability(
        around(known, study.g_coefficient, g, level, object_),
        around(known, study.phi, phi, level, object_),
        object_,
        study.sizes,
        tuple(fixed),
    )


def component_estimates(known: Fiducial, *, level: float = 0.95) -> dict[str, Estimate]:
    """Each component, truncated at 0, with its fiducial interval.

    A lower end of 0 says that these data do not show that the component is there.

    Args:
        known: Components and draws, from `fiducial`.
        level: Nominal coverage.
    """
    columns = zip(
        known.components.design.names,
        known.components.truncated,
        known.drawn.T,
        strict=True,
    )
    return {
        name: around(known, value, column, level, "") for name, value, column in columns
    }


def _reason(components: Components) -> str:
    """Why nothing can be drawn; empty if it can."""
    if components.note == ALL_EQUAL:
        return ALL_EQUAL
    if not np.isnan(components.degrees).any():
        return "" if components.mean_squares[-1] > 0 else EXACT_SUM
    if components.method == "stated":
        return "no interval: the components are stated, without mean squares"
    if components.design.partial:
        return "no interval: the model is without some effects of the design"
    table = components.table
    if table is None or incomplete_rows(table, components.design) > MOST_MISSING:
        return (
            f"no interval: more than {MOST_MISSING} cells of a balanced table missing"
        )
    return components.note


def around(
    known: Fiducial, value: Floats, spread: Floats, level: float, object_: str
) -> Estimate:
    """The estimate with quantiles of its draws as ends."""
    components = known.components
    low, high = _ends(spread, level)
    count = components.totals[object_] if object_ else components.n
    return Estimate(
        float(value),
        low,
        high,
        level,
        components.n,
        count,
        object_ or "cell",
        "none" if isnan(low) else f"{components.method}; {known.method}",
        _note(known, float(value), count, missing=isnan(low)),
    )


def _note(known: Fiducial, value: float, count: int, *, missing: bool) -> str:
    """What to say about an estimate."""
    if isnan(value):
        return known.components.note or ALL_EQUAL
    if missing:
        return known.note or EXACT_SUM
    if count < FEW_OBJECTS:
        return f"only {count} objects: the interval is wide, and rightly"
    return known.components.note


def _ends(spread: Floats, level: float) -> tuple[float, float]:
    """Order statistics of the draws, infinite ones kept; NaN if one is undefined."""
    if np.isnan(spread).any():
        return nan, nan
    ordered = np.sort(spread)
    last = ordered.size - 1
    cut = int((1 - level) / 2 * last)
    return float(ordered[cut]), float(ordered[last - cut])
