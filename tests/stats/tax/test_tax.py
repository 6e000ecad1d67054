"""The awareness tax."""

from dataclasses import replace
from math import isnan, nan
from typing import Any

import numpy as np
import pytest
from scipy.stats import hypergeom

from inspect_awareness.stats import AwarenessTax, awareness_tax
from inspect_awareness.stats.tax._permutation import permutation_p
from inspect_awareness.stats.tax._strata import samples_of


def tax(outcome: Any, aware: Any, **columns: Any) -> AwarenessTax:
    return awareness_tax(outcome, aware, **columns, rng=np.random.default_rng(0))


Y, A, T = [1, 0, 0, 1, 1, 0, 0], [1, 0, 0, 1, 0, 1, 0], [1, 1, 1, 2, 2, 3, 3]
"""D = 1 0 0 with w = 2/3 1/2 1/2."""


def simulated(
    rng: np.random.Generator, tasks: int, rate: float, effect: float, each: int = 10
) -> tuple[Any, Any, Any]:
    """Tasks that arouse suspicion are harder too; awareness shifts the pass chance."""
    propensity = rng.beta(2 * rate, 2 - 2 * rate, (tasks, 1))
    passes = np.clip(
        0.8 - 0.7 * propensity + rng.normal(0, 0.1, (tasks, 1)), 0.13, 0.87
    )
    aware = rng.uniform(size=(tasks, each)) < propensity
    outcome = rng.uniform(size=(tasks, each)) < passes + effect * aware
    ids = np.repeat(np.arange(tasks), each)
    return outcome.ravel().astype(float), aware.ravel().astype(float), ids


def test_differences_within_tasks_are_weighted_by_what_they_tell() -> None:
    # (2/3 x 1 + 0 + 0) / (2/3 + 1/2 + 1/2) = .4; unweighted (1 + 0 + 0) / 3.
    found = tax(Y, A, tasks=T)
    assert found.within.value == pytest.approx(0.4)
    assert found.paper_mean.value == pytest.approx(1 / 3)
    assert (found.informative, found.pairs) == (3, 3)
    assert (found.within.n, found.within.clusters, found.within.unit) == (7, 3, "task")


def test_pooled_and_between_are_hand_counted() -> None:
    # Aware 1 1 0, unaware 0 0 1 0: 2/3 - 1/4. Task shares 1/3 1/2 1/2, means 1/3 1 0,
    # sizes 3 2 2, mean share 3/7: Sxy = -.0952 (1/3 - 3/7) ... slope = 1/3.
    found = tax(Y, A, tasks=T)
    assert found.pooled.value == pytest.approx(2 / 3 - 1 / 4)
    x, y, m = np.array([1 / 3, 0.5, 0.5]), np.array([1 / 3, 1, 0]), np.array([3, 2, 2])
    slope = np.polyfit(x, y, 1, w=np.sqrt(m))[0]
    assert found.between.value == pytest.approx(slope)


def test_within_is_the_regression_with_a_dummy_for_each_task() -> None:
    outcome, aware, tasks = simulated(np.random.default_rng(1), 40, 0.3, -0.1)
    dummies = (tasks[:, None] == np.arange(40)).astype(float)
    coefficients = np.linalg.lstsq(np.column_stack([aware, dummies]), outcome)[0]
    assert tax(outcome, aware, tasks=tasks).within.value == pytest.approx(
        coefficients[0], abs=1e-12
    )


def test_within_is_mundlaks_regression_on_own_and_mean_awareness() -> None:
    outcome, aware, tasks = simulated(np.random.default_rng(2), 40, 0.3, -0.1)
    mean = (np.bincount(tasks, aware) / 10)[tasks]
    design = np.column_stack([np.ones(400), aware, mean])
    assert tax(outcome, aware, tasks=tasks).within.value == pytest.approx(
        np.linalg.lstsq(design, outcome)[0][1], abs=1e-12
    )


def test_several_models_are_compared_within_each_and_clustered_by_task() -> None:
    # m1: D = 1 (w 1/2); m2: D = -1 (w 1/2) on the same task: 0, one cluster.
    found = tax(
        [1, 0, 0, 1], [1, 0, 1, 0], tasks=[1] * 4, models=["m1"] * 2 + ["m2"] * 2
    )
    assert found.within.value == 0.0
    assert (found.informative, found.within.clusters) == (2, 1)
    assert "one task" in found.within.note


def test_the_same_task_id_in_two_benchmarks_is_two_tasks() -> None:
    found = tax(
        [1, 0, 1, 0], [1, 0, 1, 0], tasks=[1] * 4, benchmarks=["a", "a", "b", "b"]
    )
    assert found.within.clusters == 2


def test_a_reversal_within_tasks_raises_the_flag() -> None:
    # Easy tasks: 1 aware passes, 8 of 9 unaware do. Hard: 1 of 9 aware, 0 of 1 unaware.
    # D = +1/9 in each; pooled 2/10 - 8/10 = -.6.
    easy, hard = [1, *[1] * 8, 0], [1, *[0] * 8, 0]
    suspicious = ([1] + [0] * 9, [1] * 9 + [0])
    found = tax(
        (easy + hard) * 12,
        (suspicious[0] + suspicious[1]) * 12,
        tasks=np.repeat(range(24), 10),
    )
    assert found.within.value == pytest.approx(1 / 9)
    assert found.pooled.value == pytest.approx(-0.6)
    assert found.simpson


def test_an_effect_that_vanishes_within_tasks_raises_it_too() -> None:
    # Easy tasks are all passed (1 of 10 aware), hard ones none (9 of 10): D = 0 in
    # each; pooled 1/10 - 9/10 = -.8.
    aware = ([1] + [0] * 9 + [1] * 9 + [0]) * 12
    found = tax(([1] * 10 + [0] * 10) * 12, aware, tasks=np.repeat(range(24), 10))
    assert found.within.value == 0
    assert found.pooled.value == pytest.approx(-0.8)
    assert found.simpson


def test_the_flag_is_raised_where_pooled_and_within_disagree() -> None:
    rng = np.random.default_rng(3)
    outcome, aware, tasks = simulated(rng, 300, 0.2, 0.0)
    confounded = tax(outcome, aware, tasks=tasks)
    assert confounded.pooled.high < 0
    assert confounded.within.contains(0.0)
    assert confounded.simpson
    shuffled = tax(outcome, rng.permutation(aware), tasks=tasks)
    assert not shuffled.simpson


def test_no_effect_pools_to_a_tax_and_within_tasks_it_does_not() -> None:
    rng = np.random.default_rng(4)
    found = [
        tax(*simulated(rng, 100, 0.1, 0.0)[:2], tasks=np.repeat(range(100), 10))
        for _ in range(60)
    ]
    assert np.mean([f.pooled.value for f in found]) < -0.1
    assert abs(np.mean([f.within.value for f in found])) < 0.03


@pytest.mark.parametrize(
    ("tasks", "rate", "effect"), [(100, 0.02, 0), (150, 0.1, -0.12)]
)
def test_within_covers_the_effect_with_few_informative_tasks(
    tasks: int, rate: float, effect: float
) -> None:
    # About 8 and 50 informative tasks; a cluster bootstrap covers 85 % with 8.
    rng = np.random.default_rng(5)
    hits = known = 0
    for _ in range(200):
        outcome, aware, ids = simulated(rng, tasks, rate, effect)
        found = tax(outcome, aware, tasks=ids)
        known += found.within.has_interval
        hits += found.within.contains(effect)
    assert hits / known >= 0.91


def test_the_exact_p_is_the_hypergeometric_of_one_task() -> None:
    # 2 of 5 pass, both among the 2 aware: P(2) = 1 / 10; E = .8, so |0 - .8| < 1.2.
    found = tax([1, 1, 0, 0, 0], [1, 1, 0, 0, 0], tasks=[1] * 5)
    assert found.p == pytest.approx(0.1)
    assert found.p == pytest.approx(hypergeom.pmf(2, 5, 2, 2))


def test_the_exact_p_of_two_tasks_is_a_convolution() -> None:
    # Each task: one pass among two samples, the aware one: sums 0 1 2 with 1/4 1/2 1/4.
    found = tax([1, 0, 1, 0], [1, 0, 1, 0], tasks=[1, 1, 2, 2])
    assert found.p == pytest.approx(0.5)


def test_draws_agree_with_the_exact_p() -> None:
    outcome, aware, tasks = simulated(np.random.default_rng(6), 30, 0.3, -0.15)
    samples = samples_of(outcome, aware, tasks=tasks, models=None, benchmarks=None)
    count = np.bincount(tasks, aware)
    samples = samples.where((count > 0)[tasks] & (count < 10)[tasks])
    drawn = replace(samples, binary=np.zeros_like(samples.binary))
    rng = np.random.default_rng(0)
    exact = permutation_p(samples, rng=rng, draws=1)
    by_draws = permutation_p(drawn, rng=rng, draws=20_000)
    assert by_draws == pytest.approx(exact, abs=4 * np.sqrt(exact / 20_000))


def test_tasks_with_too_many_choices_to_list_are_drawn_too() -> None:
    outcome, aware, tasks = simulated(np.random.default_rng(7), 8, 0.4, -0.1, each=40)
    exact = tax(outcome, aware, tasks=tasks).p
    nearly = tax(np.where(outcome == 1, 0.999, 0), aware, tasks=tasks).p
    assert nearly == pytest.approx(exact, abs=0.02)


def test_under_no_effect_the_p_value_is_rarely_small() -> None:
    rng = np.random.default_rng(8)
    p = [
        tax(*simulated(rng, 40, 0.2, 0.0)[:2], tasks=np.repeat(range(40), 10)).p
        for _ in range(200)
    ]
    assert np.mean(np.array(p) <= 0.05) <= 0.085


def test_a_continuous_effect_is_found() -> None:
    rng = np.random.default_rng(9)
    tasks = np.repeat(np.arange(60), 10)
    aware = (rng.uniform(size=600) < 0.3).astype(float)
    outcome = rng.uniform(0, 0.5, 60)[tasks] + rng.normal(0, 0.1, 600) - 0.1 * aware
    found = tax(outcome, aware, tasks=tasks)
    assert found.within.contains(-0.1)
    assert found.within.high < 0
    assert found.p == pytest.approx(1 / 10_000)


def test_the_smallest_detectable_effect_is_2_8_standard_errors() -> None:
    # t(.975) + t(.8) -> 1.960 + .842 for many tasks, a little more for few.
    outcome, aware, tasks = simulated(np.random.default_rng(10), 400, 0.3, 0.0)
    found = tax(outcome, aware, tasks=tasks)
    assert found.mde / found.fit.se == pytest.approx(2.8, abs=0.03)


def test_equivalence_needs_the_90_percent_interval_inside_the_margin() -> None:
    outcome, aware, tasks = simulated(np.random.default_rng(11), 400, 0.3, 0.0)
    found = awareness_tax(
        outcome, aware, tasks=tasks, rng=np.random.default_rng(0), level=0.9
    )
    reach = max(abs(found.within.low), abs(found.within.high))
    full = tax(outcome, aware, tasks=tasks)
    assert full.equivalence(reach + 1e-6).equivalent
    assert not full.equivalence(reach - 1e-6).equivalent
    assert full.equivalence(reach).p == pytest.approx(0.05)


def test_missing_outcomes_are_bounded_by_the_worst_and_the_best() -> None:
    # Task 1: aware 1 and one missing, unaware 0: D in {.5, 1}; nothing else.
    found = tax([1, nan, 0, 0], [1, 1, 0, 0], tasks=[1] * 4)
    assert (found.bounds.low, found.bounds.high) == (0.5, 1.0)
    assert (found.bounds.observed, found.bounds.missing) == (3, 1)
    assert found.within.value == 1.0


def test_outcomes_beyond_0_and_1_have_no_bounds() -> None:
    found = tax([5, nan, 0, 0], [1, 1, 0, 0], tasks=[1] * 4)
    assert isnan(found.bounds.low)


def test_samples_of_unknown_awareness_are_left_out_and_counted() -> None:
    found = tax([*Y, 1], [*A, nan], tasks=[*T, 1])
    assert (found.within.value, found.unknown) == (pytest.approx(0.4), 1)


@pytest.mark.parametrize("aware", [[1, 1, 1, 1], [0, 0, 0, 0], [1, 1, 0, 0]])
def test_without_a_task_that_has_both_kinds_nothing_is_known_within(
    aware: list[int],
) -> None:
    found = tax([1, 0, 1, 0], aware, tasks=[1, 1, 2, 2])
    assert isnan(found.within.value)
    assert isnan(found.p)
    assert isnan(found.mde)
    assert "no task has both" in found.within.note
    assert isnan(found.behaviour.rate.value)
    assert not found.equivalence(0.1).equivalent


def test_an_empty_table_is_undefined() -> None:
    found = tax([], [], tasks=[])
    assert isnan(found.within.value)
    assert isnan(found.pooled.value)
    assert (found.informative, found.pairs, found.simpson) == (0, 0, False)


def test_equal_shares_of_awareness_leave_no_slope_between_tasks() -> None:
    found = tax([1, 0, 1, 0], [1, 0, 1, 0], tasks=[1, 1, 2, 2])
    assert isnan(found.between.value)
    assert "same share" in found.between.note


def test_a_constant_outcome_gives_no_zero_width() -> None:
    found = tax([1.0] * 8, [1, 0] * 4, tasks=np.repeat(range(4), 2))
    assert found.within.value == 0.0
    assert not found.within.has_interval
    assert found.p == 1.0


def test_no_interval_leaves_what_is_possible() -> None:
    # Three tasks, D = 1 0 0: .4 ± t(2) would reach beyond 1, which outcomes of 0 and 1
    # cannot; outcomes of 0 and 10 can.
    found = tax(Y, A, tasks=T)
    assert (found.within.low, found.within.high) == (-1, 1)
    assert tax([10 * y for y in Y], A, tasks=T).within.high > 10


def test_duplicated_samples_do_not_narrow_the_interval() -> None:
    outcome, aware, tasks = simulated(np.random.default_rng(12), 30, 0.3, -0.1)
    once = tax(outcome, aware, tasks=tasks)
    twice = tax(np.tile(outcome, 2), np.tile(aware, 2), tasks=np.tile(tasks, 2))
    assert twice.within.low == pytest.approx(once.within.low)


def test_bad_input_is_named() -> None:
    with pytest.raises(ValueError, match="2 outcomes for 1 values of awareness"):
        tax([1, 0], [1], tasks=[1])
    with pytest.raises(ValueError, match="aware must be 0, 1 or NaN"):
        tax([1, 0], [1, 2], tasks=[1, 1])
    with pytest.raises(ValueError, match="an outcome is infinite"):
        tax([1, float("inf")], [1, 0], tasks=[1, 1])
    with pytest.raises(ValueError, match="1 tasks for 2 values"):
        tax([1, 0], [1, 0], tasks=[1])
    with pytest.raises(ValueError, match="a margin is a positive difference, got 0"):
        tax(Y, A, tasks=T).equivalence(0)
