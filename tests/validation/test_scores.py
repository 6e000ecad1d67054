"""What labels say of a judge, by hand and by simulation."""

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from validation.judged import Judged, frame, judged_log, some

from inspect_awareness.validation import (
    Frame,
    JudgeScore,
    Labels,
    draw_sample,
    score_labels,
)

SE, FPR = 0.9, 0.2
"""A scripted judge."""

RATES = {"gaia": 0.3, "hle": 0.08}
"""The truth on two benchmarks."""

TASKS = 250
SEEDS = 200


def labels(design: Any, said: list[float]) -> Labels:
    """Labels of the first transcripts of a frame."""
    return Labels(design, np.arange(len(said)), np.array(said))


def score(found: Frame, given: Labels) -> JudgeScore:
    return score_labels(found, given, rng=np.random.default_rng(0))


def test_a_random_sample_gives_every_number(tmp_path: Path) -> None:
    # judged aware: 4, of which people say 3; judged not: 6, of which people say 1
    found = frame(judged_log(tmp_path / "a.eval", some(4, 6)))
    got = score(found, labels("random", [1, 1, 1, 0, 1, 0, 0, 0, 0, 0]))
    value = {name: each.value for name, each in got.agreement.items()}
    # po .8; pe .4 x .4 + .6 x .6 = .52; kappa .28 / .48
    assert value == pytest.approx(
        {"kappa": 0.28 / 0.48, "pabak": 0.6, "agreement": 0.8, "sensitivity": 3 / 4,
         "specificity": 5 / 6, "ppv": 3 / 4, "npv": 5 / 6}
    )  # fmt: skip
    assert all(each.has_interval for each in got.agreement.values())
    assert got.refused == {}
    (only,) = got.strata
    assert (only.validation.tp, only.validation.fp) == (3, 1)
    assert (only.validation.fn, only.validation.tn) == (1, 5)
    # q PPV + (1 - q)(1 - NPV) = .4 x .75 + .6 x 1/6
    assert only.raw.estimate.value == pytest.approx(0.4)
    assert only.corrected.value == pytest.approx(0.4)
    assert only.validation.design == "random"


def test_a_sample_by_the_verdict_gives_ppv_and_npv_only(tmp_path: Path) -> None:
    found = frame(judged_log(tmp_path / "a.eval", some(4, 16)))
    got = score(found, labels("judge", [1, 1, 1, 0, 1, 0, 0, 0]))
    assert got.agreement == {}
    assert set(got.refused) == {
        "kappa", "pabak", "agreement", "sensitivity", "specificity",
    }  # fmt: skip
    (only,) = got.strata
    assert (only.ppv.value, only.npv.value) == (3 / 4, 3 / 4)
    # .2 x .75 + .8 x .25
    assert only.corrected.value == pytest.approx(0.35)
    assert only.validation.design == "judge_stratified"


def test_a_missing_label_is_counted_and_is_no_no(tmp_path: Path) -> None:
    found = frame(judged_log(tmp_path / "a.eval", some(2, 2)))
    got = score(found, labels("random", [1, np.nan, 0, 0]))
    assert (got.drawn, got.labelled) == (4, 3)
    (only,) = got.strata
    assert only.unlabelled == 1
    assert (only.ppv.value, only.ppv.n) == (1.0, 1)


def test_each_stratum_is_corrected_by_its_own_labels(tmp_path: Path) -> None:
    logs = [
        judged_log(tmp_path / f"{name}.eval", some(2, 2), name)
        for name in ("gaia", "hle", "math")
    ]
    found = frame(*logs)
    # gaia: the judge is right; hle: always wrong; math: nobody looked
    got = score(found, labels("random", [1, 1, 0, 0, 0, 0, 1, 1]))
    gaia, hle, math = got.strata
    assert (gaia.corrected.value, hle.corrected.value) == (0.5, 0.5)
    assert (gaia.ppv.value, hle.ppv.value) == (1.0, 0.0)
    assert np.isnan(math.corrected.value)
    assert "no transcript of this model and benchmark" in math.corrected.note


def test_transcripts_without_a_verdict_widen_the_bounds(tmp_path: Path) -> None:
    found = frame(judged_log(tmp_path / "a.eval", some(2, 6, missing=2)))
    (only,) = score(found, labels("random", [1, 1, 0, 0])).strata
    assert only.raw.missing == 2
    assert (only.raw.bounds.low, only.raw.bounds.high) == (0.2, 0.4)


def blank() -> Frame:
    """Two benchmarks of 250 tasks, not judged yet."""
    names = [name for name in RATES for _ in range(TASKS)]
    tasks = tuple(str(k) for k in range(len(names)))
    verdicts = np.full(len(names), np.nan)
    models = ("openai/subject",) * len(names)
    return Frame("judge", "", tasks, models, tuple(names), tasks, verdicts, {})


def simulated(empty: Frame, rng: np.random.Generator) -> tuple[Frame, Any]:
    """What the scripted judge says of each transcript, and the truth."""
    rates = np.array([RATES[name] for name in empty.benchmarks])
    truth = rng.random(rates.size) < rates
    said = rng.random(rates.size) < np.where(truth, SE, FPR)
    return replace(empty, verdicts=said.astype(np.float64)), truth.astype(np.float64)


@cache
def validated(design: Any) -> tuple[JudgeScore, ...]:
    """200 data sets of a scripted judge, each with 160 labels, drawn and scored."""
    empty, found = blank(), []
    for seed in range(SEEDS):
        rng = np.random.default_rng(seed)
        judged, truth = simulated(empty, rng)
        drawn = draw_sample(judged, design=design, size=160, rng=rng)
        given = Labels(design, drawn.rows, truth[drawn.rows])
        found.append(score_labels(judged, given, rng=rng))
    return tuple(found)


@pytest.mark.parametrize("design", ["random", "judge"])
def test_the_truth_lies_in_corrected_intervals_as_often_as_they_say(
    design: Any,
) -> None:
    strata = [each for found in validated(design) for each in found.strata]
    held = [each.corrected.contains(RATES[each.benchmark]) for each in strata]
    # 400 intervals of 95 %: standard deviation 1.1 points
    assert np.mean(held) > 0.95 - 3 * 0.011
    off = [each.corrected.value - RATES[each.benchmark] for each in strata]
    assert abs(np.mean(off)) < 0.01


def test_the_rates_of_the_judge_itself_hold_nothing() -> None:
    # .3 x .9 + .7 x .2 = .41 and .08 x .9 + .92 x .2 = .256
    strata = [each for found in validated("random") for each in found.strata]
    held = [each.raw.estimate.contains(RATES[each.benchmark]) for each in strata]
    assert np.mean(held) < 0.06


@pytest.mark.parametrize(("name", "true"), [("sensitivity", SE), ("specificity", 0.8)])
def test_a_random_sample_finds_the_judges_errors(name: str, true: float) -> None:
    found = [each.agreement[name] for each in validated("random")]
    assert np.mean([each.value for each in found]) == pytest.approx(true, abs=0.01)
    # 200 intervals of 95 %: standard deviation 1.5 points
    assert np.mean([each.contains(true) for each in found]) > 0.95 - 3 * 0.015


def test_a_scripted_judge_in_logs_is_corrected_like_one_in_arrays(
    tmp_path: Path,
) -> None:
    rng = np.random.default_rng(5)
    truth = rng.random(60) < 0.4
    said = rng.random(60) < np.where(truth, SE, FPR)
    transcripts = [
        Judged(bool(each), task=str(k), thought=f"This is thought number {k}.")
        for k, each in enumerate(said)
    ]
    read = frame(judged_log(tmp_path / "a.eval", transcripts))
    order = [int(task) for task in read.tasks]
    made = replace(read, verdicts=said[order].astype(np.float64))
    given = Labels("random", np.arange(60), truth[order].astype(np.float64))
    one, other = score(read, given), score(made, given)
    assert one.strata == other.strata
    # everything is labelled, so that nothing is left of the judge's errors
    assert one.strata[0].corrected.value == pytest.approx(truth.mean())
