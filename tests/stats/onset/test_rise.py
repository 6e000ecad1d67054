"""Where a curve rises."""

from itertools import permutations
from math import isnan, sqrt

import numpy as np
import pytest

from inspect_awareness.stats.onset import Rise, first_above, rise


def risen(*values: float, seed: int = 0, draws: int = 1_999) -> Rise:
    return rise(values, rng=np.random.default_rng(seed), draws=draws)


def clearest(values: tuple[float, ...]) -> float:
    """The greatest sqrt(s (T - s) / T) (mean after - mean before), by the formula."""
    n = len(values)
    return max(
        sqrt(s * (n - s) / n) * (np.mean(values[s:]) - np.mean(values[:s]))
        for s in range(1, n)
    )


def test_the_rise_is_where_two_means_fit_best() -> None:
    # .1 .2 | .8 .9 .7: means .15 and .8
    found = risen(0.1, 0.2, 0.8, 0.9, 0.7)
    assert found.at == 2
    assert (found.before, found.after) == pytest.approx((0.15, 0.8))
    assert found.step == pytest.approx(0.65)


def test_the_p_of_a_short_curve_counts_all_orders() -> None:
    values = (0.1, 0.2, 0.8, 0.9, 0.7)
    by_hand = [clearest(order) for order in permutations(values)]
    hits = sum(s >= clearest(values) - 1e-12 for s in by_hand)
    found = risen(*values)
    assert found.exact
    assert found.orders == 120
    # 2! x 3! orders keep the two low values in front
    assert hits == 12
    assert found.p == pytest.approx(12 / 120)


def test_the_p_of_a_long_curve_is_that_of_random_orders() -> None:
    # 3 low values before 5 high ones: 3! 5! / 8! = 1 / 56 of all orders
    found = risen(*[0.2] * 3, *[0.7] * 5, draws=20_000)
    assert not found.exact
    assert found.orders == 20_001
    assert found.p == pytest.approx(1 / 56, abs=4 * sqrt(1 / 56 / 20_000))


def test_a_curve_that_falls_or_does_not_move_has_no_rise() -> None:
    for values in [(0.9, 0.5, 0.1), (0.5, 0.5, 0.5), (0.5,), ()]:
        found = risen(*values)
        assert found.at is None
        assert isnan(found.p)
        assert isnan(found.step)
        assert found.note


def test_a_rise_before_a_deeper_fall_is_still_found() -> None:
    # least squares of two segments alone would take the fall at the end
    found = risen(0.3, 0.5, 0.5, 0.5, 0.0)
    assert found.at == 1


def test_the_first_of_two_equal_rises_counts() -> None:
    # splits after 1 and after 2 are equally clear: sqrt(2 / 3) x .3 both
    assert risen(0.2, 0.4, 0.6).at == 1


def test_fewer_than_six_points_cannot_reach_five_percent() -> None:
    # the lower half in front in any order: 1 / C(5, 2) = .1 and 1 / C(6, 3) = .05
    five = risen(0.1, 0.1, 0.9, 0.9, 0.9)
    assert five.p == pytest.approx(0.1)
    assert "no p of .05 or less" in five.note
    six = risen(0.1, 0.1, 0.1, 0.9, 0.9, 0.9)
    assert six.p == pytest.approx(0.05)
    assert six.note == ""


@pytest.mark.parametrize("turns", [8, 30])
def test_noise_rises_at_five_percent_five_times_in_a_hundred(turns: int) -> None:
    rng = np.random.default_rng(1)
    found = [rise(rng.random(turns), rng=rng, draws=199).p for _ in range(600)]
    share = np.mean(np.array(found) <= 0.05)
    assert share == pytest.approx(0.05, abs=3 * sqrt(0.05 * 0.95 / 600))


def test_a_step_of_three_sds_in_twelve_turns_is_found_at_its_place() -> None:
    rng = np.random.default_rng(2)
    curves = rng.normal(size=(200, 12)) + 3.0 * (np.arange(12) >= 6)
    found = [rise(curve, rng=rng, draws=199) for curve in curves]
    near = np.mean([abs((r.at or 0) - 6) <= 1 for r in found])
    assert near > 0.8
    assert np.mean([r.p <= 0.05 for r in found]) > 0.8


def test_units_do_not_matter_but_for_the_step() -> None:
    one = risen(0.1, 0.3, 0.2, 0.8, 0.6, 0.9, 0.7)
    hundred = risen(10, 30, 20, 80, 60, 90, 70)
    assert (one.at, one.p) == (hundred.at, hundred.p)
    assert hundred.step == pytest.approx(100 * one.step)


def test_the_same_seed_gives_the_same_p() -> None:
    values = np.random.default_rng(3).random(20)
    assert risen(*values, seed=5) == risen(*values, seed=5)


def test_missing_turns_are_to_be_left_out() -> None:
    with pytest.raises(ValueError, match="leave missing values out"):
        risen(0.1, float("nan"))
    with pytest.raises(ValueError, match="draws is 0"):
        risen(0.1, 0.2, draws=0)


def test_the_first_value_above_a_threshold() -> None:
    assert first_above([0.2, 0.5, 0.6], 0.5) == 2
    assert first_above([0.2, 0.5], 0.5) is None
    assert first_above([], 0.5) is None
