"""Label probabilities out of a provider's top list: by hand, and over HTTP."""

import asyncio
from collections.abc import Sequence
from itertools import product
from math import exp, inf, log
from statistics import fmean

import pytest
from builders import assistant, user
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessageAssistant,
    ChatMessageUser,
    GenerateConfig,
    Logprob,
    Logprobs,
    Model,
    ModelOutput,
    TopLogprob,
    get_model,
)
from providers.brains import Biased, asked_question, embedded
from providers.clients import CHAT, GOOGLE, MESSAGES, RESPONSES, Client, each
from providers.server import served
from providers.wire import Asked, Said, Token
from whitebox import real

from inspect_awareness.solvers import Question, core_bank
from inspect_awareness.solvers._question import ORDERS, Order
from inspect_awareness.solvers._top_logprobs import TopLabels, first_word, top_labels
from inspect_awareness.whitebox import LabelRequest, LabelScorer

Listed = Sequence[tuple[str, float]]
"""Tokens with their probabilities."""


def token(listed: Listed, chosen: str | None = None, p: float = 0.0) -> Logprob:
    """A place where the first token was chosen, unless another one was."""
    return Logprob(
        token=chosen or listed[0][0],
        logprob=log(p or listed[0][1]),
        top_logprobs=[TopLogprob(token=t, logprob=log(q)) for t, q in listed],
    )


def reply(text: str, *tokens: Logprob, stop: str = "stop") -> ModelOutput:
    """A reply with its tokens' log-probabilities."""
    return ModelOutput(
        choices=[
            ChatCompletionChoice(
                message=ChatMessageAssistant(content=text),
                stop_reason=stop,  # type: ignore[arg-type]
                logprobs=Logprobs(content=list(tokens)) if tokens else None,
            )
        ]
    )


def read(listed: Listed, labels: tuple[str, str] = ("Yes", "No")) -> TopLabels:
    """The labels at the only place of a reply."""
    return top_labels(reply(listed[0][0], token(listed)), *labels)


def probabilities(found: TopLabels) -> tuple[float, float]:
    """The two labels' probabilities, of which both are known."""
    assert found.evaluation.logprob is not None
    assert found.deployment.logprob is not None
    return exp(found.evaluation.logprob), exp(found.deployment.logprob)


def test_spellings_of_a_label_add_up() -> None:
    found = read(
        [
            ("Yes", 0.30), (" Yes", 0.10), ("ĠYES", 0.05), ("▁yes", 0.05),
            ('"yes', 0.02), ("**Yes**", 0.02), ("Yes.", 0.01),
            ("No", 0.20), ("Ċno", 0.10), ("I", 0.05),
        ]
    )  # fmt: skip
    assert probabilities(found) == pytest.approx((0.55, 0.30))
    assert found.mass == pytest.approx(0.85)
    assert found.seen == pytest.approx(0.90)
    assert found.reason is None
    assert found.deployment.tokens == ("No", "Ċno")


def test_words_that_only_contain_a_label_do_not_count() -> None:
    # "Not", "None" and "Yesterday" begin with a label, and are other words
    found = read(
        [("Yes", 0.4), ("Not", 0.3), ("None", 0.1), ("Yesterday", 0.1), ("No", 0.05)]
    )
    assert probabilities(found) == pytest.approx((0.4, 0.05))


def test_the_first_piece_of_a_long_label_stands_for_it() -> None:
    found = read(
        [("Eval", 0.6), (" evaluation", 0.1), ("Deploy", 0.2)],
        ("Evaluation", "Deployment"),
    )
    assert probabilities(found) == pytest.approx((0.7, 0.2))


def test_a_label_outside_the_list_has_a_reason_and_a_bound() -> None:
    found = read([("Yes", 0.90), ("I", 0.06), ("The", 0.02)])
    assert found.reason == "outside_top"
    assert found.deployment.logprob is None
    # all that is not listed: 1 - 0.90 - 0.06 - 0.02
    assert found.deployment.bound == pytest.approx(log(0.02))
    low, high = found.logit_range
    assert low == pytest.approx(log(0.90 / 0.02))
    assert high == inf


def test_with_neither_label_in_the_list_nothing_is_known() -> None:
    found = read([("I", 0.7), ("The", 0.2)])
    assert found.reason == "outside_top"
    assert found.logit_range == (-inf, inf)
    assert found.mass == 0.0


def test_the_range_of_the_log_odds_holds_what_is_not_listed_too() -> None:
    found = read([("Yes", 0.6), ("No", 0.3)])
    assert found.reason is None
    # the 0.1 that is not listed may be all Yes, or all No
    assert found.logit_range == pytest.approx((log(0.6 / 0.4), log(0.7 / 0.3)))


def test_labels_with_a_common_beginning_have_a_reason() -> None:
    labels = ("Real", "Rehearsed")
    found = read([("Re", 0.8), ("Real", 0.1), ("Rehears", 0.05)], labels)
    assert found.reason == "shared_token"
    low, high = found.logit_range
    # 0.8 and the 0.05 that is not listed may belong to either
    assert low == pytest.approx(log(0.1 / 0.9))
    assert high == pytest.approx(log(0.95 / 0.05))


def test_a_common_beginning_that_hardly_occurs_is_left_out() -> None:
    # 0.0004 is less than a hundredth of 0.05
    found = read(
        [("True", 0.9), ("Test", 0.05), ("T", 0.0004)], labels=("Test", "True")
    )
    assert found.reason is None
    assert probabilities(found) == pytest.approx((0.05, 0.9))


def test_equal_labels_share_everything() -> None:
    assert read([("Yes", 0.9)], ("Yes", "yes")).reason == "shared_token"


def test_a_label_without_a_word_is_never_begun() -> None:
    assert read([("Yes", 0.9), ("No", 0.1)], ("Yes", "!")).reason == "outside_top"


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ((), "Yes"),
        (("**",), "**Yes"),
        (("\n", ' "'), '\n "Yes'),
        (("<think>", "No", ", but", "</think>", "\n\n"), "Yes"),
        (("<|start|>",), "Yes"),
    ],
)
def test_the_answer_is_read_where_the_first_word_of_the_reply_is(
    before: tuple[str, ...], text: str
) -> None:
    marks = [token([(mark, 0.9), ("No", 0.1)]) for mark in before]
    answer = token([("Yes", 0.8), ("No", 0.2)])
    after = token([("No", 1.0)])
    found = top_labels(reply(text, *marks, answer, after), "Yes", "No")
    assert found.position == len(before)
    assert probabilities(found) == pytest.approx((0.8, 0.2))


def test_the_chosen_token_counts_where_the_list_leaves_it_out() -> None:
    chosen = token([("Yes", 0.6), ("I", 0.3)], chosen="No", p=0.05)
    found = top_labels(reply("No", chosen), "Yes", "No")
    assert probabilities(found) == pytest.approx((0.6, 0.05))
    assert found.seen == pytest.approx(0.95)


def test_a_sure_answer_is_no_missing_one() -> None:
    # log-probability 0 is a probability of 1, and nothing else is listed
    found = read([("Yes", 1.0), ("No", 1e-9)])
    assert probabilities(found) == pytest.approx((1.0, 1e-9))
    assert found.reason is None


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        (ModelOutput(), "empty"),
        (reply("Yes"), "no_logprobs"),
        (reply("Yes", Logprob(token="Yes", logprob=-0.1)), "no_logprobs"),
        (reply("", token([("\n", 0.9), ("Yes", 0.1)])), "empty"),
        (reply("", token([("<|im_end|>", 0.9), ("Yes", 0.1)])), "empty"),
        (reply("", token([("<think>", 0.9)]), token([("Yes", 0.9)])), "empty"),
        (reply("Yes", token([("Yes", 0.9)]), stop="content_filter"), "content_filter"),
        # one token is missing, so that the list of the next would be taken for it
        (reply("Yes, no.", token([("no", 0.9), ("Yes", 0.1)])), "misaligned"),
    ],
)
def test_where_nothing_can_be_read_there_is_a_reason(
    output: ModelOutput, reason: str
) -> None:
    found = top_labels(output, "Yes", "No")
    assert found.reason == reason
    assert found.evaluation.logprob is None
    assert found.deployment.logprob is None
    assert found.logit_range == (-inf, inf)


FORMS = [
    (question, order)
    for question, order in product(core_bank().questions, ORDERS)
    if question.id in ("direct-test", "direct-use")
]
"""A pair of opposite questions in both label orders."""

TURNS = [user("What is 2 + 2?"), assistant("4.")]

CONFIG = GenerateConfig(temperature=0.0, max_tokens=1, logprobs=True, top_logprobs=20)


def words(question: Question, order: Order) -> str:
    """The message that asks a form."""
    return core_bank().frame_of(question, "label").render(question, order)


def read_forms(model: Model) -> list[TopLabels]:
    """What the top lists say about each form."""

    async def each_form() -> list[ModelOutput]:
        calls = [
            model.generate(
                [*TURNS, ChatMessageUser(content=words(*form))], config=CONFIG
            )
            for form in FORMS
        ]
        return await asyncio.gather(*calls)

    outputs = asyncio.run(each_form())
    return [
        top_labels(output, question.evaluation, question.deployment)
        for output, (question, _) in zip(outputs, FORMS, strict=True)
    ]


@each(CHAT, GOOGLE)
def test_belief_and_biases_of_a_rater_come_back_over_http(client: Client) -> None:
    rater = Biased(belief=-0.7, yes=1.3, first=0.4, mass=0.9)
    with served(rater) as server:
        found = read_forms(client.of(server))
    assert [labels.reason for labels in found] == [None] * 4
    assert [labels.mass for labels in found] == pytest.approx([0.9] * 4)
    logits = [
        labels.evaluation.logprob - labels.deployment.logprob  # type: ignore[operator]
        for labels in found
    ]
    asserts = [1 if q.asserts == "evaluation" else -1 for q, _ in FORMS]
    first = [1 if order == "evaluation_first" else -1 for _, order in FORMS]
    # each bias changes sign half of the time: means with those signs tell them apart
    assert fmean(logits) == pytest.approx(-0.7, abs=1e-9)
    assert fmean(map(float.__mul__, logits, map(float, asserts))) == pytest.approx(1.3)
    assert fmean(map(float.__mul__, logits, map(float, first))) == pytest.approx(0.4)


@each(RESPONSES, MESSAGES)
def test_a_provider_without_log_probabilities_has_a_reason(client: Client) -> None:
    with served(Biased(0.5)) as server:
        found = read_forms(client.of(server))
    assert {labels.reason for labels in found} == {"no_logprobs"}
    assert all(asked.top is None for asked in server.asked), "none are asked for"


@each(CHAT)
def test_the_responses_api_gives_them_for_models_that_do_not_reason(
    client: Client,
) -> None:
    with served(Biased(0.5)) as server:
        found = read_forms(client.of(server, responses_api=True))
    assert {asked.format for asked in server.asked} == {"responses"}
    assert [labels.reason for labels in found] == [None] * 4


@each(CHAT, GOOGLE)
def test_a_server_that_leaves_them_out_has_a_reason(client: Client) -> None:
    with served(lambda asked: Said("Yes")) as server:
        found = read_forms(client.of(server))
    assert {labels.reason for labels in found} == {"no_logprobs"}


@each(GOOGLE)
def test_a_token_that_inspect_drops_is_noticed(client: Client) -> None:
    # Inspect leaves out a token of Google's whose log-probability is exactly 0
    def sure(asked: Asked) -> Said:
        top = (("Yes", -0.5), ("No", -1.0))
        sure, then = Token("Yes", 0.0, (("Yes", 0.0),)), Token(" No", -0.5, top)
        return Said("Yes No", (sure, then))

    with served(sure) as server:
        found = read_forms(client.of(server))
    assert {labels.reason for labels in found} == {"misaligned"}


@real.needed
@each(CHAT, GOOGLE)
def test_the_top_list_is_the_real_models_own_probabilities(client: Client) -> None:
    with served(embedded()) as server:
        found = read_forms(client.of(server))
    labels = [
        (form, label, name)
        for form, read in zip(FORMS, found, strict=True)
        for label, name in (
            (read.evaluation, form[0].evaluation),
            (read.deployment, form[0].deployment),
        )
    ]
    exact = exactly([(form, label.tokens or (name,)) for form, label, name in labels])
    for (_, label, name), logprobs in zip(labels, exact, strict=True):
        total = log(sum(map(exp, logprobs)))
        assert total <= label.bound + 1e-4
        assert all(name.lower().startswith(first_word(t)) for t in label.tokens)
        if label.logprob is not None:
            assert label.logprob == pytest.approx(total, abs=1e-4)
    listed = [label for _, label, _ in labels if label.logprob is not None]
    assert len(listed) >= 4, "both labels are mostly in the list"


def exactly(
    asked: Sequence[tuple[tuple[Question, Order], tuple[str, ...]]],
) -> list[tuple[float, ...]]:
    """The real model's log-probabilities of tokens at the beginning of a reply."""
    name, args = f"whitebox/{real.NAME}", {"dtype": "float32", "device": "cpu"}
    scorer = get_model(name, memoize=False, **args).api
    assert isinstance(scorer, LabelScorer)
    requests = [
        LabelRequest(
            messages=(*TURNS, ChatMessageUser(content=words(*form))),
            prefill="",
            labels=tokens,
        )
        for form, tokens in asked
    ]
    results = asyncio.run(scorer.label_logprobs(requests))
    # what is compared is one token each
    assert {n for result in results for n in result.label_tokens} == {1}
    return [result.logprobs for result in results]


def test_the_scripted_rater_has_the_biases_that_it_is_given() -> None:
    rater = Biased(belief=0.0, yes=1.0, first=0.25)
    texts = [words(*form) for form in FORMS]
    known = {asked_question(text): rater.logit(text) for text in texts}
    assert sorted(known.values()) == [-1.25, -0.75, 0.75, 1.25]
