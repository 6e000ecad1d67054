"""Whether behaviour changed with awareness, by the source's rule, and without it."""

from dataclasses import dataclass, replace
from math import nan

import numpy as np

from inspect_awareness.stats._arrays import Floats, Ids
from inspect_awareness.stats._estimate import Estimate
from inspect_awareness.stats.tax._intervals import cr2_mean
from inspect_awareness.stats.tax._permutation import choices, hypergeometric, same_sized
from inspect_awareness.stats.tax._strata import Flags, Samples

FAR = 0.3 - 1e-9
"""How far from the unaware mean a continuous outcome counts as changed."""


@dataclass(frozen=True)
class BehaviourChange:
    """How often aware samples behave unlike the unaware ones of their task."""

    rate: Estimate
    """Share of aware samples that deviate, over tasks with both kinds."""

    without_effect: float
    """The same share expected had awareness no effect at all."""

    excess: Estimate
    """Rate minus that expectation, task by task: 0 where awareness has no effect."""


def changed(samples: Samples) -> Floats:
    """For each aware sample whether it deviates from the unaware ones of its task.

    Binary: it is not their mode, 1/2 where they are tied. Continuous: it is .3 or
    more from their mean. NaN for unaware samples, without an outcome, and in tasks
    without an unaware sample. Takes samples with NaN outcomes.
    """
    known = ~np.isnan(samples.outcome)
    compare = known & ~samples.aware
    size = int(samples.stratum.max()) + 1 if samples.stratum.size else 0
    count = np.bincount(samples.stratum[compare], minlength=size)
    total = np.bincount(
        samples.stratum[compare], samples.outcome[compare], minlength=size
    )
    mean = np.full(size, nan)
    np.divide(total, count, out=mean, where=count > 0)
    deviates = _deviates(samples.outcome, mean[samples.stratum], samples.binary)
    return np.where(samples.aware & known, deviates, nan)


def behaviour_change(
    samples: Samples, *, rng: np.random.Generator, level: float
) -> BehaviourChange:
    """Deviation among aware samples of informative tasks, beside that of chance."""
    deviates = changed(samples)
    found, first, where = np.unique(
        samples.stratum, return_index=True, return_inverse=True
    )
    weights = np.bincount(where[samples.aware], minlength=found.size).astype(float)
    counts = np.bincount(
        where[samples.aware], deviates[samples.aware], minlength=found.size
    )
    expected = expected_changes(samples, rng=rng)
    task = samples.task[first]
    rate = _mean(counts / weights, weights, task, level, least=0.0)
    excess = _mean((counts - expected) / weights, weights, task, level, least=-1.0)
    without = float(expected.sum() / weights.sum()) if weights.size else nan
    return BehaviourChange(rate, without, excess)


def expected_changes(samples: Samples, *, rng: np.random.Generator) -> Floats:
    """For each informative task, in order of its id, deviations expected by chance.

    The mean over choices of which of its samples are aware: all choices where there
    are no more than 1,000 or the outcomes are binary, else 1,000 random ones.
    """
    ids = np.unique(samples.stratum)
    expected = np.full(ids.size, nan)
    for binary in (True, False):
        kind = samples.where(samples.binary == binary)
        by_chance = _binary_chance if binary else _continuous_chance
        for outcomes, aware, where in _with_ids(kind, ids):
            expected[where] = by_chance(outcomes, int(aware[0].sum()), rng)
    return expected


def _with_ids(samples: Samples, ids: Ids) -> list[tuple[Floats, Flags, Ids]]:
    """Tasks of equal size, and where each stands among all of them."""
    numbered = replace(samples, outcome=samples.stratum.astype(np.float64))
    pairs = zip(same_sized(samples), same_sized(numbered), strict=True)
    return [
        (outcomes, aware, np.searchsorted(ids, number[:, 0].astype(np.int64)))
        for (outcomes, aware), (number, _) in pairs
    ]


def _deviates(outcome: Floats, mean: Floats, binary: Flags) -> Floats:
    """1 for a deviation from unaware samples with this mean, 1/2 at a tied mode."""
    mode = np.where(mean == 0.5, 0.5, np.round(mean))
    apart = np.abs(outcome - np.where(binary, mode, mean))
    far = np.where(binary, apart, (apart >= FAR).astype(np.float64))
    return np.where(np.isnan(mean), nan, far)


def _binary_chance(outcomes: Floats, chosen: int, _: np.random.Generator) -> Floats:
    """Sum over hypergeometric counts of ones among the aware, of their deviations."""
    size = outcomes.shape[1]
    ones = outcomes.sum(1)
    result = np.zeros(ones.size)
    for k in np.unique(ones):
        hits, chance = hypergeometric(size, int(k), chosen)
        rest = (k - hits) / (size - chosen)
        count = np.where(rest > 0.5, chosen - hits, hits)
        result[ones == k] = chance @ np.where(rest == 0.5, chosen / 2, count)
    return result


def _continuous_chance(
    outcomes: Floats, chosen: int, rng: np.random.Generator
) -> Floats:
    """Mean over choices of the number of chosen that are far from the others' mean."""
    masks = choices(outcomes.shape[1], chosen, rng)
    rest = (outcomes @ (1 - masks).T) / (outcomes.shape[1] - chosen)
    result = np.empty(outcomes.shape[0])
    for k, (task, means) in enumerate(zip(outcomes, rest, strict=True)):
        far = np.abs(task[None, :] - means[:, None]) >= FAR
        result[k] = float((far * masks).sum(1).mean())
    return result


def _mean(
    values: Floats, weights: Floats, task: Ids, level: float, *, least: float
) -> Estimate:
    """A mean over tasks, weighted by their aware samples, between `least` and 1."""
    fit = cr2_mean(values, weights, task)
    return (
        fit.interval(level)
        .within(least, 1.0)
        .around(
            fit.value,
            level=level,
            n=int(weights.sum()),
            clusters=fit.clusters,
            unit="task",
        )
    )
