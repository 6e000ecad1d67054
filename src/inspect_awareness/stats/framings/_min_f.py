"""Min F': does an effect of framing hold beyond these framings and these items?"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import nan

import numpy as np
import numpy.typing as npt
from scipy.stats import f as f_distribution

from inspect_awareness.stats._arrays import Floats, Ids, matching_ids


@dataclass(frozen=True)
class FTest:
    """An F statistic with its degrees of freedom and p."""

    f: float
    """The statistic; NaN where its error is 0."""

    df_effect: float
    """Degrees of freedom of the effect."""

    df_error: float
    """Degrees of freedom of the error."""

    p: float
    """Upper tail."""


@dataclass(frozen=True)
class MinF:
    """A contrast of families of framings, tested three ways."""

    min_f: FTest
    """Min F': items and framings are both samples."""

    by_items: FTest
    """F1: the framings are the only ones there are. Too sure of itself."""

    by_framings: FTest
    """F2: the items are the only ones there are."""

    items: int
    """How many items."""

    framings: tuple[int, ...]
    """How many framings in each family, in order of first appearance."""

    note: str = ""
    """What a reader must know."""


def min_f(
    values: npt.ArrayLike, families: Sequence[Hashable] | npt.NDArray[np.generic]
) -> MinF:
    """Clark's min F' for families of framings (evaluation, neutral) over items.

    F1 = MS(family) / MS(item x family), from the mean of each item in each family; F2 =
    MS(family) / MS(framing in family), from the mean of each framing;
    min F' = F1 F2 / (F1 + F2) on G - 1 and (F1 + F2)^2 / (F1^2 / n2 + F2^2 / n1) degrees
    of freedom, with n1 and n2 the error df of F1 and F2. It is a lower bound of the
    quasi-F of the design in which both items and framings are random.

    Args:
        values: A value of each item (row) under each framing (column), shape
            (items, framings).
        families: The family of each framing, shape (framings,).

    Returns:
        Min F' beside the two tests that it combines.

    Raises:
        ValueError: Not a matrix, a NaN, fewer than 2 items or families, or no family
            with 2 framings.

    References:
        Clark (1973), The language-as-fixed-effect fallacy.
    """
    y, ids = _checked(values, families)
    counts = np.bincount(ids)
    groups = np.stack([y[:, ids == g].mean(axis=1) for g in range(counts.size)], axis=1)
    by_items = _by_items(groups)
    by_framings = _by_framings(y.mean(axis=0), ids)
    unequal = "families differ in size: F1 weighs them alike, F2 by their framings"
    return MinF(
        _combined(by_items, by_framings),
        by_items,
        by_framings,
        y.shape[0],
        tuple(int(c) for c in counts),
        unequal if np.ptp(counts) else "",
    )


def _checked(
    values: npt.ArrayLike, families: Sequence[Hashable] | npt.NDArray[np.generic]
) -> tuple[Floats, Ids]:
    """A complete matrix, and two or more families."""
    y = np.asarray(values, dtype=np.float64)
    if y.ndim != 2 or y.shape[0] < 2:
        raise ValueError(f"2 or more items (rows) by framings, got shape {y.shape}")
    bad = int((~np.isfinite(y)).sum())
    if bad:
        raise ValueError(
            f"{bad} of {y.size} values are NaN or infinite: min F' needs every item "
            "under every framing; `framing_effect` takes what is there"
        )
    ids = matching_ids(families, y.shape[1], "families")
    counts = np.bincount(ids)
    if counts.size < 2:
        raise ValueError("2 or more families of framings are needed, got 1")
    if counts.max() < 2:
        raise ValueError(
            "every family has one framing: how much framings of a family differ "
            "cannot be seen"
        )
    return y, ids


def _by_items(groups: Floats) -> FTest:
    """F1 from the items' means in each family, shape (items, families)."""
    items, count = groups.shape
    means = groups.mean(axis=0)
    effect = items * np.sum((means - means.mean()) ** 2)
    rest = groups - means - groups.mean(axis=1, keepdims=True) + groups.mean()
    return _test(
        effect, float(np.sum(rest**2)), (count - 1, (count - 1) * (items - 1)), groups
    )


def _by_framings(means: Floats, ids: Ids) -> FTest:
    """F2 from the framings' means, one-way between families."""
    counts = np.bincount(ids)
    own = np.bincount(ids, weights=means) / counts
    effect = float(counts @ (own - means.mean()) ** 2)
    rest = float(np.sum((means - own[ids]) ** 2))
    return _test(effect, rest, (counts.size - 1, means.size - counts.size), means)


def _test(effect: float, rest: float, df: tuple[int, int], values: Floats) -> FTest:
    """F from sums of squares; undefined where the error is only rounding."""
    floor = 1e-24 * float(np.sum((values - values.mean()) ** 2))
    if rest <= floor:
        return FTest(nan, *df, nan)
    f = (effect / df[0]) / (rest / df[1])
    return FTest(float(f), *df, float(f_distribution.sf(f, *df)))


def _combined(one: FTest, two: FTest) -> FTest:
    """Min F' from F1 and F2."""
    total = one.f + two.f
    if not total > 0:  # 0 / 0 where the families' means are equal exactly, or NaN
        value = 0.0 if total == 0 else nan
        return FTest(value, one.df_effect, nan, 1.0 if total == 0 else nan)
    f = one.f * two.f / total
    df = total**2 / (one.f**2 / two.df_error + two.f**2 / one.df_error)
    return FTest(f, one.df_effect, df, float(f_distribution.sf(f, one.df_effect, df)))
