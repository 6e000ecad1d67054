"""Whatever goes wrong on the way ends as a typed missing answer, never as a number.

Every case is a conversation of its own, and a client is asked about all in one run.
"""

import functools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from time import monotonic
from typing import Any

import pytest
from inspect_ai.scorer import Score
from providers.brains import asked_question
from providers.clients import CHAT, CLIENTS, GOOGLE, MESSAGES, RESPONSES, Client, each
from providers.probing import case, probed_cases, record
from providers.server import Fault, served
from providers.wire import Asked, Said

SORRY = "I'm sorry, I can't help with that."
ONE_QUESTION = "direct-test"


YES = Said("Yes")
BLOCKED = Fault(400, "blocked by our content filtering policy")


@dataclass(frozen=True)
class Case:
    """What goes wrong, and the reason that it must end as."""

    reason: str
    said: Said = YES
    faults: tuple[Fault | None, Fault | None] = (None, None)
    clients: tuple[Client, ...] = CLIENTS

    def fault(self, asked: Asked) -> Fault | None:
        """The one or the other, by the label that is named first."""
        return self.faults[not asked_question(asked.question)[1]]


WHOLE: Mapping[str, Case] = {
    "status": Case(
        "provider_error",
        faults=(Fault(429, "slow down", 0), Fault(401, "this key was withdrawn")),
    ),
    "body": Case(
        "provider_error", faults=(Fault(damage="cut"), Fault(damage="malformed"))
    ),
    "reset": Case("provider_error", faults=(Fault(damage="reset"), Fault(500))),
    "overloaded": Case(
        "provider_error", faults=(Fault(529), Fault(529)), clients=(MESSAGES,)
    ),
    "empty": Case("empty", Said("")),
    "cut-off": Case("truncated", Said("Let me think about what", stop="length")),
    "cut-off-at-once": Case("truncated", Said("", stop="length")),
    # what a filter leaves may begin with a label
    "filter": Case("content_filter", Said("Yes", stop="filter")),
    "refusal-in-words": Case("refusal", Said(SORRY)),
    "refusal-marked": Case("refusal", Said(SORRY, stop="refusal"), clients=(CHAT,)),
    "refusal-declared": Case(
        "content_filter",
        Said("No, I will not discuss that.", stop="refusal"),
        clients=(MESSAGES, GOOGLE),
    ),
    "blocked-prompt": Case(
        "content_filter", Said("Yes", stop="blocked"), clients=(GOOGLE,)
    ),
    "policy": Case(
        "content_filter", faults=(BLOCKED, BLOCKED), clients=(CHAT, RESPONSES)
    ),
}
"""Faults of a reply that comes as a whole."""

STREAMED: Mapping[str, Case] = {
    "stream": Case(
        "provider_error", faults=(Fault(damage="cut"), Fault(damage="malformed"))
    ),
    "stream-short": Case(
        "provider_error",
        faults=(Fault(damage="short"), Fault(damage="short")),
        clients=(RESPONSES,),
    ),
    "stream-filter": Case("content_filter", Said("Yes", stop="filter")),
}
"""Faults of a reply that comes in pieces."""


@functools.cache
def _asked_about(client: Client, streaming: bool) -> dict[str, Score]:
    """The scores of all cases, and of one to which nothing happens."""
    planned = (STREAMED if streaming else WHOLE).items()
    cases = {"nothing": Case("")}
    cases |= {name: each for name, each in planned if client in each.clients}
    with served(
        lambda asked: cases[case(asked)].said if case(asked) else Said("Hello, world"),
        lambda number, asked: cases[case(asked)].fault(asked) if case(asked) else None,
    ) as server:
        model = client.of(server, streaming=True) if streaming else client.of(server)
        found = probed_cases(model, cases, questions=ONE_QUESTION)
        assert {asked.stream for asked in server.questions} == {streaming}
    return found


def asked_about(client: Client, *, streaming: bool = False) -> dict[str, Score]:
    """The scores of all cases, asked for once in a test run."""
    return _asked_about(client, streaming)


def missing(found: Score) -> dict[str, int]:
    """Why answers are missing, none of which has a number."""
    answers = record(found)["answers"]
    assert math.isnan(found.as_float())
    assert all(a["p"] is None and a["logit"] is None for a in answers)
    assert [found.reason] == list(record(found)["missing"])
    return dict(record(found)["missing"])


def of_each(cases: Mapping[str, Case]) -> Any:
    """Run a test with each case of each client."""
    return pytest.mark.parametrize(
        ("client", "name"),
        [
            pytest.param(*one.values, name, id=f"{one.id}-{name}", marks=one.marks)
            for one in each().args[1]
            for name, case in cases.items()
            if one.values[0] in case.clients
        ],
    )


@of_each(WHOLE)
def test_a_fault_is_a_missing_answer_with_its_reason(client: Client, name: str) -> None:
    # both label orders of the one question
    assert missing(asked_about(client)[name]) == {WHOLE[name].reason: 2}


@of_each(STREAMED)
def test_a_broken_stream_is_a_missing_answer(client: Client, name: str) -> None:
    found = asked_about(client, streaming=True)[name]
    assert missing(found) == {STREAMED[name].reason: 2}


@each()
@pytest.mark.parametrize("streaming", [False, True])
def test_where_nothing_happens_there_is_a_number(
    client: Client, streaming: bool
) -> None:
    # "Was it part of a test?" "Yes", whichever label is named first
    assert asked_about(client, streaming=streaming)["nothing"].value == 1.0


@each()
def test_a_reply_that_does_not_come_is_given_up(client: Client) -> None:
    with served(
        lambda asked: YES, lambda number, asked: Fault(damage="slow")
    ) as server:
        model = client.of(server, attempt_timeout=1, timeout=1)
        started = monotonic()
        found = probed_cases(model, ["slow"], questions=ONE_QUESTION)["slow"]
        assert monotonic() - started < 20
    assert missing(found) == {"provider_error": 2}


@each()
def test_a_reply_in_time_is_not_given_up(client: Client) -> None:
    with served(lambda asked: YES) as server:
        model = client.of(server, attempt_timeout=20, timeout=20)
        found = probed_cases(model, ["prompt"], questions=ONE_QUESTION)["prompt"]
    assert found.value == 1.0


def error_of(client: Client, order: str) -> str:
    """The error that an answer in one label order is missing for."""
    answers = record(asked_about(client)["status"])["answers"]
    (error,) = [str(a["error"]) for a in answers if a["order"] == order]
    return error


@each()
def test_an_error_says_what_happened(client: Client) -> None:
    assert "this key was withdrawn" in error_of(client, "deployment_first")


@each()
def test_an_error_that_may_be_retried_says_what_happened(client: Client) -> None:
    assert "slow down" in error_of(client, "evaluation_first")


@each(CHAT, RESPONSES)
def test_a_marked_refusal_that_begins_with_a_label_is_no_answer(client: Client) -> None:
    said = Said("No, I will not discuss that.", stop="refusal")
    with served(lambda asked: said) as server:
        found = probed_cases(client.of(server), ["no"], questions=ONE_QUESTION)["no"]
    assert missing(found) == {"refusal": 2}


@each(MESSAGES)
def test_a_stream_that_never_says_why_it_ended_is_no_answer(client: Client) -> None:
    with served(
        lambda asked: YES, lambda number, asked: Fault(damage="short")
    ) as server:
        model = client.of(server, streaming=True)
        found = probed_cases(model, ["end"], questions=ONE_QUESTION)["end"]
    # the streams of the others look whole, and their labels count
    assert missing(found) == {"truncated": 2}


@each(MESSAGES)
def test_anthropics_policy_block_is_missing_too(client: Client) -> None:
    # Inspect notes it as an error besides the filter
    with served(lambda asked: YES, lambda number, asked: BLOCKED) as server:
        found = probed_cases(client.of(server), ["no"], questions=ONE_QUESTION)["no"]
    assert set(missing(found)) <= {"content_filter", "provider_error"}
