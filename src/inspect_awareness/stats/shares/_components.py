"""Variance components of models x tasks in benchmarks of unequal size."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import nan

import numpy as np

from inspect_awareness.stats._arrays import Floats
from inspect_awareness.stats._estimate import Estimate
from inspect_awareness.stats.shares._squares import EFFECTS, Squares


@dataclass(frozen=True)
class ShareComponent:
    """A variance component: as solved for, and as a variance."""

    raw: float
    """The solution of the expected mean squares; may be negative."""

    estimate: Estimate
    """The same, no less than 0, with a fiducial interval."""

    share: float
    """Its share of the sum of all components, each no less than 0."""


def ems_components(
    whole: Squares, *, rng: np.random.Generator, level: float, draws: int
) -> Mapping[str, ShareComponent]:
    """Components of random effects, with intervals from MS* = SS / chi2(df)."""
    freedom = whole.freedom
    mean = np.where(freedom > 0, whole.effects[0] / np.maximum(freedom, 1), nan)
    drawn = np.full((draws, len(EFFECTS)), nan)
    for k in np.flatnonzero(freedom > 0):
        drawn[:, k] = whole.effects[0, k] / rng.chisquare(freedom[k], draws)
    models = whole.parts.rates.shape[0]
    raw = solve(mean[None], models, whole.counts)[0]
    spread = np.maximum(solve(drawn, models, whole.counts), 0.0)
    low, high = np.quantile(spread, [(1 - level) / 2, (1 + level) / 2], axis=0)
    kept = np.maximum(raw, 0.0)
    total = float(np.nansum(kept))
    return {
        name: ShareComponent(
            float(raw[k]),
            _estimate((kept[k], low[k], high[k]), whole, level),
            float(kept[k]) / total if total > 0 else nan,
        )
        for k, name in enumerate(EFFECTS)
    }


def solve(mean: Floats, models: int, counts: Floats) -> Floats:
    """Components from mean squares, both in the order of `EFFECTS`; batched.

    E MS_model:task = s_mt; E MS_task = s_mt + A s_t; with
    n0 = (T - sum n_b^2 / T) / (b - 1), E MS_model:benchmark = s_mt + n0 s_mb and
    E MS_benchmark = s_mt + A s_t + n0 s_mb + A n0 s_b; and
    E MS_model = s_mt + sum n_b^2 / T s_mb + T s_m. With one benchmark its terms
    are not there.
    """
    model, bench, task, both, rest = mean.T
    tasks, square = counts.sum(), (counts**2).sum()
    one = counts.size == 1
    n0 = nan if one else (tasks - square / tasks) / (counts.size - 1)
    of_both = (both - rest) / n0
    below = rest if one else rest + square / tasks * of_both
    return np.stack(
        [
            (model - below) / tasks,
            (bench - both - task + rest) / (models * n0),
            (task - rest) / models,
            of_both,
            rest,
        ],
        axis=1,
    )


def _estimate(
    ends: tuple[float, float, float], whole: Squares, level: float
) -> Estimate:
    """A component with quantiles of its draws."""
    value, low, high = ends
    tasks = int(whole.counts.sum())
    few = int(min(whole.freedom[0] + 1, whole.counts.size))
    return Estimate(
        float(value),
        float(low),
        float(high),
        level,
        whole.parts.rates.size,
        tasks,
        "task",
        "expected mean squares, fiducial",
        "" if few >= 10 else f"rests on {few} models or benchmarks at the least",
    )
