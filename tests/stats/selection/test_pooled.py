"""AUROC over pairs of one fold, and its jackknife over sources."""

import numpy as np
import pytest

from inspect_awareness.stats import auroc
from inspect_awareness.stats.selection._pooled import PooledPairs

UP = np.array([1, 1, 0, 0, 1, 0], dtype=bool)
SOURCES = np.array([0, 1, 2, 3, 4, 5])
FOLDS = np.array([0, 0, 0, 0, 1, 1])


def test_pairs_across_folds_do_not_count() -> None:
    # Fold 0: .9 .4 against .5 .1, 3 of 4 pairs. Fold 1: .2 against .2, a tie.
    # Fold 1 lies far below, which does not matter. 3.5 of 5.
    scores = np.array([0.9, 0.4, 0.5, 0.1, 0.2, 0.2])
    found = PooledPairs.of(scores, UP, SOURCES, FOLDS)
    assert found.area == pytest.approx(3.5 / 5)
    # Without source 0: 1 of 2 and the tie. Without 4 or 5 fold 1 is gone.
    assert found.without.tolist() == pytest.approx(
        [1.5 / 3, 2.5 / 3, 2.5 / 3, 1.5 / 3, 3 / 4, 3 / 4]
    )


def test_one_fold_is_the_ordinary_auroc() -> None:
    rng = np.random.default_rng(0)
    scores, up = rng.random(50).round(1), rng.random(50) < 0.5
    found = PooledPairs.of(scores, up, np.arange(50), np.zeros(50, dtype=int))
    assert found.area == pytest.approx(auroc(scores[up], scores[~up]))
    keep = np.arange(50) != 7
    assert found.without[7] == pytest.approx(
        auroc(scores[up & keep], scores[~up & keep])
    )


def test_pairs_within_a_source_are_left_out_once() -> None:
    # Source 0 holds both labels: its own pair (.9 > .1) must not be taken off twice.
    scores = np.array([0.9, 0.1, 0.6, 0.4])
    up = np.array([True, False, True, False])
    found = PooledPairs.of(scores, up, np.array([0, 0, 1, 2]), np.zeros(4, dtype=int))
    assert found.area == 1.0
    assert found.without.tolist() == [1.0, 1.0, 1.0]


def test_an_unscored_transcript_is_tied() -> None:
    scores = np.array([0.9, np.nan, 0.5, 0.1, 0.2, 0.1])
    assert PooledPairs.of(scores, UP, SOURCES, FOLDS).area == pytest.approx(4 / 5)


def test_the_interval_is_never_of_zero_width() -> None:
    perfect = np.where(UP, 0.9, 0.1)
    found = PooledPairs.of(perfect, UP, SOURCES, FOLDS).estimate()
    assert found.value == 1.0
    assert 0.3 < found.low < 1
    near = np.where(UP, 0.9, 0.1)
    near[1] = 0.1  # ties: 1 of 5 pairs is half lost twice, A = .8
    assert PooledPairs.of(near, UP, SOURCES, FOLDS).estimate().low < 0.8
    flat = PooledPairs.of(np.full(6, 0.5), UP, SOURCES, FOLDS).estimate()
    assert flat.value == 0.5
    assert not flat.has_interval
    assert "does not respond" in flat.note


def test_a_difference_is_paired() -> None:
    rng = np.random.default_rng(2)
    scores = rng.random(40)
    up, sources, folds = np.arange(40) % 2 == 0, np.arange(40), np.arange(40) // 8
    one = PooledPairs.of(scores, up, sources, folds)
    other = PooledPairs.of(scores + 0.1 * rng.random(40), up, sources, folds)
    gain, alone = other.beyond(one), one.estimate()
    assert gain.value == pytest.approx(other.area - one.area)
    assert 0 < gain.high - gain.low < 0.3 * (alone.high - alone.low)
