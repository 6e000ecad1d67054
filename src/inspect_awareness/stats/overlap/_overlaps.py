"""Whether two models are stably aware of the same tasks."""

from dataclasses import dataclass, replace
from math import nan

import numpy as np
import numpy.typing as npt
from scipy.stats import hypergeom

from inspect_awareness.stats._estimate import Estimate, undefined
from inspect_awareness.stats._intervals import Clusters
from inspect_awareness.stats.agreement._two_raters import proportion
from inspect_awareness.stats.overlap._stable import StableTasks, stable_tasks

NO_TASK = "no task on which both models could be stably aware"
NONE_STABLE = "neither model is stably aware of a common task"
ONE_EMPTY = "one model is stably aware of no common task: they cannot overlap"


@dataclass(frozen=True)
class Overlap:
    """The stably aware tasks of two models, and what independence would give.

    All counts are of common tasks.
    """

    first: str
    second: str

    common: int
    """Tasks on which both models could be stably aware: N."""

    of_first: int
    """Tasks of which the first model is stably aware: |A|."""

    of_second: int
    """Tasks of which the second is: |B|."""

    both: int
    """Tasks of which both are."""

    jaccard: Estimate
    """Both / (|A| + |B| - both): its `n` are the tasks of which either is aware."""

    expected_both: float
    """|A| |B| / N: had each model chosen its tasks at random."""

    expected_jaccard: float
    """The mean of the Jaccard index over all such choices."""

    p: float
    """The chance that so many tasks or more are of both."""

    too_few: int
    """Tasks with known samples of both models, but of one fewer than `least`."""

    note: str = ""
    """What a reader must know: why nothing can be said, or what was left out."""


def overlaps(
    aware: npt.ArrayLike,
    *,
    models: Clusters,
    tasks: Clusters,
    least: int = 3,
    level: float = 0.95,
) -> tuple[Overlap, ...]:
    """For each pair of models, whether they are stably aware of the same tasks.

    With A and B the stable tasks (see `stable_tasks`) among the N tasks that could be
    stable for both: jaccard = |A & B| / |A | B|, with Wilson's interval, |A & B| being
    binomial given |A | B|. If B were |B| tasks drawn at random, |A & B| would be
    hypergeometric(N, |A|, |B|): `expected_both` is its mean |A| |B| / N,
    `expected_jaccard` is sum_k P(k) k / (|A| + |B| - k), and p is P(K >= |A & B|).

    Tasks are taken for exchangeable, and independent of each other. Over several
    benchmarks they are not: two models that are both aware of one benchmark overlap by
    that alone. Then compute it for each benchmark.

    Args:
        aware: 1 for aware, 0 for not, NaN (left out) where it is not known, shape (n,).
        models: The model of each sample.
        tasks: The task of each sample; where there are several benchmarks, ids that
            differ between them.
        least: How many aware samples make a task stable.
        level: Nominal coverage.

    Returns:
        A record for each pair of models, in order of first appearance. The Jaccard
        index is NaN where neither model is stably aware of a common task.

    Raises:
        ValueError: As `stable_tasks`.

    Example:
        >>> found = overlaps(
        ...     [1, 1, 0, 0, 1, 0, 0, 0],
        ...     models=["m"] * 4 + ["n"] * 4,
        ...     tasks=[1, 2, 3, 4] * 2,
        ...     least=1,
        ... )
        >>> found[0].both, found[0].jaccard.value, found[0].expected_both, found[0].p
        (1, 0.5, 0.5, 0.5)
    """
    seen = stable_tasks(aware, models=models, tasks=tasks, least=least, level=level)
    return tuple(
        _overlap(one, other, level)
        for k, one in enumerate(seen)
        for other in seen[k + 1 :]
    )


def _overlap(one: StableTasks, other: StableTasks, level: float) -> Overlap:
    """Two models, on the tasks that could be stable for both."""
    shared = set(one.could_be) & set(other.could_be)
    seen = {*one.could_be, *one.too_few} & {*other.could_be, *other.too_few}
    a, b = set(one.stable) & shared, set(other.stable) & shared
    n, both, either = len(shared), len(a & b), len(a | b)
    too_few = len(seen) - n
    why = _why(n, len(a), len(b))
    left = (
        f"{too_few} common tasks have fewer than {one.least} samples of known awareness "
        "of a model: they are left out"
    )
    return Overlap(
        first=one.model,
        second=other.model,
        common=n,
        of_first=len(a),
        of_second=len(b),
        both=both,
        jaccard=_jaccard(both, either, level) if either else undefined(level, why),
        expected_both=len(a) * len(b) / n if n else nan,
        expected_jaccard=_expected_jaccard(n, len(a), len(b)),
        p=float(hypergeom.sf(both - 1, n, len(a), len(b))) if n else nan,
        too_few=too_few,
        note="; ".join(each for each in (why, left if too_few else "") if each),
    )


def _jaccard(both: int, either: int, level: float) -> Estimate:
    """Both of either, with Wilson's interval over tasks."""
    found = proportion(both, either, level)
    return replace(found, unit="task", note=found.note.replace(found.unit, "task"))


def _expected_jaccard(n: int, a: int, b: int) -> float:
    """Sum over k of P(k) k / (a + b - k), k hypergeometric; NaN of nothing."""
    if not a + b:
        return nan
    k = np.arange(max(0, a + b - n), min(a, b) + 1)
    return float(hypergeom.pmf(k, n, a, b) @ (k / (a + b - k)))


def _why(n: int, a: int, b: int) -> str:
    """What an empty set means; nothing where both have tasks."""
    if not n:
        return NO_TASK
    if not a + b:
        return NONE_STABLE
    return "" if a and b else ONE_EMPTY
