"""The bootstrap by weights."""

import numpy as np
import pytest

from inspect_awareness.stats import (
    auroc,
    bootstrap_auroc,
    bootstrap_weights,
    delong_auroc,
)
from inspect_awareness.stats.roc._weighted import weighted_areas


@pytest.mark.parametrize("decimals", [1, 15], ids=["ties", "no ties"])
def test_a_resample_by_weights_is_the_resample_by_index(decimals: int) -> None:
    rng = np.random.default_rng(0)
    scores = rng.normal(size=60).round(decimals)
    labels = np.arange(60) < 25
    weights = bootstrap_weights(labels.astype(int), draws=40, rng=rng)
    found = weighted_areas(scores, labels, weights)
    for area, row in zip(found, weights.astype(int), strict=True):
        drawn = np.repeat(np.arange(60), row)
        x, y = scores[drawn][labels[drawn]], scores[drawn][~labels[drawn]]
        assert area == pytest.approx(auroc(x, y), abs=1e-12)


def test_resamples_keep_the_size_of_each_stratum() -> None:
    rng = np.random.default_rng(1)
    strata = np.array([0] * 7 + [1] * 3 + [2])
    weights = bootstrap_weights(strata, draws=50, rng=rng)
    for stratum, size in ((0, 7), (1, 3), (2, 1)):
        assert (weights[:, strata == stratum].sum(axis=1) == size).all()
    # Each item is drawn once on average.
    many = bootstrap_weights(strata, draws=4_000, rng=rng)
    assert many.mean(axis=0) == pytest.approx(np.ones(11), abs=0.08)


def test_clusters_are_drawn_whole_among_those_of_their_kind() -> None:
    rng = np.random.default_rng(2)
    labels = np.array([1, 1, 1, 1, 0, 0, 0, 0, 1, 0])
    clusters = np.array([0, 0, 1, 1, 2, 2, 3, 3, 4, 4])
    weights = bootstrap_weights(labels, draws=200, rng=rng, clusters=clusters)
    assert (weights[:, ::2] == weights[:, 1::2]).all()
    # Two clusters of one label, two of the other, and one of both, always drawn.
    assert (weights[:, 0] + weights[:, 2] == 2).all()
    assert (weights[:, 4] + weights[:, 6] == 2).all()
    assert (weights[:, 8] == 1).all()


def test_with_many_independent_items_it_agrees_with_delong() -> None:
    rng = np.random.default_rng(3)
    labels = np.arange(300) < 150
    scores = rng.normal(size=300) + labels
    found = bootstrap_auroc(scores, labels, rng=rng)
    delong = delong_auroc(scores, labels)
    assert found.value == delong.value
    assert found.low == pytest.approx(delong.low, abs=0.01)
    assert found.high == pytest.approx(delong.high, abs=0.01)


def test_clusters_that_move_together_widen_the_interval() -> None:
    rng = np.random.default_rng(4)
    clusters = np.repeat(np.arange(20), 10)
    labels = clusters < 10
    scores = labels + 2 * rng.normal(size=20)[clusters] + 0.1 * rng.normal(size=200)
    wide = bootstrap_auroc(scores, labels, rng=rng, clusters=clusters, unit="source")
    narrow = bootstrap_auroc(scores, labels, rng=rng)
    assert wide.high - wide.low > 2 * (narrow.high - narrow.low)
    assert (wide.clusters, wide.unit) == (20, "source")


def test_what_cannot_vary_has_no_interval() -> None:
    rng = np.random.default_rng(5)
    apart = bootstrap_auroc([3, 4, 1, 2], [1, 1, 0, 0], rng=rng)
    assert apart.value == 1.0
    assert not apart.has_interval
    lone = bootstrap_auroc([3, 1, 2], [1, 0, 0], rng=rng)
    assert not lone.has_interval
    one = bootstrap_auroc(
        [1, 2, 3, 4, 5, 6], [1, 1, 1, 0, 0, 0], rng=rng, clusters=list("aaabcd")
    )
    assert "one cluster" in one.note
    assert np.isnan(bootstrap_auroc([1, 2], [1, 1], rng=rng).value)
