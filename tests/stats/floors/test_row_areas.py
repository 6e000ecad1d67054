"""Areas of many score vectors by sorting, against ranks."""

import numpy as np
import pytest

from inspect_awareness.stats import aurocs
from inspect_awareness.stats.floors._row_areas import row_areas


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_they_equal_ranks_however_many_ties(kind: type[np.floating]) -> None:
    rng = np.random.default_rng(0)
    for levels in (2, 5, 40, 10_000):
        scores = (rng.integers(-levels, levels, (50, 61)) / 7).astype(kind)
        labels = rng.uniform(size=61) < 0.4
        expected = aurocs(scores, labels)
        assert row_areas(scores.copy(), labels) == pytest.approx(expected, abs=1e-15)


def test_each_row_may_have_labels_of_its_own() -> None:
    rng = np.random.default_rng(1)
    scores = rng.integers(0, 9, (20, 31)) * 1.0
    labels = rng.uniform(size=(20, 31)) < 0.5
    expected = [float(aurocs(x, y)) for x, y in zip(scores, labels, strict=True)]
    assert row_areas(scores, labels) == pytest.approx(expected, abs=1e-15)


def test_numbers_that_differ_in_their_last_bit_alone_keep_their_order() -> None:
    one = np.float32(1)
    above = np.nextafter(one, np.float32(2))
    for scores, area in (([one, above], 1.0), ([above, one], 0.0), ([one, one], 0.5)):
        for sign in (1, -1):
            row = sign * np.array([scores], dtype=np.float32)
            expected = area if sign == 1 else 1 - area
            assert row_areas(row, np.array([False, True]))[0] == expected


def test_zero_and_minus_zero_tie() -> None:
    row = np.array([[0.0, -0.0, 1.0]])
    assert row_areas(row, np.array([True, False, False]))[0] == 0.25


def test_an_empty_class_has_no_area() -> None:
    assert np.isnan(row_areas(np.ones((2, 3)), np.zeros(3, dtype=bool))).all()
