"""Variance components of balanced designs, many data sets at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import prod

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats._arrays import Floats
from inspect_awareness.stats.generalizability._designs import (
    Design,
    Effect,
    Nesting,
    design_of,
)

ALL_EQUAL = "every value is identical: there is no variance to share out"


@dataclass(frozen=True)
class Components:
    """The variance of each effect of a design.

    The last axis of every array is the effect, in the order of `design.effects`; axes
    before it are data sets.
    """

    design: Design
    """The facets and effects."""

    levels: tuple[int, ...]
    """How many levels each facet has (a nested one: at most, within a level above)."""

    raw: Floats
    """Unbiased estimates, negative ones as they are, shape (..., effects)."""

    degrees: Floats
    """Degrees of freedom, shape (effects,); NaN where there are no mean squares."""

    mean_squares: Floats
    """Mean squares, shape (..., effects); NaN where there are none."""

    n: int
    """How many values one data set has."""

    missing: int = 0
    """How many cells have no value; a nested facet may have fewer levels here than
    there."""

    method: str = "ANOVA"
    """How the components were estimated."""

    criterion: float = float("nan")
    """-2 log restricted likelihood, for REML."""

    note: str = ""
    """What a reader must know."""

    table: Floats | None = field(default=None, repr=False, compare=False)
    """An incomplete table in its cells, NaN where there is no value."""

    usual: tuple[float, ...] = ()
    """The same as harmonic means over the levels above; empty where they are equal."""

    distinct: tuple[int, ...] = ()
    """How many levels each facet has in all; empty where they follow from `levels`."""

    @property
    def totals(self) -> dict[str, int]:
        """How many levels each facet has in all."""
        facets, sizes = self.design.facets, self.levels
        balanced = tuple(
            prod(s for f, s in zip(facets, sizes, strict=True) if f in {own} | above)
            for own, above in zip(facets, self.design.within, strict=True)
        )
        return dict(zip(facets, self.distinct or balanced, strict=True))

    @property
    def averaged(self) -> dict[str, float]:
        """How many levels of each facet one score was averaged over, as measured."""
        counts = self.usual or tuple(float(size) for size in self.levels)
        return dict(zip(self.design.facets, counts, strict=True))

    @property
    def truncated(self) -> Floats:
        """The components with negative ones set to 0."""
        return np.maximum(self.raw, 0.0)

    @property
    def share(self) -> Floats:
        """Truncated components over their sum; NaN where nothing varies."""
        total = self.truncated.sum(axis=-1, keepdims=True)
        safe = np.where(total > 0, total, np.nan)
        return np.asarray(self.truncated / safe, dtype=np.float64)

    @property
    def unresolved(self) -> tuple[str, ...]:
        """Effects of which an estimate is negative: unresolved here, not absent."""
        least = self.raw.reshape(-1, self.raw.shape[-1]).min(axis=0).tolist()
        pairs = zip(self.design.names, least, strict=True)
        return tuple(name for name, value in pairs if value < 0)

    def of(self, name: str) -> Floats:
        """The raw component of an effect such as `model:wrapper`, for each data set."""
        return np.asarray(self.raw[..., self.design.index(name)], dtype=np.float64)


def variance_components(
    values: npt.ArrayLike, facets: Sequence[str], *, nested: Nesting | None = None
) -> Components:
    """Variance components of a balanced crossed or nested design with random effects.

    For an effect a (a set of facets closed under nesting), of N cells:
    T(a) = N / prod_{f in a} n_f * sum of squared cell means;
    SS(a) = T(a) - sum of SS(b) over all b below a, the mean included; MS = SS / df;
    E[MS(a)] = sum over b that hold a of sigma^2(b) prod_{f not in b} n_f,
    a triangular system that is solved for sigma^2. One value a cell: the effect of all
    facets holds the residual.

    Args:
        values: The values, shape (..., n_1, ..., n_F) for F facets; leading axes are
            data sets. In any unit; components are in its square.
        facets: Names of the last F axes.
        nested: For each nested facet the one, or those, that it is nested in. Its
            axis holds its levels within each level above.

    Returns:
        The components, raw; `truncated` and `share` follow from them.

    Raises:
        ValueError: Axes and facets do not match, a facet has one level, or a value is
            NaN or infinite.

    References:
        Brennan (2001), Generalizability Theory, sections 3.3, 5.1 and 7.1.

    Example:
        >>> variance_components([[0, 2], [4, 8]], ["model", "wrapper"]).of("model")
        array(12.)
    """
    design = design_of(facets, nested)
    y = np.asarray(values, dtype=np.float64)
    levels = _levels(y, design)
    sums = sums_of_squares(y, design)
    degrees = design.degrees(levels)
    squares = np.asarray(sums / degrees, dtype=np.float64)
    raw = solved(squares, design, levels)
    equal = not np.any(sums > 0)
    return Components(
        design,
        levels,
        raw,
        degrees,
        squares,
        n=prod(levels),
        note=ALL_EQUAL if equal else "",
    )


def sums_of_squares(y: Floats, design: Design) -> Floats:
    """Sums of squares of all effects, shape (..., effects).

    Values are centred first: differences of squared means lose digits otherwise.
    """
    axes = tuple(range(-len(design.facets), 0))
    cells = prod(y.shape[axis] for axis in axes)
    shifted = y - y.min(axis=axes, keepdims=True)  # equal values become exact zeros
    centred = shifted - shifted.mean(axis=axes, keepdims=True)
    means: dict[Effect, Floats] = {design.facets: centred}
    batch = y.shape[: y.ndim - len(axes)]
    found: dict[Effect, Floats] = {(): np.zeros(batch)}
    for effect in reversed(design.effects):
        _mean_over(effect, means, design)
    for effect in design.effects:
        m = means[effect].reshape(*batch, -1)
        total = cells / m.shape[-1] * np.einsum("...i,...i->...", m, m)
        lower = sum((found[b] for b in design.below(effect)), np.zeros(batch))
        # what is left of rounding is not variance
        left = total - lower
        found[effect] = np.where(left > 1e-13 * total, left, 0.0)
    return np.stack([found[effect] for effect in design.effects], axis=-1)


def _mean_over(effect: Effect, means: dict[Effect, Floats], design: Design) -> None:
    """Put the cell means of an effect beside those of larger effects."""
    if effect in means:
        return
    larger = min((e for e in means if set(e) > set(effect)), key=len)
    gone = [design.position(f) - len(design.facets) for f in set(larger) - set(effect)]
    means[effect] = means[larger].mean(axis=tuple(gone), keepdims=True)


def solved(squares: Floats, design: Design, levels: Sequence[int]) -> Floats:
    """Components from mean squares, shape (..., effects)."""
    inverse = np.linalg.inv(design.expectations(levels))
    return np.asarray(squares @ inverse.T, dtype=np.float64)


def stated_components(
    values: Mapping[str, float],
    levels: Mapping[str, int],
    *,
    nested: Nesting | None = None,
) -> Components:
    """Components that somebody published, as input for a D-study.

    Args:
        values: The component of each effect, named by its facets joined by `:`.
        levels: How many levels each facet had; its order is the order of facets.
        nested: For each nested facet the one, or those, that it is nested in.

    Raises:
        ValueError: An effect is missing or unknown, or a component is not finite.

    Example:
        >>> stated_components({"a": 1, "b": 0, "a:b": 3}, {"a": 4, "b": 9}).share
        array([0.25, 0.  , 0.75])
    """
    design = design_of(tuple(levels), nested)
    raw = np.full(len(design.effects), np.nan)
    for name, value in values.items():
        raw[design.index(name)] = value
    unknown = [n for n, v in zip(design.names, raw, strict=True) if not np.isfinite(v)]
    if unknown:
        raise ValueError(f"no finite component is stated for {', '.join(unknown)}")
    sizes = tuple(levels.values())
    nothing = np.full(raw.size, np.nan)
    return Components(
        design, sizes, raw, nothing, nothing, n=prod(sizes), method="stated"
    )


def _levels(y: Floats, design: Design) -> tuple[int, ...]:
    """Checked sizes of the facets' axes."""
    count = len(design.facets)
    if y.ndim < count:
        raise ValueError(f"{count} facets need {count} axes, got {y.ndim}")
    levels = y.shape[y.ndim - count :]
    for facet, size in zip(design.facets, levels, strict=True):
        if size < 2:
            raise ValueError(
                f"facet {facet!r} has {size} level: its variance cannot be seen; "
                "leave it out of the facets"
            )
    bad = int((~np.isfinite(y)).sum())
    if bad:
        raise ValueError(
            f"{bad} of {y.size} values are NaN or infinite: a balanced design has none;"
            " REML takes what is there"
        )
    return tuple(int(size) for size in levels)
