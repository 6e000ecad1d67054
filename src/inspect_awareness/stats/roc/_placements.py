"""Placement values: where each score stands among those of the other class."""

import numpy as np
from scipy.stats import rankdata

from inspect_awareness.stats._arrays import Floats


def placements(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """V10 = (rank in both - rank in own class) / n0, and V01 the other way.

    V10_i = P(x_i > Y) + P(x_i = Y) / 2 for each evaluation score, and
    V01_j = P(X > y_j) + P(X = y_j) / 2 for each deployment score; the mean of either
    is the AUROC.
    """
    rank = rankdata(np.concatenate([x, y]))
    v10 = (rank[: x.size] - rankdata(x)) / y.size
    v01 = 1 - (rank[x.size :] - rankdata(y)) / x.size
    return np.asarray(v10), np.asarray(v01)
