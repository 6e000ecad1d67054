"""The awareness tax: outcomes of aware minus those of unaware samples."""

from dataclasses import dataclass, replace
from math import inf, nan

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats._arrays import Floats
from inspect_awareness.stats._estimate import Estimate
from inspect_awareness.stats._intervals import Clusters
from inspect_awareness.stats._missing import Bounds
from inspect_awareness.stats.tax._behaviour import BehaviourChange, behaviour_change
from inspect_awareness.stats.tax._contrasts import between_slope, pooled_difference
from inspect_awareness.stats.tax._intervals import MeanFit, cr2_mean
from inspect_awareness.stats.tax._permutation import permutation_p
from inspect_awareness.stats.tax._strata import Samples, Strata, samples_of, strata_of

POWER = 0.8
"""The power at which an effect counts as detectable."""


@dataclass(frozen=True)
class Equivalence:
    """Whether an effect as large as a margin can be excluded."""

    margin: float
    """The smallest effect that would matter."""

    p: float
    """The larger p-value of two one-sided tests of |effect| >= margin."""

    equivalent: bool
    """Whether p is below 1 - level: the effect is smaller than the margin."""


@dataclass(frozen=True)
class AwarenessTax:
    """Aware minus unaware, within tasks and otherwise; associated, not caused."""

    within: Estimate
    """Within tasks, weights n_a n_u / m: the number to quote."""

    p: float
    """Permutation p-value of no effect, labels moved within each task."""

    paper_mean: Estimate
    """The unweighted mean of the tasks' differences, as the second source has it."""

    pooled: Estimate
    """All aware minus all unaware samples: mixes tasks of unlike difficulty."""

    between: Estimate
    """Slope of a task's mean outcome on its share of aware samples."""

    informative: int
    """Pairs of model and task with both kinds of samples, which `within` rests on."""

    pairs: int
    """All pairs of model and task."""

    mde: float
    """The smallest effect found with 80 % power: (t_(1 - alpha / 2) + t_.8) se."""

    simpson: bool
    """Whether the pooled difference misleads: it lies outside the interval within
    tasks, where the effect has the other sign or cannot be told from 0 (where there
    is no such interval: it has the other sign or is 0)."""

    fit: MeanFit
    """Standard error and degrees of freedom of `within`."""

    bounds: Bounds
    """`within` had the missing outcomes lowered, and had they raised it most; NaN for
    outcomes outside [0, 1]."""

    unknown: int
    """Samples left out because their awareness is not known."""

    behaviour: BehaviourChange
    """How often aware samples deviate, beside how often they would by chance."""

    def equivalence(self, margin: float) -> Equivalence:
        """Whether an effect within tasks as large as a margin can be excluded.

        Two one-sided tests: p is the larger of P(T >= (margin ± effect) / se), with
        the degrees of freedom of `within`.

        Raises:
            ValueError: The margin is not positive.

        References:
            Schuirmann, J. Pharmacokinetics and Biopharmaceutics 15 (1987) 657.
        """
        if not margin > 0:
            raise ValueError(f"a margin is a positive difference, got {margin}")
        p = self.fit.outside(margin)
        return Equivalence(margin, p, equivalent=p < 1 - self.within.level)


def awareness_tax(
    outcome: npt.ArrayLike,
    aware: npt.ArrayLike,
    *,
    tasks: Clusters,
    models: Clusters | None = None,
    benchmarks: Clusters | None = None,
    rng: np.random.Generator,
    level: float = 0.95,
    draws: int = 9_999,
) -> AwarenessTax:
    """The difference that goes with awareness, within the same model and task.

    With D_t = mean of the aware - mean of the unaware samples of a task that has
    both, and w_t = n_a n_u / m: within = sum w D / sum w, which is the regression on
    awareness with a dummy for each model and task (and the Mantel-Haenszel risk
    difference for binary outcomes). Interval: CR2 with Bell-McCaffrey's degrees of
    freedom, tasks as clusters, cut to [-1, 1] for outcomes in [0, 1]. It compares samples of one task, so that tasks which
    are both hard and suspicious cannot pass for an effect, as they do in the pooled
    difference; what differs between samples of a task (longer reasoning) still can.
    The judge's errors shrink it: `attenuation_within` says how much, and
    `disattenuated` divides by that.

    Args:
        outcome: Outcome of each sample, shape (n,); NaN where it is missing.
        aware: 1 for aware, 0 for not, NaN where it is not known, shape (n,).
        tasks: The task of each sample, within its benchmark.
        models: The model of each sample; None where there is one.
        benchmarks: The benchmark of each sample; None where there is one. A benchmark
            is binary where all its outcomes are 0 or 1.
        rng: Source of the draws for continuous outcomes; binary ones are exact.
        level: Nominal coverage.
        draws: How many permutations continuous outcomes get.

    Returns:
        The record. Without an informative task the numbers within are NaN.

    Raises:
        ValueError: An outcome is infinite, awareness is not 0, 1 or NaN, or lengths
            differ.

    References:
        Bell and McCaffrey, Survey Methodology 28 (2002) 169. Pustejovsky and Tipton,
        JBES 36 (2018) 672.

    Example:
        >>> found = awareness_tax(
        ...     [1, 0, 0, 1, 1, 0, 0],
        ...     [1, 0, 0, 1, 0, 1, 0],
        ...     tasks=[1, 1, 1, 2, 2, 3, 3],
        ...     rng=np.random.default_rng(0),
        ... )
        >>> round(found.within.value, 3), round(found.paper_mean.value, 3)
        (0.4, 0.333)
    """
    everything = samples_of(
        outcome, aware, tasks=tasks, models=models, benchmarks=benchmarks
    )
    samples = everything.where(~np.isnan(everything.outcome))
    strata = strata_of(samples)
    differences, weights, clusters = strata.differences()
    fit = cr2_mean(differences, weights, clusters)
    plain = cr2_mean(differences, np.ones(weights.size), clusters)
    both = samples.where(_in_informative(samples, strata))
    reach = reach_of(samples.outcome)
    within = cut_estimate(fit, both.aware.size, level, reach)
    pooled = pooled_difference(samples, level, reach)
    return AwarenessTax(
        within=within,
        p=permutation_p(both, rng=rng, draws=draws),
        paper_mean=cut_estimate(plain, both.aware.size, level, reach),
        pooled=pooled,
        between=between_slope(strata, level),
        informative=differences.size,
        pairs=np.unique(everything.stratum).size,
        mde=fit.detectable(level, POWER),
        simpson=_misleads(pooled, within),
        fit=fit,
        bounds=_bounds(everything),
        unknown=everything.unknown,
        behaviour=behaviour_change(both, rng=rng, level=level),
    )


def _in_informative(samples: Samples, strata: Strata) -> npt.NDArray[np.bool_]:
    """Samples of pairs with both kinds."""
    _, where = np.unique(samples.stratum, return_inverse=True)
    return strata.informative[where]


def reach_of(outcome: Floats) -> float:
    """The largest possible difference: 1 for outcomes in [0, 1]."""
    inside = outcome.size and outcome.min() >= 0 and outcome.max() <= 1
    return 1.0 if inside else inf


def cut_estimate(fit: MeanFit, n: int, level: float, reach: float) -> Estimate:
    """A fit as an estimate over tasks, its interval cut to what is possible."""
    found = fit.interval(level).around(
        fit.value, level=level, n=n, clusters=fit.clusters, unit="task"
    )
    if not found.has_interval:
        return found
    return replace(found, low=max(-reach, found.low), high=min(reach, found.high))


def _misleads(pooled: Estimate, within: Estimate) -> bool:
    """Simpson's reversal, or an effect that vanishes within tasks."""
    opposite = pooled.value * within.value < 0
    if not within.has_interval:
        return opposite or (within.value == 0 and abs(pooled.value) > 1e-12)
    outside = not within.contains(pooled.value) and pooled.value == pooled.value
    return outside and (opposite or within.contains(0.0))


def _bounds(samples: Samples) -> Bounds:
    """Missing outcomes at 0 for the aware and 1 for the unaware, and the reverse."""
    gone = np.isnan(samples.outcome)
    known = samples.outcome[~gone]
    missing = int(gone.sum())
    if known.size and not (known.min() >= 0 and known.max() <= 1):
        return Bounds(nan, nan, known.size, missing)
    ends = [
        _filled(samples, np.where(gone, samples.aware == high, samples.outcome))
        for high in (False, True)
    ]
    return Bounds(ends[0], ends[1], known.size, missing)


def _filled(samples: Samples, outcome: Floats) -> float:
    """The difference within tasks, with these outcomes."""
    strata = strata_of(replace(samples, outcome=outcome))
    return cr2_mean(*strata.differences()).value
