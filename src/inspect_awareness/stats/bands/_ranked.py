"""Repeats of a task put into order, and the order cut into equal parts."""

import numpy as np
from scipy.stats import rankdata

from inspect_awareness.stats._arrays import Floats


def places(amount: Floats) -> Floats:
    """Rank / (m + 1) of each of m values, ties at their middle rank.

    The place that the value is expected to have among all of its kind, so that a slope
    on it does not depend on m.
    """
    return np.asarray(rankdata(amount) / (amount.size + 1), dtype=np.float64)


def parts(amount: Floats, bands: int) -> Floats:
    """How much of each value belongs to each band, shape (m, bands).

    In order, the values fill [0, 1] with 1 / m each, and band k is
    [k / bands, (k + 1) / bands]: a value belongs to the bands that it overlaps, and so
    each band gets m / bands of them. Tied values share what they fill together.
    """
    m = amount.size
    start = (rankdata(amount, method="min") - 1) / m
    end = rankdata(amount, method="max") / m
    edges = np.arange(bands + 1) / bands
    inside = np.minimum(end[:, None], edges[1:]) - np.maximum(
        start[:, None], edges[:-1]
    )
    return np.asarray(
        np.maximum(inside, 0.0) / (end - start)[:, None], dtype=np.float64
    )
