"""The Brier score and its parts; reliability curves."""

from collections.abc import Callable
from math import isnan, nan

import numpy as np
import pytest
from sklearn.calibration import calibration_curve
from sklearn.metrics import brier_score_loss

from inspect_awareness.stats import clustered_mean
from inspect_awareness.stats.calibration import brier, reliability_curve

TWO_VALUES = ([0.2] * 5 + [0.6] * 5, [1, 0, 0, 0, 0, 1, 1, 1, 1, 0])


def study(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Overconfident forecasts with ties, and labels."""
    rng = np.random.default_rng(seed)
    p = rng.beta(1, 1, n).round(2)
    return p, (rng.uniform(size=n) < 0.2 + 0.6 * p).astype(float)


def test_two_forecasts_by_hand() -> None:
    # B = (4 x .04 + .64 + 4 x .16 + .36) / 10 = .18. Observed .2 and .8, base rate .5:
    # REL = .5 x 0 + .5 x .2^2 = .02, RES = .3^2 = .09, UNC = .25; skill 1 - .18 / .25.
    found = brier(*TWO_VALUES)
    parts = found.murphy
    assert found.score.value == pytest.approx(0.18)
    assert found.skill.value == pytest.approx(0.28)
    assert (parts.reliability, parts.resolution, parts.uncertainty) == pytest.approx(
        (0.02, 0.09, 0.25)
    )
    assert (parts.within_variance, parts.within_covariance, parts.bins) == (0, 0, 2)
    assert (found.n, found.base_rate, found.bins) == (10, 0.5, "each forecast")


def test_the_correction_takes_the_variance_of_the_observed_rates_off_by_hand() -> None:
    # v = .5 x .16 / 4 + .5 x .16 / 4 = .04, w = .25 / 9: REL .02 - .04,
    # RES .09 - .04 + w, UNC .25 + w.
    found = brier(*TWO_VALUES).corrected
    w = 0.25 / 9
    assert (found.reliability, found.resolution, found.uncertainty) == pytest.approx(
        (-0.02, 0.05 + w, 0.25 + w)
    )
    assert found.total == pytest.approx(0.18)


def test_forecasts_that_differ_within_a_bin_by_hand() -> None:
    # Bins .1 .3 | .6 .8: f .2 .7, o .5 1, base rate .75. REL = .3^2 = .09,
    # RES = .25^2 = .0625, WBV = .1^2 = .01, WBC = 2 / 4 (.1 x .5 + .1 x .5) = .05.
    # .09 - .0625 + .1875 + .01 - .05 = .175 = (.01 + .49 + .16 + .04) / 4.
    found = brier([0.1, 0.3, 0.6, 0.8], [0, 1, 1, 1], bins=2, strategy="uniform")
    parts = found.murphy
    assert (parts.reliability, parts.resolution) == pytest.approx((0.09, 0.0625))
    assert parts.within_variance == pytest.approx(0.01)
    assert parts.within_covariance == pytest.approx(0.05)
    assert parts.total == pytest.approx(0.175)
    assert found.score.value == pytest.approx(0.175)


def test_the_isotonic_parts_need_no_bins_by_hand() -> None:
    # Labels rise with the forecasts, so the isotonic curve makes no error at all:
    # miscalibration is B = .175, discrimination is UNC = .1875.
    parts = brier([0.1, 0.3, 0.6, 0.8], [0, 1, 1, 1]).isotonic
    assert (parts.reliability, parts.resolution) == pytest.approx((0.175, 0.1875))


@pytest.mark.parametrize("bins", [None, 1, 3, 10])
@pytest.mark.parametrize("strategy", ["quantile", "uniform"])
def test_the_parts_add_up_however_the_bins_are_cut(
    bins: int | None, strategy: str
) -> None:
    p, y = study(237, 1)
    found = brier(p, y, bins=bins, strategy=strategy)  # type: ignore[arg-type]
    assert found.score.value == pytest.approx(brier_score_loss(y, p), abs=1e-14)
    for parts in (found.murphy, found.corrected, found.isotonic):
        if not isnan(parts.total):
            assert parts.total == pytest.approx(found.score.value, abs=1e-14)


def test_the_interval_is_that_of_a_clustered_mean() -> None:
    p, y = study(120, 2)
    clusters = np.arange(120) // 6
    expected = clustered_mean((p - y) ** 2, clusters, unit="source")
    assert brier(p, y, clusters=clusters, unit="source").score == expected


def test_repeats_of_an_item_do_not_narrow_either_interval() -> None:
    p, y = study(40, 3)
    once = brier(p, y)
    often = brier(np.tile(p, 9), np.tile(y, 9), clusters=np.tile(np.arange(40), 9))
    for a, b in ((once.score, often.score), (once.skill, often.skill)):
        assert (a.value, a.low, a.high) == pytest.approx((b.value, b.low, b.high))


def test_skill_covers_its_true_value() -> None:
    # p ~ Beta(2, 2), calibrated: B = E p(1 - p) = 1/5, UNC = 1/4, skill 1/5.
    rng = np.random.default_rng(4)
    hits = 0
    for _ in range(300):
        p = rng.beta(2, 2, 150)
        hits += brier(p, rng.uniform(size=150) < p).skill.contains(0.2)
    assert 0.92 <= hits / 300 <= 0.98


def test_a_calibrated_model_has_reliability_0_once_corrected_and_not_before() -> None:
    # 10 bins of 10: Murphy's REL is too large by about E p(1 - p) / 10 = .02.
    rng = np.random.default_rng(5)
    raw, corrected = [], []
    for _ in range(400):
        p = rng.beta(2, 2, 100)
        found = brier(p, rng.uniform(size=100) < p)
        raw.append(found.murphy.reliability)
        corrected.append(found.corrected.reliability)
    assert np.mean(raw) == pytest.approx(0.02, abs=0.003)
    assert np.mean(corrected) == pytest.approx(0, abs=0.002)


def test_the_base_rate_has_no_skill_and_no_parts() -> None:
    found = brier([0.25] * 8, [1, 1, 0, 0, 0, 0, 0, 0])
    assert found.skill.value == pytest.approx(0)
    assert (found.murphy.reliability, found.murphy.resolution) == (0, 0)


def test_bins_of_one_item_are_counted_and_cannot_be_corrected() -> None:
    found = brier([0.1, 0.2, 0.3], [0, 1, 0])
    assert found.note == "3 of 3 bins hold one item"
    assert isnan(found.corrected.reliability)
    assert found.murphy.reliability == pytest.approx(found.score.value)


def test_one_label_has_a_score_and_no_skill() -> None:
    found = brier([0.1, 0.2, 0.1, 0.3], [0, 0, 0, 0])
    assert found.score.value == pytest.approx(0.15 / 4)
    assert isnan(found.skill.value)
    assert "one label" in found.skill.note


def test_no_item_is_nan_with_a_reason() -> None:
    assert isnan(brier([], []).score.value)
    assert brier([], []).note == "no item"
    assert reliability_curve([], []).note == "no item"


@pytest.mark.parametrize("strategy", ["quantile", "uniform"])
@pytest.mark.parametrize("seed", range(4))
def test_the_curve_is_scikit_learns(strategy: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    p = rng.beta(1, 3, 233)
    y = (rng.uniform(size=233) < p).astype(float)
    rate, forecast = calibration_curve(y, p, n_bins=8, strategy=strategy)
    curve = reliability_curve(p, y, bins=8, strategy=strategy)  # type: ignore[arg-type]
    held = [one for one in curve.bins if one.observed.n]
    assert [one.observed.value for one in held] == pytest.approx(list(rate))
    assert [one.forecast for one in held] == pytest.approx(list(forecast))
    assert sum(one.observed.n for one in held) == curve.n == 233


def test_an_empty_bin_is_there_and_holds_nothing() -> None:
    curve = reliability_curve([0.1, 0.15, 0.9], [0, 1, 1], bins=4, strategy="uniform")
    assert [one.observed.n for one in curve.bins] == [2, 0, 0, 1]
    assert curve.empty == 2
    assert isnan(curve.bins[1].observed.value)
    assert (curve.bins[1].low, curve.bins[1].high) == (0.25, 0.5)
    assert curve.note == "2 of 4 bins hold no forecast"


def test_equal_forecasts_stay_together_even_if_bins_are_lost() -> None:
    p = [0.0] * 12 + [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]
    curve = reliability_curve(p, [0] * 12 + [1] * 8, bins=5)
    assert curve.bins[0].observed.n >= 12
    assert len(curve.bins) < 5
    assert "equal forecasts stay together" in curve.note


def test_a_forecast_on_an_edge_belongs_below_it() -> None:
    curve = reliability_curve([0.0, 0.5, 1.0], [0, 0, 1], bins=2, strategy="uniform")
    assert [one.observed.n for one in curve.bins] == [2, 1]


def test_rates_of_a_bin_stand_on_clusters() -> None:
    p = [0.2] * 20 + [0.8] * 20
    y = ([0] * 4 + [1]) * 4 + ([1] * 4 + [0]) * 4
    ids = np.repeat(np.arange(8), 5) + np.tile(np.arange(5) // 4, 8) * 8
    curve = reliability_curve(p, y, clusters=ids, unit="task")
    low = curve.bins[0].observed
    assert (low.value, low.n, low.clusters, low.unit) == (0.2, 20, 8, "task")
    assert low == clustered_mean(y[:20], ids[:20], unit="task")


def test_about_one_bin_in_twenty_of_a_calibrated_model_misses() -> None:
    rng = np.random.default_rng(6)
    out = 0
    for _ in range(60):
        p = rng.beta(2, 2, 500)
        curve = reliability_curve(p, rng.uniform(size=500) < p)
        out += sum(not one.observed.contains(one.forecast) for one in curve.bins)
    assert out / 600 == pytest.approx(0.05, abs=0.025)


@pytest.mark.parametrize("measure", [brier, reliability_curve])
@pytest.mark.parametrize(
    ("p", "y", "options", "words"),
    [
        ([1.2, 0.1], [0, 1], {}, r"probabilities lie in \[0, 1\], got 1.2"),
        ([nan, 0.1], [0, 1], {}, "1 NaN or infinite"),
        ([0.2, 0.1], [0, 3], {}, "must be 0, 1"),
        ([0.2, 0.1], [0, 1], {"bins": 0}, "1 or more, or None, got 0"),
        ([0.2, 0.1], [0, 1], {"strategy": "kmeans"}, "quantile or uniform"),
        ([0.2, 0.1], [0, 1], {"clusters": [1]}, "1 clusters for 2 values"),
    ],
)
def test_what_is_no_forecast_is_refused_by_name(
    measure: Callable[..., object],
    p: list[float],
    y: list[float],
    options: dict[str, object],
    words: str,
) -> None:
    with pytest.raises(ValueError, match=words):
        measure(p, y, **options)
