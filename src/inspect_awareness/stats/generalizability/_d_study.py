"""Generalizability and dependability: how far a score can be trusted, for stated k."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from inspect_awareness.stats._arrays import Floats
from inspect_awareness.stats.generalizability._components import Components
from inspect_awareness.stats.generalizability._designs import Design, Effect

Sizes = Mapping[str, float]
"""How many levels of each facet a study would average over; `inf` for the limit."""


@dataclass(frozen=True)
class DStudy:
    """Variances and coefficients of a score averaged over stated numbers of levels.

    Arrays have the shape of the data sets; () for one.
    """

    universe: Floats
    """Variance of the universe score: what differs between objects and would stay."""

    relative: Floats
    """Error variance for ranking objects."""

    absolute: Floats
    """Error variance for the level of an object."""

    sizes: Mapping[str, float]
    """What was averaged over, for each facet but the object."""

    fixed: tuple[str, ...]
    """Facets to whose levels, and no others, the score is meant to apply."""

    @property
    def g_coefficient(self) -> Floats:
        """E rho^2 = universe / (universe + relative); NaN where nothing varies."""
        return _ratio(self.universe, self.relative)

    @property
    def phi(self) -> Floats:
        """Phi = universe / (universe + absolute); NaN where nothing varies."""
        return _ratio(self.universe, self.absolute)


@dataclass(frozen=True)
class Parts:
    """How each effect enters a D-study: weights over the effects."""

    universe: Floats
    relative: Floats
    absolute: Floats


def d_study(
    components: Components,
    object_: str,
    sizes: Sizes | None = None,
    *,
    fixed: Sequence[str] = (),
) -> DStudy:
    """Coefficients for a score averaged over stated numbers of levels.

    Each effect is divided by the product of the sizes k_f of its facets (without the
    object and what the object is nested in). Effects that hold the object go to the
    universe score where all their other facets are fixed, else to the relative error;
    effects without the object that hold a random facet are added in the absolute error.
    Negative components count as 0.

    Args:
        components: Of any design, of one or many data sets.
        object_: The facet whose levels are measured, such as `model`.
        sizes: How many levels of the other facets are averaged over: `{"wrapper": 6}`;
            `inf` gives the limit. Facets that are not named keep the number that the
            components were estimated from (their harmonic mean where a nested facet
            has more here than there).
        fixed: Facets that are not sampled: the same levels would be used again.

    Raises:
        ValueError: A facet is unknown, a size is below 1, or the size of a fixed facet
            differs from its number of levels.

    References:
        Cronbach et al. (1972); Brennan (2001), sections 4.1 to 4.5.

    Example:
        >>> from inspect_awareness.stats import stated_components
        >>> known = stated_components({"a": 1, "b": 1, "a:b": 6}, {"a": 4, "b": 9})
        >>> float(d_study(known, "a", {"b": 3}).g_coefficient)  # 1 / (1 + 6 / 3)
        0.3333333333333333
    """
    used = _sizes(components, object_, sizes or {}, fixed)
    parts = parts_of(components.design, object_, used, fixed)
    return study_of(components.truncated, parts, used, tuple(fixed))


def study_of(
    truncated: Floats, parts: Parts, sizes: Sizes, fixed: tuple[str, ...]
) -> DStudy:
    """The D-study of components (..., effects) with given weights."""
    return DStudy(
        np.asarray(truncated @ parts.universe),
        np.asarray(truncated @ parts.relative),
        np.asarray(truncated @ parts.absolute),
        sizes,
        fixed,
    )


def parts_of(design: Design, object_: str, sizes: Sizes, fixed: Sequence[str]) -> Parts:
    """Weights of the effects in universe score, relative and absolute error."""
    around = {object_, *design.above(object_)}
    names = design.effects
    weight = np.array([_share(effect, around, sizes) for effect in names])
    random = np.array([bool(set(e) - around - set(fixed)) for e in names])
    with_object = np.array([object_ in e for e in names])
    relative = weight * (with_object & random)
    return Parts(
        universe=weight * (with_object & ~random),
        relative=relative,
        absolute=weight * random,
    )


def _sizes(
    components: Components, object_: str, sizes: Sizes, fixed: Sequence[str]
) -> dict[str, float]:
    """A checked number of levels for each facet that is averaged over."""
    design = components.design
    around = {object_, *design.above(object_)}
    design.position(object_)
    for facet in (*sizes, *fixed):
        design.position(facet)
        if facet in around:
            raise ValueError(
                f"{facet!r} is the object of measurement or above it: it is not "
                "averaged over"
            )
    used = components.averaged
    for facet, k in sizes.items():
        if not k >= 1:
            raise ValueError(f"the number of {facet!r} must be 1 or more, got {k}")
        if facet in fixed and k != used[facet]:
            raise ValueError(
                f"facet {facet!r} is fixed at its {used[facet]:g} levels, got {k}"
            )
    return {f: float(sizes.get(f, used[f])) for f in design.facets if f not in around}


def _share(effect: Effect, around: set[str], sizes: Sizes) -> float:
    """1 / prod k_f over the facets of an effect that are averaged over."""
    return float(np.prod([1 / sizes[f] for f in effect if f not in around]))


def _ratio(universe: Floats, error: Floats) -> Floats:
    """Universe over universe and error; NaN for 0 / 0."""
    total = universe + error
    return np.asarray(universe / np.where(total > 0, total, np.nan), dtype=np.float64)
