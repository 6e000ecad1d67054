"""Samples of one model on one task: what is compared within."""

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats._arrays import Floats, Ids, codes, matching_ids
from inspect_awareness.stats._binary import binary_or_nan
from inspect_awareness.stats._intervals import Clusters

Flags = npt.NDArray[np.bool_]
"""A vector of yes and no."""


@dataclass(frozen=True, eq=False)
class Samples:
    """Samples whose awareness is known, and where they belong."""

    outcome: Floats
    """Shape (n,); NaN where it is not known."""

    aware: Flags
    """Shape (n,)."""

    model: Ids
    """The model of each sample."""

    task: Ids
    """The task of each sample: its cluster."""

    stratum: Ids
    """The pair of model and task of each sample."""

    binary: Flags
    """Whether the outcomes of the sample's benchmark are all 0 or 1."""

    names: tuple[str, ...]
    """The name of each model."""

    unknown: int
    """Samples left out because their awareness is not known."""

    def where(self, keep: Flags) -> "Samples":
        """Some of the samples, with the same ids."""
        return Samples(
            self.outcome[keep],
            self.aware[keep],
            self.model[keep],
            self.task[keep],
            self.stratum[keep],
            self.binary[keep],
            self.names,
            self.unknown,
        )


def samples_of(
    outcome: npt.ArrayLike,
    aware: npt.ArrayLike,
    *,
    tasks: Clusters,
    models: Clusters | None,
    benchmarks: Clusters | None,
) -> Samples:
    """Checked samples; one model and one benchmark where none are named.

    Raises:
        ValueError: An outcome is infinite, awareness is not 0, 1 or NaN, or the
            lengths differ.
    """
    y = np.asarray(outcome, dtype=np.float64)
    x = binary_or_nan(aware, "aware")
    if y.shape != x.shape:
        raise ValueError(f"{y.size} outcomes for {x.size} values of awareness")
    if np.isinf(y).any():
        raise ValueError("an outcome is infinite; NaN stands for one not known")
    task = matching_ids(tasks, x.size, "tasks")
    model, names = _named(models, x.size, "models")
    benchmark, _ = _named(benchmarks, x.size, "benchmarks")
    task = _pairs(benchmark, task)
    known = ~np.isnan(x)
    return Samples(
        outcome=y[known],
        aware=x[known] == 1,
        model=model[known],
        task=task[known],
        stratum=_pairs(model, task)[known],
        binary=_binary(y, benchmark)[known],
        names=names,
        unknown=int((~known).sum()),
    )


@dataclass(frozen=True, eq=False)
class Strata:
    """Counts and sums of outcomes for each pair of model and task."""

    n_aware: Floats
    n_unaware: Floats
    sum_aware: Floats
    sum_unaware: Floats

    task: Ids
    """The task of each pair."""

    @property
    def informative(self) -> Flags:
        """Pairs with both kinds of samples."""
        return np.asarray((self.n_aware > 0) & (self.n_unaware > 0), dtype=np.bool_)

    @property
    def size(self) -> Floats:
        """Samples of each pair."""
        return self.n_aware + self.n_unaware

    def differences(self) -> tuple[Floats, Floats, Ids]:
        """D = mean aware - mean unaware, w = n_a n_u / m, and the task, where both."""
        both = self.informative
        n_aware, n_unaware = self.n_aware[both], self.n_unaware[both]
        difference = self.sum_aware[both] / n_aware - self.sum_unaware[both] / n_unaware
        weight = n_aware * n_unaware / (n_aware + n_unaware)
        return difference, weight, self.task[both]


def strata_of(samples: Samples) -> Strata:
    """The strata of samples whose outcomes are all known."""
    found, first, where = np.unique(
        samples.stratum, return_index=True, return_inverse=True
    )
    kinds = [samples.aware, ~samples.aware]
    counts = [np.bincount(where[k], minlength=found.size).astype(float) for k in kinds]
    sums = [
        np.asarray(
            np.bincount(where[k], samples.outcome[k], minlength=found.size),
            dtype=np.float64,
        )
        for k in kinds
    ]
    return Strata(counts[0], counts[1], sums[0], sums[1], samples.task[first])


def _named(ids: Clusters | None, size: int, name: str) -> tuple[Ids, tuple[str, ...]]:
    """Ids as integers, with the name of each."""
    if ids is None:
        return np.zeros(size, dtype=np.int64), ("",)
    found = matching_ids(ids, size, name)
    plain: list[Hashable] = list(ids.tolist() if isinstance(ids, np.ndarray) else ids)
    return found, tuple(str(each) for each in dict.fromkeys(plain))


def _pairs(one: Ids, other: Ids) -> Ids:
    """An id for each pair of ids that occurs."""
    if not one.size:
        return one
    return codes(one * (int(other.max()) + 1) + other)


def _binary(outcome: Floats, benchmark: Ids) -> Flags:
    """Whether a sample's benchmark has no known outcome but 0 and 1."""
    other = ~((outcome == 0) | (outcome == 1) | np.isnan(outcome))
    continuous = np.bincount(benchmark[other], minlength=benchmark.size + 1) > 0
    return np.asarray(~continuous[benchmark], dtype=np.bool_)
