"""What a judge's errors do to the tax, and the tax without them."""

from dataclasses import replace
from math import isnan, nan, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from inspect_awareness.stats import (
    Estimate,
    Validation,
    attenuation,
    attenuation_within,
    awareness_tax,
    disattenuated,
)

SE, FPR, TAX = 0.9, 0.2, -0.3
Flags = npt.NDArray[np.bool_]


def validation(design: Any, *counts: int) -> Validation:
    return Validation(*(counts or (36, 12, 1, 51)), design=design)


def estimate(value: float, low: float, high: float, note: str = "") -> Estimate:
    return Estimate(value, low, high, 0.95, 100, 50, "task", "", note)


@pytest.mark.parametrize("design", ["random", "judge_stratified"])
def test_the_factor_is_ppv_plus_npv_less_one(design: str) -> None:
    # 36 / 48 + 51 / 52 - 1; Wilson: .612 to .851 and .899 to .997 (agreement.md), so
    # low = .731 - sqrt((.75 - .612)^2 + (.981 - .899)^2) = .731 - .160.
    found = attenuation(validation(design))
    assert found.value == pytest.approx(36 / 48 + 51 / 52 - 1)
    low = sqrt((36 / 48 - 0.612) ** 2 + (51 / 52 - 0.899) ** 2)
    high = sqrt((0.851 - 36 / 48) ** 2 + (0.997 - 51 / 52) ** 2)
    assert found.value - found.low == pytest.approx(low, abs=1e-3)
    assert found.high - found.value == pytest.approx(high, abs=1e-3)
    assert (found.n, found.clusters) == (100, 100)


def test_at_a_prevalence_it_is_what_bayes_rule_gives() -> None:
    # Se .9, Sp .8, p .3: q = .27 + .14 = .41; PPV .27 / .41, NPV .56 / .59.
    checked = validation("truth_stratified", 90, 20, 10, 80)
    found = attenuation(checked, prevalence=0.3)
    assert found.value == pytest.approx(0.27 / 0.41 + 0.56 / 0.59 - 1)
    assert found.low < found.value < found.high
    # The rarer, the more of those called aware are not.
    assert attenuation(checked, prevalence=0.03).value < 0.15


def test_at_its_own_prevalence_a_random_set_gives_the_same_value_both_ways() -> None:
    checked = validation("random")
    both = attenuation(checked).value, attenuation(checked, prevalence=0.37).value
    assert both[0] == pytest.approx(both[1])


@pytest.mark.parametrize(
    ("counts", "value"), [((40, 0, 0, 60), 1.0), ((20, 20, 30, 30), 0.0)]
)
def test_a_perfect_judge_shrinks_nothing_and_a_blind_one_all(
    counts: tuple[int, ...], value: float
) -> None:
    found = attenuation(validation("random", *counts))
    assert found.value == pytest.approx(value)
    assert found.low < value
    assert found.high == 1.0 if value else found.contains(0.0)


def test_designs_that_do_not_show_what_is_needed_are_refused_by_name() -> None:
    with pytest.raises(ValueError, match="PPV and NPV cannot be estimated from a trut"):
        attenuation(validation("truth_stratified"))
    with pytest.raises(ValueError, match="leave prevalence out"):
        attenuation(validation("judge_stratified"), prevalence=0.3)
    with pytest.raises(ValueError, match="between 0 and 1, got 1"):
        attenuation(validation("random"), prevalence=1.0)
    with pytest.raises(ValueError, match="does not show sensitivity and specificity"):
        attenuation_within([1, 0], validation("judge_stratified"), tasks=[1, 1])


def test_a_label_or_class_that_was_not_validated_leaves_the_factor_unknown() -> None:
    label = attenuation(validation("random", 0, 0, 10, 40))
    assert isnan(label.value)
    assert "both of the judge's labels" in label.note
    for found in (
        attenuation(validation("truth_stratified", 9, 0, 1, 0), prevalence=0.5),
        attenuation_within([1, 0], validation("random", 9, 0, 1, 0), tasks=[1, 1]),
    ):
        assert isnan(found.value)
        assert "both classes" in found.note


def test_within_tasks_of_one_prevalence_it_is_the_factor_at_that_prevalence() -> None:
    # 10,000 tasks of 10 at p = .3: q = .41.
    rng = np.random.default_rng(0)
    judged = rng.random((10_000, 10)) < 0.41
    checked = validation("truth_stratified", 9000, 2000, 1000, 8000)
    found = attenuation_within(
        judged.ravel(), checked, tasks=np.repeat(range(10_000), 10)
    )
    at = attenuation(checked, prevalence=0.3).value
    assert found.value == pytest.approx(at, abs=0.01)


def test_within_tasks_by_hand() -> None:
    # m = 4, judged 2 2 1 1: sums of m - 1, 3 n_a / 4 and n_a n_u / 4 are 12, 4.5, 3.5.
    # Se .9, F .2: (-.18 x 12 + .1 x 4.5 + 3.5) / (.7 x 3.5) = 1.79 / 2.45.
    checked = validation("truth_stratified", 90, 20, 10, 80)
    judged = [1, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]
    found = attenuation_within(judged, checked, tasks=np.repeat(range(4), 4))
    assert found.value == pytest.approx(1.79 / 2.45)
    assert (found.n, found.clusters, found.unit) == (200, 4, "task")
    # A sample on which the judge said nothing counts for nothing.
    again = attenuation_within(
        [*judged, nan], checked, tasks=[*np.repeat(range(4), 4), 0]
    )
    assert again == found


def test_a_judge_without_errors_shrinks_nothing_within_tasks_either() -> None:
    checked = validation("random", 400, 0, 0, 600)
    judged = np.random.default_rng(1).integers(0, 2, 300)
    found = attenuation_within(judged, checked, tasks=np.repeat(range(30), 10))
    assert found.value == pytest.approx(1.0)
    assert found.low < 1.0 == found.high


def test_a_judge_no_better_than_chance_and_no_contrast_have_no_factor_within() -> None:
    blind = validation("random", 10, 20, 10, 20)
    found = attenuation_within([1, 0, 1, 0], blind, tasks=[1, 1, 2, 2])
    assert isnan(found.value)
    assert "cannot be told from chance" in found.note
    none = attenuation_within([1, 1, 0, 0], validation("random"), tasks=[1, 1, 2, 2])
    assert isnan(none.value)
    assert "no task has both" in none.note


def test_labels_that_false_alarms_alone_explain_leave_nothing_of_the_tax() -> None:
    # Se .9, F .5, each task judged 1 of 4: q below F everywhere, (q - F) (Se - q) < 0.
    checked = validation("truth_stratified", 90, 50, 10, 50)
    found = attenuation_within(
        [1, 0, 0, 0] * 20, checked, tasks=np.repeat(range(20), 4)
    )
    assert found.value == 0.0
    assert "cut to [0, 1] from -" in found.note
    assert isnan(disattenuated(estimate(-0.1, -0.2, 0.0), found).value)


def test_one_task_gives_a_factor_without_interval() -> None:
    found = attenuation_within([1, 0, 1, 0], validation("random"), tasks=[1] * 4)
    assert found.value == found.value
    assert not found.has_interval
    assert not disattenuated(estimate(-0.1, -0.2, 0.0), found).has_interval


def test_the_quotient_and_its_ends_by_hand() -> None:
    # -.1 / .5. Low: R with (-.1 - .5 R)^2 = .05^2 + .1^2 R^2, that is
    # .24 R^2 + .1 R + .0075 = 0: R = -(.1 + sqrt(.01 - .0072)) / .48 = -.3186.
    found = disattenuated(estimate(-0.1, -0.15, -0.05), estimate(0.5, 0.4, 0.6))
    assert found.value == pytest.approx(-0.2)
    assert found.low == pytest.approx(-(0.1 + sqrt(0.0028)) / 0.48)
    assert found.high == pytest.approx(-(0.1 - sqrt(0.0028)) / 0.48)
    assert (found.n, found.clusters, found.unit) == (100, 50, "task")


def test_symmetric_intervals_give_fiellers() -> None:
    a, b, za, zb = 0.3, 0.6, 0.2, 0.15
    found = disattenuated(estimate(a, a - za, a + za), estimate(b, b - zb, b + zb))
    # Roots of (b^2 - zb^2) R^2 - 2 a b R + a^2 - za^2.
    roots = np.sort(np.roots([b**2 - zb**2, -2 * a * b, a**2 - za**2]))
    assert (found.low, found.high) == pytest.approx(tuple(roots))


def test_the_sign_of_the_tax_may_be_turned() -> None:
    factor = estimate(0.4, 0.25, 0.7)
    one = disattenuated(estimate(0.1, -0.05, 0.2), factor)
    other = disattenuated(estimate(-0.1, -0.2, 0.05), factor)
    assert (other.low, other.high) == pytest.approx((-one.high, -one.low))


def test_an_end_at_zero_stays_there_and_a_sure_factor_only_divides() -> None:
    factor = estimate(0.4, 0.05, 1.0)
    assert disattenuated(estimate(0.1, 0.0, 0.2), factor).low == 0.0
    sure = disattenuated(estimate(0.1, -0.1, 0.3), estimate(0.5, 0.5, 0.5))
    assert (sure.low, sure.high) == pytest.approx((-0.2, 0.6))


@pytest.mark.parametrize(
    "factor", [(0.2, -0.1, 0.5), (0.2, 0.0, 0.5), (-0.3, -0.5, -0.1)]
)
def test_a_factor_that_may_be_zero_corrects_nothing(factor: Any) -> None:
    found = disattenuated(estimate(-0.1, -0.2, 0.0), estimate(*factor))
    assert isnan(found.value)
    assert "cannot be told from chance" in found.note


def test_what_is_unknown_stays_unknown_with_its_note() -> None:
    known, gone = estimate(0.5, 0.4, 0.6), estimate(nan, nan, nan, "nothing compared")
    assert disattenuated(gone, known).note == "nothing compared"
    assert disattenuated(known, gone).note == "nothing compared"
    ends = disattenuated(estimate(-0.1, nan, nan, "one task"), known)
    assert (ends.value, ends.has_interval, ends.note) == (-0.2, False, "one task")


def test_bounded_outcomes_differ_by_one_at_most() -> None:
    factor = estimate(0.2, 0.1, 0.3)
    found = disattenuated(estimate(-0.15, -0.25, -0.05), factor, bounded=True)
    assert found.low == -1.0 < found.value == pytest.approx(-0.75)
    beyond = disattenuated(estimate(-0.4, -0.5, -0.1), factor, bounded=True)
    assert beyond.value == -1.0
    assert "cut to [-1, 1] from -2.000" in beyond.note
    none = disattenuated(estimate(-0.4, -0.45, -0.35), factor, bounded=True)
    assert not none.has_interval


def test_levels_must_agree() -> None:
    other = replace(estimate(0.5, 0.4, 0.6), level=0.9)
    with pytest.raises(ValueError, match=r"at level 0\.95 and the factor at 0\.9"):
        disattenuated(estimate(-0.1, -0.2, 0.0), other)


def simulated(rng: np.random.Generator, alike: bool) -> tuple[Any, Flags, Flags, Any]:
    """200 tasks x 10: outcome, awareness, the judge's label, task. Tax -.3, Se .9."""
    chance = np.full((200, 1), 0.3) if alike else rng.beta(0.4, 1.6, (200, 1))
    aware = rng.random((200, 10)) < chance
    passes = rng.random(aware.shape) < rng.uniform(0.35, 0.95, (200, 1)) + TAX * aware
    judged = rng.random(aware.shape) < np.where(aware, SE, FPR)
    tasks = np.repeat(range(200), 10)
    return passes.ravel().astype(float), aware.ravel(), judged.ravel(), tasks


def drawn(rng: np.random.Generator, judged: Flags, pairs: bool) -> npt.NDArray[np.intp]:
    """100 samples: at random, or two of a task, one of each label, by n_a n_u / m."""
    if not pairs:
        return rng.permutation(judged.size)[:100]
    labels = judged.reshape(200, 10)
    weight = labels.sum(1) * (~labels).sum(1)
    tasks = rng.choice(200, 50, p=weight / weight.sum())
    picks = [
        [10 * t + rng.choice(np.flatnonzero(labels[t] == label)) for t in tasks]
        for label in (True, False)
    ]
    return np.concatenate(picks)


@pytest.mark.parametrize("alike", [True, False])
def test_the_corrected_tax_covers_where_the_tax_seen_never_does(alike: bool) -> None:
    # Tasks of one prevalence: any set will do. Tasks that differ: a set drawn in pairs.
    rng = np.random.default_rng(2)
    hits, seen, values = 0, 0, []
    for _ in range(120):
        outcome, aware, judged, tasks = simulated(rng, alike)
        pick = drawn(rng, judged, pairs=not alike)
        t, j = aware[pick], judged[pick]
        counts = [int(each.sum()) for each in (t & j, ~t & j, t & ~j, ~t & ~j)]
        checked = validation("random" if alike else "judge_stratified", *counts)
        within = awareness_tax(outcome, judged, tasks=tasks, rng=rng, draws=9).within
        found = disattenuated(within, attenuation(checked), bounded=True)
        seen += within.contains(TAX)
        hits += found.contains(TAX)
        values.append(found.value)
    assert hits / 120 >= 0.9
    assert seen / 120 < 0.05
    assert np.median(values) == pytest.approx(TAX, abs=0.02)


def test_the_factor_within_tasks_is_the_shrinkage_where_tasks_differ() -> None:
    # Se and FPR from 2,000 of each class, so that only the factor's formula counts.
    # The pooled factor promises .56 at the mean prevalence of .2; it is .37.
    rng = np.random.default_rng(3)
    checked = validation("truth_stratified", 1800, 400, 200, 1600)
    within, hits = [], 0
    for _ in range(60):
        outcome, _, judged, tasks = simulated(rng, alike=False)
        seen = awareness_tax(outcome, judged, tasks=tasks, rng=rng, draws=9).within
        factor = attenuation_within(judged, checked, tasks=tasks)
        within.append((seen.value, factor.value))
        hits += disattenuated(seen, factor).contains(TAX)
    seen_mean, factor_mean = np.mean(within, axis=0)
    assert seen_mean / TAX == pytest.approx(factor_mean, abs=0.03)
    assert attenuation(checked, prevalence=0.2).value > factor_mean + 0.12
    assert hits / 60 >= 0.9


def test_errors_that_depend_on_the_outcome_are_not_repaired() -> None:
    # No tax, but the judge calls a sample aware by mistake four times as often where
    # it failed: dividing by the factor makes the difference seen larger.
    rng = np.random.default_rng(4)
    outcome, aware, _, tasks = simulated(rng, alike=True)
    outcome = (rng.random(2000) < 0.5).astype(float)
    wrong = np.where(outcome == 1, 0.08, 0.32)
    judged = rng.random(2000) < np.where(aware, SE, wrong)
    within = awareness_tax(outcome, judged, tasks=tasks, rng=rng, draws=9).within
    t, j = aware, judged
    counts = [int(each.sum()) for each in (t & j, ~t & j, t & ~j, ~t & ~j)]
    found = disattenuated(within, attenuation(validation("random", *counts)))
    assert within.high < 0
    assert found.value < within.value - 0.05
    assert not found.contains(0.0)
