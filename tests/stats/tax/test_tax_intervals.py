"""CR2 with Bell-McCaffrey degrees of freedom, against its definition."""

from math import isnan

import numpy as np
import numpy.typing as npt
import pytest

from inspect_awareness.stats.tax._intervals import cr2_mean


def by_matrices(
    outcome: npt.NDArray[np.float64],
    design: npt.NDArray[np.float64],
    cluster: npt.NDArray[np.int64],
) -> tuple[float, float]:
    """CR2 standard error and df of the first coefficient: hat matrices, no shortcut."""
    bread = np.linalg.inv(design.T @ design)
    rest = np.eye(outcome.size) - design @ bread @ design.T
    error, variance, rows = rest @ outcome, 0.0, []
    for g in np.unique(cluster):
        own = np.flatnonzero(cluster == g)
        values, vectors = np.linalg.eigh(rest[np.ix_(own, own)])
        root = np.where(values > 1e-9, 1 / np.sqrt(np.maximum(values, 1e-9)), 0)
        weights = bread[0] @ design[own].T @ (vectors * root) @ vectors.T
        variance += (weights @ error[own]) ** 2
        rows.append(weights @ rest[own])
    moments = np.array(rows) @ np.array(rows).T
    return float(np.sqrt(variance)), float(np.trace(moments) ** 2 / np.sum(moments**2))


@pytest.mark.parametrize("pairs_in_a_cluster", [1, 3])
def test_it_is_cr2_in_the_regression_with_dummies(pairs_in_a_cluster: int) -> None:
    rng = np.random.default_rng(0)
    pairs, each = 15, 6
    stratum = np.repeat(np.arange(pairs), each)
    aware = np.concatenate(
        [rng.permutation([1, *rng.integers(0, 2, 4), 0]) for _ in range(pairs)]
    )
    outcome = rng.normal(size=stratum.size)
    cluster = stratum // pairs_in_a_cluster
    design = np.column_stack([aware, stratum[:, None] == np.arange(pairs)]).astype(
        float
    )
    n_aware = np.bincount(stratum, aware)
    sums = np.bincount(stratum, aware * outcome)
    difference = sums / n_aware - (np.bincount(stratum, outcome) - sums) / (
        each - n_aware
    )
    weight = n_aware * (each - n_aware) / each
    found = cr2_mean(difference, weight, np.arange(pairs) // pairs_in_a_cluster)
    se, freedom = by_matrices(outcome, design, cluster)
    assert (found.se, found.freedom) == pytest.approx((se, freedom), rel=1e-9)


def test_equal_clusters_are_the_plain_t_interval() -> None:
    # Four equal weights: se = sd / 2 and 3 degrees of freedom.
    values = np.array([0.1, 0.4, -0.2, 0.3])
    found = cr2_mean(values, np.full(4, 2.5), np.arange(4))
    assert found.value == pytest.approx(0.15)
    assert found.se == pytest.approx(values.std(ddof=1) / 2)
    assert found.freedom == pytest.approx(3)


def test_a_dominating_cluster_costs_degrees_of_freedom() -> None:
    found = cr2_mean(np.array([0.1, 0.4, -0.2]), np.array([8.0, 1, 1]), np.arange(3))
    assert found.freedom < 1.5


def test_one_cluster_and_none_have_no_interval() -> None:
    one = cr2_mean(np.ones(2), np.ones(2), np.zeros(2, dtype=np.int64)).interval(0.95)
    assert isnan(one.low)
    none = cr2_mean(np.empty(0), np.empty(0), np.empty(0, dtype=np.int64)).interval(
        0.95
    )
    assert "no task has both" in none.note


def test_equal_differences_of_any_size_have_no_spread() -> None:
    # 1e9 x (.3 - .1) in each of three tasks: what differs is rounding only.
    values = np.array([0.3 - 0.1, 1.3 - 1.1, 2.3 - 2.1]) * 1e9
    fit = cr2_mean(values, np.array([1.0, 2.0, 0.7]), np.arange(3))
    assert np.isnan(fit.interval(0.95).low)
