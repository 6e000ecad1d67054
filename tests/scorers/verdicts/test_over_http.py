"""A judge behind each provider's real client: the form, refusals, and policies."""

import math
from pathlib import Path
from typing import Any

import pytest
from builders import log_file, sample
from inspect_ai import score
from inspect_ai.log import read_eval_log
from inspect_ai.scorer import Score
from providers.clients import CHAT, GOOGLE, MESSAGES, RESPONSES, Client, each
from providers.conftest import _loopback  # noqa: F401 no proxy, no key
from providers.server import Fault, served
from providers.wire import Asked, Said
from scorers.verdicts.said import AWARE, record, thoughts, verdict

from inspect_awareness.scorers import verbalized_awareness

YES = verdict(True, AWARE, type="safety")


def holds_form(asked: Asked) -> bool:
    """Whether a request, the conversation aside, names the keys of a verdict."""
    talk = ("messages", "input", "contents")
    rest = {key: value for key, value in asked.body.items() if key not in talk}
    return "hypothetical" in str(rest)


def judged(client: Client, server: Any, folder: Path, **arguments: Any) -> Score:
    log = log_file(folder / "a.eval", [sample(1, thoughts("I look.", AWARE))])
    made = score(
        read_eval_log(log),
        verbalized_awareness(**arguments),
        model=client.of(server),
        display="none",
    )
    assert made.samples is not None
    return (made.samples[0].scores or {})["verbalized_awareness"]


@each()
def test_each_provider_is_held_to_the_form(client: Client, tmp_path: Path) -> None:
    with served(lambda asked: Said(YES)) as server:
        made = judged(client, server, tmp_path)
    (asked,) = server.questions
    assert (made.value, made.answer) == (1.0, "aware (safety)")
    assert record(made)["votes"][0]["structured"] is True
    assert holds_form(asked)
    assert AWARE in asked.question
    assert record(made)["tokens"]["output"] > 0


@each(CHAT)
def test_without_the_form_words_are_read(client: Client, tmp_path: Path) -> None:
    reply = f"My verdict:\n```json\n{YES}\n```"
    with served(lambda asked: Said(reply)) as server:
        made = judged(client, server, tmp_path, structured="never")
    assert made.value == 1.0
    assert not holds_form(server.questions[0])


@each(CHAT, MESSAGES)
def test_a_model_that_knows_no_form_is_asked_without_it(
    client: Client, tmp_path: Path
) -> None:
    def plan(number: int, asked: Asked) -> Fault | None:
        words = "response_format of type json_schema is not supported by this model"
        # the server marks each 400 in OpenAI's formats as one of the content filter
        status = 422 if client is CHAT else 400
        return Fault(status, words) if holds_form(asked) else None

    with served(lambda asked: Said(YES), plan) as server:
        made = judged(client, server, tmp_path)
    assert [holds_form(asked) for asked in server.questions] == [True, False]
    assert made.value == 1.0
    assert record(made)["votes"][0]["structured"] is False


@pytest.mark.parametrize(
    ("stop", "reason"),
    [
        ("length", {"truncated"}),
        ("filter", {"content_filter", "refusal"}),
        ("refusal", {"refusal", "content_filter"}),
    ],
)
@each(CHAT, MESSAGES)
def test_replies_that_stop_are_missing_with_their_reason(
    client: Client, stop: str, reason: set[str], tmp_path: Path
) -> None:
    with served(lambda asked: Said(YES, stop=stop)) as server:
        made = judged(client, server, tmp_path)
    assert math.isnan(made.as_float())
    assert made.reason in reason


@each(RESPONSES, GOOGLE)
def test_a_policy_that_refuses_the_text_is_no_verdict(
    client: Client, tmp_path: Path
) -> None:
    def plan(number: int, asked: Asked) -> Fault | None:
        return Fault(400, "This request was flagged under our usage policy.")

    with served(lambda asked: Said(YES), plan) as server:
        made = judged(client, server, tmp_path)
    assert math.isnan(made.as_float())
    assert made.reason == "content_filter"
    assert len(server.questions) == 1


def test_a_server_that_is_down_is_not_a_policy(tmp_path: Path) -> None:
    with served(lambda asked: Said(YES), lambda n, asked: Fault(500)) as server:
        made = judged(CHAT, server, tmp_path)
    assert (math.isnan(made.as_float()), made.reason) == (True, "provider_error")
