"""Floors from a published curve: effective layers and the largest of some normals."""

from math import isnan, pi, sqrt

import numpy as np
import pytest
from studies import SHARED, result

from inspect_awareness.stats import RankedScores
from inspect_awareness.stats.floors import (
    effective_layers,
    lag_one_floor,
    layer_selection_floor,
    maximum_of_normals,
    null_sd,
    permuted_scoring_floor,
)

MANEK = SHARED / "data" / "manek" / "layer_item_scores_mean.npz"


def test_the_largest_of_some_normals_has_its_known_mean() -> None:
    # Numerical values for 1 to 80; closed forms sqrt(2 / pi) and 2 / sqrt(pi) for one
    # and two |Z|, 1 / sqrt(pi) and 3 / (2 sqrt(pi)) for two and three Z.
    counts = (1, 2, 4, 10, 30, 44.5, 80)
    means = [round(maximum_of_normals(count).mean, 3) for count in counts]
    assert means == [0.798, 1.128, 1.465, 1.881, 2.323, 2.468, 2.672]
    assert maximum_of_normals(1).mean == pytest.approx(sqrt(2 / pi))
    assert maximum_of_normals(2).mean == pytest.approx(2 / sqrt(pi))
    assert maximum_of_normals(1, fold=False).mean == pytest.approx(0, abs=1e-12)
    assert maximum_of_normals(2, fold=False).mean == pytest.approx(1 / sqrt(pi))
    assert maximum_of_normals(3, fold=False).mean == pytest.approx(1.5 / sqrt(pi))


def test_its_spread_and_quantiles_are_those_of_draws() -> None:
    drawn = np.random.default_rng(0).normal(size=(100_000, 6))
    for fold in (True, False):
        tops = (np.abs(drawn) if fold else drawn).max(axis=1)
        found = maximum_of_normals(6, fold=fold)
        assert found.mean == pytest.approx(tops.mean(), abs=0.01)
        assert found.sd == pytest.approx(tops.std(), abs=0.01)
        assert found.quantile(0.95) == pytest.approx(np.quantile(tops, 0.95), abs=0.02)
        assert found.exceeds(2.0) == pytest.approx(np.mean(tops > 2), abs=0.005)
    assert maximum_of_normals(1).sd == pytest.approx(sqrt(1 - 2 / pi))
    assert maximum_of_normals(6).exceeds(-1.0) == 1.0
    with pytest.raises(ValueError, match="1 or more, got 0"):
        maximum_of_normals(0)


def test_copies_of_a_layer_count_once_and_layers_of_their_own_count_each() -> None:
    assert effective_layers(np.eye(7)) == 7
    assert effective_layers(np.ones((7, 7))) == 1
    two_blocks = np.kron(np.eye(2), np.ones((3, 3)))
    assert effective_layers(two_blocks) == 2
    # Eigenvalues 1.6 and .4: 1 + .6 + .4.
    assert effective_layers([[1, 0.6], [0.6, 1]]) == pytest.approx(2)
    with pytest.raises(ValueError, match="square"):
        effective_layers([[1.0, 0.5]])
    with pytest.raises(ValueError, match="ones on its diagonal"):
        effective_layers([[1.0, np.nan], [np.nan, np.nan]])


def test_one_area_under_the_null_has_the_spread_of_mann_and_whitney() -> None:
    assert null_sd(203, 203) == pytest.approx(0.0286887, abs=5e-8)
    assert null_sd(200, 200) == pytest.approx(0.02890, abs=5e-6)
    with pytest.raises(ValueError, match="each class needs an item, got 0 and 5"):
        null_sd(0, 5)


def test_the_published_formula_is_above_the_exact_mean() -> None:
    # sqrt(2 ln 2L), against E max |Z| of L normals: + 48 % at 1, + 19 % at 80.
    expected = {1: 1.177, 2: 1.665, 4: 2.039, 10: 2.448, 30: 2.862, 80: 3.186}
    for count, value in expected.items():
        found = lag_one_floor(count, 0.0, 203, 203) / null_sd(203, 203)
        assert found == pytest.approx(value, abs=5e-4)
        assert 1.19 < found / maximum_of_normals(count).mean < 1.48
    assert lag_one_floor(40, 0.999, 9, 9) == lag_one_floor(40, 0.95, 9, 9)
    assert lag_one_floor(40, -0.5, 9, 9) == lag_one_floor(40, 0.0, 9, 9)


def test_published_layer_floors_and_what_they_leave_of_a_scaling_law() -> None:
    # The table of 15 models of Chaudhary et al. (2025) in the third source paper:
    # L_eff 4.025 to 44.46, r .6002 before and .5613 after, median share .302. The
    # areas by layer are not among the files, so that each r is taken from the table.
    models = result("reanalysis_scaling_law.json")
    table = result("reanalysis_table.json")["chaudhary"]
    floors = np.array(
        [lag_one_floor(m["n_layers"], m["lag1_autocorr"], 203, 203) for m in models]
    )
    given = [m["null_selection_floor"] for m in models]
    assert floors == pytest.approx(given, abs=1e-12)
    peak = np.array([m["reported_max_distance"] for m in models])
    size = np.log10([m["params_b"] for m in models])
    before, after = (float(np.corrcoef(size, y)[0, 1]) for y in (peak, peak - floors))
    assert before == pytest.approx(table["r_reported"], abs=1e-12)
    assert after == pytest.approx(table["r_corrected"], abs=1e-12)
    assert round(before, 4) == 0.6002
    assert round(after, 4) == 0.5613
    assert np.median(floors / peak) == pytest.approx(table["floor_share_median"])


def test_two_rows_of_that_table_are_one_and_the_same_curve() -> None:
    # GPT-OSS-20B and Qwen2.5-1.5B agree to the last digit in layers, lag-1 r and peak:
    # one of them is a copy. 23 layers fit GPT-OSS-20B; Qwen2.5-1.5B has 27 in Manek
    # (2026). Without it r is .712 before and .688 after, for 14 models.
    models = {m["model"]: m for m in result("reanalysis_scaling_law.json")}
    names = ("n_layers", "lag1_autocorr", "reported_max_distance")
    one, other = models["GPT-OSS-20B"], models["Qwen2.5-1.5B"]
    assert [one[name] for name in names] == [other[name] for name in names]
    rest = [m for m in models.values() if m is not other]
    size = np.log10([m["params_b"] for m in rest])
    kept = ("reported_max_distance", "excess_over_floor")
    found = [float(np.corrcoef(size, [m[y] for m in rest])[0, 1]) for y in kept]
    assert np.round(found, 3).tolist() == [0.712, 0.688]


def test_a_curve_alone_gives_a_floor_with_a_warning() -> None:
    areas = 0.5 + 0.2 * np.sin(np.linspace(0, 3, 24))
    found = layer_selection_floor(areas, 200, 200)
    assert found.observed == pytest.approx(np.abs(areas - 0.5).max())
    assert found.lag_one > 0.95
    # r is capped at .95: L (1 - r) / (1 + r) = 24 x .05 / 1.95, below 1.
    assert found.formula_effective == pytest.approx(24 * 0.05 / 1.95)
    assert found.formula == pytest.approx(null_sd(200, 200) * 1.17741, abs=1e-6)
    largest = maximum_of_normals(found.effective)
    assert found.mean == pytest.approx(found.sigma * largest.mean)
    assert found.quantile == pytest.approx(found.sigma * largest.quantile(0.95))
    assert found.z == pytest.approx(found.excess / found.sd)
    assert "guessed from the curve" in found.note


def test_a_signed_peak_has_a_lower_floor_and_no_published_formula() -> None:
    areas = 0.5 + 0.1 * np.random.default_rng(1).normal(size=20).cumsum() / 5
    folded = layer_selection_floor(areas, 100, 100)
    signed = layer_selection_floor(areas, 100, 100, fold=False)
    assert signed.mean < folded.mean
    assert isnan(signed.formula)
    assert "folded" in signed.note


def test_a_flat_curve_has_no_floor_of_its_own() -> None:
    found = layer_selection_floor([0.6] * 5, 50, 50)
    assert isnan(found.mean)
    assert "no lag-1 r" in found.note
    given = layer_selection_floor([0.6] * 5, 50, 50, correlation=np.eye(5))
    assert given.mean == pytest.approx(given.sigma * maximum_of_normals(5).mean)
    assert isnan(given.formula)


def test_bad_curves_are_named() -> None:
    with pytest.raises(ValueError, match=r"area in \[0, 1\] for each layer"):
        layer_selection_floor([0.5, 1.2], 10, 10)
    with pytest.raises(ValueError, match="got none"):
        layer_selection_floor([], 10, 10)
    with pytest.raises(ValueError, match=r"of shape \(3, 3\), got \(2, 2\)"):
        layer_selection_floor([0.5, 0.6, 0.7], 10, 10, correlation=np.eye(2))


def test_effective_layers_of_released_scores_give_the_permuted_floor() -> None:
    # Eleven models of Manek (2026): from the layers' rank correlations the floor is
    # within 8 % of the permuted one; from the curve alone it is up to half too high,
    # since these curves are jagged.
    if not MANEK.exists():
        pytest.skip("the released scores are not beside this checkout")
    rng, exact, guessed = np.random.default_rng(2), [], []
    with np.load(MANEK) as archive:
        labels = archive["is_deployment"]
        for name in archive.files[1:]:
            ranked = RankedScores.of(archive[name])
            curve = ranked.areas(labels)
            floor = permuted_scoring_floor(ranked.ranks, labels, draws=500, rng=rng)
            for found, matrix in (
                (exact, ranked.null_correlation()),
                (guessed, None),
            ):
                mean = layer_selection_floor(curve, 200, 200, correlation=matrix).mean
                found.append(mean / floor.mean)
    assert len(exact) == 11
    assert exact == pytest.approx([1.0] * 11, abs=0.08)
    assert 1.1 < np.median(guessed) < 1.5
