"""The peak over layers: in sample, less its floor, held out, and at a fixed layer."""

from math import isnan

import numpy as np
import pytest
from studies import SHARED, result

from inspect_awareness.stats import aurocs
from inspect_awareness.stats.floors import _held_out as module
from inspect_awareness.stats.floors import peak_estimates
from inspect_awareness.stats.floors._held_out import Items, held_out

MANEK = SHARED / "data" / "manek" / "layer_item_scores_mean.npz"


def test_noise_has_a_naive_peak_and_none_that_is_held_out() -> None:
    rng = np.random.default_rng(0)
    labels = np.arange(120) < 60
    naive, corrected, split = [], [], []
    for _ in range(25):
        found = peak_estimates(rng.normal(size=(20, 120)), labels, rng=rng, draws=60)
        naive.append(found.naive.value)
        corrected.append(found.corrected.value)
        split.append(found.split.value)
    # E max |Z| of 20 normals is 2.17, times sqrt(121 / (12 x 3,600)) = .0529: .115.
    assert np.mean(naive) == pytest.approx(0.115, abs=0.015)
    assert np.mean(corrected) == pytest.approx(0, abs=0.015)
    assert np.mean(split) == pytest.approx(0, abs=0.02)


def test_a_layer_that_stands_out_is_the_same_for_all_but_the_floor() -> None:
    rng = np.random.default_rng(1)
    labels = np.arange(200) < 100
    scores = rng.normal(size=(12, 200))
    scores[4] -= 2.5 * labels
    found = peak_estimates(scores, labels, rng=rng, draws=100, layer=4)
    peak = float(abs(aurocs(scores[4], labels) - 0.5))
    assert found.naive.value == pytest.approx(peak, abs=1e-12)
    assert found.fixed.value == pytest.approx(peak, abs=1e-12)
    assert found.split.value == pytest.approx(peak, abs=0.002)
    assert found.corrected.value == pytest.approx(peak - found.floor.mean)
    assert (found.layer, found.fixed_layer, found.chosen[4]) == (4, 4, 1.0)
    for each in (found.naive, found.split, found.fixed):
        assert each.contains(peak)
        assert each.n == each.clusters == 200
    assert "biased upward" in found.naive.note
    # Signed, the layer is no peak at all.
    signed = peak_estimates(scores, labels, rng=rng, draws=30, fold=False)
    assert signed.layer != 4
    assert signed.fixed_layer == 6


def test_resampling_lifts_a_flat_peak_and_the_record_says_by_how_much() -> None:
    rng = np.random.default_rng(2)
    labels = np.arange(200) < 100
    scores = rng.normal(size=(25, 200)) + 0.3 * labels
    found = peak_estimates(scores, labels, rng=rng, draws=200)
    assert found.resampling_bias > 0.01
    assert found.naive.low + found.naive.high > 2 * found.naive.value
    assert found.split.value < found.naive.value


def test_copies_of_an_item_never_stand_on_both_sides() -> None:
    # Scores that tell items apart but not labels: if a copy of an item stood in both
    # halves, the layer chosen on one would fit the other. Each item 3 times over.
    rng = np.random.default_rng(3)
    labels, ids = np.arange(40) < 20, np.arange(40)
    ranks = np.argsort(np.argsort(rng.normal(size=(200, 40)))) + 1.0
    items = Items(ranks, labels, ids)
    thrice = held_out(items, np.full((300, 40), 3.0), rng, fold=True)
    once = held_out(items, np.ones((300, 40)), rng, fold=True)
    error = np.hypot(thrice.values.std(), once.values.std()) / 300**0.5
    assert thrice.values.mean() == pytest.approx(once.values.mean(), abs=4 * error)
    assert abs(once.values.mean()) < 0.1


def test_both_ways_of_weighing_pairs_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(4)
    items = Items(rng.integers(0, 9, (5, 30)) * 1.0, np.arange(30) < 13, np.arange(30))
    weights = rng.integers(0, 4, (20, 30)) * 1.0
    compared = items.distances(weights)
    monkeypatch.setattr(module, "MOST_PAIRS", 0)
    assert compared == pytest.approx(items.distances(weights), abs=1e-7)


def test_sources_are_resampled_and_halved_whole() -> None:
    rng = np.random.default_rng(5)
    sources = np.repeat(np.arange(16), 12)
    labels = sources < 8
    lift = rng.normal(size=(6, 16))[:, sources]
    scores = lift + 0.2 * rng.normal(size=(6, 192)) + 0.8 * labels
    items = peak_estimates(scores, labels, rng=rng, draws=150)
    whole = peak_estimates(scores, labels, rng=rng, draws=150, clusters=sources)
    assert whole.naive.clusters == 16
    assert whole.naive.unit == "source"
    wide, narrow = (x.fixed.high - x.fixed.low for x in (whole, items))
    assert wide > 2 * narrow
    assert whole.floor.mean > 1.5 * items.floor.mean


def test_a_label_of_one_source_has_values_and_no_intervals() -> None:
    rng = np.random.default_rng(6)
    sources = np.r_[np.zeros(20, int), np.repeat([1, 2], 10)]
    scores, labels = rng.normal(size=(4, 40)), sources == 0
    found = peak_estimates(scores, labels, rng=rng, draws=30, clusters=sources)
    assert found.naive.value > 0
    assert not found.naive.has_interval
    assert isnan(found.split.value)
    assert "two sources" in found.split.note
    assert found.splits == 0


def test_two_sources_a_label_lose_halves_that_were_not_drawn() -> None:
    rng = np.random.default_rng(8)
    sources = np.repeat(np.arange(4), 10)
    found = peak_estimates(
        rng.normal(size=(4, 40)), sources < 2, rng=rng, draws=40, clusters=sources
    )
    assert np.isfinite(found.split.value)
    assert "resamples lost a class" in found.split.note
    assert "resamples lost a class" not in found.naive.note


def test_released_scores_have_the_held_out_peaks_of_a_plain_loop() -> None:
    # Held-out peaks of eleven models of Manek (2026): the third source paper's
    # cross-validated ones (area - 1/2), whose splits are its own.
    if not MANEK.exists():
        pytest.skip("the released scores are not beside this checkout")
    published = {
        row["model"]: row["honest_peak_crossvalidated"] - 0.5
        for row in result("reanalysis_probe_depth.json")["models"]
    }
    rng = np.random.default_rng(7)
    with np.load(MANEK) as archive:
        labels = archive["is_deployment"]
        for name in archive.files[1:]:
            scores = archive[name]
            items = Items(scores.astype(float), labels == 1, np.arange(400))
            found = held_out(items, np.ones((400, 400)), rng, fold=True).values
            assert found.mean() == pytest.approx(published[name], abs=0.006)


def test_bad_input_is_named() -> None:
    rng = np.random.default_rng(0)
    with pytest.raises(ValueError, match=r"shape \(layers, n\)"):
        peak_estimates([1.0, 2.0], [0, 1], rng=rng)
    with pytest.raises(ValueError, match="both classes"):
        peak_estimates([[1.0, 2.0]], [1, 1], rng=rng)
    with pytest.raises(ValueError, match="layer must be 0 to 0, got 3"):
        peak_estimates([[1.0, 2.0]], [0, 1], rng=rng, layer=3)
