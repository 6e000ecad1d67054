"""Awareness rates of short, middling and long samples of the same task."""

from dataclasses import dataclass, replace
from math import nan

import numpy as np
import numpy.typing as npt
from scipy.stats import rankdata

from inspect_awareness.stats._arrays import Floats, Ids, matching_ids
from inspect_awareness.stats._binary import binary_or_nan
from inspect_awareness.stats._clustered_mean import clustered_mean
from inspect_awareness.stats._estimate import Estimate, undefined
from inspect_awareness.stats._intervals import Clusters
from inspect_awareness.stats.bands._ranked import parts, places
from inspect_awareness.stats.bands._trend import Trend, trend_within
from inspect_awareness.stats.rates import awareness_rate
from inspect_awareness.stats.rates._rates import groups, no_surer_than_none

Rows = list[npt.NDArray[np.intp]]
"""The rows of each pair of model and task."""

NO_STRATUM = "no task has as many known samples as there are bands"
NO_SAMPLE = "no sample falls into this band: many amounts are equal"


@dataclass(frozen=True)
class Band:
    """Samples with alike amounts."""

    number: int
    """From 1, the least amounts, on."""

    rate: Estimate
    """The awareness rate of the band; its `n` are samples that belong to it, in whole
    or in part."""

    amount: float
    """The mean amount of its samples."""


@dataclass(frozen=True)
class RatesByBand:
    """Awareness rates by amount, within tasks and pooled."""

    bands: tuple[Band, ...]
    """Equal parts of each model's samples of each task, by rank."""

    trend: Estimate
    """By how much the rate rises from the least amount to the greatest within tasks."""

    p: float
    """Its permutation p-value: amounts moved among the samples of each task."""

    pooled: tuple[Band, ...]
    """Equal parts of all samples by amount, of whichever task and model: where tasks
    that need much are tasks that arouse suspicion, these rates differ by that alone."""

    strata: int
    """Pairs of model and task that the bands within tasks rest on."""

    left_out: int
    """Pairs left out because they have fewer known samples than there are bands."""

    missing: int
    """Samples left out because awareness or amount is not known."""


def rates_by_band(
    aware: npt.ArrayLike,
    amount: npt.ArrayLike,
    *,
    tasks: Clusters,
    models: Clusters | None = None,
    bands: int = 3,
    rng: np.random.Generator,
    level: float = 0.95,
    draws: int = 9_999,
) -> RatesByBand:
    """Awareness rates by length (or another amount) of samples of the same task.

    Within each pair of model and task its m samples are put in order of amount and cut
    into equal parts. A sample on a cut belongs to both sides in proportion, and tied
    samples share what they fill together, so that each band has m / bands samples of
    every task: bands differ in amount, and not in tasks. A band's rate is the mean
    over pairs of its rate in the pair, with an interval over tasks as in
    `awareness_rate`.

    The trend is the slope b of aware = a_s + b u + e with a constant for each pair,
    u = rank / (m + 1): the change of the rate from the least amount to the greatest, if
    it is linear in the rank; the expected place of the amount, u, makes it the same for
    any m, and with few samples a task it may leave [-1, 1]. Interval: CR2 over tasks.
    Its p moves amounts among the samples of each pair.

    `pooled` cuts all samples together, by (rank - 1/2) / n, equal amounts into the same
    band: it mixes tasks, and models.

    Args:
        aware: 1 for aware, 0 for not, NaN where it is not known, shape (n,).
        amount: How long the reasoning (or what else) of each sample is, 0 or more; NaN
            where it is not known.
        tasks: The task of each sample; where there are several benchmarks, ids that
            differ between them.
        models: The model of each sample; None where there is one.
        bands: How many parts.
        rng: Source of the permutations.
        level: Nominal coverage.
        draws: How many permutations.

    Returns:
        The record. NaN, with a note, where no pair has enough known samples; the trend
        also where amounts are tied in every pair, its p where no such pair has both
        aware and unaware samples.

    Raises:
        ValueError: Awareness is not 0, 1 or NaN, an amount is negative or infinite, the
            lengths differ, or `bands` is below 2.

    References:
        EvalAwareBench, arXiv 2605.23055: awareness rate by response length, pooled.

    Example:
        >>> found = rates_by_band(
        ...     [0, 1, 0, 1], [10, 30, 500, 700], tasks=[1, 1, 2, 2], bands=2,
        ...     rng=np.random.default_rng(0),
        ... )
        >>> [band.rate.value for band in found.bands], round(found.trend.value, 9)
        ([0.0, 1.0], 3.0)
        >>> [band.rate.value for band in found.pooled]
        [0.5, 0.5]
    """
    if bands < 2:
        raise ValueError(f"bands is {bands}: a comparison needs 2 at least")
    x, size = _checked(aware, amount)
    task = matching_ids(tasks, x.size, "tasks")
    model = matching_ids([0] * x.size if models is None else models, x.size, "models")
    known = ~np.isnan(x) & ~np.isnan(size)
    x, size, task, model = x[known], size[known], task[known], model[known]
    every = list(groups(model, task))
    used = [rows for rows in every if rows.size >= bands]
    trend = _trend(x, size, task, used, rng=rng, level=level, draws=draws)
    return RatesByBand(
        bands=_within(x, size, task, used, bands, level),
        trend=trend.slope,
        p=trend.p,
        pooled=_pooled(x, size, task, bands, level),
        strata=len(used),
        left_out=len(every) - len(used),
        missing=int((~known).sum()),
    )


def _checked(aware: npt.ArrayLike, amount: npt.ArrayLike) -> tuple[Floats, Floats]:
    """Awareness as 0, 1 or NaN, and amounts of 0 or more or NaN."""
    x = binary_or_nan(aware, "aware")
    size = np.asarray(amount, dtype=np.float64)
    if size.shape != x.shape:
        raise ValueError(f"{size.size} amounts for {x.size} values of awareness")
    wrong = ~(np.isnan(size) | (np.isfinite(size) & (size >= 0)))
    if wrong.any():
        raise ValueError(
            f"an amount is 0 or more, or NaN (not known), got {size[wrong][0]:g}"
        )
    return x, size


def _within(
    x: Floats, size: Floats, task: Ids, used: Rows, bands: int, level: float
) -> tuple[Band, ...]:
    """Each pair of model and task cut into parts, and parts of one number put together."""
    if not used:
        nothing = undefined(level, NO_STRATUM)
        return tuple(Band(k + 1, nothing, nan) for k in range(bands))
    rates, amounts, held = np.empty((3, len(used), bands))
    for k, rows in enumerate(used):
        part = parts(size[rows], bands) * bands / rows.size
        rates[k], amounts[k] = x[rows] @ part, size[rows] @ part
        held[k] = (part > 0).sum(0)
    clusters = task[[rows[0] for rows in used]]
    return tuple(
        Band(
            k + 1,
            _mean_rate(rates[:, k], clusters, level, int(held[:, k].sum())),
            float(amounts[:, k].mean()),
        )
        for k in range(bands)
    )


def _mean_rate(rates: Floats, clusters: Ids, level: float, n: int) -> Estimate:
    """The mean over pairs, as a rate of n samples."""
    exact = np.round(rates, 12)  # parts of samples add up to 1 but for rounding
    found = clustered_mean(exact, clusters, level=level, unit="task")
    return replace(no_surer_than_none(found), n=n)


def _trend(
    x: Floats,
    size: Floats,
    task: Ids,
    used: Rows,
    *,
    rng: np.random.Generator,
    level: float,
    draws: int,
) -> Trend:
    """The trend over the pairs used."""
    if not used:
        return Trend(undefined(level, NO_STRATUM), nan)
    rows = np.concatenate(used)
    place = np.concatenate([places(size[each]) for each in used])
    stratum = np.repeat(np.arange(len(used)), [each.size for each in used])
    return trend_within(
        x[rows], place, stratum, task[rows], rng=rng, level=level, draws=draws
    )


def _pooled(
    x: Floats, size: Floats, task: Ids, bands: int, level: float
) -> tuple[Band, ...]:
    """All samples cut by amount."""
    if not x.size:
        nothing = undefined(level, "no sample of known awareness and amount")
        return tuple(Band(k + 1, nothing, nan) for k in range(bands))
    band = np.floor((rankdata(size) - 0.5) * bands / x.size).astype(np.int64)
    return tuple(
        _pooled_band(k + 1, x[band == k], size[band == k], task[band == k], level)
        for k in range(bands)
    )


def _pooled_band(number: int, x: Floats, size: Floats, task: Ids, level: float) -> Band:
    """One band over all samples."""
    if not x.size:
        return Band(number, undefined(level, NO_SAMPLE), nan)
    return Band(number, awareness_rate(x, task, level=level), float(size.mean()))
