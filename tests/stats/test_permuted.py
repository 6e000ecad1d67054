"""Labels are permuted as the design allows."""

from math import comb

import numpy as np
import pytest

from inspect_awareness.stats import aurocs, permuted_labels

LABELS = np.array([1, 1, 1, 1, 0, 0, 0, 0])


def test_items_are_permuted_where_there_are_no_clusters() -> None:
    rng = np.random.default_rng(0)
    found = permuted_labels(LABELS, draws=500, rng=rng)
    assert (found.labels.sum(axis=1) == 4).all()
    assert found.labels.mean(axis=0) == pytest.approx(np.full(8, 0.5), abs=0.1)
    assert (found.ways, found.moved, found.note) == (comb(8, 4), "items", "")


def test_sources_of_one_label_are_moved_whole() -> None:
    rng = np.random.default_rng(1)
    sources = list("aaabccdd")
    found = permuted_labels(LABELS, sources, draws=200, rng=rng)
    # Two of four sources are evaluation: a, of 3 items, counts with any other.
    assert (found.labels[:, 0] == found.labels[:, 2]).all()
    assert (found.labels[:, 4] == found.labels[:, 5]).all()
    firsts = found.labels[:, [0, 3, 4, 6]]
    assert (firsts.sum(axis=1) == 2).all()
    assert set(found.labels.sum(axis=1).tolist()) == {3, 4, 5}
    assert (found.ways, found.moved) == (comb(4, 2), "whole clusters")
    assert "no p below 0.17" in found.note


def test_within_a_source_of_both_labels_its_items_are_permuted() -> None:
    rng = np.random.default_rng(2)
    pairs = [0, 1, 2, 3, 0, 1, 2, 3]
    found = permuted_labels(LABELS, pairs, draws=300, rng=rng)
    assert (found.labels[:, :4] != found.labels[:, 4:]).all()
    assert (found.ways, found.moved) == (2**4, "items within clusters")


def test_one_source_a_class_can_tell_nothing() -> None:
    rng = np.random.default_rng(3)
    found = permuted_labels(LABELS, list("aaaabbbb"), draws=50, rng=rng)
    assert found.ways == 2
    assert "no p below 0.50" in found.note
    alone = permuted_labels([1, 1, 1], list("abc"), draws=5, rng=rng)
    assert alone.ways == 1
    assert "nothing can be said" in alone.note


def test_moving_items_of_sources_rejects_too_often_and_moving_sources_does_not() -> (
    None
):
    # No label effect, but a source effect: 8 sources a label, 10 items each.
    rng = np.random.default_rng(4)
    sources = np.repeat(np.arange(16), 10)
    labels = sources < 8
    rejected = np.zeros(2)
    for _ in range(150):
        scores = rng.normal(size=16)[sources] + rng.normal(size=160)
        observed = abs(aurocs(scores, labels) - 0.5)
        for k, clusters in enumerate((None, sources)):
            drawn = permuted_labels(labels, clusters, draws=99, rng=rng).labels
            larger = (abs(aurocs(scores, drawn) - 0.5) >= observed - 1e-12).sum()
            rejected[k] += (1 + larger) / 100 <= 0.05
    naive, by_source = rejected / 150
    assert naive > 0.25
    assert by_source < 0.11


def test_bad_labels_are_named() -> None:
    rng = np.random.default_rng(5)
    with pytest.raises(ValueError, match="1 \\(evaluation\\) and 0"):
        permuted_labels([0, 2], draws=1, rng=rng)
    with pytest.raises(ValueError, match="3 clusters for 2 values"):
        permuted_labels([0, 1], list("abc"), draws=1, rng=rng)
