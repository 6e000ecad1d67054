"""Variance components of unbalanced or incomplete designs by analogous sums."""

import numpy as np

from inspect_awareness.stats._arrays import Floats, Ids
from inspect_awareness.stats.generalizability._cells import Cells


def henderson_raw(cells: Cells) -> Floats:
    """Components by Henderson's first method, in the order of the effects.

    T(a) = sum over levels of a of (sum of values)^2 / n_a, and
    E[T(a)] = N mu^2 + sum over b of sigma^2(b) sum of n_ab^2 / n_a. Subtracting the
    equation of the mean leaves as many equations as components; in a balanced design
    they give the ANOVA components.

    Raises:
        ValueError: Two effects are the same groups of values.
    """
    y = cells.values - cells.values[0]
    y = y - y.mean()
    effects = [cells.ids(effect) for effect in cells.design.effects]
    whole = np.zeros(y.size, dtype=np.int64)
    left = [[_weight(a, b) - _weight(whole, b) for b in effects] for a in effects]
    right = [_total(y, a) - _total(y, whole) for a in effects]
    try:
        return np.asarray(np.linalg.solve(left, right), dtype=np.float64)
    except np.linalg.LinAlgError as ex:
        raise ValueError("two effects cannot be told apart in this table") from ex


def _total(y: Floats, ids: Ids) -> float:
    """Sum of squared sums over counts."""
    return float(np.sum(np.bincount(ids, weights=y) ** 2 / np.bincount(ids)))


def _weight(a: Ids, b: Ids) -> float:
    """Sum over levels of a, and of b in it, of n_ab^2 / n_a."""
    joint, counts = np.unique(a * (int(b.max()) + 1) + b, return_counts=True)
    inside = np.bincount(a)[joint // (int(b.max()) + 1)]
    return float(np.sum(counts**2 / inside))
