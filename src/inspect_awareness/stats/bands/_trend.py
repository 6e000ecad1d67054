"""Whether longer samples of the same task are aware more often."""

from dataclasses import dataclass
from math import nan

import numpy as np

from inspect_awareness.stats._arrays import Floats, Ids
from inspect_awareness.stats._estimate import Estimate, undefined
from inspect_awareness.stats.tax._fixed_effects import cr2_fit
from inspect_awareness.stats.tax._permutation import permutation_p
from inspect_awareness.stats.tax._strata import samples_of

ALL_TIED = "within every task all amounts are equal: there is no longer or shorter"


@dataclass(frozen=True)
class Trend:
    """A slope within strata, and its permutation p-value."""

    slope: Estimate
    p: float


def trend_within(
    x: Floats,
    place: Floats,
    stratum: Ids,
    task: Ids,
    *,
    rng: np.random.Generator,
    level: float,
    draws: int,
) -> Trend:
    """The slope of awareness on the place of an amount, each centred in its stratum.

    The p-value is that of the tax, with places as outcomes: sum over aware samples of
    (u - mean u) is the numerator of the slope, and moving the labels among the samples
    of a stratum is moving the amounts.
    """
    count = np.bincount(stratum)
    u, y = (v - (np.bincount(stratum, v) / count)[stratum] for v in (place, x))
    if not float(np.abs(u).max()) > 1e-9:
        return Trend(undefined(level, ALL_TIED, n=x.size), nan)
    fit = cr2_fit(u[:, None], y, task)[0]
    slope = fit.interval(level).around(
        fit.value, level=level, n=x.size, clusters=fit.clusters, unit="task"
    )
    hits = np.bincount(stratum, x)
    mixed = ((hits > 0) & (hits < count))[stratum]
    samples = samples_of(
        place[mixed], x[mixed], tasks=stratum[mixed], models=None, benchmarks=None
    )
    return Trend(slope, permutation_p(samples, rng=rng, draws=draws))
