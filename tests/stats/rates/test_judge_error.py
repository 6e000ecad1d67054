"""Rates corrected for the judge's errors."""

from math import isnan
from typing import Any

import numpy as np
import pytest

from inspect_awareness.stats import Estimate, Validation, corrected_rate

TABLE = {"tp": 36, "fp": 12, "fn": 1, "tn": 51}


def validation(design: Any, **counts: int) -> Validation:
    return Validation(**{**TABLE, **counts}, design=design)


def corrected(
    rate: float, checked: Validation, method: Any = None, n: int = 1000
) -> Estimate:
    judged = (np.arange(n) < rate * n).astype(float)
    rng = np.random.default_rng(0)
    return corrected_rate(judged, range(n), checked, rng=rng, method=method)


@pytest.mark.parametrize(
    ("rate", "published", "low", "high"),
    [(0.794, 0.60, 0.49, 0.69), (0.324, 0.26, 0.21, 0.32), (0.056, 0.06, 0.04, 0.125)],
)
def test_post_stratified_is_ppv_of_the_hits_and_false_omissions_of_the_rest(
    rate: float, published: float, low: float, high: float
) -> None:
    # PPV = 36 / 48 = .75, 1 - NPV = 1 / 52: .794 x .75 + .206 / 52 = .5995.
    found = corrected(rate, validation("judge_stratified"))
    assert found.value == pytest.approx(rate * 0.75 + (1 - rate) / 52)
    assert found.value == pytest.approx(published, abs=0.005)
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.008)


def test_rogan_gladen_unmixes_sensitivity_and_specificity() -> None:
    # Se = 36 / 37, Sp = 51 / 63: (.794 + .8095 - 1) / (.9730 + .8095 - 1) = .7713.
    found = corrected(0.794, validation("truth_stratified"))
    assert found.value == pytest.approx((0.794 + 51 / 63 - 1) / (36 / 37 + 51 / 63 - 1))
    assert found.low < found.value < found.high <= 1


def test_rogan_gladen_below_the_false_positive_rate_is_cut_and_says_so() -> None:
    # FPR = 12 / 63 = .19: an observed .056 is (.056 - .190) / .782 = -.172.
    found = corrected(0.056, validation("truth_stratified"))
    assert found.value == 0.0
    assert not found.has_interval
    assert "from -0.172" in found.note


def test_a_perfect_judge_changes_nothing_but_the_width() -> None:
    for design in ("random", "judge_stratified", "truth_stratified"):
        checked = Validation(tp=50, fp=0, fn=0, tn=50, design=design)  # type: ignore[arg-type]
        found = corrected(0.3, checked)
        assert found.value == pytest.approx(0.3)
        assert found.low < 0.3 < found.high


def test_ppi_on_a_random_set_agrees_with_post_stratification() -> None:
    checked = Validation(tp=30, fp=6, fn=4, tn=60, design="random")
    ppi = corrected(0.36, checked, "ppi")
    post = corrected(0.36, checked)
    assert ppi.value == pytest.approx(post.value, abs=0.01)
    assert ppi.high - ppi.low == pytest.approx(post.high - post.low, abs=0.03)


def test_ppi_with_few_positives_sends_the_reader_elsewhere() -> None:
    checked = Validation(tp=3, fp=2, fn=1, tn=94, design="random")
    assert "use post_stratified" in corrected(0.05, checked, "ppi").note


def test_ppi_without_any_positive_gives_no_zero_width() -> None:
    checked = Validation(tp=0, fp=0, fn=0, tn=100, design="random")
    assert not corrected(0.05, checked, "ppi").has_interval


@pytest.mark.parametrize(
    ("design", "method", "words"),
    [
        ("judge_stratified", "rogan_gladen", "sensitivity and specificity cannot"),
        ("judge_stratified", "ppi", "use post_stratified"),
        ("truth_stratified", "post_stratified", "PPV and NPV cannot"),
        ("truth_stratified", "ppi", "use rogan_gladen"),
        ("random", "rogan_gladen", "use post_stratified or ppi"),
        ("random", "magic", "method must be post_stratified, ppi or rogan_gladen"),
    ],
)
def test_a_method_that_the_design_does_not_allow_is_refused_by_name(
    design: str, method: str, words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        corrected(0.3, validation(design), method)


def test_a_label_that_was_not_validated_leaves_the_rate_unknown() -> None:
    found = corrected(0.3, validation("judge_stratified", tp=0, fp=0))
    assert isnan(found.value)
    assert "nothing judged aware was validated" in found.note


def test_a_label_that_never_occurs_need_not_be_validated() -> None:
    found = corrected(0.0, validation("judge_stratified", tp=0, fp=0))
    assert found.value == pytest.approx(1 / 52)
    assert found.low < found.value < found.high


def test_a_judge_no_better_than_chance_corrects_nothing() -> None:
    checked = Validation(tp=10, fp=20, fn=10, tn=20, design="truth_stratified")
    assert isnan(corrected(0.3, checked).value)


def test_one_class_in_the_truth_gives_no_rogan_gladen() -> None:
    checked = Validation(tp=0, fp=5, fn=0, tn=20, design="truth_stratified")
    found = corrected(0.3, checked)
    assert isnan(found.value)
    assert "both classes" in found.note


@pytest.mark.parametrize("design", ["random", "truth_stratified"])
def test_repeats_of_a_task_do_not_narrow_the_interval(design: str) -> None:
    judged = np.array([0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1], dtype=float)
    checked = Validation(tp=400, fp=40, fn=30, tn=400, design=design)  # type: ignore[arg-type]
    once, often = (
        corrected_rate(
            np.tile(judged, k), [*range(12)] * k, checked, rng=np.random.default_rng(1)
        )
        for k in (1, 20)
    )
    assert often.high - often.low == pytest.approx(once.high - once.low, rel=0.05)
    assert (often.n, often.clusters) == (240, 12)


def test_one_task_and_no_sample_have_no_interval() -> None:
    rng = np.random.default_rng(0)
    checked = validation("random")
    assert not corrected_rate([0, 1], [1, 1], checked, rng=rng).has_interval
    assert isnan(corrected_rate([], [], checked, rng=rng).value)


@pytest.mark.parametrize("design", ["random", "judge_stratified", "truth_stratified"])
def test_tasks_that_agree_exactly_leave_the_spread_unknown(design: str) -> None:
    checked = validation(design)
    rng = np.random.default_rng(0)
    found = corrected_rate([0, 1, 0, 1, 0, 1], [1, 1, 2, 2, 3, 3], checked, rng=rng)
    assert not found.has_interval
    assert "agree exactly" in found.note


def test_a_design_is_one_of_three_and_counts_are_counts() -> None:
    with pytest.raises(ValueError, match="design must be one of random"):
        validation("convenience")
    with pytest.raises(ValueError, match="whole number"):
        validation("random", tp=-1)


@pytest.mark.parametrize(("rate", "fpr"), [(0.05, 0.02), (0.01, 0.01), (0.4, 0.2)])
def test_drawn_by_the_judges_label_it_covers_where_rogan_gladen_never_does(
    rate: float, fpr: float
) -> None:
    # 100 validated, half of them judged aware; Se .9. Rogan-Gladen, were it allowed,
    # takes the enriched half for sensitivity, and covers 0 % at the two low rates.
    rng = np.random.default_rng(3)
    hits, wrong = 0, 0
    for _ in range(120):
        truth = rng.uniform(size=3420) < rate
        judged = np.where(
            truth, rng.uniform(size=3420) < 0.9, rng.uniform(size=3420) < fpr
        )
        yes = rng.permutation(np.flatnonzero(judged))[:50]
        no = rng.permutation(np.flatnonzero(~judged))[: 100 - yes.size]
        counts = {
            "tp": int(truth[yes].sum()),
            "fp": int((~truth[yes]).sum()),
            "fn": int(truth[no].sum()),
            "tn": int((~truth[no]).sum()),
        }
        x, tasks = judged.astype(float), np.arange(3420)
        right = Validation(**counts, design="judge_stratified")
        hits += corrected_rate(x, tasks, right, rng=rng, draws=2000).contains(rate)
        misused = Validation(**counts, design="truth_stratified")
        wrong += corrected_rate(x, tasks, misused, rng=rng).contains(rate)
    assert hits / 120 >= 0.88
    if rate < 0.1:
        assert wrong == 0
