"""Corrected rates of several models and benchmarks."""

import numpy as np
import pytest

from inspect_awareness.stats.rates import (
    Validation,
    awareness_rates,
    corrected_rate,
    corrected_rates,
)

NAMES = {
    "models": ["m", "m", "m", "n", "n", "n"],
    "benchmarks": ["b", "b", "c", "b", "b", "b"],
    "tasks": [1, 2, 1, 1, 2, 2],
}
AWARE = [1, 0, 1, 0, 1, np.nan]


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def test_each_stratum_is_corrected_by_its_own_set() -> None:
    sets = {
        ("m", "b"): Validation(3, 1, 0, 4, "judge_stratified"),
        ("n", "b"): Validation(4, 0, 1, 3, "judge_stratified"),
    }
    found = corrected_rates(AWARE, **NAMES, validations=sets, rng=rng())
    # m on b: .5 x 3/4 + .5 x 0; m on c has no set; n on b: .5 x 1 + .5 x 1/4.
    assert found[0].value == pytest.approx(0.375)
    assert np.isnan(found[1].value)
    assert "was validated" in found[1].note
    assert found[2].value == pytest.approx(0.625)


def test_they_come_in_the_order_of_the_rates_and_leave_out_the_unknown() -> None:
    one = Validation(9, 1, 1, 9, "random")
    found = corrected_rates(AWARE, **NAMES, validations=one, rng=rng())
    plain = awareness_rates(AWARE, **NAMES)
    assert (
        [each.n for each in found] == [each.estimate.n for each in plain] == [2, 1, 2]
    )


def test_one_stratum_is_corrected_rate() -> None:
    one = Validation(36, 12, 1, 51, "judge_stratified")
    rows, tasks = [1, 0, 0, 1, 0], [1, 1, 2, 3, 4]
    alone = corrected_rate(rows, tasks, one, rng=rng())
    names = {"models": ["m"] * 5, "benchmarks": ["b"] * 5, "tasks": tasks}
    assert corrected_rates(rows, **names, validations=one, rng=rng()) == (alone,)


def test_a_judge_who_is_like_chance_after_padding_has_no_interval() -> None:
    # Se 1/1, Sp 3/10: above chance as counted, exactly at it as 2/3 and 4/12.
    one = Validation(1, 7, 0, 3, "truth_stratified")
    found = corrected_rate([1, 1, 0, 1], [1, 2, 3, 4], one, rng=rng())
    assert np.isnan(found.low)
    assert "too few transcripts" in found.note
