"""Means over crossed framings, with both arms in the interval."""

import numpy as np
import pytest
from scipy.stats import t

from inspect_awareness.stats.directions import crossed_mean


def test_additive_arms_have_the_textbook_standard_error() -> None:
    # a_e and b_d alone: the jackknife of each arm is its variance / 4
    a = np.array([0.0, 1.0, 2.0, 5.0])
    found = crossed_mean(a[:, None] + 2 * a[None])
    # arms have s^2 / 4 and 4 s^2 / 4, so t has (1 + 4)^2 / (1 / 3 + 16 / 3) df
    df, se = 25 / (17 / 3), np.std(a, ddof=1) / 2 * np.sqrt(5)
    assert found.value == pytest.approx(6)
    assert found.high - found.value == pytest.approx(t.ppf(0.975, df) * se)
    assert (found.n, found.clusters, found.unit) == (16, 8, "framing")


def test_intervals_cover_framings_that_are_drawn_anew() -> None:
    rng = np.random.default_rng(0)
    hits = 0
    for _ in range(400):
        a, b = rng.normal(size=(2, 6))
        noise = rng.normal(size=(6, 6)) * 0.5
        hits += crossed_mean(a[:, None] + b[None] + noise).contains(0.0)
    # pairs taken for independent would hold it in about half of them
    assert 0.92 <= hits / 400 <= 0.98


def test_one_framing_in_an_arm_gives_no_interval() -> None:
    found = crossed_mean([[0.1, 0.2, 0.4]])
    assert found.value == pytest.approx(0.7 / 3)
    assert not found.has_interval


def test_values_that_are_missing_are_refused() -> None:
    with pytest.raises(ValueError, match="1 of 4 values are NaN"):
        crossed_mean([[0.1, float("nan")], [0.1, 0.2]])
