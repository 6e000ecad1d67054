"""Directions without content: permuted contrasts, and directions from nowhere."""

from itertools import combinations, product
from math import isnan, nan

import numpy as np
import pytest
from studies import SHARED, result

from inspect_awareness.stats import aurocs
from inspect_awareness.stats.floors import (
    ContrastGrams,
    isotropic_floor,
    layer_persistence,
    permuted_construction_floor,
    permuted_refit_floor,
)

MANEK = SHARED / "data" / "manek"


def folded_peak(scores: np.ndarray, labels: np.ndarray) -> float:
    """Max over layers of |A - 1/2|."""
    return float(np.abs(aurocs(scores, labels) - 0.5).max())


def test_it_is_the_mean_over_all_signs_of_directions_formed_one_by_one() -> None:
    # 4 pairs: 16 sign vectors, each a direction formed and projected plainly.
    rng = np.random.default_rng(0)
    items, pairs = rng.normal(size=(3, 20, 5)), rng.normal(size=(3, 4, 5))
    labels = np.arange(20) % 2 == 0
    listed = []
    for signs in product([-1, 1], repeat=4):
        directions = np.mean(np.array(signs)[:, None] * pairs, axis=1)
        listed.append(folded_peak(np.einsum("lnw,lw->ln", items, directions), labels))
    contrast = ContrastGrams.paired(items, pairs)
    found = permuted_construction_floor(contrast, labels, draws=8_000, rng=rng)
    assert found.observed == pytest.approx(listed[-1], abs=1e-12)
    assert found.mean == pytest.approx(np.mean(listed), abs=4 * found.error)
    assert set(found.values.round(9)) == set(np.round(listed, 9))
    share = np.mean(np.array(listed) >= listed[-1] - 1e-9)
    assert found.p == pytest.approx(share, abs=0.02)
    assert "only 16 different directions" in found.note


def test_unpaired_classes_are_split_again_into_the_same_sizes() -> None:
    # 2 and 3 items: C(5, 2) = 10 splits.
    rng = np.random.default_rng(1)
    items = rng.normal(size=(2, 20, 4))
    first, second = rng.normal(size=(2, 2, 4)), rng.normal(size=(2, 3, 4))
    pool, labels = np.concatenate([first, second], axis=1), np.arange(20) % 2 == 0
    listed = []
    for chosen in combinations(range(5), 2):
        one = np.isin(np.arange(5), chosen)
        directions = pool[:, one].mean(axis=1) - pool[:, ~one].mean(axis=1)
        listed.append(folded_peak(np.einsum("lnw,lw->ln", items, directions), labels))
    contrast = ContrastGrams.unpaired(items, first, second)
    found = permuted_construction_floor(contrast, labels, draws=8_000, rng=rng)
    assert contrast.ways == 10
    assert found.observed == pytest.approx(listed[0], abs=1e-12)
    assert found.mean == pytest.approx(np.mean(listed), abs=4 * found.error)
    assert set(found.values.round(9)) == set(np.round(listed, 9))


def test_a_direction_with_content_is_above_its_floor_and_noise_is_not() -> None:
    rng = np.random.default_rng(2)
    labels = np.arange(120) < 60
    content = rng.normal(size=(4, 1, 64))
    items = rng.normal(size=(4, 120, 64)) + 0.25 * content * labels[:, None]
    noise = rng.normal(size=(4, 80, 64))
    real = ContrastGrams.paired(items, noise + 0.3 * content)
    empty = ContrastGrams.paired(items, noise)
    assert permuted_construction_floor(real, labels, draws=300, rng=rng).p < 0.02
    assert permuted_construction_floor(empty, labels, draws=300, rng=rng).p > 0.05


def test_pairs_that_all_differ_alike_leave_the_real_direction_in_every_draw() -> None:
    # One framing around many tasks: all 20 differences are nearly the same vector, so
    # that d(s) = mean(s) d. Free signs give the statistic itself, however real it is;
    # balanced ones cancel it and leave what the pairs do not share.
    rng = np.random.default_rng(3)
    labels, content = np.arange(120) < 60, rng.normal(size=(3, 1, 64))
    items = rng.normal(size=(3, 120, 64)) + 0.3 * content * labels[:, None]
    pairs = content + 0.02 * rng.normal(size=(3, 20, 64))
    contrast = ContrastGrams.paired(items, pairs)
    free = permuted_construction_floor(contrast, labels, draws=300, rng=rng)
    even = permuted_construction_floor(
        contrast, labels, draws=300, rng=rng, balanced=True
    )
    assert free.observed > 0.4
    assert np.mean(free.values > 0.9 * free.observed) > 0.75
    assert even.mean < 0.5 * free.observed
    assert even.p == pytest.approx(1 / 301)
    assert "balanced" in even.kind


def test_balanced_signs_add_up_to_nothing_or_to_one() -> None:
    rng = np.random.default_rng(12)
    for pairs, sums in ((20, {0.0}), (21, {-1.0, 1.0})):
        contrast = ContrastGrams(np.ones((1, 2, pairs)))
        weights = contrast.drawn_weights(50, rng, balanced=True)
        assert set(weights.sum(axis=1).tolist()) == sums
        assert set(weights.ravel().tolist()) == {-1.0, 1.0}


def test_balanced_splits_keep_either_class_in_proportion() -> None:
    # 6 of 15 are of the first class: round(36 / 15) = 2 of them stay in it.
    first = np.arange(15) < 6
    contrast = ContrastGrams(np.ones((1, 2, 15)), first)
    weights = contrast.drawn_weights(30, np.random.default_rng(4), balanced=True)
    moved = weights > 0
    assert (moved[:, first].sum(axis=1) == 2).all()
    assert (moved.sum(axis=1) == 6).all()
    assert weights.sum(axis=1) == pytest.approx(0)


def test_a_direction_scored_on_its_own_items_needs_labels_permuted_in_both() -> None:
    # Noise of width 100, 60 items: fitted to them the peak is far above chance. Drawn
    # directions that were not fitted to the labels are no match; refitted ones are.
    labels, apart, refit = np.arange(60) < 30, [], []
    for seed in range(30):
        rng = np.random.default_rng(100 + seed)
        items = rng.normal(size=(3, 60, 100))
        contrast = ContrastGrams.unpaired(items, items[:, labels], items[:, ~labels])
        floor = permuted_construction_floor(contrast, labels, draws=99, rng=rng)
        own = permuted_refit_floor(items, labels, draws=99, rng=rng)
        assert own.observed == pytest.approx(floor.observed, abs=1e-12)
        apart.append(floor.p)
        refit.append(own.p)
    assert max(apart) <= 0.05
    assert 0.3 < np.mean(refit) < 0.7


def test_a_refitted_draw_is_a_direction_of_its_labels_scored_against_them() -> None:
    # 5 items, 2 of them evaluation: 10 label vectors, each formed and scored plainly.
    items = np.random.default_rng(13).normal(size=(2, 5, 2))
    listed = []
    for chosen in combinations(range(5), 2):
        one = np.isin(np.arange(5), chosen)
        directions = items[:, one].mean(axis=1) - items[:, ~one].mean(axis=1)
        listed.append(folded_peak(np.einsum("lnw,lw->ln", items, directions), one))
    rng = np.random.default_rng(14)
    found = permuted_refit_floor(items, [1, 1, 0, 0, 0], draws=4_000, rng=rng)
    assert found.observed == pytest.approx(listed[0])
    assert found.mean == pytest.approx(np.mean(listed), abs=4 * found.error + 1e-9)
    assert "10 different label vectors" in found.note
    with pytest.raises(ValueError, match="4 labels for 5 items of layer 0"):
        permuted_refit_floor(items, [1, 1, 0, 0], draws=9, rng=rng)
    with pytest.raises(ValueError, match="no layer"):
        permuted_refit_floor([], [1, 0], draws=9, rng=rng)


def test_layers_may_come_one_by_one_or_as_dot_products() -> None:
    rng = np.random.default_rng(5)
    items, pairs = rng.normal(size=(3, 30, 7)), rng.normal(size=(3, 12, 7))
    whole = ContrastGrams.paired(items, pairs)
    streamed = ContrastGrams.paired((x for x in items), (x for x in pairs))
    plain = ContrastGrams(
        np.stack([a @ d.T for a, d in zip(items, pairs, strict=True)])
    )
    labels = np.arange(30) % 2
    floors = [
        permuted_construction_floor(
            each, labels, draws=60, rng=np.random.default_rng(6), observed=0.2
        )
        for each in (whole, streamed, plain)
    ]
    assert floors[0].values.tolist() == floors[1].values.tolist()
    assert floors[0].values == pytest.approx(floors[2].values)
    assert [each.observed for each in floors] == [0.2] * 3


def test_single_precision_finds_what_double_precision_finds() -> None:
    rng = np.random.default_rng(7)
    # A common offset of 1,000, as massive activations have, would cost three digits.
    items, pairs = 1_000 + rng.normal(size=(3, 100, 32)), rng.normal(size=(3, 50, 32))
    labels = np.arange(100) % 2
    narrow, wide = (
        permuted_construction_floor(
            ContrastGrams.paired(items.astype(kind), pairs.astype(kind)),
            labels,
            draws=200,
            rng=np.random.default_rng(8),
        )
        for kind in (np.float32, np.float64)
    )
    assert narrow.values == pytest.approx(wide.values, abs=0.002)
    assert narrow.mean == pytest.approx(wide.mean, abs=1e-4)


def test_bad_contrasts_are_named() -> None:
    with pytest.raises(ValueError, match=r"shape \(layers, items, parts\)"):
        ContrastGrams(np.ones((2, 3)))
    with pytest.raises(ValueError, match="1 of 8 dot products are NaN"):
        ContrastGrams(np.array([[[1.0, 2, 3, 4], [1, 2, 3, nan]]]))
    with pytest.raises(ValueError, match="got 4 of 4 set"):
        ContrastGrams(np.ones((1, 2, 4)), np.ones(4, dtype=bool))
    with pytest.raises(ValueError, match="width 5 cannot be projected"):
        ContrastGrams.paired(np.ones((1, 3, 5)), np.ones((1, 2, 4)))
    with pytest.raises(ValueError, match="shorter"):
        ContrastGrams.paired(np.ones((2, 3, 5)), np.ones((1, 2, 5)))
    contrast = ContrastGrams(np.ones((1, 3, 2)))
    rng = np.random.default_rng(0)
    with pytest.raises(ValueError, match=r"labels need shape \(3,\)"):
        permuted_construction_floor(contrast, [0, 1], draws=9, rng=rng)


def test_persistence_is_the_mean_cosine_of_neighbours_without_empty_layers() -> None:
    # cos 60 degrees = .5, then opposite: 1. The layer of zeros has no direction.
    directions = [[0, 0], [1, 0], [0.5, 3**0.5 / 2], [-1, -(3**0.5)]]
    assert layer_persistence(directions) == pytest.approx(0.75)
    assert isnan(layer_persistence([[0.0, 0.0], [1.0, 0.0]]))
    with pytest.raises(ValueError, match="finite"):
        layer_persistence([[nan, 1.0], [1.0, 0.0]])


@pytest.mark.parametrize("size", ["0.5B", "1.5B", "3B", "7B"])
def test_released_directions_have_the_published_persistence(size: str) -> None:
    # Directions of Manek (2026); rho as given in the results of the third source paper.
    path = MANEK / f"direction_vectors_QWEN_{size}.npz"
    if not path.exists():
        pytest.skip("the released directions are not beside this checkout")
    published = result("null_control.json")["per_model"][f"qwen2.5-{size.lower()}"]
    with np.load(path) as archive:
        found = layer_persistence(archive["raw"])
    assert found == pytest.approx(published["rho"], abs=1e-12)


def test_drawn_directions_persist_as_told() -> None:
    # Items that are the axes of the space: their scores are the direction itself. Two
    # classes of one item each: A - 1/2 is half the sign of d_1 - d_2, and signs of
    # normals with correlation rho agree with chance 1/2 + asin(rho) / pi: 2/3 at .5.
    rng = np.random.default_rng(9)
    items = np.repeat(np.eye(2)[None], 2, axis=0)
    found = isotropic_floor(
        items, [1, 0], persistence=0.5, draws=20_000, rng=rng, fold=False
    )
    # The peak is -1/2 only where both signs are negative: half of 2/3.
    assert np.mean(found.values < 0) == pytest.approx(1 / 3, abs=0.015)


def test_the_two_bounds_hold_the_persistent_floor_between_them() -> None:
    # Items that are alike at every layer: a repeated direction has one try, new ones
    # have ten.
    rng = np.random.default_rng(10)
    items = np.repeat(rng.normal(size=(1, 80, 40)), 10, axis=0)
    labels = np.arange(80) < 40
    low, middle, high = (
        isotropic_floor(items, labels, persistence=rho, draws=2_000, rng=rng).mean
        for rho in (1.0, 0.8, 0.0)
    )
    assert low < middle < high
    # Draws of one direction at a fixed set of items: E max |Z| of 10 over that of 1.
    assert high / low == pytest.approx(1.881 / 0.798, rel=0.08)


def test_isotropic_floors_say_what_they_lack() -> None:
    rng = np.random.default_rng(11)
    items, labels = rng.normal(size=(2, 10, 3)), np.arange(10) % 2
    found = isotropic_floor(items, labels, persistence=0.5, draws=20, rng=rng)
    assert isnan(found.z)
    assert "no observed peak" in found.note
    assert "rho = 0.500" in found.kind
    above = isotropic_floor(
        items, labels, persistence=1, draws=20, rng=rng, observed=0.51
    )
    assert above.p == pytest.approx(1 / 21)
    with pytest.raises(ValueError, match=r"persistence must be in \[0, 1\]"):
        isotropic_floor(items, labels, persistence=1.2, draws=20, rng=rng)
    with pytest.raises(ValueError, match="no layer"):
        isotropic_floor([], labels, persistence=0.5, draws=20, rng=rng)
    uneven = [np.ones((10, 3)), np.ones((10, 4))]
    with pytest.raises(ValueError, match="the width changes from 3 to 4"):
        isotropic_floor(uneven, labels, persistence=0.5, draws=20, rng=rng)
    assert isotropic_floor(uneven, labels, persistence=0, draws=20, rng=rng).mean == 0
    with pytest.raises(ValueError, match="layer 0 hold NaN"):
        isotropic_floor([[[nan], [1.0]]], [0, 1], persistence=0, draws=9, rng=rng)
