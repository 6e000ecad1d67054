"""Behaviour change as the second source defines it, and without any effect."""

from typing import Any

import numpy as np
import pytest

from inspect_awareness.stats import BehaviourChange, awareness_tax


def change(outcome: Any, aware: Any, tasks: Any, **columns: Any) -> BehaviourChange:
    rng = np.random.default_rng(0)
    return awareness_tax(outcome, aware, tasks=tasks, rng=rng, **columns).behaviour


def test_binary_change_is_deviation_from_the_mode_of_the_unaware() -> None:
    # Unaware 1 1 0: mode 1. Aware 0 and 1: one of two deviates.
    found = change([0, 1, 1, 1, 0], [1, 1, 0, 0, 0], [1] * 5)
    assert found.rate.value == 0.5


def test_one_task_has_no_interval_rather_than_all_that_is_possible() -> None:
    found = change([0, 1, 1, 1, 0], [1, 1, 0, 0, 0], [1] * 5)
    assert not found.rate.has_interval
    assert not found.excess.has_interval


def test_a_tied_mode_counts_half() -> None:
    assert change([1, 1, 0], [1, 0, 0], [1] * 3).rate.value == 0.5


def test_continuous_change_is_a_distance_of_three_tenths_from_the_mean() -> None:
    # Unaware mean .4: .7 and .1 are .3 away (in floating point a hair less), .6 is not.
    found = change([0.7, 0.1, 0.6, 0.3, 0.5], [1, 1, 1, 0, 0], [1] * 5)
    assert found.rate.value == pytest.approx(2 / 3)


def test_a_benchmark_is_binary_by_all_its_outcomes_not_by_one_tasks() -> None:
    # Task 1 holds 0 and 1 only, but task 2 holds .5: continuous. |1 - 1/3| >= .3.
    outcome, aware = [0, 1, 0, 0.5, 0.5], [0, 0, 0, 1, 0]
    found = change([*outcome, 1], [*aware, 1], [1, 1, 1, 2, 2, 1])
    assert found.rate.value == 0.5
    apart = change(
        [*outcome, 1], [*aware, 1], [1, 1, 1, 2, 2, 1], benchmarks=[1, 1, 1, 2, 2, 1]
    )
    assert apart.rate.value == 0.5


def test_without_effect_is_the_mean_over_all_choices_of_the_aware() -> None:
    # 1 1 0, one aware. Aware = a 1 (2 of 3 ways): rest 1 0, tied: half. Aware = the
    # 0: rest 1 1, deviates: 1. Mean (.5 + .5 + 1) / 3.
    found = change([1, 1, 0], [1, 0, 0], [1] * 3)
    assert found.without_effect == pytest.approx(2 / 3)
    assert found.excess.value == pytest.approx(0.5 - 2 / 3)


def test_continuous_without_effect_is_hand_counted_too() -> None:
    # .0 .0 .6, one aware. Aware = a 0: rest mean .3, away .3: changed. Aware = .6:
    # rest mean 0, changed. All three ways: 1.
    assert change([0.6, 0, 0], [1, 0, 0], [1] * 3).without_effect == 1.0


@pytest.mark.parametrize(
    ("a", "b", "published"),
    [(0.5, 0.5, 0.227), (1, 1, 0.304), (5, 1, 0.218), (0.2, 0.02, 0.025)],
)
def test_no_effect_looks_like_change_and_the_excess_does_not(
    a: float, b: float, published: float
) -> None:
    # The values under no effect of ../shared/research/statistics.md, section 3.
    rng = np.random.default_rng(1)
    tasks = np.repeat(np.arange(1500), 10)
    passes = rng.beta(a, b, 1500)
    outcome = (rng.uniform(size=tasks.size) < passes[tasks]).astype(float)
    aware = (rng.uniform(size=tasks.size) < rng.beta(0.6, 1.4, 1500)[tasks]).astype(
        float
    )
    found = change(outcome, aware, tasks)
    assert found.rate.value == pytest.approx(published, abs=0.04)
    assert found.without_effect == pytest.approx(found.rate.value, abs=0.02)
    assert found.excess.low - 0.005 < 0 < found.excess.high + 0.005


def test_a_real_change_is_an_excess() -> None:
    rng = np.random.default_rng(2)
    tasks = np.repeat(np.arange(60), 10)
    aware = (rng.uniform(size=600) < 0.3).astype(float)
    outcome = (rng.uniform(size=600) < np.where(aware == 1, 0.5, 0.95)).astype(float)
    assert change(outcome, aware, tasks).excess.low > 0.1


def test_large_tasks_are_looked_at_by_random_choices() -> None:
    rng = np.random.default_rng(3)
    tasks = np.repeat(np.arange(4), 60)
    outcome = rng.uniform(0, 1, 240)
    aware = (rng.uniform(size=240) < 0.4).astype(float)
    found = change(outcome, aware, tasks)
    # Uniform about a mean near .5: 40 % are .3 or more away.
    assert found.without_effect == pytest.approx(0.4, abs=0.06)
