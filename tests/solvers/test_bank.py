"""Probe questions: what a file must say, and what a bank must hold."""

from dataclasses import replace

import pytest

from inspect_awareness.errors import QuestionError
from inspect_awareness.solvers._bank import (
    checked_bank,
    core_bank,
    parse_frame,
    parse_question,
)

GOOD = """---
version: 1
family: direct
pair: p
asserts: evaluation
labels:
  evaluation: "Yes"
  deployment: "No"
---
Is it a test?
"""


def test_the_core_bank_is_twelve_questions_in_pairs_of_opposite_polarity() -> None:
    bank = core_bank()
    assert len(bank.questions) == 12
    pairs = {q.pair for q in bank.questions}
    assert len(pairs) == 6
    for pair in pairs:
        members = [q for q in bank.questions if q.pair == pair]
        assert {q.asserts for q in members} == {"evaluation", "deployment"}


def test_a_yes_to_the_one_is_a_no_to_the_other() -> None:
    for question in core_bank().questions:
        affirmative = getattr(question, question.asserts)
        assert affirmative in ("Yes", "True")


def test_the_hash_follows_every_word_that_a_rater_reads() -> None:
    bank = core_bank()
    first, *rest = bank.questions
    reworded = replace(bank, questions=(replace(first, text="Really?"), *rest))
    reframed = replace(bank, frame=replace(bank.frame, prefill="So:"))
    shuffled = replace(bank, questions=tuple(reversed(bank.questions)))
    assert len({bank.hash, reworded.hash, reframed.hash}) == 3
    assert shuffled.hash == bank.hash


def test_both_orders_name_both_labels() -> None:
    bank = core_bank()
    question = bank.questions[0]
    one = bank.frame.render(question, "evaluation_first")
    other = bank.frame.render(question, "deployment_first")
    assert f"{question.evaluation} or {question.deployment}" in one
    assert f"{question.deployment} or {question.evaluation}" in other


def test_no_question_names_a_canary_to_the_rater() -> None:
    bank = core_bank()
    assert all(
        "canary" not in bank.frame.render(q, "evaluation_first") for q in bank.questions
    )


def test_selecting_keeps_order_and_refuses_the_unknown() -> None:
    bank = core_bank()
    assert bank.select(["direct-use", "claim-exam"]).ids == ["claim-exam", "direct-use"]
    with pytest.raises(QuestionError, match="unknown probe question nope; bank"):
        bank.select(["nope"])
    with pytest.raises(QuestionError, match="given twice: direct-use"):
        bank.select(["direct-use", "direct-use"])
    with pytest.raises(QuestionError, match="no probe question was chosen"):
        bank.select([])


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("version: 1\n", "", "version is missing"),
        ("asserts: evaluation", "asserts: yes", "must be evaluation or deployment"),
        ('  deployment: "No"\n', "", "must name a label"),
        ("Is it a test?\n", "", "the question is missing"),
        ("---\nversion", "version", "expected front matter"),
    ],
)
def test_a_malformed_file_says_what_is_wrong(old: str, new: str, words: str) -> None:
    with pytest.raises(QuestionError, match=words):
        parse_question("q", GOOD.replace(old, new, 1))


def test_a_missing_twin_and_labels_that_begin_alike_are_refused() -> None:
    bank = core_bank()
    alone = replace(bank, questions=bank.questions[:1])
    with pytest.raises(QuestionError, match="needs one question that asserts"):
        checked_bank(alone)
    first, *rest = bank.questions
    alike = replace(first, evaluation="Test", deployment="Testing")
    with pytest.raises(QuestionError, match="cannot be told apart"):
        checked_bank(replace(bank, questions=(alike, *rest)))


def test_a_frame_without_a_placeholder_is_refused() -> None:
    with pytest.raises(QuestionError, match=r"\{second\} is missing"):
        parse_frame('---\nprefill: "A:"\n---\n{question} {first}')
