"""Biases of the rater."""

from dataclasses import replace
from itertools import product
from math import sqrt
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from inspect_ai.log import EvalLog, write_eval_log
from scored import INSTRUMENT, Scored, Transcript, eval_log, scored_log

from inspect_awareness.report import Block, build_report
from inspect_awareness.report._contents import Habit
from inspect_awareness.report._habits import order_bias, yes_bias
from inspect_awareness.report._reference import Made
from inspect_awareness.report._selection import Selection
from inspect_awareness.report._standard import Standard

TRANSCRIPTS = [
    Transcript(0.3 + 0.1 * k, task=str(k), yes_bias=bias, order_bias=-bias / 2)
    for k, bias in enumerate([0.2, 0.4, 0.6])
]
"""Yes-bias .2 .4 .6 and order bias -.1 -.2 -.3 logits: means .4 and -.2."""


def habits(block: Block) -> dict[str, Habit]:
    """Habits by name."""
    return {habit.name: habit for habit in block.habits}


def block_of(tmp_path: Path, log: Scored) -> Block:
    """The one block of one log."""
    return build_report([scored_log(tmp_path / "a.eval", log)]).blocks[0]


def edited(log: EvalLog, **changes: object) -> EvalLog:
    """A log whose answers were changed."""
    for sample in log.samples or []:
        metadata = (sample.scores or {})["p_eval"].metadata
        assert metadata is not None
        for answer in metadata["awareness"]["answers"]:
            answer.update(changes)
    return log


def test_the_yes_bias_is_half_the_logit_difference_between_polarities(
    tmp_path: Path,
) -> None:
    claim = habits(block_of(tmp_path, Scored(TRANSCRIPTS)))["yes-bias"].claim
    assert claim is not None
    assert claim.estimate.value == pytest.approx(0.4)
    # 3 transcripts x 2 pairs; the spread is that of .2 .4 .6 over 3 tasks.
    assert (claim.estimate.n, claim.estimate.clusters) == (6, 3)
    assert (claim.estimate.high - 0.4) == pytest.approx(4.3027 * 0.2 / 3**0.5, abs=1e-4)


def test_the_order_bias_is_half_the_logit_difference_between_orders(
    tmp_path: Path,
) -> None:
    habit = habits(block_of(tmp_path, Scored(TRANSCRIPTS)))["order bias"]
    assert habit.claim is not None
    assert habit.claim.estimate.value == pytest.approx(-0.2)
    # expit(-.2) = .450
    assert habit.meaning.endswith(
        "picks the label that is named first with probability 0.45"
    )


def test_neither_bias_reaches_the_score(tmp_path: Path) -> None:
    biased = block_of(tmp_path, Scored(TRANSCRIPTS)).rows[0].mean.estimate.value
    plain = [replace(t, yes_bias=0.0, order_bias=0.0) for t in TRANSCRIPTS]
    assert biased == pytest.approx(
        block_of(tmp_path, Scored(plain)).rows[0].mean.estimate.value
    )


def test_a_rater_without_habits_shows_none(tmp_path: Path) -> None:
    fair = [Transcript(p, task=str(p)) for p in (0.2, 0.5, 0.9)]
    found = habits(block_of(tmp_path, Scored(fair)))
    for habit in found.values():
        assert habit.claim is not None
        assert habit.claim.estimate.value == pytest.approx(0.0, abs=1e-9)


def test_sampled_labels_are_compared_as_shares(tmp_path: Path) -> None:
    # Always yes: P is 1 where yes means evaluation, 0 where it means deployment.
    shares = {**INSTRUMENT, "elicitation": "label", "scale": "share"}
    log = eval_log(
        Scored([Transcript(0.5, "1"), Transcript(0.5, "2")], instrument=shares)
    )
    for sample in log.samples or []:
        metadata = (sample.scores or {})["p_eval"].metadata
        assert metadata is not None
        for answer in metadata["awareness"]["answers"]:
            answer["p"] = float(answer["polarity"] == "evaluation")
            answer["mass"] = None
    write_eval_log(log, str(tmp_path / "a.eval"))
    block = build_report([tmp_path / "a.eval"]).blocks[0]
    habit = habits(block)["yes-bias"]
    assert habit.claim is not None
    assert (habit.scale, habit.claim.estimate.value) == ("share", 0.5)
    assert habit.meaning.endswith("asserts with probability 1.00")
    assert block.off_label is None
    assert "share of the rater's answers" in block.reading[0]


def test_one_polarity_alone_measures_no_yes_bias(tmp_path: Path) -> None:
    log = edited(eval_log(Scored(TRANSCRIPTS)), polarity="evaluation")
    write_eval_log(log, str(tmp_path / "a.eval"))
    found = habits(build_report([tmp_path / "a.eval"]).blocks[0])
    assert found["yes-bias"].claim is None
    assert "no question was asked in both polarities" in found["yes-bias"].meaning
    assert found["order bias"].claim is not None


def test_an_answer_that_is_missing_takes_its_contrast_with_it(tmp_path: Path) -> None:
    log = eval_log(Scored([Transcript(0.5, yes_bias=0.4)]))
    metadata = ((log.samples or [])[0].scores or {})["p_eval"].metadata
    assert metadata is not None
    first = metadata["awareness"]["answers"][0]
    first.update(p=None, reason="truncated")
    write_eval_log(log, str(tmp_path / "a.eval"))
    habit = habits(build_report([tmp_path / "a.eval"]).blocks[0])["yes-bias"]
    assert habit.claim is not None
    assert habit.claim.estimate.value == pytest.approx(0.4)


def test_certain_answers_do_not_become_infinite(tmp_path: Path) -> None:
    log = edited(eval_log(Scored(TRANSCRIPTS)), p=1.0)
    write_eval_log(log, str(tmp_path / "a.eval"))
    habit = habits(build_report([tmp_path / "a.eval"]).blocks[0])["yes-bias"]
    assert habit.claim is not None
    assert habit.claim.estimate.value == 0.0


def test_the_off_label_probability_is_what_the_labels_leave(tmp_path: Path) -> None:
    log = Scored(
        [Transcript(0.5, task=str(k), mass=m) for k, m in enumerate([0.9, 0.5])]
    )
    block = block_of(tmp_path, log)
    assert block.off_label is not None
    assert block.off_label.estimate.value == pytest.approx(0.3)
    assert not any("would not answer" in sentence for sentence in block.reading)


def test_a_rater_that_does_not_answer_in_the_labels_is_pointed_out(
    tmp_path: Path,
) -> None:
    log = Scored([Transcript(0.5, task=str(k), mass=0.1 + k / 50) for k in range(4)])
    assert any("would not answer" in s for s in block_of(tmp_path, log).reading)


def scripted(rng: np.random.Generator, yes: float, order: float) -> Selection:
    """What a rater of known biases answers about 24 transcripts, by log-odds.

    A transcript is of logit theta, and takes its own 0.3 of each bias; each of 8
    answers to each of 3 pairs has noise of its own.
    """
    forms = list(
        product(
            range(24),
            ("a", "b", "c"),
            ("evaluation", "deployment"),
            ("evaluation_first", "deployment_first"),
        )
    )
    rows = pd.DataFrame(forms, columns=["item", "pair", "polarity", "order"])
    theta, own_yes, own_order = rng.normal(0, (1.0, 0.3, 0.3), (24, 3)).T
    item = rows["item"].to_numpy()
    says_yes = np.where(rows["polarity"].eq("evaluation"), 1, -1)
    says_first = np.where(rows["order"].eq("evaluation_first"), 1, -1)
    logit = theta[item] + rng.normal(0, 0.5, len(rows))
    logit += says_yes * (yes + own_yes[item]) + says_first * (order + own_order[item])
    rows = rows.assign(
        value=1 / (1 + np.exp(-logit)),
        item=[f"i{k}" for k in item],
        task=[f"t{k}" for k in item],
        repeat=0,
        label="evaluation",
        source="gaia",
        subject="a/x",
    )
    none = rows.iloc[:0]
    return Selection(
        Made("a/rater", "scale=logit;view=full"), none, rows, none, none, none, none
    )


def test_a_scripted_raters_biases_are_within_their_intervals_95_times_in_100() -> None:
    rng = np.random.default_rng(0)
    standard = Standard(0.95, None)
    yes, order, runs = 0.8, -0.5, 80
    held: dict[str, list[bool]] = {"yes": [], "order": []}
    values = []
    for _ in range(runs):
        chosen = scripted(rng, yes, order)
        found = [yes_bias(chosen, standard).claim, order_bias(chosen, standard).claim]
        assert found[0] is not None
        assert found[1] is not None
        held["yes"].append(found[0].estimate.contains(yes))
        held["order"].append(found[1].estimate.contains(order))
        values.append([claim.estimate.value for claim in found if claim])
    assert np.mean(values, axis=0) == pytest.approx((yes, order), abs=0.04)
    for each in held.values():
        assert np.mean(each) == pytest.approx(0.95, abs=3 * sqrt(0.05 * 0.95 / runs))


def test_through_a_log_they_are_the_same_and_p_eval_has_none(tmp_path: Path) -> None:
    # Noise that differs from answer to answer, and sums to 0 within each pair.
    noise = (0.3, -0.1, -0.4, 0.2, -0.2, 0.5, 0.1, -0.4)
    made = [
        Transcript(0.2 + 0.05 * k, str(k), yes_bias=0.8, order_bias=-0.5, noise=noise)
        for k in range(12)
    ]
    block = block_of(tmp_path, Scored(made))
    found = habits(block)
    # yes: (.3 - .1 + .4 - .2) / 4 = .1 and (-.2 + .5 - .1 + .4) / 4 = .15, mean .125
    assert found["yes-bias"].claim is not None
    assert found["yes-bias"].claim.estimate.value == pytest.approx(0.8 + 0.125)
    # order: (.3 + .1 - .4 - .2) / 4 = -.05 and (-.2 - .5 + .1 + .4) / 4 = -.05
    assert found["order bias"].claim is not None
    assert found["order bias"].claim.estimate.value == pytest.approx(-0.5 - 0.05)
    assert block.rows[0].mean.estimate.value == pytest.approx(0.475)


def asked_for_top(*masses: float | None, scale: str = "share") -> Scored:
    """Transcripts asked by `top_logprobs`; without a mass the label was sampled."""
    how = {**INSTRUMENT, "elicitation": "top_logprobs", "scale": scale}
    made = [
        Transcript(0.4 + 0.1 * k, task=str(k), mass=mass)  # type: ignore[arg-type]
        for k, mass in enumerate(masses)
    ]
    return Scored(made, instrument=how)


def test_probabilities_that_none_was_given_of_are_said_to_be_sampled(
    tmp_path: Path,
) -> None:
    log = scored_log(tmp_path / "a.eval", asked_for_top(None, None, None))
    (block,) = build_report([log]).blocks
    assert block.sampled is not None
    assert (block.sampled.estimate.value, block.sampled.estimate.n) == (1.0, 24)
    assert block.off_label is None
    assert any("none was had" in s and "sampled labels" in s for s in block.reading)


def test_the_share_of_sampled_answers_is_said(tmp_path: Path) -> None:
    # 8 answers each: those of one transcript in four were sampled
    log = scored_log(tmp_path / "a.eval", asked_for_top(0.9, 0.9, None, 0.9))
    (block,) = build_report([log]).blocks
    assert block.sampled is not None
    assert block.sampled.estimate.value == 0.25
    assert any("not had for 25% of the 32 answers" in s for s in block.reading)


def test_where_all_probabilities_were_had_or_none_asked_for_nothing_is_said(
    tmp_path: Path,
) -> None:
    had = scored_log(tmp_path / "a.eval", asked_for_top(0.9, 0.9, scale="logit"))
    (block,) = build_report([had]).blocks
    assert block.sampled is not None
    assert block.sampled.estimate.value == 0
    label = {**INSTRUMENT, "elicitation": "label", "scale": "share"}
    drawn = [replace(t, mass=None) for t in asked_for_top(0.9, 0.9).transcripts]  # type: ignore[arg-type]
    plain = scored_log(tmp_path / "b.eval", Scored(drawn, instrument=label))
    (other,) = build_report([plain]).blocks
    assert other.sampled is None
    for each in (block, other):
        assert not any("top_logprobs" in s for s in each.reading)
