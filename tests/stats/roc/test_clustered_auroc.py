"""AUROC over clusters."""

from math import isnan, log, sqrt

import numpy as np
import pytest
from scipy.stats import norm, t

from inspect_awareness.stats import auroc, clustered_auroc, newcombe_auroc
from inspect_awareness.stats._arrays import Floats, Ids

EVALUATION = [0.9, 0.8, 0.7, 0.55, 0.3]
DEPLOYMENT = [0.7, 0.6, 0.4, 0.3, 0.2, 0.1, 0.05]


def logit(p: float) -> float:
    return log(p / (1 - p))


def test_single_scores_as_clusters_give_delongs_variance() -> None:
    # Placements, sevenths: 7 7 6.5 5 3.5; fifths: 2.5 3 4 4.5 5 5 5 (of 1). DeLong's
    # variance, by pROC 1.18: .01554421769. Satterthwaite's degrees of freedom from its
    # two halves.
    area = 29 / 35
    v1 = np.var(np.array([7, 7, 6.5, 5, 3.5]) / 7, ddof=1) / 5
    v0 = np.var(np.array([2.5, 3, 4, 4.5, 5, 5, 5]) / 5, ddof=1) / 7
    assert v1 + v0 == pytest.approx(0.01554421769, abs=1e-11)
    freedom = (v1 + v0) ** 2 / (v1**2 / 4 + v0**2 / 6)
    half = t.ppf(0.975, freedom) * sqrt(v1 + v0) / (area * (1 - area))
    found = clustered_auroc(EVALUATION, DEPLOYMENT, range(5), range(5, 12))
    assert found.value == pytest.approx(0.8285714286, abs=1e-10)
    assert logit(found.high) == pytest.approx(logit(area) + half)
    assert logit(found.low) == pytest.approx(logit(area) - half)
    assert (found.n, found.clusters) == (12, 12)


@pytest.mark.parametrize(
    ("area", "counts", "low", "high"),
    [
        (29 / 35, (5, 7), 0.48396, 0.95700),
        # pROC's aSAH data, s100b: 41 poor and 72 good outcomes.
        (0.7313686, (41, 72), 0.62441, 0.81395),
        (1.0, (50, 50), 0.9603, 1.0),
    ],
)
def test_newcombes_method_5_gives_the_published_limits(
    area: float, counts: tuple[int, int], low: float, high: float
) -> None:
    found = newcombe_auroc(area, *counts)
    assert found.low == pytest.approx(low, abs=1e-4)
    assert found.high == pytest.approx(high, abs=1e-4)


def test_the_value_is_the_plain_auroc() -> None:
    rng = np.random.default_rng(1)
    x, y = rng.integers(0, 9, 40) / 8, rng.integers(0, 9, 30) / 8
    found = clustered_auroc(x, y, np.arange(40) // 4, 100 + np.arange(30) // 3)
    assert found.value == pytest.approx(auroc(x, y), abs=1e-12)


def test_repeats_within_clusters_do_not_narrow_the_interval() -> None:
    once = clustered_auroc(EVALUATION, DEPLOYMENT, range(5), range(5, 12))
    tenfold = clustered_auroc(
        EVALUATION * 10, DEPLOYMENT * 10, [*range(5)] * 10, [*range(5, 12)] * 10
    )
    assert tenfold.low == pytest.approx(once.low)
    assert tenfold.high == pytest.approx(once.high)


def test_a_cluster_that_lifts_both_its_classes_widens_less_than_two_would() -> None:
    # Sources differ in level, and each holds both classes: levels cancel in part.
    rng = np.random.default_rng(2)
    ids = np.repeat(np.arange(12), 8)
    level = rng.standard_normal(12)[ids]
    x, y = level + rng.standard_normal(96) + 0.5, level + rng.standard_normal(96)
    shared = clustered_auroc(x, y, ids, ids)
    apart = clustered_auroc(x, y, ids, ids + 12)
    assert (shared.clusters, apart.clusters) == (12, 24)
    assert shared.high - shared.low < apart.high - apart.low


@pytest.mark.parametrize(
    ("x_ids", "y_ids", "which"),
    [([1, 1, 1], [2, 3, 4], "evaluation"), ([1, 2, 3], [4, 4, 4], "deployment")],
)
def test_a_class_with_one_cluster_has_no_interval(
    x_ids: list[int], y_ids: list[int], which: str
) -> None:
    found = clustered_auroc([0.6, 0.7, 0.2], [0.1, 0.3, 0.5], x_ids, y_ids)
    assert found.value == pytest.approx(7 / 9)
    assert not found.has_interval
    assert found.note.startswith(f"{which}: one cluster")


def test_perfect_separation_is_as_sure_as_the_number_of_clusters_not_of_scores() -> (
    None
):
    few = clustered_auroc(
        [0.9] * 300,
        [0.1] * 300,
        [k % 3 for k in range(300)],
        [3 + k % 3 for k in range(300)],
    )
    assert (few.value, few.high) == (1.0, 1.0)
    assert few.low == pytest.approx(newcombe_auroc(1.0, 3, 3).low)
    assert few.low < 0.6


def test_perfect_separation_the_wrong_way_is_its_mirror_image() -> None:
    up = clustered_auroc([0.8, 0.9], [0.1, 0.2], [1, 2], [3, 4])
    down = clustered_auroc([0.1, 0.2], [0.8, 0.9], [1, 2], [3, 4])
    assert down.low == 0.0
    assert down.high == pytest.approx(1 - up.low, abs=1e-6)


def test_a_near_miss_is_no_surer_than_perfect_separation() -> None:
    # One of 300 x 300 pairs is out of order, in 3 and 3 clusters.
    x, y = np.linspace(0.6, 0.9, 300), np.linspace(0.1, 0.4, 300)
    x[0], y[0] = 0.39995, 0.39996
    ids = np.arange(300) % 3
    near = clustered_auroc(x, y, ids, ids + 3)
    assert 0.999 < near.value < 1
    assert near.low < 0.6


def test_scores_that_never_vary_have_no_interval_around_one_half() -> None:
    found = clustered_auroc([0.5] * 4, [0.5] * 4, range(4), range(4, 8))
    assert found.value == 0.5
    assert not found.has_interval
    assert "does not respond" in found.note


def test_an_empty_class_is_named() -> None:
    found = clustered_auroc([], [0.1, 0.2], [], [1, 2])
    assert isnan(found.value)
    assert found.note == "no evaluation score"


def test_the_warning_counts_the_smaller_class() -> None:
    rng = np.random.default_rng(3)
    found = clustered_auroc(
        rng.uniform(size=5), rng.uniform(size=60), range(5), range(5, 65)
    )
    assert "only 5 clusters" in found.note


def test_scores_without_clusters_are_an_error() -> None:
    with pytest.raises(ValueError, match="one cluster is needed for each score"):
        clustered_auroc([0.5, 0.6], [0.1], [1], [2])


def coverage(sources: tuple[int, int], area: float, *, runs: int, seed: int) -> float:
    """How often the interval holds the truth: binormal, ICC .3, 10 scores a source."""
    rng = np.random.default_rng(seed)
    shift = sqrt(2) * float(norm.ppf(area))
    hits = 0
    for _ in range(runs):
        scores: list[Floats] = []
        ids: list[Ids] = []
        for count, mean in zip(sources, (shift, 0.0), strict=True):
            cluster = np.repeat(np.arange(count), 10)
            level = sqrt(0.3) * rng.standard_normal(count)[cluster]
            noise = sqrt(0.7) * rng.standard_normal(cluster.size)
            scores.append(mean + level + noise)
            ids.append(cluster + 1000 * len(ids))
        hits += clustered_auroc(*scores, *ids).contains(area)
    return hits / runs


@pytest.mark.parametrize("sources", [(3, 3), (5, 5), (8, 8), (15, 15)])
@pytest.mark.parametrize("area", [0.5, 0.8])
def test_it_covers_the_truth_about_as_often_as_it_says(
    sources: tuple[int, int], area: float
) -> None:
    # 95 % wanted; 300 runs have a standard error of 1.3 points. With 3 clusters near
    # separation the interval is wider than it would need to be.
    most = 1.0 if min(sources) == 3 else 0.99
    assert 0.91 <= coverage(sources, area, runs=300, seed=7) <= most


def test_treating_scores_as_independent_would_not() -> None:
    # The negative control: each score its own cluster, at the same correlation.
    rng = np.random.default_rng(8)
    hits = 0
    for _ in range(200):
        ids = np.repeat(np.arange(8), 10)
        x = sqrt(0.3) * rng.standard_normal(8)[ids] + rng.standard_normal(80)
        y = sqrt(0.3) * rng.standard_normal(8)[ids] + rng.standard_normal(80)
        found = clustered_auroc(x, y, range(80), range(80, 160))
        hits += found.contains(0.5)
    assert hits / 200 < 0.85
