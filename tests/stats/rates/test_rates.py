"""Awareness rates over tasks."""

from math import isnan, log, nan, sqrt

import numpy as np
import pytest
from scipy.stats import t

from inspect_awareness.stats import awareness_rate, awareness_rates


def logit(p: float) -> float:
    return log(p / (1 - p))


def test_a_rate_is_the_logit_interval_over_task_means() -> None:
    # Task means 0 .5 .5 1: p = .5, sd = sqrt(.5 / 3), se = sd / 2, t(3).
    found = awareness_rate([0, 0, 0, 1, 1, 0, 1, 1], [1, 1, 2, 2, 3, 3, 4, 4])
    half = t.ppf(0.975, 3) * sqrt(0.5 / 3) / 2 / 0.25
    assert found.value == 0.5
    assert logit(found.high) == pytest.approx(half)
    assert (found.n, found.clusters, found.unit) == (8, 4, "task")


def test_no_aware_sample_is_bounded_with_tasks_as_trials() -> None:
    # 25 tasks x 10 samples: 1 - .025^(1/25) = .1372, not 1 - .025^(1/250) = .0146.
    found = awareness_rate([0] * 250, [k % 25 for k in range(250)])
    assert (found.value, found.low) == (0.0, 0.0)
    assert found.high == pytest.approx(0.13719, abs=1e-5)


def test_one_aware_sample_is_never_surer_than_none() -> None:
    # 1 of 250: the logit interval alone would end at .031, below the .137 of no hit.
    tasks = [k % 25 for k in range(250)]
    none = awareness_rate([0] * 250, tasks)
    one = awareness_rate([1] + [0] * 249, tasks)
    assert one.high == pytest.approx(none.high)
    assert 0 < one.low < one.value == 0.004
    assert "no nearer than at 0" in one.method


def test_almost_all_aware_is_the_mirror_image() -> None:
    tasks = [k % 25 for k in range(250)]
    few = awareness_rate([1] + [0] * 249, tasks)
    most = awareness_rate([0] + [1] * 249, tasks)
    assert (most.low, most.high) == pytest.approx((1 - few.high, 1 - few.low))


def test_a_rate_of_a_whole_task_is_left_as_it_is() -> None:
    # 10 of 250 samples are one task's worth: p T = 1, so the rule does not apply.
    aware = [1 if k % 25 == 0 else 0 for k in range(250)]
    assert "no nearer" not in awareness_rate(aware, [k % 25 for k in range(250)]).method


def test_rows_are_models_on_benchmarks_in_order_of_appearance() -> None:
    found = awareness_rates(
        [1, 0, 1, 1, 0],
        models=["b", "a", "b", "b", "a"],
        benchmarks=["y", "x", "x", "y", "x"],
        tasks=[1, 1, 1, 2, 2],
    )
    rows = [(r.model, r.benchmark, r.estimate.value, r.estimate.n) for r in found]
    assert rows == [("b", "y", 1.0, 2), ("a", "x", 0.0, 2), ("b", "x", 1.0, 1)]


def test_the_same_task_id_in_two_benchmarks_is_two_tasks() -> None:
    found = awareness_rates(
        [1, 0, 0, 1],
        models=["m"] * 4,
        benchmarks=["x", "x", "y", "y"],
        tasks=[1, 2, 1, 2],
    )
    assert [r.estimate.clusters for r in found] == [2, 2]


def test_unknown_samples_are_left_out_counted_and_bounded() -> None:
    # 1 of 3 known is aware; with the fourth unaware 1/4, with it aware 2/4.
    (found,) = awareness_rates(
        [1, 0, 0, nan], models=["m"] * 4, benchmarks=["b"] * 4, tasks=[1, 2, 3, 4]
    )
    assert found.estimate.value == pytest.approx(1 / 3)
    assert (found.estimate.n, found.estimate.clusters, found.missing) == (3, 3, 1)
    assert (found.bounds.low, found.bounds.high) == (0.25, 0.5)


def test_a_cell_of_which_nothing_is_known_stays_in_the_table() -> None:
    (found,) = awareness_rates([nan], models=["m"], benchmarks=["b"], tasks=[1])
    assert isnan(found.estimate.value)
    assert (found.missing, found.bounds.low, found.bounds.high) == (1, 0.0, 1.0)
    assert found.estimate.note == "the awareness of no sample is known"


def test_one_task_has_no_interval() -> None:
    assert not awareness_rate([0, 1, 1], ["a", "a", "a"]).has_interval


def test_no_sample_gives_no_row() -> None:
    assert awareness_rates([], models=[], benchmarks=[], tasks=[]) == ()
    assert isnan(awareness_rate([], []).value)


def test_ids_may_be_arrays() -> None:
    names = np.array(["m", "m"])
    (found,) = awareness_rates([0, 1], models=names, benchmarks=names, tasks=names)
    assert (found.model, found.estimate.value) == ("m", 0.5)


@pytest.mark.parametrize("bad", [[0.5], [2], [-1], [float("inf")]])
def test_awareness_is_0_or_1(bad: list[float]) -> None:
    with pytest.raises(ValueError, match="aware must be 0, 1 or NaN"):
        awareness_rate(bad, [1])


def test_an_unknown_sample_is_an_error_where_it_cannot_be_counted() -> None:
    with pytest.raises(ValueError, match="aware holds 1 NaN"):
        awareness_rate([nan, 1], [1, 2])


def test_lengths_must_agree() -> None:
    with pytest.raises(ValueError, match="1 tasks for 2 values"):
        awareness_rates([0, 1], models=[1, 1], benchmarks=[1, 1], tasks=[1])


@pytest.mark.parametrize(
    ("tasks", "rate", "correlation"), [(25, 0.05, 0.6), (342, 0.005, 0.3)]
)
def test_it_covers_rare_rates_where_the_naive_interval_does_not(
    tasks: int, rate: float, correlation: float
) -> None:
    # Naive Wilson covers 55 and 66 % here: ten samples of a task are no ten tasks.
    rng = np.random.default_rng(6)
    shape = 1 / correlation - 1
    ids = np.repeat(np.arange(tasks), 10)
    hits = 0
    for _ in range(150):
        propensity = rng.beta(rate * shape, (1 - rate) * shape, tasks)
        aware = (rng.uniform(size=ids.size) < propensity[ids]).astype(float)
        hits += awareness_rate(aware, ids).contains(rate)
    assert hits / 150 >= 0.92
