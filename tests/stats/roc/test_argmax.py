"""Where the peak over layers is, and whether two halves agree about it."""

import numpy as np
import pytest
from studies import SHARED

from inspect_awareness.stats import (
    argmax_layers,
    aurocs,
    folded_peak,
    spearman_brown,
    split_half,
)

MANEK = SHARED / "data" / "manek" / "layer_item_scores_mean.npz"


def test_one_strong_layer_is_found_in_every_resample() -> None:
    rng = np.random.default_rng(0)
    labels = np.arange(200) < 100
    scores = rng.normal(size=(6, 200))
    scores[2] -= 2 * labels
    found = argmax_layers(scores, labels, rng=rng, draws=300)
    assert (found.layer, found.low, found.high, found.distinct) == (2, 2, 2, 1)
    assert (found.span, found.boundary) == (0.0, 0.0)
    assert found.peak == pytest.approx(abs(aurocs(scores[2], labels) - 0.5))
    # The layer is below chance: signed, the peak is elsewhere.
    assert argmax_layers(scores, labels, rng=rng, draws=50, fold=False).layer != 2


def test_noise_has_no_layer_of_its_own() -> None:
    rng = np.random.default_rng(1)
    labels = np.arange(200) < 100
    found = argmax_layers(rng.normal(size=(12, 200)), labels, rng=rng, draws=500)
    assert found.distinct >= 6
    assert found.span > 0.5
    assert found.shares.sum() == pytest.approx(1)


@pytest.mark.parametrize(
    ("model", "peak", "layer", "span", "few"),
    [
        ("LLAMA_1B", 0.3732, 6, 0.0, True),
        ("GEMMA_9B", 0.1749, 7, 0.85, False),
        ("QWEN_0.5B", 0.2115, 8, 0.77, False),
    ],
)
def test_released_scores_have_the_published_peaks_and_spans(
    model: str, peak: float, layer: int, span: float, *, few: bool
) -> None:
    # Peaks and argmax intervals of the per-layer scores that Manek (2026) released,
    # with layers numbered from 1 there.
    if not MANEK.exists():
        pytest.skip("the released scores are not beside this checkout")
    with np.load(MANEK) as archive:
        scores, labels = archive[model], archive["is_deployment"]
    rng = np.random.default_rng(0)
    found = argmax_layers(scores, labels, rng=rng, draws=1_000)
    assert found.peak == pytest.approx(peak, abs=6e-5)
    assert found.layer + 1 == layer
    assert found.span == pytest.approx(span, abs=0.1)
    assert (found.distinct <= 3) is few


def test_instruments_that_differ_are_ordered_alike_by_both_halves() -> None:
    rng = np.random.default_rng(2)
    labels = np.arange(400) < 200
    strength = np.linspace(0, 2, 8)
    scores = rng.normal(size=(8, 3, 400)) + strength[:, None, None] * labels
    found = split_half(scores, labels, rng=rng)
    assert found.reliability > 0.95
    assert found.reliability == spearman_brown(found.correlation)
    assert (found.splits, found.instruments) == (20, 8)


def test_instruments_of_noise_have_no_reliability() -> None:
    rng = np.random.default_rng(3)
    labels = np.arange(400) < 200
    reliabilities = [
        split_half(rng.normal(size=(12, 2, 400)), labels, rng=rng).correlation
        for _ in range(10)
    ]
    assert abs(np.mean(reliabilities)) < 0.2


def test_halves_hold_whole_clusters_and_both_labels() -> None:
    # The statistic sees one instrument only through the areas: with clusters whose
    # items share a score, a half is a set of whole clusters, and its areas are
    # multiples of 1 / (clusters of one label x of the other).
    rng = np.random.default_rng(4)
    clusters = np.repeat(np.arange(8), 5)
    labels = clusters < 4
    scores = np.array([rng.permutation(8)[clusters] for _ in range(5)], dtype=float)
    seen = []

    def watched(areas: np.ndarray) -> np.ndarray:
        seen.append(areas)
        return folded_peak(areas[:, None])

    split_half(scores, labels, rng=rng, clusters=clusters, statistic=watched, splits=5)
    assert len(seen) == 10
    assert np.concatenate(seen) * 4 == pytest.approx(np.concatenate(seen).round(2) * 4)


def test_spearman_brown_lengthens_a_test() -> None:
    # Halves that correlate .6: 2 x .6 / 1.6 = .75; tripled: 1.8 / 2.2.
    assert spearman_brown(0.6) == pytest.approx(0.75)
    assert spearman_brown(0.6, 3) == pytest.approx(1.8 / 2.2)
    assert np.isnan(spearman_brown(-1.0))


def test_bad_input_is_named() -> None:
    rng = np.random.default_rng(0)
    with pytest.raises(ValueError, match="both classes"):
        argmax_layers([[1.0, 2.0]], [1, 1], rng=rng)
    with pytest.raises(ValueError, match=r"shape \(layers, n\)"):
        argmax_layers([1.0, 2.0], [1, 0], rng=rng)
    with pytest.raises(ValueError, match="3 or more instruments"):
        split_half([[1.0, 2.0]], [1, 0], rng=rng)
    with pytest.raises(ValueError, match="1 items or clusters with evaluation"):
        split_half(np.zeros((3, 4)), [1, 0, 0, 0], rng=rng)
    flat = split_half(np.zeros((3, 8)), [1, 0] * 4, rng=rng)
    assert np.isnan(flat.reliability)
    assert "cannot be told apart" in flat.note
    lone = [[0.0] * 6] * 3
    with pytest.raises(ValueError, match="halves need 2 of a kind"):
        split_half(lone, [1, 1, 1, 0, 0, 0], rng=rng, clusters=list("aabbcc"))
