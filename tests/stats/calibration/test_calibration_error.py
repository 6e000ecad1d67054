"""The expected calibration error beside that of a calibrated model."""

from math import isnan, pi, sqrt

import numpy as np
import pytest
from scipy.stats import norm

from inspect_awareness.stats.calibration import (
    CalibrationError,
    expected_calibration_error,
)


def calibrated_study(
    rng: np.random.Generator, clusters: int, size: int, correlation: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Calibrated forecasts whose labels move together within clusters."""
    ids = np.repeat(np.arange(clusters), size)
    p = rng.beta(2, 2, ids.size)
    shared = sqrt(correlation) * rng.standard_normal(clusters)[ids]
    z = shared + sqrt(1 - correlation) * rng.standard_normal(ids.size)
    return p, (norm.cdf(z) < p).astype(float), ids


def measured(p: object, y: object, **options: object) -> CalibrationError:
    options = {"rng": np.random.default_rng(0), **options}
    return expected_calibration_error(p, y, **options)  # type: ignore[arg-type]


def test_the_gaps_of_two_bins_by_hand() -> None:
    # .2 x 5 with 1 of 5: gap 0. .6 x 5 with 4 of 5: gap .2. Half of the items each.
    found = measured([0.2] * 5 + [0.6] * 5, [1, 0, 0, 0, 0, 1, 1, 1, 1, 0])
    assert found.ece.value == pytest.approx(0.1)
    assert found.maximum.value == pytest.approx(0.2)
    assert (found.bins, found.n, found.base_rate) == (2, 10, 0.5)


def test_the_band_of_two_items_by_counting_all_labels() -> None:
    # Forecasts .5 .5 in one bin: |hits - 1| / 2 is 0 half the time, else 1/2.
    found = measured([0.5, 0.5], [1, 1], draws=4000)
    assert found.ece.value == 0.5
    assert found.ece.expected == pytest.approx(0.25, abs=0.02)
    assert found.ece.p == pytest.approx(0.5, abs=0.03)
    assert found.ece.debiased == found.ece.value - found.ece.expected


@pytest.mark.parametrize(
    ("n", "known"), [(50, 0.120), (100, 0.086), (400, 0.043), (2000, 0.020)]
)
def test_a_calibrated_model_has_an_error_all_the_same(n: int, known: float) -> None:
    # Beta(2, 5) forecasts, 10 bins of equal width. The known values are for an
    # unstated distribution of forecasts; this one comes within .004 of all four.
    rng = np.random.default_rng(n)
    found = []
    for _ in range(40):
        p = rng.beta(2, 5, n)
        y = rng.uniform(size=n) < p
        found.append(measured(p, y, rng=rng, strategy="uniform", draws=50).ece.expected)
    assert np.mean(found) == pytest.approx(known, abs=0.004)


def test_the_error_of_a_calibrated_model_follows_from_the_bins_variances() -> None:
    # Each bin's sum of y - p is about normal: E|sum| = sqrt(2 / pi) sd.
    p = np.sort(np.random.default_rng(1).beta(2, 2, 1000))
    variances = (p * (1 - p)).reshape(10, 100).sum(axis=1)
    found = measured(p, p > 0.5)
    expected = sqrt(2 / pi) * np.sqrt(variances).sum() / 1000
    assert found.ece.expected == pytest.approx(expected, rel=0.02)


def test_one_calibrated_model_in_twenty_is_outside_the_band() -> None:
    rng = np.random.default_rng(2)
    out, rejected = 0, 0
    for _ in range(300):
        p = rng.beta(2, 2, 200)
        found = measured(p, rng.uniform(size=200) < p, rng=rng, draws=300)
        out += found.ece.outside
        rejected += found.ece.p <= 0.05
    assert 0.02 <= out / 300 <= 0.085
    assert 0.02 <= rejected / 300 <= 0.085


def test_labels_that_move_together_need_the_band_over_clusters() -> None:
    # 20 sources of 20. Drawn item by item, the band rejects 1 calibrated model in 5.
    rng = np.random.default_rng(3)
    naive, clustered = 0, 0
    for _ in range(300):
        p, y, ids = calibrated_study(rng, 20, 20, 0.3)
        naive += measured(p, y, rng=rng, draws=200).ece.p <= 0.05
        clustered += measured(p, y, rng=rng, clusters=ids, draws=200).ece.p <= 0.05
    assert naive / 300 > 0.12
    assert clustered / 300 <= 0.09


def test_items_as_clusters_give_the_band_of_independent_items() -> None:
    rng = np.random.default_rng(4)
    p = rng.beta(2, 2, 500)
    y = rng.uniform(size=500) < p
    drawn, flipped = measured(p, y), measured(p, y, clusters=range(500))
    assert flipped.ece.expected == pytest.approx(drawn.ece.expected, rel=0.1)
    assert flipped.ece.high == pytest.approx(drawn.ece.high, rel=0.15)
    assert (drawn.clusters, flipped.clusters) == (500, 500)
    assert drawn.method != flipped.method


def test_an_overconfident_model_is_found_with_and_without_clusters() -> None:
    rng = np.random.default_rng(5)
    p, y, ids = calibrated_study(rng, 50, 20, 0.1)
    sharp = np.clip(0.5 + 2 * (p - 0.5), 0, 1)
    for clusters in (None, ids):
        found = measured(sharp, y, clusters=clusters)
        assert found.ece.p < 0.01
        assert found.ece.outside
        assert found.ece.debiased > 0.03


def test_the_debiased_error_of_a_calibrated_model_is_about_0() -> None:
    rng = np.random.default_rng(6)
    found = []
    for _ in range(100):
        p = rng.beta(2, 2, 100)
        y = rng.uniform(size=100) < p
        found.append(measured(p, y, rng=rng, draws=200).ece.debiased)
    assert np.mean(found) == pytest.approx(0, abs=0.01)
    assert min(found) < 0


def test_certain_forecasts_leave_chance_no_room() -> None:
    right = measured([0, 0, 1, 1], [0, 0, 1, 1], draws=99)
    assert (right.ece.value, right.ece.expected, right.ece.p) == (0, 0, 1)
    wrong = measured([0, 0, 1, 1], [0, 0, 1, 0], draws=99)
    assert (wrong.ece.value, wrong.ece.p) == (0.25, 0.01)


def test_rounding_makes_no_gap() -> None:
    # Exactly 3 of 10 at .3, whose sum of y - p is not 0 in floating point.
    found = measured([0.3] * 10, [1, 1, 1] + [0] * 7, draws=200).ece
    assert found.value == pytest.approx(0, abs=1e-15)
    assert found.p == 1
    assert not found.outside


def test_one_cluster_has_no_band_and_few_have_a_warning() -> None:
    p, y = [0.2, 0.4, 0.6, 0.8], [0, 1, 0, 1]
    one = measured(p, y, clusters=["a"] * 4)
    assert one.ece.value == measured(p, y).ece.value
    assert isnan(one.ece.p)
    assert not one.ece.outside
    assert "one cluster" in one.note
    few = measured(p, y, clusters=["a", "a", "b", "c"])
    assert "only 3 clusters, 4 patterns of signs" in few.note


def test_many_draws_are_made_in_chunks_that_change_nothing() -> None:
    # 5,000 items x 900 draws is more than one chunk.
    rng = np.random.default_rng(7)
    p = rng.beta(2, 2, 5000)
    found = measured(p, rng.uniform(size=5000) < p, draws=900)
    assert found.draws == 900
    assert found.ece.low < found.ece.expected < found.ece.high


def test_no_item_is_nan_with_a_reason() -> None:
    found = measured([], [])
    assert isnan(found.ece.value)
    assert found.note == "no item"


def test_what_is_no_forecast_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"got -0\.1: calibrate the scores first"):
        measured([-0.1, 0.2], [0, 1])
    with pytest.raises(ValueError, match="1 or more, got 0"):
        measured([0.1, 0.2], [0, 1], draws=0)
