"""The effect of a family of framings, with framings and items as samples."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from math import nan, sqrt

import numpy as np
import numpy.typing as npt
from scipy.stats import t

from inspect_awareness.stats._arrays import Floats, Ids, finite_vector, matching_ids
from inspect_awareness.stats._estimate import Estimate
from inspect_awareness.stats._intervals import UNRESPONSIVE
from inspect_awareness.stats.generalizability._reml import MixedModel
from inspect_awareness.stats.generalizability._reml_core import NO_RESIDUAL

Names = Sequence[Hashable] | npt.NDArray[np.generic]
"""The item, framing or family of each value."""

EXACT = "values are an exact sum of effects: there is no residual to measure against"

STEP = 1e-3
"""Of the logarithm of a variance, for numerical derivatives."""


@dataclass(frozen=True)
class FramingEffect:
    """The difference between two families of framings, both sampled."""

    difference: Estimate
    """Mean of the other family minus mean of the reference."""

    se: float
    """Its standard error."""

    degrees: float
    """Satterthwaite's degrees of freedom."""

    p: float
    """Two-sided."""

    item: float
    """Variance of items."""

    framing: float
    """Variance of framings within a family."""

    item_family: float
    """Variance of the family's effect over items."""

    residual: float
    """What is left: the framing's effect over items, and noise."""


def framing_effect(
    values: npt.ArrayLike,
    *,
    items: Names,
    framings: Names,
    families: Names,
    reference: Hashable,
    level: float = 0.95,
) -> FramingEffect:
    """The effect of evaluation framings beside neutral ones, beyond these wordings.

    The mixed model y = family + item + framing + item x family + e, with the family
    fixed and all else random, by REML; cells may be missing. The standard error is that
    of generalized least squares, se^2 = v(theta); its degrees of freedom are
    Satterthwaite's, 2 v^2 / (g'A g), with g the gradient of v and A the asymptotic
    covariance of the variances (those at 0 left out).

    Args:
        values: One for each item under each framing, shape (n,).
        items: The item of each value.
        framings: The framing of each value; one that stands in two families counts as
            two.
        families: The family of each value; two of them.
        reference: The family that is subtracted.
        level: Nominal coverage.

    Returns:
        The difference with its interval. NaN where nothing varies within families.

    Raises:
        ValueError: A value is not finite, lengths differ, there are not two families,
            or neither has two framings.

    References:
        Judd, Westfall and Kenny (2012); Satterthwaite (1946).
    """
    y = finite_vector(values, "values")
    other, ids = _factors(y.size, items, framings, families, reference)
    fixed = np.column_stack([np.ones(y.size), other])
    count = int(ids[1].max()) + 1
    if y.min() == y.max():
        return _undefined(0.0, y.size, count, level, UNRESPONSIVE)
    scale = float(y.std())
    model = MixedModel((y - y.mean()) / scale, fixed, ids)
    fit = model.fit(np.ones(3))
    variances = np.append(fit.ratios, 1.0) * fit.residual
    beta = model.at(fit.ratios).beta[1] * scale
    if fit.residual < NO_RESIDUAL:
        return _undefined(float(beta), y.size, count, level, EXACT)
    se = sqrt(_variance(model, variances)) * scale
    df = _degrees(model, variances)
    half = float(t.ppf((1 + level) / 2, df)) * se
    note = "" if count >= 10 else f"only {count} framings: the interval is approximate"
    estimate = Estimate(
        float(beta),
        float(beta) - half,
        float(beta) + half,
        level,
        y.size,
        count,
        "framing",
        "REML, framings and items random, Satterthwaite t",
        note,
    )
    item, framing, item_family, residual = (variances * scale**2).tolist()
    p = float(2 * t.sf(abs(beta) / se, df))
    return FramingEffect(estimate, se, df, p, item, framing, item_family, residual)


def _undefined(
    value: float, n: int, framings: int, level: float, note: str
) -> FramingEffect:
    """A difference that nothing can be held against."""
    empty = Estimate(value, nan, nan, level, n, framings, "framing", "none", note)
    return FramingEffect(empty, nan, nan, nan, nan, nan, nan, nan)


def _factors(
    size: int, items: Names, framings: Names, families: Names, reference: Hashable
) -> tuple[Floats, list[Ids]]:
    """Which values are not of the reference, and the ids of the random effects."""
    family = matching_ids(families, size, "families")
    kinds = list(dict.fromkeys(np.asarray(families, dtype=object).tolist()))
    if len(kinds) != 2 or reference not in kinds:
        raise ValueError(
            f"two families are compared, one of them the reference {reference!r}; got "
            + ", ".join(repr(kind) for kind in kinds)
        )
    other = (family != kinds.index(reference)).astype(np.float64)
    item = matching_ids(items, size, "items")
    framing = _dense(2 * matching_ids(framings, size, "framings") + family)
    counts = [np.unique(framing[family == k]).size for k in (0, 1)]
    if max(counts) < 2 or int(item.max()) < 1:
        raise ValueError(
            f"2 or more framings in a family and 2 or more items are needed, got "
            f"{counts[0]} and {counts[1]} framings, {int(item.max()) + 1} items"
        )
    return other, [item, framing, _dense(2 * item + family)]


def _dense(ids: Ids) -> Ids:
    """Ids as 0, 1, ... without gaps."""
    return np.asarray(np.unique(ids, return_inverse=True)[1], dtype=np.int64)


def _variance(model: MixedModel, variances: Floats) -> float:
    """Of the contrast, at given variances; the residual is the last."""
    ratios = variances[:-1] / variances[-1]
    return float(model.at(ratios).unscaled[1, 1] * variances[-1])


def _criterion(model: MixedModel, variances: Floats) -> float:
    """-2 log L_R at given variances, up to a constant."""
    at, s = model.at(variances[:-1] / variances[-1]), variances[-1]
    ratio = at.residual / s
    return float(at.criterion + model.freedom * (ratio - 1 - np.log(ratio)))


def _degrees(model: MixedModel, variances: Floats) -> float:
    """Satterthwaite's degrees of freedom over the variances above 0, on a log scale."""
    active = np.flatnonzero(variances > 1e-10 * variances.sum())

    def moved(shift: Floats) -> Floats:
        there = variances.copy()
        there[active] *= np.exp(shift)
        return there

    def criterion(shift: Floats) -> float:
        return _criterion(model, moved(shift))

    v = _variance(model, variances)
    gradient = np.array(
        [
            (_variance(model, moved(e)) - _variance(model, moved(-e))) / (2 * STEP)
            for e in np.eye(active.size) * STEP
        ]
    )
    covariance = 2 * np.linalg.pinv(_hessian(criterion, active.size, 10 * STEP))
    return float(2 * v**2 / (gradient @ covariance @ gradient))


def _hessian(function: Callable[[Floats], float], size: int, step: float) -> Floats:
    """Second derivatives at 0 by central differences."""
    e = np.eye(size) * step
    found = np.empty((size, size))
    for i, a in enumerate(e):
        for j, b in enumerate(e[: i + 1]):
            found[i, j] = found[j, i] = (
                function(a + b) - function(a - b) - function(b - a) + function(-a - b)
            )
    return found / (4 * step**2)
