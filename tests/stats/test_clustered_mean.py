"""Means over clusters."""

from math import isnan, log, sqrt

import numpy as np
import pytest
from scipy.stats import t

from inspect_awareness.stats import Estimate, clustered_mean


def logit(p: float) -> float:
    return log(p / (1 - p))


def test_equal_clusters_give_sd_of_cluster_means_over_root_g() -> None:
    # Cluster means .2 .4 .6 .8: mean .5, sd = sqrt(.2 / 3), se = sd / 2 = .1291.
    values = [0.1, 0.3, 0.3, 0.5, 0.5, 0.7, 0.7, 0.9]
    found = clustered_mean(values, [1, 1, 2, 2, 3, 3, 4, 4], unit="task")
    se = sqrt(0.2 / 3) / 2
    half = t.ppf(0.975, 3) * se / 0.25
    assert found.value == pytest.approx(0.5)
    assert logit(found.high) == pytest.approx(half)
    assert logit(found.low) == pytest.approx(-half)
    assert (found.n, found.clusters, found.unit) == (8, 4, "task")


def test_repeats_of_a_task_do_not_narrow_the_interval() -> None:
    values, ids = [0.2, 0.4, 0.6, 0.8], [1, 2, 3, 4]
    once = clustered_mean(values, ids)
    tenfold = clustered_mean(values * 10, ids * 10)
    assert tenfold.low == pytest.approx(once.low)
    assert tenfold.high == pytest.approx(once.high)


def test_all_zero_is_bounded_with_tasks_as_trials_however_many_samples() -> None:
    # 20 tasks x 10 samples: 1 - .025^(1/20) = .1684, not 1 - .025^(1/200) = .0183.
    found = clustered_mean([0.0] * 200, [k % 20 for k in range(200)])
    assert found.low == 0.0
    assert found.high == pytest.approx(0.16843, abs=1e-5)


def test_all_one_is_the_mirror_image() -> None:
    found = clustered_mean([1.0] * 20, range(20))
    assert (found.value, found.high) == (1.0, 1.0)
    assert found.low == pytest.approx(1 - 0.16843, abs=1e-5)


def test_one_cluster_has_no_interval_rather_than_a_narrow_one() -> None:
    found = clustered_mean([0.2, 0.4, 0.6], ["a", "a", "a"])
    assert isnan(found.low)
    assert isnan(found.high)
    assert "one cluster" in found.note


def test_one_cluster_of_zeros_has_no_interval_either() -> None:
    assert isnan(clustered_mean([0.0, 0.0], ["a", "a"]).high)


def test_identical_values_say_that_the_instrument_does_not_respond() -> None:
    found = clustered_mean([0.53] * 6, range(6))
    assert found.value == pytest.approx(0.53)
    assert not found.has_interval
    assert found.note == "every value is identical: the instrument does not respond"


def test_clusters_that_agree_exactly_give_no_zero_width() -> None:
    found = clustered_mean([0.2, 0.4, 0.2, 0.4], [1, 1, 2, 2])
    assert not found.has_interval
    assert "agree exactly" in found.note


def test_the_interval_stays_inside_the_bounds_and_near_the_edge_leans_inwards() -> None:
    found = clustered_mean([0.0] * 18 + [1.0] * 2, range(20))
    assert 0 < found.low < 0.1 < found.high < 1
    assert found.high - 0.1 > 0.1 - found.low


def test_other_bounds_are_the_same_interval_on_another_scale() -> None:
    values, ids = [0.2, 0.4, 0.6, 0.9], range(4)
    unit = clustered_mean(values, ids)
    percent = clustered_mean([100 * v for v in values], ids, bounds=(0, 100))
    assert percent.low == pytest.approx(100 * unit.low)
    assert percent.high == pytest.approx(100 * unit.high)


def test_an_unbounded_mean_is_the_plain_t_interval() -> None:
    values = [-1.0, 0.5, 2.0, 2.5]
    found = clustered_mean(values, range(4), bounds=None)
    half = t.ppf(0.975, 3) * np.std(values, ddof=1) / 2
    assert found.low == pytest.approx(1.0 - half)
    assert found.high == pytest.approx(1.0 + half)


def test_an_unbounded_mean_of_zeros_gets_no_exact_bound() -> None:
    assert not clustered_mean([0.0] * 5, range(5), bounds=None).has_interval


def test_one_dominating_cluster_costs_degrees_of_freedom() -> None:
    # Shares .8 .1 .1: 1 / (.64 + .01 + .01) - 1 = .515 degrees of freedom, not 2.
    values = [0.5] * 4 + [0.6] * 4 + [0.3] + [0.8]
    ids = [1] * 8 + [2, 3]
    found = clustered_mean(values, ids)
    e = np.array([0.0, -0.25, 0.25]) + np.array([8, 1, 1]) * (0.55 - found.value)
    se = sqrt(np.sum(e**2 / (1 - np.array([0.8, 0.1, 0.1])))) / 10
    half = t.ppf(0.975, 1 / 0.66 - 1) * se / (found.value * (1 - found.value))
    assert logit(found.high) - logit(found.value) == pytest.approx(half)


def test_few_clusters_are_warned_about_and_many_are_not() -> None:
    rng = np.random.default_rng(4)
    few, many = rng.uniform(size=9), rng.uniform(size=10)
    assert "only 9 clusters" in clustered_mean(few, range(9)).note
    assert "only 9 tasks" in clustered_mean(few, range(9), unit="task").note
    assert clustered_mean([0.1, 0.2], [0, 0], unit="source").note.startswith(
        "one source:"
    )
    assert clustered_mean(many, range(10)).note == ""


def test_nothing_has_no_mean() -> None:
    found = clustered_mean([], [])
    assert isnan(found.value)
    assert (found.n, found.note) == (0, "no value")


def test_values_outside_the_bounds_are_an_error() -> None:
    with pytest.raises(ValueError, match=r"values must be in \[0.0, 1.0\]"):
        clustered_mean([0.5, 1.5], [1, 2])


def test_a_cluster_is_needed_for_each_value() -> None:
    with pytest.raises(ValueError, match="1 clusters for 2 values"):
        clustered_mean([0.5, 0.5], [1])


def test_an_estimate_without_interval_contains_nothing() -> None:
    assert not Estimate(0.5, float("nan"), float("nan"), 0.95, 1, 1).contains(0.5)
    assert Estimate(0.5, 0.4, 0.6, 0.95, 9, 9).contains(0.5)


def test_it_covers_the_truth_about_as_often_as_it_says() -> None:
    # 8 clusters of uneven size, beta with mean .3 and intraclass correlation .3.
    rng = np.random.default_rng(5)
    hits = 0
    for _ in range(400):
        sizes = np.maximum(1, rng.geometric(1 / 20, 8))
        ids = np.repeat(np.arange(8), sizes)
        means = rng.beta(0.7, 0.7 * 0.7 / 0.3, 8)
        answers = (rng.uniform(size=ids.size) < means[ids]).astype(float)
        hits += clustered_mean(answers, ids).contains(0.3)
    assert 0.92 <= hits / 400 <= 0.99
