"""Where awareness varies: models, benchmarks, tasks, and their interactions."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import nan

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats._arrays import Floats, matching_ids
from inspect_awareness.stats._binary import binary_or_nan
from inspect_awareness.stats._estimate import Estimate, undefined
from inspect_awareness.stats._intervals import (
    Clusters,
    t_quantile,
)
from inspect_awareness.stats.shares._components import ShareComponent, ems_components
from inspect_awareness.stats.shares._intervals import ShareFit
from inspect_awareness.stats.shares._squares import EFFECTS, INTERACTIONS, squares

NO_VARIATION = "all rates are identical: there is no variation to share out"


@dataclass(frozen=True)
class AwarenessShares:
    """Shares of the variation in awareness rates over models x tasks.

    Effects are `model`, `benchmark`, `task` (within its benchmark),
    `model:benchmark` and `model:task`.
    """

    shares: Mapping[str, Estimate]
    """Sums of squares over their total, as the second source reports them."""

    components: Mapping[str, ShareComponent]
    """The same as variance components of random effects."""

    noise_corrected: Mapping[str, Estimate]
    """Shares less what binomial noise adds to each, which stands under `noise`; may
    fall below 0, being unbiased."""

    interaction: Estimate
    """The share of `model:benchmark` and `model:task` together: what depends on which
    model meets which benchmark or task."""

    models: int
    benchmarks: int
    tasks: int
    """How many of each went in."""

    incomplete: int
    """Tasks left out because some model has no sample of known awareness on them."""


def awareness_shares(
    aware: npt.ArrayLike,
    *,
    models: Clusters,
    benchmarks: Clusters,
    tasks: Clusters,
    rng: np.random.Generator,
    level: float = 0.95,
) -> AwarenessShares:
    """Variance shares of awareness rates, from a value for each sample.

    The rate of each model on each task, then `variance_shares`. Tasks that some model
    has no known sample on are left out and counted: without them the sums of squares
    of the five effects would no longer add up.

    Args:
        aware: 1 for aware, 0 for not, NaN where it is not known, shape (n,).
        models: The model of each sample.
        benchmarks: The benchmark of each sample.
        tasks: The task of each sample, within its benchmark.
        rng: Source of the draws for the components' intervals.
        level: Nominal coverage.

    Raises:
        ValueError: Awareness is not 0, 1 or NaN, or the lengths differ.
    """
    x = binary_or_nan(aware, "aware")
    model = matching_ids(models, x.size, "models")
    benchmark = matching_ids(benchmarks, x.size, "benchmarks")
    task = matching_ids(tasks, x.size, "tasks")
    pair = benchmark * (int(task.max()) + 1 if task.size else 1) + task
    _, first, column = np.unique(pair, return_index=True, return_inverse=True)
    known = ~np.isnan(x)
    shape = (int(model.max()) + 1 if model.size else 0, first.size)
    cell = (model * first.size + column)[known]
    count = np.bincount(cell, minlength=shape[0] * shape[1]).reshape(shape)
    hits = np.bincount(cell, x[known], minlength=count.size).reshape(shape)
    complete = np.asarray((count > 0).all(0), dtype=np.bool_)
    found = variance_shares(
        hits[:, complete] / count[:, complete],
        benchmark[first][complete],
        count[:, complete],
        rng=rng,
        level=level,
    )
    return replace(found, incomplete=int((~complete).sum()))


def variance_shares(
    rates: npt.ArrayLike,
    benchmarks: Clusters,
    samples: npt.ArrayLike,
    *,
    rng: np.random.Generator,
    level: float = 0.95,
    draws: int = 2_000,
) -> AwarenessShares:
    """Variance shares of a matrix of rates, models crossed with tasks in benchmarks.

    With means over tasks as weights, A models and T tasks, n_b of them in benchmark b:
    SS_model = T sum (m - g)^2, SS_benchmark = A sum n_b (B - g)^2,
    SS_model:benchmark = sum n_b (MB - m - B + g)^2, SS_task = A sum (t - B)^2,
    SS_model:task = sum (Y - MB - t + B)^2. They add to the total. Shares carry a
    jackknife interval over tasks within benchmarks, on the arcsine scale.

    Shares of sums of squares are no variance components: an effect with many degrees
    of freedom collects the variance of those below it. `components` solves the
    expected mean squares, with fiducial intervals. Of noise, a cell of n samples has
    variance p (1 - p) / (n - 1), estimated; it goes to each effect by the diagonal of
    its projection, and `noise_corrected` takes it out.

    Args:
        rates: Rate of each model on each task, shape (models, tasks), in [0, 1].
        benchmarks: The benchmark of each task, shape (tasks,).
        samples: Samples behind each rate, shape (models, tasks) or a number.
        rng: Source of the draws for the components' intervals.
        level: Nominal coverage.
        draws: How many draws those take.

    Returns:
        The record. NaN for an effect without a degree of freedom (one model, one
        benchmark) and where all rates are equal.

    Raises:
        ValueError: The rates are no matrix, one is NaN or outside [0, 1], the number
            of benchmarks or samples does not fit, or a cell has no sample.

    References:
        Searle, Casella and McCulloch, Variance Components (1992), chapter 5. Weerahandi,
        JASA 88 (1993) 899.
    """
    y = _rates(rates)
    ids = matching_ids(benchmarks, y.shape[1], "benchmarks")
    n = _samples(samples, y.shape)
    size = (*y.shape, np.unique(ids).size)
    if not y.size:
        return _undefined(level, size, "no task on which every model has a rate")
    whole = squares(y, ids, n)
    if whole.total[0] < 1e-12:
        return _undefined(level, size, NO_VARIATION)
    without = whole.without_each()
    quantile = t_quantile(level, y.shape[1] - whole.counts.size)
    fit = ShareFit(whole, without, ids, level, (y.size, y.shape[1]), quantile)
    return AwarenessShares(
        shares={name: fit.share(k) for k, name in enumerate(EFFECTS)},
        components=ems_components(whole, rng=rng, level=level, draws=draws),
        noise_corrected={
            **{name: fit.corrected(k) for k, name in enumerate(EFFECTS)},
            "noise": fit.noise(),
        },
        interaction=fit.share(*(EFFECTS.index(name) for name in INTERACTIONS)),
        models=size[0],
        benchmarks=size[2],
        tasks=size[1],
        incomplete=0,
    )


def _rates(rates: npt.ArrayLike) -> Floats:
    """A matrix of rates in [0, 1]."""
    y = np.asarray(rates, dtype=np.float64)
    if y.ndim != 2:
        raise ValueError(f"rates must be (models, tasks), got {y.ndim} dimensions")
    if not ((y >= 0) & (y <= 1)).all():
        bad = y[~((y >= 0) & (y <= 1))][0]
        raise ValueError(
            f"rates must be in [0, 1], got {bad:g}: leave tasks out that some model "
            "has no rate on"
        )
    return y


def _samples(samples: npt.ArrayLike, shape: tuple[int, ...]) -> Floats:
    """How many samples are behind each rate."""
    n = np.asarray(samples, dtype=np.float64)
    if n.shape not in ((), shape):
        raise ValueError(f"samples must be a number or {shape}, got {n.shape}")
    if not (n >= 1).all():
        raise ValueError("every rate needs one sample at least")
    return np.asarray(np.broadcast_to(n, shape), dtype=np.float64)


def _undefined(level: float, size: tuple[int, int, int], why: str) -> AwarenessShares:
    """A record in which nothing is known."""
    nothing = undefined(level, why, n=size[0] * size[1], clusters=size[1])
    return AwarenessShares(
        shares=dict.fromkeys(EFFECTS, nothing),
        components=dict.fromkeys(EFFECTS, ShareComponent(nan, nothing, nan)),
        noise_corrected=dict.fromkeys((*EFFECTS, "noise"), nothing),
        interaction=nothing,
        models=size[0],
        benchmarks=size[2],
        tasks=size[1],
        incomplete=0,
    )
