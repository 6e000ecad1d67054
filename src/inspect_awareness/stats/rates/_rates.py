"""Awareness rates per model and benchmark, with tasks as the independent unit."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats._arrays import Floats, Ids, finite_vector, matching_ids
from inspect_awareness.stats._binary import binary_or_nan
from inspect_awareness.stats._clustered_mean import clustered_mean
from inspect_awareness.stats._estimate import Estimate, undefined
from inspect_awareness.stats._intervals import Clusters, exact_bound
from inspect_awareness.stats._missing import Bounds, mean_bounds


@dataclass(frozen=True)
class Rate:
    """The awareness rate of a model on a benchmark."""

    model: str
    benchmark: str

    estimate: Estimate
    """The rate; its `n` are samples and its `clusters` tasks with a known sample."""

    missing: int
    """Samples whose awareness is not known."""

    bounds: Bounds
    """The rate had every missing sample been unaware, and had every one been aware."""


def awareness_rate(
    aware: npt.ArrayLike, tasks: Clusters, *, level: float = 0.95
) -> Estimate:
    """The share of aware samples, with an interval over tasks.

    The interval of `clustered_mean`: logit(p) ± t(T - 1) se / (p (1 - p)) with the
    cluster-robust se over T tasks, and 1 - (alpha / 2)^(1/T) where no sample (or
    every sample) is aware. A rate below 1 / T stands on less than one task's worth of
    aware samples, so that its spread between tasks is hardly seen: its upper end is
    no lower than that of a rate of 0 (and so at the other end). Without this rule
    coverage falls to 90 % at 342 tasks, rate .005; with it, 96 %.

    Args:
        aware: 1 for each aware sample, 0 for each other one, shape (n,).
        tasks: The task of each sample; repeats of a task move together.
        level: Nominal coverage.

    Returns:
        The estimate, NaN where there is no sample; a NaN interval with one task.

    Raises:
        ValueError: A value is neither 0 nor 1, or the lengths differ.

    References:
        Korn and Graubard, Survey Methodology 24 (1998) 193, for tasks as trials.
    """
    x = finite_vector(binary_or_nan(aware, "aware"), "aware")
    return no_surer_than_none(clustered_mean(x, tasks, level=level, unit="task"))


def no_surer_than_none(found: Estimate) -> Estimate:
    """A rate p < 1 / T ends no lower than a rate of 0 (and so at the other end)."""
    if not found.has_interval or found.value in (0.0, 1.0):
        return found
    nearest = 0.0 if found.value < 0.5 else 1.0
    if abs(found.value - nearest) * found.clusters >= 1:
        return found
    least = exact_bound(nearest, found.clusters, found.level)
    method = f"{found.method}; far end no nearer than at {nearest:.0f}, tasks as trials"
    if nearest == 0.0:
        return replace(found, high=max(found.high, least.high), method=method)
    return replace(found, low=min(found.low, least.low), method=method)


def awareness_rates(
    aware: npt.ArrayLike,
    *,
    models: Clusters,
    benchmarks: Clusters,
    tasks: Clusters,
    level: float = 0.95,
) -> tuple[Rate, ...]:
    """The awareness rate of each model on each benchmark; see `awareness_rate`.

    Args:
        aware: 1 for aware, 0 for not, NaN where it is not known, shape (n,).
        models: The model of each sample.
        benchmarks: The benchmark of each sample.
        tasks: The task of each sample within its benchmark.
        level: Nominal coverage.

    Returns:
        A rate for each pair that occurs, in order of first appearance. Samples that
        are not known are left out of the rate, counted, and bounded.

    Raises:
        ValueError: A value is not 0, 1 or NaN, or the lengths differ.

    Example:
        >>> found = awareness_rates(
        ...     [1, 0, 0, 0], models=["m"] * 4, benchmarks=["b"] * 4, tasks=[1, 1, 2, 3]
        ... )
        >>> found[0].estimate.value, found[0].estimate.clusters
        (0.25, 3)
    """
    x = binary_or_nan(aware, "aware")
    model_ids = matching_ids(models, x.size, "models")
    benchmark_ids = matching_ids(benchmarks, x.size, "benchmarks")
    task_ids = matching_ids(tasks, x.size, "tasks")
    return tuple(
        _rate(
            x[rows],
            task_ids[rows],
            level,
            model=str(models[rows[0]]),
            benchmark=str(benchmarks[rows[0]]),
        )
        for rows in groups(model_ids, benchmark_ids)
    )


def groups(*ids: Ids) -> Iterator[npt.NDArray[np.intp]]:
    """The rows of each combination of two ids, in order of first appearance."""
    if not ids[0].size:
        return
    pair = ids[0] * (int(ids[1].max()) + 1) + ids[1]
    _, first, group = np.unique(pair, return_index=True, return_inverse=True)
    order = np.argsort(group, kind="stable")
    rows = np.split(order, np.cumsum(np.bincount(group))[:-1])
    yield from (rows[k] for k in np.argsort(first))


def _rate(x: Floats, tasks: Ids, level: float, *, model: str, benchmark: str) -> Rate:
    """One model on one benchmark."""
    known = ~np.isnan(x)
    missing = int(x.size - known.sum())
    if known.any():
        estimate = awareness_rate(x[known], tasks[known], level=level)
    else:
        estimate = undefined(level, "the awareness of no sample is known")
    return Rate(model, benchmark, estimate, missing, mean_bounds(x[known], missing))
