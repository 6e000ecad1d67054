"""Curves from scores to probabilities: Platt's and isotonic."""

from collections.abc import Callable
from math import log

import numpy as np
import pytest
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

from inspect_awareness.stats.calibration import (
    IsotonicScaling,
    PlattScaling,
    fit_isotonic,
    fit_platt,
)

Fit = Callable[..., IsotonicScaling | PlattScaling]


def study(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Scores in thirds of a unit, so that many are tied, and labels that follow."""
    rng = np.random.default_rng(seed)
    scores = np.round(3 * rng.standard_normal(n)) / 3
    return scores, (rng.uniform(size=n) < expit(1.5 * scores - 0.5)).astype(float)


class Itself(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier whose decision is the first column."""

    def fit(self, x: np.ndarray, y: np.ndarray) -> "Itself":
        self.classes_ = np.unique(y)
        return self

    def decision_function(self, x: np.ndarray) -> np.ndarray:
        return np.asarray(x[:, 0])

    def predict(self, x: np.ndarray) -> np.ndarray:
        return np.asarray(x[:, 0] > 0, dtype=float)


def test_two_scores_get_the_mean_of_platts_targets() -> None:
    # n1 = n0 = 3: targets 4/5 and 1/5. At 0: (4/5 + 1/5 + 1/5) / 3 = .4; at 1:
    # (4/5 + 4/5 + 1/5) / 3 = .6. So the slope is logit(.6) - logit(.4) = 2 log 1.5.
    curve = fit_platt([0, 0, 0, 1, 1, 1], [0, 0, 1, 0, 1, 1])
    assert curve.apply([0, 1]) == pytest.approx([0.4, 0.6])
    assert (curve.slope, curve.intercept) == pytest.approx((2 * log(1.5), log(2 / 3)))
    assert (curve.n, curve.base_rate) == (6, 0.5)


def test_separated_scores_have_a_finite_curve_and_say_what_made_it() -> None:
    # One item each: targets 2/3 and 1/3 are met exactly, logit(2/3) = log 2 at 1.
    curve = fit_platt([-1, 1], [0, 1])
    assert (curve.slope, curve.intercept) == pytest.approx((log(2), 0), abs=1e-9)
    assert "separate the labels completely" in curve.note
    many = fit_platt(np.r_[np.zeros(500), np.ones(500)], np.repeat([0, 1], 500))
    assert many.apply([0, 1]) == pytest.approx([1 / 502, 501 / 502])


@pytest.mark.parametrize("seed", range(3))
def test_platt_is_logistic_regression_on_the_smoothed_targets(seed: int) -> None:
    # Each item stands in twice: as 1 with its target for a weight, and as 0 with the
    # rest.
    x, y = study(200, seed)
    ones = y.sum()
    target = np.where(y == 1, (ones + 1) / (ones + 2), 1 / (200 - ones + 2))
    peer = LogisticRegression(C=1e10, tol=1e-10, max_iter=1000).fit(
        np.r_[x, x][:, None],
        np.repeat([1, 0], 200),
        sample_weight=np.r_[target, 1 - target],
    )
    curve = fit_platt(x, y)
    assert curve.slope == pytest.approx(peer.coef_[0, 0], rel=1e-5)
    assert curve.intercept == pytest.approx(peer.intercept_[0], rel=1e-5)


def test_platt_is_scikit_learns_sigmoid() -> None:
    frozen_module = pytest.importorskip("sklearn.frozen")  # scikit-learn 1.6 or later
    x, y = study(300, 7)
    frozen = frozen_module.FrozenEstimator(Itself().fit(x[:, None], y))
    peer = CalibratedClassifierCV(frozen, method="sigmoid", ensemble=False)
    peer.fit(x[:, None], y)
    theirs = peer.predict_proba(x[:, None])[:, 1]
    assert fit_platt(x, y).apply(x) == pytest.approx(theirs, abs=1e-4)


def test_on_the_logit_scale_what_is_calibrated_stays_as_it_is() -> None:
    rng = np.random.default_rng(1)
    p = rng.beta(1.2, 1.5, 20_000)
    curve = fit_platt(p, rng.uniform(size=p.size) < p, scale="logit")
    assert (curve.slope, curve.intercept) == pytest.approx((1, 0), abs=0.05)
    assert np.abs(curve.apply(p) - p).max() < 0.015


def test_certain_scores_are_kept_finite_on_the_logit_scale() -> None:
    curve = fit_platt([0, 0.2, 0.9, 1, 0, 1], [0, 0, 1, 1, 1, 0], scale="logit")
    assert np.isfinite(curve.apply([0.0, 1.0])).all()


def test_a_change_of_units_changes_the_curve_and_no_probability() -> None:
    x, y = study(100, 2)
    one, other = fit_platt(x, y), fit_platt(1e6 * x + 1e7, y)
    assert other.apply(1e6 * x + 1e7) == pytest.approx(one.apply(x), abs=1e-8)
    assert other.slope == pytest.approx(one.slope / 1e6)


def test_scores_that_point_the_other_way_are_turned_round_and_said_to_be() -> None:
    x, y = study(200, 3)
    curve = fit_platt(-x, y)
    assert curve.apply(-x) == pytest.approx(fit_platt(x, y).apply(x), abs=1e-9)
    assert "the curve falls" in curve.note


def test_identical_scores_get_the_mean_target() -> None:
    # n1 = 1, n0 = 3: (2/3 + 3/5) / 4 = 19/60.
    curve = fit_platt([5, 5, 5, 5], [0, 0, 0, 1])
    assert curve.apply([5, 9]) == pytest.approx([19 / 60] * 2)
    assert "does not respond" in curve.note


def test_isotonic_pools_ties_first_and_then_violators() -> None:
    # Score 1: 0, 1 -> .5; score 2: 0 -> pooled with 1: 1/3; score 3: 1.
    curve = fit_isotonic([1, 1, 2, 3], [0, 1, 0, 1])
    assert curve.apply([1, 2, 3]) == pytest.approx([1 / 3, 1 / 3, 1])
    assert curve.apply([-9, 2.5, 9]) == pytest.approx([1 / 3, 2 / 3, 1])


def test_a_flat_stretch_keeps_its_two_ends() -> None:
    curve = fit_isotonic([1, 2, 3, 4, 5], [0, 1, 0.0, 0, 1])
    assert curve.knots.tolist() == [1, 2, 4, 5]
    assert curve.values == pytest.approx([0, 1 / 3, 1 / 3, 1])
    assert (curve.n, curve.base_rate) == (5, 0.4)


@pytest.mark.parametrize("seed", range(5))
def test_isotonic_is_scikit_learns_between_and_beyond_the_knots_too(seed: int) -> None:
    x, y = study(150, seed)
    new = np.linspace(-5, 5, 301)
    peer = IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip").fit(x, y)
    assert fit_isotonic(x, y).apply(new) == pytest.approx(peer.predict(new), abs=1e-12)


@pytest.mark.parametrize("fit", [fit_platt, fit_isotonic])
def test_a_higher_score_never_gets_a_lower_probability(fit: Fit) -> None:
    x, y = study(200, 11)
    curve = fit(x, y)
    assert (np.diff(curve.apply(np.linspace(-6, 6, 500))) >= 0).all()


def test_isotonic_scores_that_point_the_other_way_give_the_base_rate() -> None:
    curve = fit_isotonic([1, 2, 3, 4], [1, 1, 0, 0])
    assert curve.apply([1, 4]).tolist() == [0.5, 0.5]
    assert "no higher score" in curve.note


@pytest.mark.parametrize("fit", [fit_platt, fit_isotonic])
@pytest.mark.parametrize(
    ("scores", "labels", "words"),
    [
        ([0.1, 0.2], [1, 1], "2 evaluation and 0 deployment"),
        ([], [], "0 evaluation and 0 deployment"),
        ([0.1, float("nan")], [0, 1], "1 NaN or infinite of 2"),
        ([0.1, 0.2], [0, 2], "must be 0, 1"),
        ([0.1, 0.2], [0, float("nan")], "1 of 2 labels are NaN"),
        ([0.1, 0.2, 0.3], [0, 1], "3 scores for 2 labels"),
    ],
)
def test_what_cannot_be_fitted_is_refused_by_name(
    fit: Fit, scores: list[float], labels: list[float], words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        fit(scores, labels)


def test_a_logit_needs_a_score_in_the_unit_interval() -> None:
    with pytest.raises(ValueError, match=r"in \[0, 1\], got 1.5: use scale"):
        fit_platt([0.5, 1.5], [0, 1], scale="logit")
    with pytest.raises(ValueError, match="score or logit, got 'log'"):
        fit_platt([0.5, 1.5], [0, 1], scale="log")  # type: ignore[arg-type]
