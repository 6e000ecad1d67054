"""The AUROC under weights: every resample of the bootstrap in one pass."""

import numpy as np

from inspect_awareness.stats._arrays import Floats
from inspect_awareness.stats.roc._ranked import Labels


def weighted_areas(scores: Floats, evaluation: Labels, weights: Floats) -> Floats:
    """AUROC of one instrument under each row of weights.

    sum_i sum_j w_i w_j (1[s_i > s_j] + 1[s_i = s_j] / 2) / (W1 W0) over evaluation
    items i and deployment items j, by cumulative sums along the sorted scores. A
    weight that counts how often an item was drawn gives the AUROC of the resample.

    Args:
        scores: Shape (n,).
        evaluation: Shape (n,).
        weights: Shape (draws, n), none negative.

    Returns:
        Areas of shape (draws,); NaN where a class has no weight.
    """
    if not scores.size:
        return np.full(weights.shape[0], np.nan)
    order = np.argsort(scores, kind="stable")
    ordered = scores[order]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
    sorted_weights = weights.T[order]
    is_evaluation = evaluation[order]
    if starts.size == ordered.size:
        return _untied(sorted_weights, is_evaluation)
    up = np.add.reduceat(sorted_weights * is_evaluation[:, None], starts, axis=0)
    down = np.add.reduceat(sorted_weights * ~is_evaluation[:, None], starts, axis=0)
    below = np.cumsum(down, axis=0) - down / 2
    return _ratio(np.einsum("ij,ij->j", up, below), up.sum(axis=0), down.sum(axis=0))


def _untied(weights: Floats, evaluation: Labels) -> Floats:
    """The same for scores without ties, weights as (n, draws) in order of score."""
    up, down = weights[evaluation], weights[~evaluation]
    below = np.vstack([np.zeros((1, weights.shape[1])), np.cumsum(down, axis=0)])
    passed = np.cumsum(~evaluation)[evaluation]
    wins = np.einsum("ij,ij->j", up, below[passed])
    return _ratio(wins, up.sum(axis=0), below[-1])


def _ratio(wins: Floats, up: Floats, down: Floats) -> Floats:
    """Wins over pairs; NaN without a pair."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(up * down > 0, wins / (up * down), np.nan)
