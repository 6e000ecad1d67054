"""AUROCs that compare positives and negatives of like awareness, with all the data."""

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from inspect_awareness.stats._arrays import Floats, Ids
from inspect_awareness.stats.correction._items import Items
from inspect_awareness.stats.correction._subsets import area_of
from inspect_awareness.stats.roc._weighted import weighted_areas

CALIPER = 0.2
"""How far apart matched items may be, in standard deviations of awareness."""

BLOCK = 512
"""Positive items that are matched at once."""


def pooled_within(items: Items, strata: Ids, weights: Floats) -> Floats:
    """Pairs won over pairs, both items of a pair in one stratum of awareness.

    sum_q n1q n0q A_q / sum_q n1q n0q, in each resample.
    """
    won = np.zeros(weights.shape[0])
    pairs = np.zeros(weights.shape[0])
    for stratum in np.unique(strata):
        members = strata == stratum
        up = weights[:, members & items.positive].sum(axis=1)
        down = weights[:, members & ~items.positive].sum(axis=1)
        some = up * down > 0
        pairs += up * down
        won[some] += (up * down * area_of(items, members, weights))[some]
    return _over(won, pairs)


def overlap_weights(items: Items) -> Floats:
    """1 - p for positives and p for negatives, p = P(positive | e) by logistic fit.

    Li, Morgan and Zaslavsky (2018): the weighted classes have the same mean of e
    exactly, and no weight exceeds 1.
    """
    spread = float(items.awareness.std())
    z = (items.awareness - items.awareness.mean()) / (spread or 1.0)
    chance = expit(_logistic(z, items.positive.astype(np.float64)))
    return np.where(items.positive, 1 - chance, chance)


def weighted(items: Items, overlap: Floats, weights: Floats) -> Floats:
    """The area under overlap weights, which are held fixed, in each resample."""
    return weighted_areas(items.scores, items.positive, weights * overlap)


def effective_size(overlap: Floats) -> float:
    """(sum w)^2 / sum w^2: as many items of equal weight would tell as much."""
    return float(overlap.sum() ** 2 / np.sum(overlap**2))


def matches(items: Items) -> npt.NDArray[np.bool_]:
    """Which negatives lie within the caliper of each positive, shape (n1, n0)."""
    e = items.awareness
    apart = np.abs(e[items.positive][:, None] - e[~items.positive][None, :])
    return np.asarray(apart <= CALIPER * e.std() + 1e-12)


def matched(items: Items, near: npt.NDArray[np.bool_], weights: Floats) -> Floats:
    """The mean chance of positives to beat a negative within the caliper.

    mean_i sum_j w_j K_ij 1[s_i > s_j] / sum_j w_j K_ij over the positives that have
    a match, ties counting half, in each resample.
    """
    x, y = items.scores[items.positive], items.scores[~items.positive]
    up = weights[:, items.positive]
    # Counts of draws and of half wins are exact in 32 bits, which are faster.
    down = weights[:, ~items.positive].astype(np.float32)
    won, used = np.zeros(weights.shape[0]), np.zeros(weights.shape[0])
    for start in range(0, x.size, BLOCK):
        part = slice(start, start + BLOCK)
        kernel = near[part].astype(np.float32)
        wins = (x[part, None] > y) + np.float32(0.5) * (x[part, None] == y)
        below = down @ kernel.T
        chance = down @ (kernel * wins).T
        some = np.where(below > 0, up[:, part], 0.0)
        used += some.sum(axis=1)
        won += (some * chance / np.where(below > 0, below, 1.0)).sum(axis=1)
    return _over(won, used)


def _over(won: Floats, pairs: Floats) -> Floats:
    """A ratio; NaN where there is nothing below."""
    return np.where(pairs > 0, won / np.where(pairs > 0, pairs, 1.0), np.nan)


def _logistic(z: Floats, y: Floats) -> Floats:
    """Fitted logits of a logistic regression on z, by Newton's method.

    A ridge of 1e-6 keeps the slope finite where the classes are separated.
    """
    design = np.stack([np.ones_like(z), z], axis=1)
    beta = np.zeros(2)
    for _ in range(50):
        chance = expit(design @ beta)
        gradient = design.T @ (y - chance) - 1e-6 * beta
        hessian = (design * (chance * (1 - chance))[:, None]).T @ design
        step = np.linalg.solve(hessian + 1e-6 * np.eye(2), gradient)
        beta += step
        if np.abs(step).max() < 1e-10:
            break
    return np.asarray(design @ beta)
