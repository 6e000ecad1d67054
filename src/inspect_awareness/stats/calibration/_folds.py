"""Folds that keep groups whole, and hold as much of each label as groups allow."""

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats._arrays import Floats, Ids


def grouped_folds(
    evaluation: Floats, groups: Ids, folds: int, rng: np.random.Generator
) -> Ids:
    """The fold of each item.

    The largest groups are placed first, groups of one size in random order. With
    s_fc the share of label c's items that fold f holds, and g_c the group's own, a
    group goes where sum_c s_fc g_c is least, which is where sum s^2 grows least; but
    never so that one fold holds all items of a label, if that can be avoided.
    """
    counts = np.column_stack(
        [np.bincount(groups, weights=evaluation == label) for label in (0, 1)]
    )
    totals = counts.sum(axis=0)
    order = rng.permutation(counts.shape[0])
    order = order[np.argsort(-counts[order].sum(axis=1), kind="stable")]
    fold_of = np.empty(counts.shape[0], dtype=np.int64)
    held, left = np.zeros((folds, 2)), totals.copy()
    for group in order:
        own = counts[group]
        cost = (held / totals) @ (own / totals) + 1e-9 * held.sum(axis=1)
        cost += _hoarded(held, own, left, totals)
        fold = int(np.argmin(cost))
        fold_of[group] = fold
        held[fold] += own
        left -= own
    return np.asarray(fold_of[groups], dtype=np.int64)


def _hoarded(
    held: Floats, own: Floats, left: Floats, totals: Floats
) -> npt.NDArray[np.float64] | float:
    """A price on a fold that would get the last group of a label, and so all of it."""
    last = (left == own) & (own > 0)
    if not last.any():
        return 0.0
    return np.asarray(((held + own == totals) & last).any(axis=1) * 10.0)
