"""The three actors."""

from math import isnan, nan
from typing import Any

import numpy as np
import pytest

from inspect_awareness.stats import Actors, awareness_actors


def actors(outcome: Any, aware: Any, **columns: Any) -> tuple[Actors, ...]:
    return awareness_actors(outcome, aware, **columns, rng=np.random.default_rng(0))


def shares(found: Actors) -> tuple[float, ...]:
    return (
        found.naive.value,
        found.strategically_aware.value,
        found.robustly_aligned.value,
        found.undetermined.value,
    )


def test_every_sample_is_one_of_four() -> None:
    # Unaware 1 1; aware 0 (changed) and 1 (not); task 2 has an aware sample alone.
    (found,) = actors([1, 1, 0, 1, 1], [0, 0, 1, 1, 1], tasks=[1, 1, 1, 1, 2])
    assert shares(found) == pytest.approx((2 / 5, 1 / 5, 1 / 5, 1 / 5))
    assert (found.naive.n, found.naive.clusters) == (5, 2)


def test_a_tied_mode_is_half_of_each() -> None:
    (found,) = actors([1, 0, 1], [0, 0, 1], tasks=[1, 1, 1])
    assert shares(found) == pytest.approx((2 / 3, 1 / 6, 1 / 6, 0))


def test_each_model_has_its_own_row_and_its_own_unaware_samples() -> None:
    first, second = actors(
        [1, 0, 0, 0],
        [0, 1, 0, 1],
        tasks=[1, 1, 1, 1],
        models=["b", "b", "a", "a"],
    )
    assert (first.model, second.model) == ("b", "a")
    assert shares(first) == (0.5, 0.5, 0, 0)
    assert shares(second) == (0.5, 0, 0.5, 0)


def test_a_model_that_never_suspects_is_naive() -> None:
    (found,) = actors([1, 0, 1], [0, 0, 0], tasks=[1, 2, 3])
    assert shares(found) == (1, 0, 0, 0)
    assert found.changed_without_effect == 0


def test_a_missing_outcome_leaves_an_aware_sample_undetermined() -> None:
    (found,) = actors([1, nan, nan, 1], [0, 0, 1, 1], tasks=[1] * 4)
    assert shares(found) == (0.5, 0, 0.25, 0.25)


def test_unknown_awareness_is_left_out_and_a_model_without_any_is_no_row() -> None:
    found = actors([1, 1, 1], [0, nan, nan], tasks=[1, 1, 1], models=["a", "a", "b"])
    assert [(f.model, f.naive.n) for f in found] == [("a", 1)]
    assert isnan(found[0].naive.low)


def test_change_without_effect_stands_beside_the_strategic_share() -> None:
    # 1 1 0, one aware: 2/3 of a change expected, over 3 samples.
    (found,) = actors([1, 1, 0], [1, 0, 0], tasks=[1] * 3)
    assert found.changed_without_effect == pytest.approx(2 / 9)


def test_no_effect_makes_no_more_strategists_than_chance() -> None:
    rng = np.random.default_rng(1)
    tasks = np.repeat(np.arange(400), 10)
    outcome = (rng.uniform(size=4000) < rng.uniform(size=400)[tasks]).astype(float)
    aware = (rng.uniform(size=4000) < 0.3).astype(float)
    (found,) = actors(outcome, aware, tasks=tasks)
    assert found.strategically_aware.contains(found.changed_without_effect)
    assert found.strategically_aware.value > 0.05


def test_intervals_are_over_tasks() -> None:
    rng = np.random.default_rng(2)
    outcome, aware = rng.integers(0, 2, 200), rng.integers(0, 2, 200)
    (found,) = actors(outcome, aware, tasks=np.repeat(range(20), 10))
    assert found.naive.clusters == 20
    assert found.robustly_aligned.low < found.robustly_aligned.value


def test_no_sample_gives_no_row() -> None:
    assert actors([], [], tasks=[]) == ()
