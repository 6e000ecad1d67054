"""Precision at other base rates, and probabilities moved there."""

from math import isnan, nan

import numpy as np
import pytest
from scipy.stats import beta

from inspect_awareness.stats import clustered_mean
from inspect_awareness.stats.calibration import (
    OperatingPoint,
    fit_platt,
    precision_at_base_rates,
    precision_from_counts,
    shifted,
)


def counted(tp: int, fn: int, fp: int, tn: int, *rates: float) -> OperatingPoint:
    rng = np.random.default_rng(0)
    return precision_from_counts(tp=tp, fn=fn, fp=fp, tn=tn, base_rates=rates, rng=rng)


def test_precision_falls_with_the_base_rate_by_hand() -> None:
    # Se .9, Sp .9. At .5: .45 / (.45 + .05) = .9; at .1: .09 / (.09 + .09) = .5;
    # at .01: .009 / (.009 + .099) = 1/12. Flagged at .1: .09 + .09.
    found = counted(90, 10, 10, 90, 0.5, 0.1, 0.01)
    values = [one.precision.value for one in found.precisions]
    assert values == pytest.approx([0.9, 0.5, 1 / 12])
    assert found.precisions[1].flagged == pytest.approx(0.18)


def test_the_liver_scans_of_altman_and_bland() -> None:
    # 231 of 258 with, 32 of 86 without the disease have an abnormal scan: 231 / 263 =
    # .88 at the study's .75 (BMJ 309, 102). At .25: .2238 / (.2238 + .2791) = .445.
    found = counted(231, 27, 32, 54, 258 / 344, 0.25).precisions
    assert found[0].precision.value == pytest.approx(0.88, abs=0.005)
    assert found[1].precision.value == pytest.approx(0.445, abs=0.0005)


def test_at_the_studys_own_base_rate_it_is_the_share_of_the_flagged() -> None:
    found = counted(30, 10, 20, 100, 40 / 160)
    assert found.precisions[0].precision.value == pytest.approx(30 / 50)


def test_rates_have_jeffreys_intervals_that_reach_the_end_of_the_scale() -> None:
    found = counted(20, 0, 3, 37, 0.5)
    assert (found.sensitivity.value, found.sensitivity.high) == (1.0, 1.0)
    assert found.sensitivity.low == pytest.approx(beta.ppf(0.025, 20.5, 0.5))
    ends = beta.ppf([0.025, 0.975], 37.5, 3.5)
    assert (found.specificity.low, found.specificity.high) == pytest.approx(ends)


def test_without_a_false_alarm_precision_is_1_and_its_interval_says_how_sure() -> None:
    found = counted(15, 5, 0, 20, 0.1).precisions[0].precision
    assert (found.value, found.high) == (1.0, 1.0)
    assert found.low < 0.6


def test_nothing_flagged_is_nan_with_a_reason() -> None:
    found = counted(0, 10, 0, 10, 0.1).precisions[0].precision
    assert isnan(found.value)
    assert found.note == "no item is flagged"


def test_a_score_on_the_threshold_is_flagged() -> None:
    scores, y = [0.5, 0.4, 0.5, 0.1], [1, 1, 0, 0]
    found = precision_at_base_rates(
        scores, y, threshold=0.5, base_rates=[0.5], rng=np.random.default_rng(0)
    )
    assert (found.sensitivity.value, found.specificity.value) == (0.5, 0.5)
    assert (found.sensitivity.n, found.precisions[0].precision.n) == (2, 4)


def test_the_interval_covers_about_as_often_as_it_says() -> None:
    # Se .8, 1 - Sp .1 at .1: .08 / (.08 + .09) = .4706.
    rng = np.random.default_rng(1)
    hits = 0
    for _ in range(300):
        tp, fp = (int(k) for k in rng.binomial(50, [0.8, 0.1]))
        hits += (
            counted(tp, 50 - tp, fp, 50 - fp, 0.1)
            .precisions[0]
            .precision.contains(0.08 / 0.17)
        )
    assert 0.92 <= hits / 300 <= 0.985


def clustered(scores: np.ndarray, y: np.ndarray, ids: object) -> OperatingPoint:
    return precision_at_base_rates(
        scores,
        y,
        threshold=0.5,
        base_rates=[0.1],
        clusters=ids,  # type: ignore[arg-type]
        rng=np.random.default_rng(0),
        unit="source",
    )


def test_repeats_of_a_source_do_not_narrow_the_interval() -> None:
    rng = np.random.default_rng(2)
    y = np.repeat([0.0, 1.0], 15)
    scores = (rng.uniform(size=30) < 0.2 + 0.6 * y).astype(float)
    once = clustered(scores, y, np.arange(30)).precisions[0].precision
    often = clustered(np.tile(scores, 20), np.tile(y, 20), np.tile(np.arange(30), 20))
    found = often.precisions[0].precision
    assert (found.n, found.clusters, found.unit) == (600, 30, "source")
    assert found.value == pytest.approx(once.value)
    assert found.high - found.low == pytest.approx(once.high - once.low, rel=0.12)


def test_sensitivity_over_sources_is_about_the_clustered_means_interval() -> None:
    rng = np.random.default_rng(3)
    ids = np.repeat(np.arange(40), 10)
    y = (ids < 20).astype(float)
    scores = (rng.uniform(size=400) < rng.beta(3, 2, 40)[ids]).astype(float)
    found = clustered(scores, y, ids).sensitivity
    peer = clustered_mean(scores[y == 1], ids[y == 1])
    assert found.value == peer.value
    assert (found.low, found.high) == pytest.approx((peer.low, peer.high), abs=0.01)


def test_a_label_of_one_source_has_no_interval() -> None:
    y = np.repeat([1.0, 0.0], [4, 6])
    scores = np.array([1, 1, 0, 1, 1, 0, 0, 0, 0, 0.0])
    found = clustered(scores, y, [0, 0, 0, 0, 1, 1, 2, 2, 3, 3])
    assert found.sensitivity.value == 0.75
    assert not found.sensitivity.has_interval
    assert found.specificity.has_interval
    assert not found.precisions[0].precision.has_interval
    assert "one cluster" in found.precisions[0].precision.note


def test_sources_that_agree_exactly_leave_their_spread_unknown() -> None:
    y = np.repeat([1.0, 0.0], 4)
    scores = np.array([1, 0, 1, 0, 0, 1, 0, 1.0])
    found = clustered(scores, y, [0, 0, 1, 1, 2, 2, 3, 3])
    assert "agree exactly" in found.sensitivity.note
    assert not found.precisions[0].precision.has_interval


def test_few_sources_of_a_label_are_named() -> None:
    rng = np.random.default_rng(4)
    ids = np.repeat(np.arange(30), 10)
    scores = (rng.uniform(size=300) < 0.5).astype(float)
    found = clustered(scores, (ids < 5).astype(float), ids)
    assert found.precisions[0].precision.note == "only 5 clusters of this label"


def test_odds_are_multiplied_by_hand() -> None:
    # Odds .9 / .1 = 9 at .5; at .1 the prior odds are 1 / 9: odds 1, p = .5.
    assert shifted([0.9], from_rate=0.5, to_rate=0.1) == pytest.approx([0.5])


def test_shifting_there_and_back_changes_nothing_and_keeps_certainty() -> None:
    p = np.linspace(0, 1, 11)
    there = shifted(p, from_rate=0.5, to_rate=0.03)
    assert shifted(there, from_rate=0.03, to_rate=0.5) == pytest.approx(p)
    assert shifted(p, from_rate=0.2, to_rate=0.2) == pytest.approx(p)
    assert (there[0], there[-1]) == (0, 1)
    assert (np.diff(there) > 0).all()


def test_a_shifted_probability_is_calibrated_where_the_base_rate_is_other() -> None:
    # Evaluation scores N(1, 1), deployment N(0, 1), in both places.
    rng = np.random.default_rng(5)
    y = np.repeat([1, 0], 20_000)
    curve = fit_platt(y + rng.standard_normal(y.size), y)
    there = np.repeat([1, 0], [3_000, 27_000])
    p = curve.apply(there + rng.standard_normal(there.size))
    moved = shifted(p, from_rate=curve.base_rate, to_rate=0.1)
    assert moved.mean() == pytest.approx(0.1, abs=0.005)
    assert p.mean() > 0.3
    high = moved > 0.3
    assert there[high].mean() == pytest.approx(moved[high].mean(), abs=0.03)


@pytest.mark.parametrize("rate", [0.0, 1.0, -0.2, nan])
def test_a_base_rate_is_inside_the_unit_interval(rate: float) -> None:
    with pytest.raises(ValueError, match="must lie between 0 and 1"):
        shifted([0.5], from_rate=0.5, to_rate=rate)
    with pytest.raises(ValueError, match="must lie between 0 and 1"):
        counted(1, 1, 1, 1, rate)


def test_counts_are_counts_of_both_labels() -> None:
    with pytest.raises(ValueError, match="got -1 and 2"):
        counted(-1, 2, 3, 4, 0.5)
    with pytest.raises(ValueError, match="an item of each label"):
        counted(0, 0, 3, 4, 0.5)
