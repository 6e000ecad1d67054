"""Where awareness varies without some of the models."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats._arrays import matching_ids
from inspect_awareness.stats._binary import binary_or_nan
from inspect_awareness.stats._intervals import Clusters
from inspect_awareness.stats.shares._shares import AwarenessShares, awareness_shares

TOO_FEW = "fewer than 2 models are left: nothing can depend on the model"


@dataclass(frozen=True)
class SharesWithout:
    """Shares without some of the models."""

    left_out: tuple[str, ...]
    """The models left out."""

    found: AwarenessShares
    """The shares of the others; its `interaction` is that of both interactions."""

    change: float
    """By how much `interaction` is larger than with all models."""

    note: str = ""
    """What a reader must know: that too few models are left, or other tasks count."""


def shares_without_each(
    aware: npt.ArrayLike,
    *,
    models: Clusters,
    benchmarks: Clusters,
    tasks: Clusters,
    groups: Mapping[str, Sequence[Hashable]] | None = None,
    rng: np.random.Generator,
    level: float = 0.95,
) -> Mapping[str, SharesWithout]:
    """The shares of `awareness_shares` with models left out, one or a group at a time.

    Shares describe the models that were put in. One model that knows one benchmark well
    can make up most of `model:benchmark`; without it, the others may hardly differ.

    Args:
        aware: 1 for aware, 0 for not, NaN where it is not known, shape (n,).
        models: The model of each sample.
        benchmarks: The benchmark of each sample.
        tasks: The task of each sample, within its benchmark.
        groups: By name, models to leave out together, such as those of one provider;
            None leaves out each model alone, under its name.
        rng: Source of the draws for the components' intervals.
        level: Nominal coverage.

    Returns:
        A record for each group, in their order. NaN, with a note, where fewer than 2
        models are left: with fewer than 3 models, that is each.

    Raises:
        ValueError: A group names a model that does not occur, or none; or as
            `awareness_shares`.

    References:
        EvalAwareBench, arXiv 2605.23055, appendix C.2, leaves two of nine models out.

    Example:
        >>> found = shares_without_each(
        ...     [1, 0, 0, 0, 0, 0], models=["x", "x", "y", "y", "z", "z"],
        ...     benchmarks=["a", "b"] * 3, tasks=[1, 2] * 3,
        ...     rng=np.random.default_rng(0),
        ... )
        >>> round(found["y"].found.interaction.value, 3), round(found["y"].change, 3)
        (0.333, -0.067)
    """
    x = binary_or_nan(aware, "aware")
    model = matching_ids(models, x.size, "models")
    bench = matching_ids(benchmarks, x.size, "benchmarks")
    task = matching_ids(tasks, x.size, "tasks")
    _, first = np.unique(model, return_index=True)
    names = [models[k] for k in first.tolist()]

    def shares(kept: npt.NDArray[np.bool_]) -> AwarenessShares:
        return awareness_shares(
            x[kept],
            models=model[kept],
            benchmarks=bench[kept],
            tasks=task[kept],
            rng=rng,
            level=level,
        )

    everything = shares(np.ones(x.size, dtype=np.bool_))
    chosen = {str(name): (name,) for name in names} if groups is None else groups
    found = {}
    for label, left_out in chosen.items():
        gone = [_place(names, each, label) for each in _some(left_out, label)]
        found[label] = _without(
            shares(~np.isin(model, gone)), everything, tuple(map(str, left_out))
        )
    return found


def _some(left_out: Sequence[Hashable], label: str) -> Sequence[Hashable]:
    """Models to leave out, one at least."""
    if not left_out:
        raise ValueError(f"group {label!r} names no model to leave out")
    return left_out


def _place(names: Sequence[Hashable], model: Hashable, label: str) -> int:
    """Where a model stands among the models."""
    if model not in names:
        known = ", ".join(map(str, names))
        raise ValueError(
            f"group {label!r} leaves out {model!r}, no model among {known}"
        )
    return names.index(model)


def _without(
    found: AwarenessShares, everything: AwarenessShares, left_out: tuple[str, ...]
) -> SharesWithout:
    """The shares of the others beside those of all."""
    note = ""
    if found.models < 2:
        note = TOO_FEW
    elif found.tasks != everything.tasks:
        note = (
            f"rests on {found.tasks} tasks that all models left have, where all models "
            f"have {everything.tasks}: the change is of tasks too"
        )
    change = found.interaction.value - everything.interaction.value
    return SharesWithout(left_out, found, change, note)
