"""What the maximum over layers buys: labels permuted over fixed scores."""

from itertools import combinations
from math import isnan

import numpy as np
import pytest
from studies import SHARED

from inspect_awareness.stats import aurocs
from inspect_awareness.stats.floors import (
    permuted_scoring_floor,
    permuted_scoring_floors,
)

MANEK = SHARED / "data" / "manek" / "layer_item_scores_mean.npz"
NULLS = SHARED / "data" / "oracles" / "manek_selection_nulls.txt"


def test_the_floor_is_the_mean_over_all_label_vectors() -> None:
    # 6 items, 3 of either label: 20 label vectors, so that the mean, the spread and p
    # can be had by listing them.
    scores = np.array([[1, 2, 3, 4, 5, 6], [2, 1, 4, 4, 6, 3]], dtype=float)
    labels = np.array([0, 0, 0, 1, 1, 1])
    listed = []
    for chosen in combinations(range(6), 3):
        areas = aurocs(scores, np.isin(np.arange(6), chosen))
        listed.append(np.abs(areas - 0.5).max())
    found = permuted_scoring_floor(
        scores, labels, draws=20_000, rng=np.random.default_rng(0)
    )
    assert found.observed == 0.5
    assert found.mean == pytest.approx(np.mean(listed), abs=4 * found.error)
    assert found.sd == pytest.approx(np.std(listed), rel=0.03)
    # Complete separation: items 4, 5, 6 or their mirror image at layer 1, items 3, 4, 5
    # or theirs at layer 2. 4 of 20.
    assert found.p == pytest.approx(4 / 20, abs=0.01)
    assert found.z == pytest.approx((0.5 - found.mean) / found.sd)
    assert found.excess == pytest.approx(0.5 - found.mean)
    assert found.share == pytest.approx(found.mean / 0.5)


def test_one_layer_has_the_textbook_spread() -> None:
    # Without ties var A = (N + 1) / (12 n1 n0): 41 / (12 x 400) for 20 and 20.
    scores = np.random.default_rng(0).normal(size=(1, 40))
    found = permuted_scoring_floor(
        scores,
        np.arange(40) < 20,
        draws=20_000,
        rng=np.random.default_rng(1),
        fold=False,
    )
    assert found.mean == pytest.approx(0, abs=4 * found.error)
    assert found.sd == pytest.approx((41 / 4800) ** 0.5, rel=0.02)


def test_more_layers_raise_the_floor_and_copies_of_a_layer_do_not() -> None:
    rng = np.random.default_rng(2)
    labels = np.arange(100) < 50
    one = rng.normal(size=(1, 100))
    many = np.concatenate([one, rng.normal(size=(29, 100))])

    def mean(scores: np.ndarray) -> float:
        drawn = np.random.default_rng(3)
        return permuted_scoring_floor(scores, labels, draws=500, rng=drawn).mean

    assert mean(np.repeat(one, 30, axis=0)) == mean(one)
    # Independent layers: E max |Z| of 30 over that of 1 is 2.323 / .798 = 2.91.
    assert mean(many) / mean(one) == pytest.approx(2.91, rel=0.1)


def test_scores_that_know_nothing_reject_at_the_nominal_rate() -> None:
    rng = np.random.default_rng(4)
    labels = np.arange(60) < 30
    scores = rng.normal(size=(300, 8, 60))
    floors = permuted_scoring_floors(scores, labels, draws=199, rng=rng)
    rejected = np.mean([each.p <= 0.05 for each in floors])
    assert rejected == pytest.approx(0.05, abs=4 * (0.05 * 0.95 / 300) ** 0.5)


def test_instruments_share_their_permutations() -> None:
    rng = np.random.default_rng(5)
    scores = rng.normal(size=(3, 5, 30))
    scores[2] = scores[0]
    labels = np.arange(30) % 2
    together = permuted_scoring_floors(
        scores, labels, draws=50, rng=np.random.default_rng(6)
    )
    alone = permuted_scoring_floor(
        scores[1], labels, draws=50, rng=np.random.default_rng(6)
    )
    assert together[0].values.tolist() == together[2].values.tolist()
    assert together[1].values.tolist() == alone.values.tolist()


def test_labels_of_whole_sources_move_as_wholes_and_raise_the_floor() -> None:
    # A score that tells sources apart, not labels: by items it looks far above its
    # floor, by sources it does not.
    rng = np.random.default_rng(7)
    sources = np.repeat(np.arange(10), 20)
    scores = rng.normal(size=(6, 10))[:, sources] + 0.1 * rng.normal(size=(6, 200))
    labels = sources % 2
    items = permuted_scoring_floor(scores, labels, draws=400, rng=rng)
    whole = permuted_scoring_floor(scores, labels, draws=400, rng=rng, clusters=sources)
    assert whole.mean > 2 * items.mean
    assert items.p < 0.01 < whole.p
    assert "items" in items.kind
    assert "whole clusters" in whole.kind


def test_two_sources_allow_no_permutation_and_the_note_says_so() -> None:
    sources = np.repeat([0, 1], 5)
    scores = np.arange(10.0)[None]
    rng = np.random.default_rng(8)
    found = permuted_scoring_floor(scores, sources, draws=50, rng=rng, clusters=sources)
    assert found.p == 1.0
    assert "only 2 different label vectors" in found.note
    assert isnan(found.z)


def test_one_label_has_no_floor() -> None:
    rng = np.random.default_rng(9)
    found = permuted_scoring_floor(np.ones((2, 4)), [1] * 4, draws=9, rng=rng)
    assert isnan(found.mean)
    assert isnan(found.p)
    assert "no area" in found.note


def test_bad_input_is_named() -> None:
    rng = np.random.default_rng(0)
    with pytest.raises(ValueError, match=r"shape \(layers, n\), got \(3,\)"):
        permuted_scoring_floor([1.0, 2.0, 3.0], [0, 1, 1], draws=9, rng=rng)
    with pytest.raises(ValueError, match=r"\(instruments, layers, n\)"):
        permuted_scoring_floors([[1.0, 2.0]], [0, 1], draws=9, rng=rng)
    with pytest.raises(ValueError, match="3 labels for 2 items"):
        permuted_scoring_floor([[1.0, 2.0]], [0, 1, 1], draws=9, rng=rng)
    with pytest.raises(ValueError, match="draws must be 2 or more"):
        permuted_scoring_floor([[1.0, 2.0]], [0, 1], draws=1, rng=rng)
    with pytest.raises(ValueError, match="level must be between 0 and 1"):
        permuted_scoring_floor([[1.0, 2.0]], [0, 1], draws=9, rng=rng, level=95)


def test_released_scores_have_the_floors_found_by_a_plain_loop() -> None:
    # Eleven models of Manek (2026), 400 items: peaks, mean and 95th percentile of the
    # folded maximum, computed apart from this package with fewer draws.
    if not MANEK.exists() or not NULLS.exists():
        pytest.skip("the released scores are not beside this checkout")
    rng, seen = np.random.default_rng(0), 0
    with np.load(MANEK) as archive:
        for line in NULLS.read_text(encoding="utf-8").splitlines():
            if "permnull" not in line:
                continue
            name, given = line.split()[0], _figures(line)
            scores, labels = archive[name], archive["is_deployment"]
            found = permuted_scoring_floor(scores, labels, draws=1_000, rng=rng)
            upward = aurocs(scores, labels).max() - 0.5
            assert found.observed == pytest.approx(given["folded"], abs=6e-5)
            assert upward == pytest.approx(given["unfolded_max"], abs=6e-5)
            assert found.mean == pytest.approx(given["mean"], abs=0.0025)
            assert found.quantile == pytest.approx(given["p95"], abs=0.006)
            seen += 1
    assert seen == 11


def _figures(line: str) -> dict[str, float]:
    """The numbers of a line of `name=value` words."""
    words = (word.split("=") for word in line.split() if "=" in word)
    return {
        name: float(value)
        for name, value in words
        if name[:3] in ("fol", "unf", "mea", "p95")
    }
