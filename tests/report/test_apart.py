"""What is asked apart from P(evaluation), and controls."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from inspect_ai.log import write_eval_log
from scored import Scored, Transcript, eval_log, scored_log, spread_out, stood_apart

from inspect_awareness.report import Block, build_report
from inspect_awareness.report._apart import Control


def block_of(folder: Path, *logs: Scored) -> Block:
    """The one block of logs."""
    files = [scored_log(folder / f"{k}.eval", log) for k, log in enumerate(logs)]
    (block,) = build_report(files).blocks
    return block


def asked(
    found: list[dict[str, dict[str, Any]]], label: str = "evaluation"
) -> list[Transcript]:
    """A transcript for each set of what was asked apart."""
    made = spread_out(0.5, len(found))
    return [
        replace(t, apart=apart, label=label)
        for t, apart in zip(made, found, strict=True)
    ]


def control(p: float, *, truth: bool) -> dict[str, dict[str, Any]]:
    """A control that was answered yes with probability p."""
    return {"control-tool": stood_apart("control", p, correct=p if truth else 1 - p)}


def controls_of(folder: Path, *found: dict[str, dict[str, Any]]) -> dict[str, Control]:
    """Controls by their names."""
    block = block_of(folder, Scored(asked(list(found))))
    return {c.question: c for c in block.controls}


def test_a_rating_has_its_mean_and_never_touches_p_eval(tmp_path: Path) -> None:
    ratings = [{"rate": stood_apart("rating", p)} for p in (0.1, 0.2, 0.6)]
    block = block_of(tmp_path, Scored(asked(ratings)))
    (found,) = block.apart
    assert (found.family, found.question, found.label) == (
        "rating",
        "rate",
        "evaluation",
    )
    assert found.claim.estimate.value == pytest.approx(0.3)
    assert (found.claim.estimate.n, found.claim.estimate.clusters) == (3, 3)
    assert found.claim.estimate.has_interval
    plain = block_of(tmp_path, Scored(spread_out(0.5, 3)))
    assert block.rows == plain.rows


def test_what_is_missing_is_counted_by_reason(tmp_path: Path) -> None:
    found = [
        {"open": stood_apart("open", 1.0)},
        {"open": stood_apart("open", 0.0)},
        {"open": stood_apart("open", None, reason="undecided")},
        {"open": stood_apart("open", None, reason="refusal")},
    ]
    (open_,) = block_of(tmp_path, Scored(asked(found))).apart
    assert open_.claim.estimate.value == 0.5
    assert {m.reason: m.n for m in open_.claim.missing} == {
        "undecided": 1,
        "refusal": 1,
    }
    assert open_.claim.bounds is not None
    assert (open_.claim.bounds.low, open_.claim.bounds.high) == (0.25, 0.75)


def test_each_label_has_a_row_of_its_own(tmp_path: Path) -> None:
    def indirect(p: float) -> list[dict[str, dict[str, Any]]]:
        return [{"colour": stood_apart("indirect", p)}] * 3

    block = block_of(
        tmp_path,
        Scored(asked(indirect(0.4))),
        Scored(asked(indirect(0.7), label="deployment"), source="support"),
    )
    means = {a.label: a.claim.estimate.value for a in block.apart}
    assert means == pytest.approx({"evaluation": 0.4, "deployment": 0.7})


def test_without_deployment_their_means_are_said_to_say_little(tmp_path: Path) -> None:
    found = [{"rate": stood_apart("rating", p)} for p in (0.1, 0.2)]
    block = block_of(tmp_path, Scored(asked(found)))
    assert any("No deployment transcript was asked" in s for s in block.reading)


def test_the_accuracy_of_controls_is_the_share_answered_rightly(
    tmp_path: Path,
) -> None:
    # yes .9 (true), no .8 (true), yes .6 (false), even: 2.5 of 4
    found = controls_of(
        tmp_path,
        control(0.9, truth=True),
        control(0.2, truth=False),
        control(0.6, truth=False),
        control(0.5, truth=True),
    )
    accuracy = found["control-tool"].accuracy.estimate
    assert accuracy.value == pytest.approx(2.5 / 4)
    assert (accuracy.n, accuracy.clusters) == (4, 4)
    assert accuracy.has_interval


def test_a_rater_that_always_says_yes_is_caught(tmp_path: Path) -> None:
    # right in 9 of 10, because yes is right in 9 of 10
    made = [control(0.9, truth=k > 0) for k in range(10)]
    block = block_of(tmp_path, Scored(asked(made)))
    (found,) = block.controls
    assert found.accuracy.estimate.value == pytest.approx(0.9)
    assert found.where_yes is not None
    assert found.where_no is not None
    assert found.where_yes.estimate.value == 1.0
    assert found.where_no.estimate.value == 0.0
    (warning,) = [s for s in block.reading if s.startswith("Warning")]
    assert "cannot be trusted about awareness" in warning


def test_a_rater_at_chance_is_warned_about_and_a_good_one_is_not(
    tmp_path: Path,
) -> None:
    def warnings(share: float) -> list[str]:
        made = [
            control(0.9 if (k % 2 == 0) == (k < 40 * share) else 0.1, truth=k % 2 == 0)
            for k in range(40)
        ]
        block = block_of(tmp_path, Scored(asked(made)))
        return [s for s in block.reading if s.startswith("Warning")]

    assert "chance is 0.5" in warnings(0.5)[0]
    assert warnings(0.95) == []


def test_a_control_whose_truth_is_unknown_is_missing_not_wrong(tmp_path: Path) -> None:
    unknown = {"control-tool": stood_apart("control", 0.9)}
    found = controls_of(tmp_path, control(0.9, truth=True), unknown)
    accuracy = found["control-tool"].accuracy
    assert (accuracy.estimate.value, accuracy.estimate.n) == (1.0, 1)
    assert [(m.reason, m.n) for m in accuracy.missing] == [("no_known_answer", 1)]


def test_several_controls_have_a_row_for_all_of_them(tmp_path: Path) -> None:
    two = {
        "control-tool": stood_apart("control", 0.9, correct=0.9),
        "control-code": stood_apart("control", 0.9, correct=0.1),
    }
    found = controls_of(tmp_path, two, two)
    assert list(found) == ["all controls", "control-code", "control-tool"]
    whole = found["all controls"].accuracy.estimate
    assert whole.value == 0.5
    # two answers about one transcript are one cluster
    assert (whole.n, whole.clusters) == (4, 2)


def test_answers_that_stand_apart_are_no_habits_of_p_eval(tmp_path: Path) -> None:
    # A rating of 0 or 100 has no log-odds, and an indirect question no evaluation.
    plain = Scored(spread_out(0.5, 4))
    log = eval_log(plain)
    for sample in log.samples or []:
        metadata = (sample.scores or {})["p_eval"].metadata
        assert metadata is not None
        answers = metadata["awareness"]["answers"]
        base = {**answers[0], "pair": "rate-test", "question": "rate-test"}
        answers += [
            {**base, "polarity": polarity, "p": float(polarity == "evaluation")}
            for polarity in ("evaluation", "deployment")
        ]
    write_eval_log(log, str(tmp_path / "a.eval"))
    (block,) = build_report([tmp_path / "a.eval"]).blocks
    (expected,) = build_report([scored_log(tmp_path / "b.eval", plain)]).blocks
    assert block.habits == expected.habits
    assert block.rows[0].answers == expected.rows[0].answers


def test_a_file_in_which_only_such_questions_were_asked_is_reported(
    tmp_path: Path,
) -> None:
    made = [
        Transcript(
            None,
            str(k),
            reason="nothing_feeds_p_eval",
            apart={"rate": stood_apart("rating", 0.2 + k / 10)},
        )
        for k in range(5)
    ]
    block = block_of(tmp_path, Scored(made))
    assert block.rows[0].scored == 0
    assert any("None of the questions asked makes P(eval)" in s for s in block.reading)
    assert not any("The bounds show" in s for s in block.reading)
    assert np.isnan(block.rows[0].mean.estimate.value)
    assert block.apart[0].claim.estimate.value == pytest.approx(0.4)
