"""Whether what one method detects is detected by the others too."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import nan

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats._arrays import Floats, Ids, matching_ids
from inspect_awareness.stats._binary import binary_or_nan
from inspect_awareness.stats._estimate import Estimate, undefined
from inspect_awareness.stats._intervals import Clusters
from inspect_awareness.stats.confirmation._kappa import kappa_over_tasks
from inspect_awareness.stats.rates import awareness_rate

NOTHING_KNOWN = "no item is known to both methods"
NOTHING_COMMON = "no item is known to all methods"


@dataclass(frozen=True)
class Confirmation:
    """How often one method detects what another one has detected."""

    first: str
    """The method whose detections are looked at."""

    second: str
    """The method that confirms them or not."""

    share: Estimate
    """Among items that both know and `first` detects, the share that `second` does."""

    by_chance: float
    """The share of all items that both know which `second` detects: what `share`
    would be, had the two nothing to do with each other."""

    both: int
    """Items that both detect."""

    only_first: int
    """Items that `first` alone detects."""

    only_second: int
    """Items that `second` alone detects."""

    neither: int
    """Items that both know and neither detects."""

    kappa: Estimate
    """Cohen's kappa of the two; the same with the methods exchanged."""


@dataclass(frozen=True)
class DetectionRate:
    """How often a method detects."""

    method: str

    rate: Estimate
    """Over the items that it knows."""

    on_common: Estimate
    """Over the items that all methods know: these can be compared."""

    missing: int
    """Items that it does not know."""


@dataclass(frozen=True)
class Confirmations:
    """Who confirms whom, and how often each detects."""

    pairs: tuple[Confirmation, ...]
    """Every ordered pair of methods, by the first and then by the second."""

    rates: tuple[DetectionRate, ...]
    """Each method, in the order given."""

    items: int
    """How many items there are."""

    common: int
    """How many of them all methods know."""

    def of(self, first: str, second: str) -> Confirmation:
        """The pair in which `second` confirms `first`.

        Raises:
            KeyError: One is not among the methods, or both are the same.
        """
        for pair in self.pairs:
            if (pair.first, pair.second) == (first, second):
                return pair
        known = ", ".join(each.method for each in self.rates)
        raise KeyError(f"no pair {first!r}, {second!r}: two different ones of {known}")


def confirmations(
    detected: npt.ArrayLike,
    methods: Sequence[str],
    *,
    clusters: Clusters,
    level: float = 0.95,
) -> Confirmations:
    """For every ordered pair of methods, how often the second confirms the first.

    share(A, B) = #{A and B detect} / #{A detects}, over the items that both know. Its
    interval is that of `awareness_rate`, over tasks. It is no agreement: a method that
    detects almost everything confirms anyone, so that `by_chance`, the share
    #{B detects} / #{both know}, stands beside it, and a method that rarely detects can
    confirm few. Kappa has the interval of `cohen_kappa` where each item is a task of
    its own, else a jackknife over tasks.

    Args:
        detected: 1 where a method detects awareness in an item, 0 where not, NaN where
            it does not know, shape (items, methods).
        methods: The name of each method.
        clusters: The task of each item; repeats of a task move together.
        level: Nominal coverage.

    Returns:
        The record. A share is NaN, with a note, where the first method detects nothing
        or no item is known to both; a kappa where both always say the same one thing.

    Raises:
        ValueError: It is no matrix, a value is not 0, 1 or NaN, the number of names or
            tasks does not fit, or a name occurs twice.

    Example:
        >>> found = confirmations(
        ...     [[1, 1], [1, 1], [0, 1], [0, 0]], ["reasoning", "asked"],
        ...     clusters=[1, 2, 3, 4],
        ... )
        >>> found.of("reasoning", "asked").share.value
        1.0
        >>> round(found.of("asked", "reasoning").share.value, 3)
        0.667
    """
    x, names = _matrix(detected, methods)
    task = matching_ids(clusters, x.shape[0], "clusters")
    everyone = np.asarray(~np.isnan(x).any(1), dtype=np.bool_)
    kappas: dict[frozenset[int], Estimate] = {}
    pairs = []
    count = len(names)
    for a, b in ((a, b) for a in range(count) for b in range(count) if a != b):
        known = ~np.isnan(x[:, a]) & ~np.isnan(x[:, b])
        one, other, ids = x[known, a], x[known, b], task[known]
        pair = frozenset((a, b))
        if pair not in kappas:
            kappas[pair] = kappa_over_tasks(one, other, ids, level)
        pairs.append(_confirmation(one, other, ids, (names[a], names[b]), kappas[pair]))
    rates = [
        _rate(x[:, k], task, everyone, name, level) for k, name in enumerate(names)
    ]
    return Confirmations(tuple(pairs), tuple(rates), x.shape[0], int(everyone.sum()))


def _matrix(
    detected: npt.ArrayLike, methods: Sequence[str]
) -> tuple[Floats, tuple[str, ...]]:
    """A matrix of 0, 1 and NaN with a name for each column."""
    x = np.asarray(detected, dtype=np.float64)
    if x.ndim != 2:
        raise ValueError(f"detected must be (items, methods), got {x.ndim} dimensions")
    if x.shape[1] != len(methods):
        raise ValueError(
            f"{len(methods)} names for {x.shape[1]} methods: one each is needed"
        )
    twice = [name for name, count in Counter(methods).items() if count > 1]
    if twice:
        raise ValueError(f"method {twice[0]!r} occurs twice: each needs its own name")
    return binary_or_nan(x.ravel(), "detected").reshape(x.shape), tuple(methods)


def _confirmation(
    one: Floats, other: Floats, task: Ids, names: tuple[str, str], kappa: Estimate
) -> Confirmation:
    """One ordered pair, over the items that both know."""
    hits = one == 1
    if hits.any():
        share = awareness_rate(other[hits], task[hits], level=kappa.level)
    else:
        why = f"{names[0]} detects nothing" if one.size else NOTHING_KNOWN
        share = undefined(kappa.level, why)
    both = int(other[hits].sum())
    only_second = int(other.sum()) - both
    return Confirmation(
        first=names[0],
        second=names[1],
        share=share,
        by_chance=float(other.mean()) if one.size else nan,
        both=both,
        only_first=int(hits.sum()) - both,
        only_second=only_second,
        neither=int((~hits).sum()) - only_second,
        kappa=kappa,
    )


def _rate(
    x: Floats, task: Ids, everyone: npt.NDArray[np.bool_], name: str, level: float
) -> DetectionRate:
    """One method, over what it knows and over what all know."""
    known = ~np.isnan(x)
    own = awareness_rate(x[known], task[known], level=level)
    common = awareness_rate(x[everyone], task[everyone], level=level)
    if not everyone.any():
        common = undefined(level, NOTHING_COMMON)
    if not known.any():
        own = undefined(level, f"{name} knows no item")
    return DetectionRate(name, own, common, int((~known).sum()))
