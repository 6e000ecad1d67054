"""Calibration out of fold, with whole groups."""

from typing import Any, Literal

import numpy as np
import pytest
from scipy.special import expit

from inspect_awareness.stats import auroc
from inspect_awareness.stats.calibration import (
    IsotonicScaling,
    PlattScaling,
    brier,
    calibrated,
    fit_isotonic,
    fit_platt,
)


def sources(
    count: int, size: int, seed: int, effect: float = 1.0
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Scores, labels and groups: every other source is an evaluation."""
    rng = np.random.default_rng(seed)
    groups = np.repeat(np.arange(count), size)
    y = (groups % 2).astype(float)
    scores = effect * y + 0.5 * rng.standard_normal(count)[groups]
    return scores + rng.standard_normal(y.size), y, groups


@pytest.mark.parametrize("seed", range(5))
def test_no_group_is_in_two_folds_and_every_fold_has_its_share_of_labels(
    seed: int,
) -> None:
    rng = np.random.default_rng(seed)
    groups = rng.integers(0, 60, 600)
    y = (rng.uniform(size=600) < rng.beta(0.3, 0.6, 60)[groups]).astype(float)
    found = calibrated(rng.standard_normal(600), y, groups=groups, rng=rng)
    assert all(np.unique(found.fold[groups == g]).size == 1 for g in groups)
    for label in (0, 1):
        # A fifth each, up to about half a group of the 10 items of the average one.
        share = np.bincount(found.fold[y == label], minlength=5) / (y == label).sum()
        assert share == pytest.approx([0.2] * 5, abs=0.05)


def test_each_probability_is_of_a_curve_that_never_saw_the_group() -> None:
    x, y, groups = sources(20, 10, 1)
    found = calibrated(x, y, groups=groups, rng=np.random.default_rng(0))
    for k in range(5):
        out = found.fold == k
        curve = fit_platt(x[~out], y[~out])
        assert found.probabilities[out] == pytest.approx(curve.apply(x[out]))
    assert found.scaling == fit_platt(x, y)
    assert (found.folds, found.groups, found.n, found.note) == (5, 20, 200, "")


def test_platt_below_a_thousand_items_and_isotonic_from_there() -> None:
    rng = np.random.default_rng(0)
    x, y, groups = sources(20, 50, 1)
    few = calibrated(x[:999], y[:999], groups=groups[:999], rng=rng)
    assert (few.method, type(few.scaling)) == ("platt", PlattScaling)
    many = calibrated(x, y, groups=groups, rng=rng)
    assert (many.method, type(many.scaling)) == ("isotonic", IsotonicScaling)
    chosen = calibrated(x, y, groups=groups, rng=rng, method="platt")
    assert isinstance(chosen.scaling, PlattScaling)


def test_the_seed_decides_the_folds() -> None:
    x, y, groups = sources(30, 5, 1)
    a, b, c = (
        calibrated(x, y, groups=groups, rng=np.random.default_rng(seed)).fold.tolist()
        for seed in (3, 3, 4)
    )
    assert a == b != c


@pytest.mark.parametrize("method", ["platt", "isotonic"])
def test_noise_is_worth_the_base_rate_out_of_fold(
    method: Literal["platt", "isotonic"],
) -> None:
    # The negative control. Base rate .5: a score that knows nothing has B = .25.
    rng = np.random.default_rng(2)
    x, y = rng.standard_normal(1000), np.tile([0.0, 1.0], 500)
    found = calibrated(x, y, groups=range(1000), rng=rng, method=method)
    assert found.probabilities.mean() == pytest.approx(0.5, abs=0.03)
    assert brier(found.probabilities, y).skill.value < 0.01


def test_in_fold_isotonic_finds_skill_in_noise_which_is_the_leak() -> None:
    rng = np.random.default_rng(2)
    y = np.tile([0.0, 1.0], 50)
    inside, outside = [], []
    for _ in range(40):
        x = rng.standard_normal(100)
        found = calibrated(x, y, groups=range(100), rng=rng, method="isotonic")
        inside.append(brier(fit_isotonic(x, y).apply(x), y).skill.value)
        outside.append(brier(found.probabilities, y).skill.value)
    assert np.mean(inside) > 0.03 > 0 > np.mean(outside)


def test_a_source_on_both_sides_of_a_fold_leaks_too() -> None:
    # Scores tell the source and nothing of the label, which is the source's.
    rng = np.random.default_rng(5)
    groups = np.repeat(np.arange(30), 40)
    y = (groups % 2).astype(float)
    x = rng.permutation(30)[groups] + 0.1 * rng.standard_normal(1200)
    flat = calibrated(x, y, groups=None, rng=rng, method="isotonic")
    whole = calibrated(x, y, groups=groups, rng=rng, method="isotonic")
    skill = [
        brier(f.probabilities, y, clusters=groups).skill.value for f in (flat, whole)
    ]
    assert skill[0] > 0.05 > 0 > skill[1]
    assert "flatters" in flat.note


def test_what_is_calibrated_stays_calibrated() -> None:
    rng = np.random.default_rng(3)
    p = rng.beta(2, 2, 5000)
    y = rng.uniform(size=5000) < p
    found = calibrated(p, y, groups=range(5000), rng=rng)
    assert np.sqrt(np.mean((found.probabilities - p) ** 2)) < 0.05
    assert np.corrcoef(found.probabilities, p)[0, 1] > 0.98


def test_overconfident_scores_become_better_forecasts() -> None:
    rng = np.random.default_rng(4)
    logit = rng.standard_normal(600)
    y = (rng.uniform(size=600) < expit(logit)).astype(float)
    sharp = expit(4 * logit)
    found = calibrated(sharp, y, groups=range(600), rng=rng)
    assert (
        brier(found.probabilities, y).score.value < brier(sharp, y).score.value - 0.02
    )


def test_order_is_kept_within_a_fold_and_not_between_folds() -> None:
    x, y, groups = sources(20, 10, 1)
    found = calibrated(x, y, groups=groups, rng=np.random.default_rng(0))
    for k in range(5):
        inside = found.fold == k
        order = np.argsort(x[inside])
        assert (np.diff(found.probabilities[inside][order]) > 0).all()
    pooled = auroc(found.probabilities[y == 1], found.probabilities[y == 0])
    assert pooled != auroc(x[y == 1], x[y == 0])


def test_fewer_groups_than_folds_are_left_out_one_at_a_time() -> None:
    x, y, groups = sources(4, 25, 1)
    found = calibrated(x, y, groups=groups, rng=np.random.default_rng(0))
    assert found.folds == 4
    assert np.unique(found.fold).tolist() == [0, 1, 2, 3]
    assert found.note == "4 groups: one is left out at a time"


def test_two_groups_of_a_label_are_never_in_one_fold() -> None:
    # 2 evaluation sources among 40 deployment sources of any size: in one fold they
    # would leave the others without an evaluation item.
    rng = np.random.default_rng(8)
    for _ in range(50):
        sizes = rng.integers(1, 60, 42)
        groups = np.repeat(np.arange(42), sizes)
        y = (groups < 2).astype(float)
        found = calibrated(rng.standard_normal(y.size), y, groups=groups, rng=rng)
        assert np.unique(found.fold[y == 1]).size == 2


def test_a_label_of_one_group_cannot_be_calibrated() -> None:
    rng = np.random.default_rng(0)
    with pytest.raises(ValueError, match="only one group has evaluation items"):
        calibrated([1, 2, 3], [1, 0, 0], groups=["a", "b", "c"], rng=rng)
    with pytest.raises(ValueError, match="only one group has deployment items"):
        calibrated([1, 2, 3], [1, 0, 1], groups=["a", "b", "c"], rng=rng)


def test_two_folds_that_leave_one_label_are_refused_and_three_are_not() -> None:
    # a has 5 evaluation, c 5 deployment items, b one of each. With a and c apart, each
    # fold that could get b would then have every item of a label.
    groups, y = [*"aaaaacccccbb"], [1] * 5 + [0] * 5 + [1, 0]
    rng = np.random.default_rng(0)
    with pytest.raises(ValueError, match=r"items are .*: use more folds"):
        calibrated(range(12), y, groups=groups, rng=rng, folds=2)
    assert calibrated(range(12), y, groups=groups, rng=rng, folds=3).folds == 3


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"folds": 1}, "2 or more, got 1"),
        ({"method": "beta"}, "platt, isotonic or None, got 'beta'"),
        ({"groups": [1, 2]}, "2 groups for 4 values"),
    ],
)
def test_what_makes_no_sense_is_refused_by_name(
    options: dict[str, Any], words: str
) -> None:
    given = {"groups": [1, 2, 3, 4], **options}
    with pytest.raises(ValueError, match=words):
        calibrated([1, 2, 3, 4], [0, 1, 0, 1], rng=np.random.default_rng(0), **given)
