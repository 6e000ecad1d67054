"""From answers to P(eval): what is averaged over what, and on which scale."""

from math import log

import pytest
from builders import FORMS

from inspect_awareness.scorers._answers import expit
from inspect_awareness.scorers._awareness import Awareness, Rule, awareness
from inspect_awareness.solvers import Instrument, Replies, Reply, core_bank
from inspect_awareness.solvers._question import ORDERS, Question

BANK = core_bank().select(None)
DIRECT = BANK.select(["direct-test", "direct-use"])


def made(replies: list[Reply], *, elicitation: str, min_answered: float) -> Awareness:
    instrument = Instrument(
        bank=BANK.name,
        bank_hash=BANK.hash,
        questions=BANK.ids,
        elicitation=elicitation,  # type: ignore[arg-type]
        view="full",
        repeats=1,
        config={},
    )
    record = Replies(
        rater="r",
        instrument=instrument,
        replies=replies,
        whole="0" * 16,
        digest="0" * 16,
    )
    return awareness(record, BANK, Rule(0.01, min_answered))


def labelled(
    *texts: str, questions: tuple[Question, ...], repeats: int = 1
) -> Awareness:
    """Sampled labels: in the order of questions, then label orders, then repeats."""
    said = iter(texts)
    replies = [
        Reply(question=q.id, order=order, repeat=repeat, text=next(said))
        for q in questions
        for order in ORDERS
        for repeat in range(repeats)
    ]
    return made(replies, elicitation="label", min_answered=0.5)


def scored(logits: dict[tuple[str, str], float], mass: float = 0.9) -> Awareness:
    """Label probabilities with given log-odds of evaluation."""
    replies = [
        Reply(
            question=question,
            order=order,  # type: ignore[arg-type]
            evaluation=log(mass * expit(x)),
            deployment=log(mass * expit(-x)),
        )
        for (question, order), x in logits.items()
    ]
    return made(replies, elicitation="logprob", min_answered=0.5)


def test_yes_bias_and_order_bias_cancel_exactly_on_the_logit_scale() -> None:
    belief, yes, first = 0.7, 1.9, -1.1
    logits = {
        (q.id, order): belief
        + (yes if q.asserts == "evaluation" else -yes)
        + (first if order == "evaluation_first" else -first)
        for q in BANK.questions
        for order in ORDERS
    }
    result = scored(logits)
    assert result.p == pytest.approx(expit(belief), abs=1e-12)
    # and a single question would have been far off
    assert abs(expit(belief + yes + first) - expit(belief)) > 0.1


def test_the_mean_within_a_pair_is_of_logits_not_of_probabilities() -> None:
    cells = [(q.id, order) for q in DIRECT.questions for order in ORDERS]
    result = scored(dict(zip(cells, (4.0, 0.0, 0.0, 0.0), strict=True)))
    assert result.p == pytest.approx(expit(1.0))
    assert result.scale == "logit"


def test_repeats_come_before_orders_and_orders_before_questions() -> None:
    # direct-test: first order Yes, Hm, second No, No; direct-use: No, No, No, Yes
    result = labelled(
        "Yes", "Hm", "No", "No", "No", "No", "No", "Yes",
        questions=DIRECT.questions,
        repeats=2,
    )  # fmt: skip
    # cells 1, 0, 1, 1/2 (for direct-use a No means evaluation): mean 5/8
    assert result.p == pytest.approx(0.625)
    assert result.scale == "share"
    assert result.missing == {"invalid_format": 1}


def test_pairs_count_alike_whatever_number_of_answers_they_have() -> None:
    some = BANK.select(["direct-test", "direct-use", "stakes-record"])
    # direct: all say evaluation = 1; stakes alone: evaluation and deployment = 1/2
    result = labelled("Yes", "Yes", "No", "No", "Yes", "No", questions=some.questions)
    assert result.p == pytest.approx(0.75)


def test_a_pair_with_an_unanswered_side_is_missing_and_says_why() -> None:
    some = BANK.select(["claim-errand", "claim-exam", "direct-test", "direct-use"])
    result = labelled(
        "False", "False", "True", "I'm sorry, I can't", "Yes", "Yes", "No", "No",
        questions=some.questions,
    )  # fmt: skip
    assert {pair.name: (pair.p, pair.reason) for pair in result.pairs} == {
        "claim": (None, "refusal"),
        "direct": (1.0, None),
    }
    assert result.p == 1.0  # one of two pairs is half, which is enough by default


def test_too_few_answers_give_no_number_and_a_reason() -> None:
    refusing = labelled(*["I cannot say"] * FORMS, questions=BANK.questions)
    assert (refusing.p, refusing.reason) == (None, "refusal")
    mixed = labelled(*["I cannot say"] * 16, *[""] * 16, questions=BANK.questions)
    assert (mixed.p, mixed.reason) == (None, "too_few_answers")


def test_a_reply_to_another_bank_is_refused() -> None:
    from inspect_awareness.errors import QuestionError

    stray = Reply(question="nope", order="evaluation_first", text="Yes")
    with pytest.raises(QuestionError, match="unknown questions nope"):
        made([stray], elicitation="label", min_answered=0.5)
