"""Awareness labels moved within each model and task: what chance alone would give."""

from collections.abc import Iterator
from math import comb, nan

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats._arrays import Floats
from inspect_awareness.stats.tax._strata import Flags, Samples

ENUMERATED = 1_000
"""Up to this many choices of the aware samples of a task all are looked at."""

AT_ONCE = 4_000_000
"""How many numbers a step of a simulation holds."""

Masks = npt.NDArray[np.float64]
"""Choices of which samples count as aware, shape (choices, samples of a task)."""


def permutation_p(samples: Samples, *, rng: np.random.Generator, draws: int) -> float:
    """The two-sided p-value of no effect of any sample's awareness.

    The statistic is sum_t sum_(aware in t) (y - mean_t) = sum_t w_t D_t; the labels
    of each task are permuted among its samples. Exact for binary outcomes, where a
    task's sum is hypergeometric, by convolution; else by draws,
    (1 + #{|T*| >= |T|}) / (draws + 1). Takes informative tasks only.
    """
    if not samples.aware.size:
        return nan
    if samples.binary.all():
        return _exact_p(samples)
    observed = 0.0
    drawn = np.zeros(draws)
    for outcomes, aware in same_sized(samples):
        centred = outcomes - outcomes.mean(1, keepdims=True)
        observed += float(centred[aware].sum())
        drawn += _drawn_sums(centred, int(aware[0].sum()), rng, draws)
    extreme = np.abs(drawn) >= abs(observed) - 1e-9
    return float((1 + extreme.sum()) / (draws + 1))


def same_sized(samples: Samples) -> Iterator[tuple[Floats, Flags]]:
    """Outcomes and awareness of tasks with equally many samples and aware ones.

    Each as (tasks, samples of a task), aware samples first.
    """
    order = np.lexsort((~samples.aware, samples.stratum))
    _, start, size = np.unique(
        samples.stratum[order], return_index=True, return_counts=True
    )
    n_aware = np.add.reduceat(samples.aware[order].astype(np.int64), start)
    kinds = np.stack([size, n_aware], axis=1)
    for m, a in np.unique(kinds, axis=0):
        rows = start[(size == m) & (n_aware == a)][:, None] + np.arange(m)
        yield samples.outcome[order][rows], samples.aware[order][rows]


def choices(size: int, chosen: int, rng: np.random.Generator) -> Masks:
    """All ways to choose, or as many random ones as are looked at."""
    if comb(size, chosen) <= ENUMERATED:
        picked = _combinations(size, chosen)
    else:
        keys = rng.random((ENUMERATED, size))
        picked = np.argpartition(keys, chosen - 1, axis=1)[:, :chosen]
    masks = np.zeros((picked.shape[0], size))
    np.put_along_axis(masks, picked, 1.0, axis=1)
    return masks


def hypergeometric(size: int, ones: int, chosen: int) -> tuple[Floats, Floats]:
    """How many ones may be among the chosen, and C(k, s) C(m - k, a - s) / C(m, a)."""
    hits = range(max(0, chosen - (size - ones)), min(ones, chosen) + 1)
    ways = [comb(ones, s) * comb(size - ones, chosen - s) for s in hits]
    chance = [each / comb(size, chosen) for each in ways]
    return np.array(hits, dtype=np.float64), np.array(chance)


def _combinations(size: int, chosen: int) -> npt.NDArray[np.intp]:
    """All ways to choose; where most are chosen, by way of those that are not."""
    if chosen > size / 2:
        left = _combinations(size, size - chosen)
        kept = np.ones((left.shape[0], size), dtype=bool)
        np.put_along_axis(kept, left, values=False, axis=1)
        return np.nonzero(kept)[1].reshape(-1, chosen)
    rows: list[tuple[int, ...]] = [()]
    for _ in range(chosen):
        rows = [(*r, k) for r in rows for k in range(r[-1] + 1 if r else 0, size)]
    return np.array(rows, dtype=np.intp).reshape(len(rows), chosen)


def _drawn_sums(
    centred: Floats, chosen: int, rng: np.random.Generator, draws: int
) -> Floats:
    """Sums over tasks of the outcomes that random choices call aware."""
    tasks, size = centred.shape
    total = np.zeros(draws)
    if comb(size, chosen) > ENUMERATED:
        for task in centred:
            for part in _parts(draws, size):
                keys = rng.random((part.size, size))
                picked = np.argpartition(keys, chosen - 1, axis=1)[:, :chosen]
                total[part] += task[picked].sum(1)
        return total
    sums = centred @ choices(size, chosen, rng).T
    for part in _parts(tasks, draws):
        which = rng.integers(0, sums.shape[1], (part.size, draws))
        total += np.take_along_axis(sums[part], which, axis=1).sum(0)
    return total


def _parts(count: int, width: int) -> Iterator[npt.NDArray[np.intp]]:
    """0 ... count - 1 in parts of which `width` copies can be held."""
    step = max(1, AT_ONCE // width)
    yield from (np.arange(k, min(k + step, count)) for k in range(0, count, step))


def _exact_p(samples: Samples) -> float:
    """The sum of hypergeometrics, convolved: P(|S - E S| >= |s - E S|)."""
    chance, start, observed, expected = np.ones(1), 0, 0.0, 0.0
    for outcomes, aware in same_sized(samples):
        size, chosen = outcomes.shape[1], int(aware[0].sum())
        observed += float(outcomes[aware].sum())
        ones, how_often = np.unique(
            outcomes.sum(1).astype(np.int64), return_counts=True
        )
        for k, count in zip(ones.tolist(), how_often.tolist(), strict=True):
            hits, mass = hypergeometric(size, k, chosen)
            expected += count * chosen * k / size
            start += count * int(hits[0])
            if hits.size > 1:
                chance = np.convolve(chance, _power(mass, count))
    at = start + np.arange(chance.size)
    extreme = np.abs(at - expected) >= abs(observed - expected) - 1e-9
    return min(1.0, float(chance[extreme].sum()))


def _power(mass: Floats, count: int) -> Floats:
    """The distribution of the sum of `count` independent copies, by squaring."""
    result = np.ones(1)
    while count:
        if count % 2:
            result = np.convolve(result, mass)
        count //= 2
        if count:
            mass = np.convolve(mass, mass)
    return result
