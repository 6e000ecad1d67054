"""Agreement of several raters."""

from math import isnan, nan
from typing import Literal

import numpy as np
import pytest
from scipy.stats import t

from inspect_awareness.stats import cohen_kappa, fleiss_kappa, krippendorff_alpha

FLEISS = [
    [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1], [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
]  # fmt: skip
"""14 raters, 10 subjects, 5 categories: the worked example on Wikipedia, .210."""

KRIPPENDORFF = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, nan, nan, nan],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, nan, 3],
    [nan, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, nan],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, nan],
]
"""Krippendorff (2011), Computing Krippendorff's Alpha-Reliability: .743 .815 .849."""


def test_fleiss_published_example() -> None:
    found = fleiss_kappa(FLEISS)
    assert found.value == pytest.approx(0.210, abs=5e-4)
    assert (found.n, found.clusters, found.unit) == (140, 10, "item")
    assert found.low < 0.210 < found.high


@pytest.mark.parametrize(
    ("metric", "published"),
    [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)],
)
def test_krippendorff_published_example(metric: str, published: float) -> None:
    found = krippendorff_alpha(KRIPPENDORFF, metric=metric)  # type: ignore[arg-type]
    assert found.value == pytest.approx(published, abs=5e-4)
    # The last unit has one rating: 11 items, 40 of 41 ratings.
    assert (found.n, found.clusters) == (40, 11)


@pytest.mark.parametrize("metric", ["nominal", "ordinal", "interval"])
def test_the_jackknife_is_alpha_without_each_item(metric: str) -> None:
    table = np.array(KRIPPENDORFF)
    without = [
        krippendorff_alpha(np.delete(table, k, axis=1), metric=metric).value  # type: ignore[arg-type]
        for k in range(11)
    ]
    se = np.sqrt(10 / 11 * np.sum((np.array(without) - np.mean(without)) ** 2))
    found = krippendorff_alpha(KRIPPENDORFF, metric=metric)  # type: ignore[arg-type]
    assert found.low == pytest.approx(found.value - 2.228139 * se)


def test_two_raters_without_gaps_are_nearly_scotts_pi() -> None:
    # alpha = 1 - (1 - 1 / n)(1 - pi), n = 200 ratings; here pi = kappa (equal margins).
    counts = [[40, 10], [10, 40]]
    pairs = [(i, j) for i in (0, 1) for j in (0, 1) for _ in range(counts[i][j])]
    kappa = cohen_kappa(counts).value
    alpha = krippendorff_alpha(np.array(pairs, dtype=float).T).value
    assert alpha == pytest.approx(1 - (1 - 1 / 200) * (1 - kappa))


def test_ratings_by_coin_toss_agree_on_nothing() -> None:
    rng = np.random.default_rng(2)
    found = krippendorff_alpha(rng.integers(0, 3, (4, 200)).astype(float))
    assert found.contains(0.0)


def test_everybody_in_one_category_is_undefined() -> None:
    assert isnan(krippendorff_alpha([[1, 1], [1, 1]]).value)
    found = fleiss_kappa([[3, 0], [3, 0]])
    assert isnan(found.value)
    assert "every rating is the same" in found.note


def test_complete_agreement_has_no_zero_width() -> None:
    found = krippendorff_alpha([[1, 2, 1, 2], [1, 2, 1, 2]])
    assert found.value == 1.0
    assert not found.has_interval


def test_one_item_has_no_interval() -> None:
    found = krippendorff_alpha([[1.0], [2.0], [1.0]])
    assert not found.has_interval
    assert not fleiss_kappa([[2, 1]]).has_interval


@pytest.mark.parametrize(
    "ratings", [[[1, nan], [nan, 2]], [[nan], [nan]], [[1.0, 2.0]]]
)
def test_without_two_ratings_of_an_item_there_is_no_agreement(
    ratings: list[list[float]],
) -> None:
    found = krippendorff_alpha(ratings)
    assert isnan(found.value)
    assert "no item has two ratings" in found.note


def test_unequal_numbers_of_ratings_are_sent_to_krippendorff() -> None:
    with pytest.raises(ValueError, match="2 to 3: use krippendorff_alpha"):
        fleiss_kappa([[1, 2], [1, 1]])


def test_a_metric_is_one_of_three() -> None:
    with pytest.raises(ValueError, match="metric must be nominal, ordinal or interval"):
        krippendorff_alpha([[1, 2], [1, 1]], metric="cosine")  # type: ignore[arg-type]


@pytest.mark.parametrize("ratings", [[1.0, 2.0], [[1.0, float("inf")], [1.0, 2.0]]])
def test_ratings_are_a_finite_matrix(ratings: object) -> None:
    with pytest.raises(ValueError, match="ratings must be finite or NaN"):
        krippendorff_alpha(ratings)  # type: ignore[arg-type]


@pytest.mark.parametrize("counts", [[[1, -1]], [[0.5, 1.5]]])
def test_fleiss_takes_counts(counts: list[list[float]]) -> None:
    with pytest.raises(ValueError, match="whole number"):
        fleiss_kappa(counts)


@pytest.mark.parametrize("metric", ["nominal", "ordinal", "interval"])
def test_the_interval_is_that_of_leaving_out_each_item(
    metric: Literal["nominal", "ordinal", "interval"],
) -> None:
    rng = np.random.default_rng(1)
    ratings = rng.integers(0, 4, (3, 12)).astype(float)
    ratings[rng.random(ratings.shape) < 0.2] = np.nan
    ratings = ratings[:, (~np.isnan(ratings)).sum(0) >= 2]
    count = ratings.shape[1]
    without = [
        krippendorff_alpha(np.delete(ratings, k, axis=1), metric=metric).value
        for k in range(count)
    ]
    half = t.ppf(0.975, count - 1) * np.sqrt((count - 1) * np.var(without))
    found = krippendorff_alpha(ratings, metric=metric)
    assert found.high == pytest.approx(min(1, found.value + half))


def test_many_different_numbers_are_no_ranks() -> None:
    ratings = np.arange(202.0).reshape(2, 101)
    with pytest.raises(ValueError, match="202 different values"):
        krippendorff_alpha(ratings, metric="ordinal")
    assert krippendorff_alpha(ratings, metric="interval").clusters == 101
