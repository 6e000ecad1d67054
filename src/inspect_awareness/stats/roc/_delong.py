"""DeLong's variance of an AUROC, and of the difference of two on the same items."""

from dataclasses import dataclass, replace
from math import nan, sqrt
from typing import Literal

import numpy.typing as npt
from scipy.stats import norm

from inspect_awareness.stats._arrays import Floats, finite_vector
from inspect_awareness.stats._estimate import Estimate, undefined
from inspect_awareness.stats._intervals import UNRESPONSIVE, Interval, on_logit_scale
from inspect_awareness.stats.roc._newcombe import newcombe
from inspect_awareness.stats.roc._placements import placements
from inspect_awareness.stats.roc._ranked import label_rows

NO_VARIANCE = "the placements do not vary, so DeLong's variance is 0"


@dataclass(frozen=True)
class AurocDifference:
    """Two AUROCs on the same items, and whether they differ."""

    first: float
    """The AUROC of the first scores."""

    second: float
    """The AUROC of the second scores."""

    difference: Estimate
    """First minus second, with DeLong's interval."""

    z: float
    """The difference over its standard error."""

    p: float
    """Two-sided, from the normal distribution."""


def delong_auroc(
    scores: npt.ArrayLike,
    evaluation: npt.ArrayLike,
    *,
    level: float = 0.95,
    scale: Literal["logit", "identity"] = "logit",
) -> Estimate:
    """The AUROC with DeLong's interval: every item is independent.

    var = var(V10) / n1 + var(V01) / n0, the variances of the placement values of
    either class. On the scale `logit` the ends are expit(logit A ± z se / (A (1 - A)));
    on `identity` they are A ± z se, which may leave [0, 1]. Where items come in
    clusters, use `clustered_auroc`.

    Args:
        scores: Shape (n,).
        evaluation: Whether each item is labelled evaluation, shape (n,).
        level: Nominal coverage.
        scale: Where the interval is symmetric.

    Returns:
        The estimate; NaN where a class is empty, a NaN interval where a class has one
        item. With complete separation, where the variance is 0, the interval is
        Newcombe's.

    Raises:
        ValueError: A score is not finite, a label neither 0 nor 1, or lengths differ.

    References:
        DeLong, DeLong and Clarke-Pearson, Biometrics 44 (1988) 837.

    Example:
        >>> found = delong_auroc([0.9, 0.4, 0.5, 0.1, 0.3], [1, 1, 0, 0, 0])
        >>> round(found.value, 3), round(found.low, 3), round(found.high, 3)
        (0.833, 0.152, 0.993)
    """
    values = finite_vector(scores, "scores")
    labels = label_rows(evaluation, values.size)
    x, y = values[labels], values[~labels]
    if not x.size or not y.size:
        empty = "evaluation" if not x.size else "deployment"
        return undefined(level, f"no {empty} score", n=values.size)
    v10, v01 = placements(x, y)
    area = float(v10.mean())
    found = _interval(area, v10, v01, level=level, scale=scale)
    return found.around(
        area, level=level, n=values.size, clusters=values.size, unit="sample"
    )


def delong_difference(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    evaluation: npt.ArrayLike,
    *,
    level: float = 0.95,
) -> AurocDifference:
    """The difference of two AUROCs on the same items, after DeLong.

    The variance of the difference is that of the differences of placement values,
    var(V10 - V10') / n1 + var(V01 - V01') / n0.

    Args:
        first: Scores of one instrument, shape (n,).
        second: Scores of the other on the same items, shape (n,).
        evaluation: Whether each item is labelled evaluation, shape (n,).
        level: Nominal coverage.

    Returns:
        Both areas, their difference with interval, z and p; NaN where a class has
        fewer than two items, or the two rank all items alike.

    Raises:
        ValueError: A score is not finite, a label neither 0 nor 1, or lengths differ.

    References:
        DeLong, DeLong and Clarke-Pearson, Biometrics 44 (1988) 837.
    """
    one = finite_vector(first, "first")
    other = finite_vector(second, "second")
    labels = label_rows(evaluation, one.size)
    if other.size != one.size:
        raise ValueError(f"{one.size} first and {other.size} second scores: items pair")
    n1 = int(labels.sum())
    n0 = labels.size - n1
    if min(n1, n0) < 2:
        note = f"two items of either class are needed, got {n1} and {n0}"
        gap = undefined(level, note, n=labels.size)
        return AurocDifference(nan, nan, gap, nan, nan)
    v10, v01 = placements(one[labels], one[~labels])
    w10, w01 = placements(other[labels], other[~labels])
    areas = float(v10.mean()), float(w10.mean())
    se = sqrt(_variance(v10 - w10, v01 - w01))
    return _tested(areas, se, labels.size, level)


def _tested(
    areas: tuple[float, float], se: float, n: int, level: float
) -> AurocDifference:
    """The difference with its normal interval and test."""
    gap = areas[0] - areas[1]
    if se < 1e-12:
        note = "both place every item alike, so the spread cannot be estimated"
        nothing = replace(undefined(level, note, n=n, clusters=n), value=gap)
        return AurocDifference(*areas, nothing, nan, nan)
    half = float(norm.ppf((1 + level) / 2)) * se
    estimate = Interval(gap - half, gap + half, "DeLong, paired").around(
        gap, level=level, n=n, clusters=n, unit="sample"
    )
    return AurocDifference(
        *areas, estimate, gap / se, float(2 * norm.sf(abs(gap) / se))
    )


def _interval(
    area: float,
    v10: Floats,
    v01: Floats,
    *,
    level: float,
    scale: Literal["logit", "identity"],
) -> Interval:
    """DeLong's interval, or Newcombe's where the classes are separated."""
    if min(v10.size, v01.size) < 2:
        return Interval(nan, nan, "none", "a class has one item: its spread is unseen")
    if area in (0.0, 1.0):
        return newcombe(area, v10.size, v01.size, level)
    se = sqrt(_variance(v10, v01))
    if se < 1e-12:
        note = UNRESPONSIVE if area == 0.5 else NO_VARIANCE
        return Interval(nan, nan, "none", note)
    z = float(norm.ppf((1 + level) / 2))
    if scale == "identity":
        return Interval(area - z * se, area + z * se, "DeLong")
    return replace(on_logit_scale(area, se, z), method="DeLong, logit scale")


def _variance(v10: Floats, v01: Floats) -> float:
    """Var(V10) / n1 + var(V01) / n0."""
    return float(v10.var(ddof=1) / v10.size + v01.var(ddof=1) / v01.size)
