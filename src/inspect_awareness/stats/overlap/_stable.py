"""The tasks that a model recognises again and again."""

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats._arrays import Floats, Ids, matching_ids
from inspect_awareness.stats._binary import binary_or_nan
from inspect_awareness.stats._estimate import Estimate, undefined
from inspect_awareness.stats._intervals import Clusters
from inspect_awareness.stats.rates import awareness_rate


@dataclass(frozen=True)
class StableTasks:
    """The tasks on which a model is aware at least so many times."""

    model: str

    stable: tuple[Hashable, ...]
    """Tasks with enough aware samples, in order of first appearance."""

    could_be: tuple[Hashable, ...]
    """Tasks with enough samples of known awareness to be stable."""

    too_few: tuple[Hashable, ...]
    """Tasks with known samples, but fewer than `least`: they cannot be stable."""

    share: Estimate
    """Stable tasks among those that could be."""

    least: int
    """How many aware samples make a task stable."""

    note: str = ""
    """What a reader must know: that some tasks could not be stable."""


def stable_tasks(
    aware: npt.ArrayLike,
    *,
    models: Clusters,
    tasks: Clusters,
    least: int = 3,
    level: float = 0.95,
) -> tuple[StableTasks, ...]:
    """For each model the tasks with at least `least` aware samples.

    A task is stable for a model where #{aware samples} >= `least`; the second source
    takes 3 of 10. The count depends on how many samples a task has: at a chance of .1
    for each, 3 or more are found in 7 % of tasks with 10 samples, and in .1 % of tasks
    with 3. Compare models with equally many.

    Args:
        aware: 1 for aware, 0 for not, NaN (left out) where it is not known, shape (n,).
        models: The model of each sample.
        tasks: The task of each sample; where there are several benchmarks, ids that
            differ between them.
        least: How many aware samples make a task stable.
        level: Nominal coverage of the shares' intervals.

    Returns:
        A record for each model, in order of first appearance.

    Raises:
        ValueError: Awareness is not 0, 1 or NaN, the lengths differ, or `least` is
            below 1.

    References:
        EvalAwareBench, arXiv 2605.23055: stable awareness, 3 of 10 samples.

    Example:
        >>> found = stable_tasks(
        ...     [1, 1, 0, 1, 0, 0], models=["m"] * 6, tasks=["a"] * 3 + ["b"] * 3, least=2
        ... )
        >>> found[0].stable, found[0].share.value
        (('a',), 0.5)
    """
    if least < 1:
        raise ValueError(f"least is {least}: a stable task has 1 aware sample at least")
    x = binary_or_nan(aware, "aware")
    model = matching_ids(models, x.size, "models")
    task = matching_ids(tasks, x.size, "tasks")
    _, first = np.unique(task, return_index=True)
    names = tuple(_plain(tasks[k]) for k in first.tolist())
    return tuple(
        _stable(x[own], task[own], names, _name(models, own), least, level)
        for own in (model == k for k in np.unique(model).tolist())
    )


def _stable(
    x: Floats,
    task: Ids,
    names: tuple[Hashable, ...],
    model: str,
    least: int,
    level: float,
) -> StableTasks:
    """One model."""
    known = ~np.isnan(x)
    count = np.bincount(task[known], minlength=len(names))
    hits = np.bincount(task[known], x[known], minlength=len(names))
    possible = np.flatnonzero(count >= least)
    stable = (hits[possible] >= least).astype(np.float64)
    too_few = np.flatnonzero((count > 0) & (count < least))
    if possible.size:
        share = awareness_rate(stable, possible, level=level)
    else:
        share = undefined(level, f"no task has {least} samples of known awareness")
    note = (
        f"{too_few.size} of {too_few.size + possible.size} tasks have fewer than "
        f"{least} samples of known awareness and cannot be stable: they are left out"
    )
    return StableTasks(
        model=model,
        stable=tuple(names[k] for k in possible[stable == 1].tolist()),
        could_be=tuple(names[k] for k in possible.tolist()),
        too_few=tuple(names[k] for k in too_few.tolist()),
        share=share,
        least=least,
        note=note if too_few.size else "",
    )


def _name(models: Clusters, own: npt.NDArray[np.bool_]) -> str:
    """The name of the model of these samples."""
    return str(models[int(own.argmax())])


def _plain(value: Hashable) -> Hashable:
    """A Python value, also of an array."""
    return value.item() if isinstance(value, np.generic) else value
