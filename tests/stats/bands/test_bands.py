"""Awareness rates by length, within tasks and pooled."""

from math import isnan, nan
from typing import Any

import numpy as np
import pytest

from inspect_awareness.stats import RatesByBand, awareness_rate, rates_by_band
from inspect_awareness.stats.bands._ranked import parts, places


def of(aware: Any, amount: Any, tasks: Any, **given: Any) -> RatesByBand:
    rng = np.random.default_rng(0)
    return rates_by_band(aware, amount, tasks=tasks, rng=rng, **given)


def rates(found: RatesByBand) -> list[float]:
    return [band.rate.value for band in found.bands]


def test_six_samples_of_a_task_are_two_short_two_middling_two_long() -> None:
    # By amount: 0 0 | 0 1 | 1 1, in any order of the rows.
    amount, aware = [60, 10, 50, 20, 40, 30], [1, 0, 1, 0, 1, 0]
    found = of(aware, amount, [1] * 6)
    assert rates(found) == [0.0, 0.5, 1.0]
    assert [band.amount for band in found.bands] == [15, 35, 55]
    assert [band.rate.n for band in found.bands] == [2, 2, 2]
    assert (found.strata, found.left_out, found.missing) == (1, 0, 0)


def test_a_sample_on_a_cut_belongs_to_both_sides_in_proportion() -> None:
    # Four samples in three bands: thirds of 1 + 1/3, so the second is 1/3 and 2/3.
    assert parts(np.array([1.0, 2, 3, 4]), 3) == pytest.approx(
        np.array([[1, 0, 0], [1 / 3, 2 / 3, 0], [0, 2 / 3, 1 / 3], [0, 0, 1]])
    )
    # Aware is the second: 1/3 and 2/3 of one sample, each of 4/3.
    assert rates(of([0, 1, 0, 0], [1, 2, 3, 4], [1] * 4)) == pytest.approx(
        [0.25, 0.5, 0.0]
    )


def test_tied_samples_share_what_they_fill_together() -> None:
    assert parts(np.array([5.0, 5, 5]), 3) == pytest.approx(np.full((3, 3), 1 / 3))
    assert parts(np.array([1.0, 7, 7, 9]), 2) == pytest.approx(
        np.array([[1, 0], [0.5, 0.5], [0.5, 0.5], [0, 1]])
    )
    assert places(np.array([1.0, 7, 7, 9])) == pytest.approx([0.2, 0.5, 0.5, 0.8])


@pytest.mark.parametrize(("size", "bands"), [(3, 3), (10, 3), (7, 4), (20, 2)])
def test_every_band_has_as_much_of_every_task(size: int, bands: int) -> None:
    amount = np.random.default_rng(1).integers(0, 6, size).astype(float)
    found = parts(amount, bands)
    assert found.sum(0) == pytest.approx(np.full(bands, size / bands))
    assert found.sum(1) == pytest.approx(np.ones(size))


def test_the_bands_of_equal_tasks_average_to_the_rate() -> None:
    rng = np.random.default_rng(2)
    aware, tasks = rng.integers(0, 2, 200), np.repeat(range(20), 10)
    found = of(aware, rng.random(200), tasks)
    assert np.mean(rates(found)) == pytest.approx(aware.mean())


def test_neither_the_order_of_rows_nor_the_unit_of_the_amount_matters() -> None:
    rng = np.random.default_rng(3)
    aware, amount = rng.integers(0, 2, 60), rng.integers(0, 9, 60)
    tasks, order = np.repeat(range(10), 6), rng.permutation(60)
    one = of(aware, amount, tasks)
    other = of(aware[order], 1000.0 * amount[order] ** 2, tasks[order])
    assert rates(other) == pytest.approx(rates(one))
    assert other.trend.value == pytest.approx(one.trend.value)


def test_tasks_that_are_long_and_suspicious_look_like_a_trend_when_pooled_only() -> (
    None
):
    # 100 tasks; suspicious ones take longer, and within a task length says nothing.
    rng = np.random.default_rng(4)
    chance = rng.beta(0.5, 1, 100)
    tasks = np.repeat(range(100), 10)
    aware = rng.random(1000) < chance[tasks]
    amount = np.exp(3 * chance[tasks] + 0.3 * rng.normal(size=1000))
    found = of(aware, amount, tasks)
    pooled = [band.rate.value for band in found.pooled]
    assert pooled[2] - pooled[0] > 0.5
    assert max(rates(found)) - min(rates(found)) < 0.06
    assert found.trend.contains(0.0)
    assert found.p > 0.05


def test_a_trend_within_tasks_is_found_and_measured() -> None:
    # P(aware) = .2 + .6 u with u uniform in each task: thirds at .3 .5 .7, slope .6.
    rng = np.random.default_rng(5)
    for each in (3, 12):
        u = rng.random((600, each))
        aware = rng.random(u.shape) < 0.2 + 0.6 * u
        tasks = np.repeat(range(600), each)
        found = of(aware.ravel(), 100 * u.ravel(), tasks)
        # The same slope with 3 and with 12 samples a task.
        assert found.trend.contains(0.6)
        assert found.trend.high - found.trend.low < 0.5
        assert found.p < 0.001
    assert rates(found) == pytest.approx([0.3, 0.5, 0.7], abs=0.05)


def test_models_are_ranked_apart_and_tasks_are_the_clusters() -> None:
    # A wordy model is aware of all, a terse one of nothing: no trend within either.
    aware, amount = [1] * 6 + [0] * 6, [9, 8, 7] * 2 + [3, 2, 1] * 2
    found = of(aware, amount, [1, 1, 1, 2, 2, 2] * 2, models=["a"] * 6 + ["b"] * 6)
    assert (found.strata, found.bands[0].rate.clusters) == (4, 2)
    assert rates(found) == [0.5, 0.5, 0.5]
    assert found.trend.value == pytest.approx(0.0)
    assert [band.rate.value for band in found.pooled] == [0.0, 0.5, 1.0]


def test_pooled_bands_are_rates_of_quantiles_of_all_samples() -> None:
    amount = np.array([1, 2, 3, 4, 5, 6, 7, 8, 9])
    aware, tasks = np.array([0, 1, 0, 0, 1, 1, 1, 1, 1]), np.array([1, 2, 3] * 3)
    found = of(aware, amount, tasks).pooled
    assert [band.amount for band in found] == [2, 5, 8]
    assert found[1].rate == awareness_rate(aware[3:6], tasks[3:6])


def test_equal_amounts_stay_in_one_pooled_band() -> None:
    found = of([1, 0, 1, 0, 1, 1], [5] * 6, [1, 1, 1, 2, 2, 2])
    assert [band.rate.n for band in found.pooled] == [0, 6, 0]
    assert "many amounts are equal" in found.pooled[0].rate.note
    # Within tasks all is tied: each band is the task, and there is no trend.
    assert rates(found) == pytest.approx([2 / 3] * 3)
    assert isnan(found.trend.value)
    assert isnan(found.p)
    assert "all amounts are equal" in found.trend.note


def test_short_tasks_are_left_out_and_unknown_samples_counted() -> None:
    found = of(
        [0, 0, 1, 1, 0, nan, 1], [1, 2, 3, 1, 2, 3, nan], [1, 1, 1, 2, 2, 2, 1], bands=3
    )
    assert (found.strata, found.left_out, found.missing) == (1, 1, 2)
    assert rates(found) == [0.0, 0.0, 1.0]
    assert sum(band.rate.n for band in found.pooled) == 5


def test_nothing_to_rank_is_undefined_with_a_note() -> None:
    for found in (of([1, 0], [1, 2], [1, 1]), of([], [], [])):
        assert all(isnan(rate) for rate in rates(found))
        assert isnan(found.trend.value)
        assert "as many known samples" in found.trend.note
    assert "no sample" in found.pooled[0].rate.note


def test_one_task_has_no_interval_and_always_aware_is_bounded_by_tasks() -> None:
    alone = of([0, 0, 1], [1, 2, 3], [1, 1, 1])
    assert not alone.trend.has_interval
    assert not alone.bands[0].rate.has_interval
    found = of([1] * 100, np.arange(100), np.repeat(range(10), 10))
    assert rates(found) == [1.0, 1.0, 1.0]
    # 1 - .025^(1/10) from the end, though 10 samples in 3 bands leave parts of samples.
    assert found.bands[1].rate.low == pytest.approx(0.025 ** (1 / 10))
    assert isnan(found.p)


def test_without_a_trend_p_and_intervals_keep_their_level() -> None:
    rng = np.random.default_rng(6)
    tasks, small, held, inside = np.repeat(range(40), 6), [], [], []
    for _ in range(150):
        chance = rng.beta(0.6, 1.4, 40)[tasks]
        aware = rng.random(240) < chance
        found = of(aware, rng.integers(0, 30, 240), tasks, draws=199)
        small.append(found.p <= 0.05)
        held.append(found.trend.contains(0.0))
        inside += [band.rate.contains(0.3) for band in found.bands]
    assert np.mean(small) <= 0.09
    assert np.mean(held) >= 0.9
    assert np.mean(inside) >= 0.92


@pytest.mark.parametrize(
    ("aware", "amount", "tasks", "bands", "words"),
    [
        ([2], [1], [1], 3, "aware must be 0, 1 or NaN"),
        ([1], [-1], [1], 3, "an amount is 0 or more, or NaN .not known., got -1"),
        ([1], [np.inf], [1], 3, "got inf"),
        ([1, 0], [1], [1, 1], 3, "1 amounts for 2 values"),
        ([1], [1], [1, 2], 3, "2 tasks for 1 values"),
        ([1], [1], [1], 1, "bands is 1: a comparison needs 2"),
    ],
)
def test_bad_input_is_named(
    aware: Any, amount: Any, tasks: Any, bands: int, words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        of(aware, amount, tasks, bands=bands)
