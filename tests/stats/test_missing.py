"""What missing values could have done."""

from math import isnan

import pytest

from inspect_awareness.stats import auroc, auroc_bounds, mean_bounds


def test_missing_values_move_a_mean_from_all_zero_to_all_one() -> None:
    # (.2 + .4 + .9 + 0) / 4 and (.2 + .4 + .9 + 1) / 4.
    found = mean_bounds([0.2, 0.4, 0.9], missing=1)
    assert found.low == pytest.approx(0.375)
    assert found.high == pytest.approx(0.625)
    assert (found.observed, found.missing) == (3, 1)


def test_nothing_missing_leaves_the_mean() -> None:
    found = mean_bounds([0.2, 0.4], missing=0)
    assert found.low == found.high == pytest.approx(0.3)


def test_everything_missing_says_nothing() -> None:
    found = mean_bounds([], missing=5)
    assert (found.low, found.high) == (0.0, 1.0)
    assert isnan(mean_bounds([], missing=0).low)


def test_bounds_of_an_area_are_those_of_filling_in_the_extremes() -> None:
    # Missing evaluation scores below, or above, every deployment score.
    evaluation, deployment = [0.5, 0.7, 0.9], [0.4, 0.6, 0.8]
    area = auroc(evaluation, deployment)
    found = auroc_bounds(area, observed=(3, 3), missing=(2, 0))
    assert found.low == pytest.approx(auroc([*evaluation, 0, 0], deployment))
    assert found.high == pytest.approx(auroc([*evaluation, 1, 1], deployment))


def test_missing_scores_of_both_classes_work_together() -> None:
    evaluation, deployment = [0.5, 0.7, 0.9], [0.4, 0.6, 0.8]
    area = auroc(evaluation, deployment)
    found = auroc_bounds(area, observed=(3, 3), missing=(1, 1))
    assert found.low == pytest.approx(auroc([*evaluation, -1], [*deployment, 2]))
    assert found.high == pytest.approx(auroc([*evaluation, 2], [*deployment, -1]))


def test_values_outside_zero_and_one_and_negative_counts_are_errors() -> None:
    with pytest.raises(ValueError, match=r"must be in \[0, 1\]"):
        mean_bounds([1.2], missing=0)
    with pytest.raises(ValueError, match="cannot be negative: -1"):
        mean_bounds([0.2], missing=-1)


def test_with_a_class_missing_altogether_an_auroc_could_be_anything() -> None:
    found = auroc_bounds(float("nan"), observed=(0, 5), missing=(3, 0))
    assert (found.low, found.high) == (0.0, 1.0)
