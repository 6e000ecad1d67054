"""The three actors: naive, strategically aware, robustly aligned."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats._arrays import Floats
from inspect_awareness.stats._clustered_mean import clustered_mean
from inspect_awareness.stats._estimate import Estimate
from inspect_awareness.stats._intervals import Clusters
from inspect_awareness.stats.tax._behaviour import changed, expected_changes
from inspect_awareness.stats.tax._strata import Samples, samples_of


@dataclass(frozen=True)
class Actors:
    """What a model's samples are, as shares that sum to 1."""

    model: str

    naive: Estimate
    """Does not recognise the evaluation."""

    strategically_aware: Estimate
    """Recognises it, and behaves unlike the unaware samples of the same task."""

    robustly_aligned: Estimate
    """Recognises it, and behaves like them."""

    undetermined: Estimate
    """Recognises it, but the task has no unaware sample to compare with, or the
    outcome is missing."""

    changed_without_effect: float
    """The share that would count as strategically aware had awareness no effect."""


def awareness_actors(
    outcome: npt.ArrayLike,
    aware: npt.ArrayLike,
    *,
    tasks: Clusters,
    models: Clusters | None = None,
    benchmarks: Clusters | None = None,
    rng: np.random.Generator,
    level: float = 0.95,
) -> tuple[Actors, ...]:
    """Shares of the three actors of the second source, for each model.

    An aware sample has changed where it is not the mode of the unaware samples of
    its task (binary outcomes; half where they are tied) or .3 or more from their mean
    (continuous ones): the second source's rule. By this rule some samples change
    without any effect of awareness; `changed_without_effect` says how many would.
    Intervals over tasks, as in `clustered_mean`.

    Args:
        outcome: Outcome of each sample, shape (n,); NaN where it is missing.
        aware: 1 for aware, 0 for not, NaN (left out) where it is not known.
        tasks: The task of each sample, within its benchmark.
        models: The model of each sample; None where there is one.
        benchmarks: The benchmark of each sample; None where there is one.
        rng: Source of random choices for tasks with more than 1,000 possible ones.
        level: Nominal coverage.

    Returns:
        A record for each model with a sample of known awareness, in order of first
        appearance.

    Raises:
        ValueError: As `awareness_tax`.
    """
    samples = samples_of(
        outcome, aware, tasks=tasks, models=models, benchmarks=benchmarks
    )
    deviates = changed(samples)
    compared = samples.where(_comparable(samples, deviates))
    expected = expected_changes(compared, rng=rng)
    _, first = np.unique(compared.stratum, return_index=True)
    chance = np.bincount(compared.model[first], expected, minlength=len(samples.names))
    return tuple(
        _actors(samples, deviates, number, float(chance[number]), level)
        for number in np.unique(samples.model).tolist()
    )


def _comparable(samples: Samples, deviates: Floats) -> npt.NDArray[np.bool_]:
    """Samples with an outcome, of tasks in which an aware one could be compared."""
    size = int(samples.stratum.max()) + 1 if samples.stratum.size else 0
    judged = np.bincount(samples.stratum[~np.isnan(deviates)], minlength=size) > 0
    return judged[samples.stratum] & ~np.isnan(samples.outcome)


def _actors(
    samples: Samples, deviates: Floats, number: int, chance: float, level: float
) -> Actors:
    """One model."""
    own = samples.model == number
    aware, task, change = samples.aware[own], samples.task[own], deviates[own]
    unclear = aware & np.isnan(change)
    strategic = np.nan_to_num(change)

    def share(values: npt.ArrayLike) -> Estimate:
        return clustered_mean(values, task, level=level, unit="task")

    return Actors(
        model=samples.names[number],
        naive=share(~aware),
        strategically_aware=share(strategic),
        robustly_aligned=share((aware & ~unclear) - strategic),
        undetermined=share(unclear),
        changed_without_effect=chance / aware.size,
    )
