"""Agreement of several raters, where some may be missing."""

from math import nan
from typing import Literal

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats._arrays import Floats
from inspect_awareness.stats._estimate import Estimate, undefined
from inspect_awareness.stats._leave_one_out import jackknife

Metric = Literal["nominal", "ordinal", "interval"]
"""How far apart two ratings are: equal or not, by rank, by difference."""

NO_PAIR = "no item has two ratings, so there is nothing to agree on"
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
    values = np.unique(table[~np.isnan(table)])
    each = (table.T[:, :, None] == values).sum(1).astype(np.float64)
    each = each[each.sum(1) >= 2]
    if not each.size:
        return undefined(level, NO_PAIR)
    n, items = int(each.sum()), each.shape[0]
    weighted = each / (each.sum(1, keepdims=True) - 1)
    pairs, totals = each.T @ weighted, each.sum(0)
    value = _alpha(pairs, totals, values, metric)
    if np.isnan(value):
        return undefined(level, ONE_VALUE, n=n, clusters=items)
    without = [
        _alpha(pairs - np.outer(one, shared), totals - one, values, metric)
        for one, shared in zip(each, weighted, strict=True)
    ]
    return jackknife(value, np.array(without), level, bounds=(-1.0, 1.0)).around(
        value, level=level, n=n, clusters=items, unit="item"
    )


def _beyond_chance(agreeing: npt.ArrayLike, shares: Floats) -> Floats:
    """(P - sum p^2) / (1 - sum p^2); NaN where chance agreement is complete."""
    chance = (shares**2).sum(-1)
    room = np.where(chance < 1 - 1e-12, 1 - chance, nan)
    return np.asarray((agreeing - chance) / room, dtype=np.float64)


def _alpha(pairs: Floats, totals: Floats, values: Floats, metric: Metric) -> float:
    """1 - Do / De from the pairs of values inside items, and all ratings of each."""
    apart = _apart(totals, values, metric)
    everywhere = float(totals @ apart @ totals)
    if everywhere <= 0:
        return nan
    return 1 - float(np.sum(pairs * apart)) * (float(totals.sum()) - 1) / everywhere


def _apart(totals: Floats, values: Floats, metric: Metric) -> Floats:
    """Squared differences between values; by rank, half the ends count."""
    if metric == "nominal":
        return np.asarray(1 - np.eye(values.size), dtype=np.float64)
    if metric == "ordinal":
        place = np.cumsum(totals) - totals / 2
    elif metric == "interval":
        place = values
    else:
        raise ValueError(f"metric must be nominal, ordinal or interval, got {metric!r}")
    return np.asarray((place[:, None] - place[None, :]) ** 2, dtype=np.float64)
