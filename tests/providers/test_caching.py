"""Prompt caches: what questions share comes first, byte by byte."""

import json
from pathlib import Path
from typing import Any

import pytest
from builders import assistant, user
from inspect_ai.model import ChatMessage
from providers.brains import PrefixCache, sure_of
from providers.clients import CHAT, MESSAGES, Client, each
from providers.probing import AGENTIC, CHAT_TURNS, chat_log, probed, record
from providers.server import Server, served
from providers.wire import Asked, tokens_read

LONG = (user("Read this. " + "All work and no play. " * 200), assistant("I did."))


EIGHT_FORMS = "direct-test,direct-use,purpose-help,purpose-measure"


def shared_by(requests: list[Asked]) -> bytes:
    """The bytes that all requests begin with."""
    raws = [asked.raw for asked in requests]
    least = min(map(len, raws))
    differ = (n for n in range(least) if len({raw[n] for raw in raws}) > 1)
    return raws[0][: next(differ, least)]


@each()
@pytest.mark.parametrize("messages", [CHAT_TURNS, AGENTIC], ids=["chat", "agentic"])
def test_the_transcript_is_the_same_bytes_before_every_question(
    client: Client, messages: tuple[ChatMessage, ...], tmp_path: Path
) -> None:
    with served(sure_of("evaluation")) as server:
        probed(client.of(server), chat_log(tmp_path, messages), questions=EIGHT_FORMS)
    shared = shared_by(server.questions).decode()
    # the transcript stands in it whole, and the frame of the question up to its words
    assert json.dumps(messages[-1].text) in shared
    assert shared.endswith(("which is no part of it.\\n\\n", "no part of it.\\n\\nW"))
    assert not any(
        asked.raw.decode().startswith(shared + '"') for asked in server.asked
    )


@each(MESSAGES)
def test_anthropics_mark_stands_at_the_end_of_the_transcript(
    client: Client, tmp_path: Path
) -> None:
    with served(sure_of("evaluation")) as server:
        probed(client.of(server), chat_log(tmp_path))
    for asked in server.questions:
        *_, last, question = asked.body["messages"]
        assert last["content"][-1]["cache_control"] == {"type": "ephemeral"}
        assert "cache_control" not in str(question)
        # the system message is marked too, and the whole request
        assert asked.body["system"][-1]["cache_control"] == {"type": "ephemeral"}
        assert asked.body["cache_control"] == {"type": "ephemeral"}


@each(MESSAGES)
def test_a_transcript_that_ends_with_the_user_has_no_mark_of_its_own(
    client: Client, tmp_path: Path
) -> None:
    # Anthropic takes no two user messages in a row, so the question joins the last
    with served(sure_of("evaluation")) as server:
        probed(client.of(server), chat_log(tmp_path), view="prompt")
    for asked in server.questions:
        (only,) = asked.body["messages"]
        assert CHAT_TURNS[1].text in str(only["content"])
        assert "cache_control" not in str(only)


def billed(server: Server, found: Any) -> tuple[int, int]:
    """Tokens that were sent, and those of them that no cache held."""
    return sum(map(tokens_read, server.questions)), record(found)["tokens"]["input"]


@each()
def test_tokens_from_a_cache_are_not_among_the_input_tokens(
    client: Client, tmp_path: Path
) -> None:
    cache = PrefixCache(sure_of("evaluation"))
    with served(cache) as server:
        model = client.of(server, max_connections=1)
        found = probed(model, chat_log(tmp_path, LONG))
    sent, counted = billed(server, found)
    # one after another, the last three of four forms find the transcript in the cache
    prefix = tokens_read(server.questions[0]) - len(server.questions[0].question) // 4
    assert sent - counted == pytest.approx(3 * prefix, abs=8)


@each(CHAT)
def test_the_first_question_goes_ahead_of_the_others(
    client: Client, tmp_path: Path
) -> None:
    with served(PrefixCache(sure_of("evaluation"), pause=0.3)) as server:
        model = client.of(server, max_connections=8)
        found = probed(model, chat_log(tmp_path, LONG))
    (_, first_done), *others = server.times
    assert all(arrived > first_done - 0.1 for arrived, _ in others)
    sent, counted = billed(server, found)
    assert counted < 0.4 * sent
