"""What a judge's errors do to the tax, and the tax without them."""

from collections.abc import Callable
from dataclasses import replace
from math import hypot, inf, nan, sqrt

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats._arrays import Floats
from inspect_awareness.stats._estimate import Estimate, undefined
from inspect_awareness.stats._intervals import Clusters, Interval
from inspect_awareness.stats._leave_one_out import jackknife
from inspect_awareness.stats.agreement._two_raters import proportion
from inspect_awareness.stats.rates import Validation
from inspect_awareness.stats.tax._strata import samples_of, strata_of

NO_BETTER = (
    "the judge cannot be told from chance: its factor may be 0, so that nothing can be "
    "said about the tax behind its labels"
)
ONE_LABEL = "PPV and NPV need validated transcripts of both of the judge's labels"
NO_CONTRAST = "no task has both judged-aware and judged-unaware samples"
NOTHING_INSIDE = "no part of the interval lies inside what is possible"
ONE_CLASS = "sensitivity and specificity need validated transcripts of both classes"

Counts = tuple[int, int]
"""Hits and trials."""

Pair = tuple[Estimate, Estimate]
"""PPV and NPV, or sensitivity and specificity."""


def attenuation(
    validation: Validation, *, prevalence: float | None = None, level: float = 0.95
) -> Estimate:
    """The factor by which a judge's errors shrink a contrast: PPV + NPV - 1.

    Let the judge's errors be non-differential: given the truth, its label says nothing
    about the outcome. With a and u the mean outcomes of the truly aware and unaware,

        E(y | judged aware)   = PPV a + (1 - PPV) u
        E(y | judged unaware) = (1 - NPV) a + NPV u

    and the difference of the two is (PPV + NPV - 1) (a - u). PPV and NPV belong to a
    prevalence, so that within a task those at the task's own prevalence count. The
    factor of a whole set is first order: tasks differ in prevalence, those at 0 and 1
    are never informative, and within the others the truth varies less than over all
    tasks while mistakes stay, so that the set's factor is too near to 1. It is exact
    for tasks of one prevalence, and where the set is drawn in pairs: tasks with
    probability proportional to n_a n_u / m, and of each one sample judged aware and one
    judged unaware. `attenuation_within` has it for tasks that differ.

    Interval: PPV and NPV of a set drawn at random or by the judge's label are
    independent binomials, given the labels; each with Wilson's ends, and the squares of
    what they move the factor added up (Newcombe's method 10, MOVER). From a set drawn
    by the truth, PPV and NPV cannot be estimated; with a prevalence p, and Se and Sp as
    independent binomials, PPV = p Se / q and NPV = (1 - p) Sp / (1 - q) with
    q = p Se + (1 - p) (1 - Sp), and the interval is made alike.

    Args:
        validation: The judge against a human, and how that set was drawn.
        prevalence: The share of truly aware samples for which the factor is wanted;
            needed with a set drawn by the truth, and possible with a random one.
        level: Nominal coverage.

    Returns:
        The estimate; 1 for a judge without errors, 0 for one whose label says nothing.
        NaN where a label (or class) was not validated.

    Raises:
        ValueError: The set was drawn by the truth and there is no prevalence, or by the
            judge's label and there is one, or it is not between 0 and 1.

    References:
        Newcombe, Statistics in Medicine 17 (1998) 873, method 10. Zou and Donner,
        Statistics in Medicine 27 (2008) 1693.

    Example:
        >>> found = attenuation(Validation(36, 12, 1, 51, "judge_stratified"))
        >>> round(found.value, 3)  # 36 / 48 + 51 / 52 - 1
        0.731
    """
    v = validation
    _check_design(v, prevalence)
    n = v.tp + v.fp + v.fn + v.tn
    if prevalence is None:
        pair, why = _both((v.tp, v.tp + v.fp), (v.tn, v.fn + v.tn), level), ONE_LABEL
    else:
        pair, why = _both((v.tp, v.tp + v.fn), (v.tn, v.fp + v.tn), level), ONE_CLASS
    if pair is None:
        return undefined(level, why, n=n, clusters=n)
    if prevalence is None:
        value, interval = _moved(pair, lambda ppv, npv: ppv + npv - 1, "PPV, NPV")
    else:
        at = prevalence
        value, interval = _moved(pair, lambda se, sp: _factor(se, sp, at), "Se, Sp")
    return interval.within(-1.0, 1.0).around(
        value, level=level, n=n, clusters=n, unit="item"
    )


def attenuation_within(
    judged: npt.ArrayLike,
    validation: Validation,
    *,
    tasks: Clusters,
    models: Clusters | None = None,
    benchmarks: Clusters | None = None,
    level: float = 0.95,
) -> Estimate:
    """The factor by which a judge's errors shrink the tax within tasks.

    With Se and Sp alike in all tasks, F = 1 - Sp, J = Se + Sp - 1, and errors that do
    not depend on the outcome, a task of prevalence p is judged aware at rate
    q = F + J p, its contrast is shrunk by J p (1 - p) / (q (1 - q)), and it weighs
    n_a n_u / m, in the mean (m - 1) q (1 - q). So the factor of `within` is

        J sum (m - 1) p (1 - p) / sum (m - 1) q (1 - q),

    and p (1 - p) = (q - F) (Se - q) / J^2, where q and q (1 - q) are estimated without
    bias by n_a / m and n_a n_u / (m (m - 1)). It is that of the tax which weighs tasks
    by p (1 - p), as `within` does by labels without errors.

    Interval: Se and Sp with Wilson's ends, the tasks by the jackknife, and the squares
    of what each moves the factor added up. The samples may be those of the tax.

    Args:
        judged: 1 where the judge found awareness, 0 where not, NaN (left out) where it
            said nothing, shape (n,).
        validation: The judge against a human, drawn at random or by the truth.
        tasks: The task of each sample, within its benchmark.
        models: The model of each sample; None where there is one.
        benchmarks: The benchmark of each sample; None where there is one.
        level: Nominal coverage.

    Returns:
        The estimate; its `n` are validated samples, its `clusters` tasks. Cut to
        [0, 1], with a note, where Se and Sp do not fit the labels. NaN where a class
        was not validated, no pair of model and task has both labels, or Se + Sp is no
        more than 1; a NaN interval with one task.

    Raises:
        ValueError: The set was drawn by the judge's label, from which Se and Sp cannot
            be estimated; a value is not 0, 1 or NaN; or the lengths differ.

    Example:
        >>> checked = Validation(tp=90, fp=20, fn=10, tn=80, design="truth_stratified")
        >>> judged = [1, 1, 0, 0] * 2 + [1, 0, 0, 0] * 2
        >>> tasks = [1] * 4 + [2] * 4 + [3] * 4 + [4] * 4
        >>> found = attenuation_within(judged, checked, tasks=tasks)
        >>> round(found.value, 3)  # (-.18 x 12 + .1 x 4.5 + 3.5) / (.7 x 3.5)
        0.731
    """
    if validation.design == "judge_stratified":
        raise ValueError(
            "a judge_stratified validation set does not show sensitivity and "
            "specificity: use one drawn at random or by the truth, or `attenuation`"
        )
    v = validation
    checked = v.tp + v.fp + v.fn + v.tn
    pair = _both((v.tp, v.tp + v.fn), (v.tn, v.fp + v.tn), level)
    if pair is None:
        return undefined(level, ONE_CLASS, n=checked)
    sums = _task_sums(judged, tasks, models, benchmarks)
    whole = sums.sum(0)
    if not whole[2] > 0:
        return undefined(level, NO_CONTRAST, n=checked, clusters=len(sums))
    value, interval = _moved(pair, lambda se, sp: _ratio(whole, se, sp), "Se, Sp")
    if value == -inf:
        return undefined(level, NO_BETTER, n=checked, clusters=len(sums))
    over_tasks = _over_tasks(sums, (pair[0].value, pair[1].value), level)
    found = _joined(value, interval, over_tasks).around(
        value, level=level, n=checked, clusters=len(sums), unit="task"
    )
    return _cut(found, 0.0, "Se and Sp do not fit these labels")


def disattenuated(
    within: Estimate, factor: Estimate, *, bounded: bool = False
) -> Estimate:
    """The tax behind the judge's labels: within / factor.

    `factor` is that of `attenuation_within` or `attenuation`. Interval: Donner and
    Zou's MOVER for a ratio, the R at which within - R factor = 0 lies at an end of the
    interval of that difference,

        (within - R factor)^2 = (within - l)^2 + R^2 (factor - f)^2,

    with l the end of `within` and f that end of the factor which moves R that way;
    Fieller's, where both intervals are symmetric. It takes the two for independent.
    The correction holds for errors that do not depend on the outcome. Where they do
    (say, longer answers both succeed and are called aware), judged labels differ in
    outcome at no true effect, and dividing makes that larger: no factor repairs it.

    Args:
        within: The tax as seen by the judge.
        factor: By what its errors shrink it.
        bounded: Whether outcomes lie in [0, 1]; then value and interval are cut to
            [-1, 1].

    Returns:
        The estimate, with n and clusters of `within`. NaN where the factor's interval
        holds 0 or less; a NaN interval where one of the two has none.

    Raises:
        ValueError: The two have different levels.

    References:
        Donner and Zou, Statistical Methods in Medical Research 21 (2012) 347. Fieller,
        JRSS B 16 (1954) 175.

    Example:
        >>> seen = Estimate(-0.1, -0.15, -0.05, 0.95, 500, 50)
        >>> found = disattenuated(seen, Estimate(0.5, 0.4, 0.6, 0.95, 100, 100))
        >>> round(found.value, 2), round(found.low, 3), round(found.high, 3)
        (-0.2, -0.319, -0.098)
    """
    if within.level != factor.level:
        raise ValueError(
            f"the tax is at level {within.level} and the factor at {factor.level}: "
            "give both the same"
        )
    unknown = [each.note for each in (within, factor) if each.value != each.value]
    if not unknown and not (factor.value > 0 and not factor.low <= 0):
        unknown = [NO_BETTER]
    if unknown:
        return undefined(within.level, unknown[0], n=within.n, clusters=within.clusters)
    found = _quotient(within, factor).around(
        within.value / factor.value,
        level=within.level,
        n=within.n,
        clusters=within.clusters,
        unit=within.unit,
    )
    return _cut(found, -1.0, "the factor does not fit this tax") if bounded else found


def _quotient(within: Estimate, factor: Estimate) -> Interval:
    """MOVER for a ratio; none where one of the two has no interval."""
    for each in (within, factor):
        if not each.has_interval:
            return Interval(nan, nan, "none", each.note)
    below, above = factor.value - factor.low, factor.high - factor.value
    low = _lower(within.value, within.low, factor.value, (below, above))
    high = -_lower(-within.value, -within.high, factor.value, (below, above))
    return Interval(low, high, "MOVER for a ratio", within.note or factor.note)


def _lower(
    value: float, end: float, factor: float, moves: tuple[float, float]
) -> float:
    """The lesser R with (value - R factor)^2 = (value - end)^2 + R^2 move^2.

    A ratio of 0 or more falls as the factor rises, one below 0 as it falls.
    """
    square = (value - end) ** 2
    move = moves[1] if end >= 0 else moves[0]
    a = factor**2 - move**2
    root = sqrt(max(0.0, (value * move) ** 2 + a * square))
    if end >= 0:
        below = value * factor + root
        return (value**2 - square) / below if below > 0 else 0.0
    return (value * factor - root) / a


def _cut(found: Estimate, least: float, why: str) -> Estimate:
    """An estimate between `least` and 1, which says from where it was cut."""
    value = min(1.0, max(least, found.value))
    ends = Interval(found.low, found.high, found.method).within(least, 1.0)
    note = found.note
    if value != found.value:
        cut = f"cut to [{least:g}, 1] from {found.value:.3f}: {why}"
        note = "; ".join(each for each in (cut, note) if each)
    if ends.low >= ends.high:
        ends = Interval(nan, nan, "none")
        note = "; ".join(each for each in (note, NOTHING_INSIDE) if each)
    return replace(
        found, value=value, low=ends.low, high=ends.high, method=ends.method, note=note
    )


def _check_design(v: Validation, prevalence: float | None) -> None:
    """A prevalence where Se and Sp are known, and none where PPV and NPV alone are."""
    if prevalence is None and v.design == "truth_stratified":
        raise ValueError(
            "PPV and NPV cannot be estimated from a truth_stratified validation set: "
            "give the prevalence of aware samples among those compared"
        )
    if prevalence is not None and v.design == "judge_stratified":
        raise ValueError(
            "sensitivity and specificity cannot be estimated from a judge_stratified "
            "validation set: leave prevalence out"
        )
    if prevalence is not None and not 0 < prevalence < 1:
        raise ValueError(f"prevalence must be between 0 and 1, got {prevalence:g}")


def _both(one: Counts, other: Counts, level: float) -> Pair | None:
    """Two shares with Wilson's intervals; None where one is of nothing."""
    if not one[1] or not other[1]:
        return None
    return proportion(*one, level), proportion(*other, level)


def _moved(
    pair: Pair, f: Callable[[float, float], float], names: str
) -> tuple[float, Interval]:
    """Rising f of two shares; the squares of what their ends move it, added up."""
    one, other = pair
    value = f(one.value, other.value)
    low, high = (
        sqrt((f(a, other.value) - value) ** 2 + (f(one.value, b) - value) ** 2)
        for a, b in ((one.low, other.low), (one.high, other.high))
    )
    method = f"MOVER, Wilson's ends of {names}"
    return value, Interval(value - low, value + high, method)


def _factor(se: float, sp: float, p: float) -> float:
    """PPV + NPV - 1 = p (1 - p) (Se + Sp - 1) / (q (1 - q)) at a prevalence."""
    q = p * se + (1 - p) * (1 - sp)
    return p * (1 - p) * (se + sp - 1) / (q * (1 - q)) if 0 < q < 1 else 0.0


def _task_sums(
    judged: npt.ArrayLike,
    tasks: Clusters,
    models: Clusters | None,
    benchmarks: Clusters | None,
) -> Floats:
    """For each task sums over pairs of m - 1, (m - 1) n_a / m, n_a n_u / m."""
    size = np.asarray(judged, dtype=np.float64).shape
    samples = samples_of(
        np.zeros(size), judged, tasks=tasks, models=models, benchmarks=benchmarks
    )
    strata = strata_of(samples)
    m = strata.size
    task = np.unique(strata.task, return_inverse=True)[1].reshape(-1)
    parts = (
        m - 1,
        (m - 1) * strata.n_aware / m,
        strata.n_aware * strata.n_unaware / m,
    )
    return np.stack([np.bincount(task, each) for each in parts], axis=1)


def _ratio(sums: Floats, se: float, sp: float) -> float:
    """Sum (m - 1) (q - F) (Se - q) / (J sum (m - 1) q (1 - q)); -inf at J = 0."""
    wrong, gain = 1 - sp, se + sp - 1
    if sums[2] <= 1e-12:
        return nan
    if gain <= 1e-12:
        return -inf
    top = -wrong * se * sums[0] + (se + wrong - 1) * sums[1] + sums[2]
    return float(top / (gain * sums[2]))


def _over_tasks(sums: Floats, judge: tuple[float, float], level: float) -> Interval:
    """Jackknife of the ratio; a judge without errors shrinks no task's contrast."""
    if judge == (1.0, 1.0) and len(sums) > 1:
        return Interval(1.0, 1.0, "jackknife over tasks, t")
    whole = sums.sum(0)
    without = np.array([_ratio(whole - each, *judge) for each in sums])
    return jackknife(_ratio(whole, *judge), without, level)


def _joined(value: float, one: Interval, other: Interval) -> Interval:
    """Two independent sources of error: squares of their arms added up."""
    low = value - hypot(value - one.low, value - other.low)
    high = value + hypot(one.high - value, other.high - value)
    return Interval(low, high, f"{one.method}, {other.method}", one.note or other.note)
