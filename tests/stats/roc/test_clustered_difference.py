"""Two raters on the same transcripts."""

from math import isnan, sqrt

import numpy as np
import pytest

from inspect_awareness.stats import clustered_auroc_difference, delong_difference


def scores(
    rng: np.random.Generator, clusters: int, size: int, shift: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Two instruments on clusters of a size that share a part; half are evaluation."""
    ids = np.repeat(np.arange(clusters), size)
    label = ids % 2 == 0
    shared = rng.normal(size=clusters)[ids]
    one = shared + rng.normal(size=ids.size) + label
    other = rng.normal(size=clusters)[ids] + rng.normal(size=ids.size) + shift * label
    return one, other, label, ids


def test_with_every_item_on_its_own_the_error_is_delongs() -> None:
    one, other, label, _ = scores(np.random.default_rng(0), 40, 1, 0.5)
    found = clustered_auroc_difference(one, other, label, np.arange(40))
    delong = delong_difference(one, other, label)
    assert found.difference.value == pytest.approx(delong.difference.value)
    assert found.z == pytest.approx(delong.z)
    # t instead of the normal: a little wider
    assert found.difference.low < delong.difference.low


def test_repeats_of_the_same_items_add_nothing() -> None:
    one, other, label, ids = scores(np.random.default_rng(1), 30, 1, 0.5)
    alone = clustered_auroc_difference(one, other, label, ids)
    thrice = clustered_auroc_difference(
        *(np.repeat(each, 3) for each in (one, other, label, ids))
    )
    assert thrice.difference.low == pytest.approx(alone.difference.low)
    assert (thrice.difference.n, thrice.difference.clusters) == (90, 30)


def test_the_interval_covers_no_difference_where_there_is_none() -> None:
    rng = np.random.default_rng(2)
    held = [
        clustered_auroc_difference(*scores(rng, 20, 4, 1.0)).difference.contains(0.0)
        for _ in range(600)
    ]
    # DeLong, which takes the 80 items for independent, covers about 80 % here
    assert np.mean(held) == pytest.approx(0.95, abs=3 * sqrt(0.05 * 0.95 / 600))


def test_a_copy_of_an_instrument_differs_by_nothing_and_has_no_interval() -> None:
    one, _, label, ids = scores(np.random.default_rng(3), 20, 2, 1.0)
    found = clustered_auroc_difference(one, one, label, ids)
    assert found.difference.value == 0.0
    assert not found.difference.has_interval
    assert "place every item alike" in found.difference.note


def test_one_cluster_of_a_class_has_no_interval_and_an_empty_class_no_value() -> None:
    found = clustered_auroc_difference(
        [0.1, 0.9, 0.4, 0.6], [0.9, 0.8, 0.1, 0.4], [1, 1, 0, 0], ["a", "a", "b", "c"]
    )
    assert found.difference.value == pytest.approx(0.5 - 1.0)
    assert not found.difference.has_interval
    assert found.difference.note.startswith("evaluation: one cluster")
    empty = clustered_auroc_difference([0.1, 0.9], [0.9, 0.8], [1, 1], ["a", "b"])
    assert isnan(empty.difference.value)
    assert empty.difference.note == "no deployment score"


def test_scores_must_pair() -> None:
    with pytest.raises(ValueError, match="items pair"):
        clustered_auroc_difference([0.1], [0.1, 0.2], [1], ["a"])
