"""AUROC and percentiles."""

from math import isnan, nan

import numpy as np
import pytest

from inspect_awareness.stats import auroc, percentile_of


def test_hand_counted_pairs_with_a_tie() -> None:
    # 5 x 7 pairs: .9 and .8 beat all 7; .7 ties one and beats 6; .55 beats 5; .3 ties
    # one and beats 3. (7 + 7 + 6.5 + 5 + 3.5) / 35 = 29 / 35.
    evaluation = [0.9, 0.8, 0.7, 0.55, 0.3]
    deployment = [0.7, 0.6, 0.4, 0.3, 0.2, 0.1, 0.05]
    assert auroc(evaluation, deployment) == pytest.approx(29 / 35, abs=1e-15)


def test_it_equals_counting_all_pairs_however_many_ties() -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        x, y = rng.integers(0, 6, 40) / 5, rng.integers(0, 6, 25) / 5
        wins = (x[:, None] > y).mean() + (x[:, None] == y).mean() / 2
        assert auroc(x, y) == pytest.approx(wins, abs=1e-12)


def test_turning_the_scores_round_turns_the_area_round() -> None:
    rng = np.random.default_rng(2)
    x, y = rng.standard_normal(30), rng.standard_normal(20)
    assert auroc(-x, -y) == pytest.approx(1 - auroc(x, y), abs=1e-12)


def test_any_increasing_change_of_scale_leaves_it_alone() -> None:
    rng = np.random.default_rng(3)
    x, y = rng.standard_normal(30), rng.standard_normal(20)
    assert auroc(np.exp(x), np.exp(y)) == auroc(x, y)


def test_scores_that_know_nothing_give_one_half() -> None:
    assert auroc([0.4] * 5, [0.4] * 9) == 0.5


def test_an_empty_class_has_no_area() -> None:
    assert isnan(auroc([], [0.1]))
    assert isnan(auroc([0.1], []))


@pytest.mark.parametrize("bad", [nan, float("inf")])
def test_a_score_that_is_not_finite_is_an_error_not_a_number(bad: float) -> None:
    with pytest.raises(ValueError, match="evaluation_scores holds 1 NaN or infinite"):
        auroc([0.1, bad], [0.2])


def test_a_percentile_is_the_middle_of_its_rank() -> None:
    # Of .1 .2 .2 .4: below .2 is one, equal are two: 100 (1 + 2 / 2) / 4 = 50.
    found = percentile_of([0.0, 0.2, 0.4, 0.9], [0.1, 0.2, 0.2, 0.4])
    assert found.tolist() == [0.0, 50.0, 87.5, 100.0]


def test_a_reference_of_one_value_has_three_percentiles() -> None:
    assert percentile_of([0.1, 0.5, 0.9], [0.5]).tolist() == [0.0, 50.0, 100.0]


def test_no_reference_no_percentile() -> None:
    assert isnan(percentile_of([0.1], [])[0])
