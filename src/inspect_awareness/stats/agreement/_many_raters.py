"""Agreement of several raters, where some may be missing."""

from math import nan
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats._arrays import Floats
from inspect_awareness.stats._estimate import Estimate, undefined
from inspect_awareness.stats._leave_one_out import jackknife

Metric = Literal["nominal", "ordinal", "interval"]
"""How far apart two ratings are: equal or not, by rank, by difference."""

NO_PAIR = "no item has two ratings, so there is nothing to agree on"
MOST_RANKS = 100
"""Different values that an ordinal scale may have."""

ONE_VALUE = "every rating is the same: chance agreement is complete"


def fleiss_kappa(counts: npt.ArrayLike, *, level: float = 0.95) -> Estimate:
    """Fleiss' kappa: several raters, each item rated equally often.

    kappa = (P - Pe) / (1 - Pe), with P the mean over items of the share of pairs of
    ratings that agree and Pe = sum_c p_c^2. Interval by the jackknife over items.

    Args:
        counts: Shape (items, categories): how many raters chose each category.
        level: Nominal coverage.

    Returns:
        The estimate; NaN where all ratings are one category.

    Raises:
        ValueError: A count is negative or fractional, or items have different
            numbers of ratings or fewer than two (`krippendorff_alpha` takes those).

    References:
        Fleiss, Psychological Bulletin 76 (1971) 378.
    """
    table = np.asarray(counts, dtype=np.float64)
    if table.ndim != 2:
        raise ValueError(f"items x categories are needed, got {table.ndim} dimensions")
    if not ((table >= 0) & (table == np.floor(table)) & np.isfinite(table)).all():
        raise ValueError("every count must be a whole number from 0 on")
    if not table.size:
        return undefined(level, NO_PAIR)
    raters = table.sum(1)
    if raters.min() != raters.max() or raters[0] < 2:
        raise ValueError(
            f"each item needs equally many ratings, two at least, got "
            f"{raters.min():.0f} to {raters.max():.0f}: use krippendorff_alpha"
        )
    n, m = table.shape[0], raters[0]
    agreeing = ((table**2).sum(1) - m) / (m * (m - 1))
    totals = table.sum(0)
    value = float(_beyond_chance(agreeing.mean(), totals / (n * m)))
    if np.isnan(value):
        return undefined(level, ONE_VALUE, n=int(n * m), clusters=n)
    left = max(n - 1, 1)
    without = _beyond_chance(
        (agreeing.sum() - agreeing) / left, (totals - table) / (left * m)
    )
    return jackknife(value, without, level, bounds=(-1.0, 1.0)).around(
        value, level=level, n=int(n * m), clusters=n, unit="item"
    )


def krippendorff_alpha(
    ratings: npt.ArrayLike, *, metric: Metric = "nominal", level: float = 0.95
) -> Estimate:
    """Krippendorff's alpha: any number of raters and categories, ratings may lack.

    alpha = 1 - Do / De: Do is the mean squared difference of ratings of one item,
    each item weighted by its number of ratings; De is that of all ratings that can be
    paired. Items with fewer than two ratings say nothing about agreement and are left
    out. Interval by the jackknife over items.

    Args:
        ratings: Shape (raters, items); NaN where a rater did not rate an item.
        metric: `nominal` (equal or not), `ordinal` or `interval`.
        level: Nominal coverage.

    Returns:
        The estimate; its `n` are the ratings used, its `clusters` the items. NaN
        where no item has two ratings, or all ratings are equal.

    Raises:
        ValueError: The ratings are no matrix, one is infinite, or the metric is none.

    References:
        Krippendorff, Content Analysis, 4th ed. (2018), chapter 12.
    """
    table = np.asarray(ratings, dtype=np.float64)
    if table.ndim != 2 or np.isinf(table).any():
        raise ValueError("ratings must be finite or NaN, shape (raters, items)")
    if metric not in get_args(Metric):
        raise ValueError(f"metric must be nominal, ordinal or interval, got {metric!r}")
    table = table[:, (~np.isnan(table)).sum(0) >= 2]
    if not table.size:
        return undefined(level, NO_PAIR)
    n, items = int((~np.isnan(table)).sum()), table.shape[1]
    value, without = _WAYS[metric](table)
    if np.isnan(value):
        return undefined(level, ONE_VALUE, n=n, clusters=items)
    return jackknife(value, without, level, bounds=(-1.0, 1.0)).around(
        value, level=level, n=n, clusters=items, unit="item"
    )


def _beyond_chance(agreeing: npt.ArrayLike, shares: Floats) -> Floats:
    """(P - sum p^2) / (1 - sum p^2); NaN where chance agreement is complete."""
    chance = (shares**2).sum(-1)
    room = np.where(chance < 1 - 1e-12, 1 - chance, nan)
    return np.asarray((agreeing - chance) / room, dtype=np.float64)


def _nominal(table: Floats) -> tuple[float, Floats]:
    """Alpha, and without each item, from n_uc: ratings of item u in category c.

    Do_u = (m_u^2 - sum_c n_uc^2) / (m_u - 1) and De = n^2 - sum_c n_c^2.
    """
    known = ~np.isnan(table)
    values = np.unique(table[known], return_inverse=True)[1].reshape(-1)
    items = np.broadcast_to(np.arange(table.shape[1]), table.shape)[known]
    width = int(values.max()) + 1
    cell, count = np.unique(items * width + values, return_counts=True)
    item, total = cell // width, np.bincount(values)
    size = known.sum(0)
    squares = np.bincount(item, count**2)
    shared = np.bincount(item, count * total[cell % width])
    apart = (size**2 - squares) / (size - 1)
    n, everything = int(size.sum()), float(np.sum(total.astype(float) ** 2))
    left = (n - size) ** 2 - (everything - 2 * shared + squares)
    return _ratios(apart, size, n**2 - everything, left)


def _interval(table: Floats) -> tuple[float, Floats]:
    """The same from sums: sum over pairs of (a - b)^2 = 2 m sum x^2 - 2 (sum x)^2."""
    known = ~np.isnan(table)
    size = known.sum(0)
    x = np.where(known, table - np.mean(table[known]), 0.0)
    x = x / max(float(np.abs(x).max()), np.finfo(float).tiny)
    first, second = x.sum(0), (x**2).sum(0)
    apart = 2 * (size * second - first**2) / (size - 1)
    n, s1, s2 = int(size.sum()), float(first.sum()), float(second.sum())
    left = 2 * ((n - size) * (s2 - second) - (s1 - first) ** 2)
    return _ratios(apart, size, 2 * (n * s2 - s1**2), left)


def _ordinal(table: Floats) -> tuple[float, Floats]:
    """The same with places that shift when an item is left out; alike items once."""
    values = np.unique(table[~np.isnan(table)])
    if values.size > MOST_RANKS:
        raise ValueError(
            f"ordinal ratings with {values.size} different values, {MOST_RANKS} at "
            "most: use the metric interval"
        )
    each = np.stack([(table == v).sum(0) for v in values], axis=1).astype(np.float64)
    weighted = each / (each.sum(1, keepdims=True) - 1)
    pairs, totals = each.T @ weighted, each.sum(0)
    kinds, where = np.unique(each, axis=0, return_inverse=True)
    without = [
        _by_rank(pairs - np.outer(kind, kind) / (kind.sum() - 1), totals - kind)
        for kind in kinds
    ]
    return _by_rank(pairs, totals), np.array(without)[where.reshape(-1)]


def _by_rank(pairs: Floats, totals: Floats) -> float:
    """1 - Do / De from pairs of values inside items; half of a value's ratings count."""
    place = np.cumsum(totals) - totals / 2
    apart = (place[:, None] - place[None, :]) ** 2
    everywhere = float(totals @ apart @ totals)
    if everywhere <= 0:
        return nan
    return 1 - float(np.sum(pairs * apart)) * (float(totals.sum()) - 1) / everywhere


def _ratios(
    apart: Floats, size: Floats, everywhere: float, left: Floats
) -> tuple[float, Floats]:
    """1 - (n - 1) sum Do_u / De with all items, and without each."""
    n = float(size.sum())
    room = 1e-12 * n**2
    if everywhere <= room:
        return nan, np.full(size.size, nan)
    value = 1 - (n - 1) * float(apart.sum()) / everywhere
    inside = np.where(left > room, left, nan)
    without = 1 - (n - size - 1) * (apart.sum() - apart) / inside
    return value, np.asarray(without, dtype=np.float64)


_WAYS = {"nominal": _nominal, "ordinal": _ordinal, "interval": _interval}
