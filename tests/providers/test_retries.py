"""How often a provider that fails is asked, and how long that takes."""

import asyncio
from contextlib import ExitStack
from itertools import product
from pathlib import Path
from time import monotonic

import pytest
from inspect_ai.model import ChatMessageUser, GenerateConfig, Model
from providers.brains import sure_of
from providers.clients import (
    CHAT,
    CLIENTS,
    GOOGLE,
    MESSAGES,
    OWN_WARNING,
    RESPONSES,
    Client,
    each,
    installed,
)
from providers.probing import chat_log, probed, record
from providers.server import Fault, Server, closed_port, served
from providers.wire import Asked

from inspect_awareness.errors import ModelError
from inspect_awareness.runs import Inputs, Target, score_files
from inspect_awareness.solvers._asking import asking
from inspect_awareness.solvers._sampled import connection

ATTEMPTS = {CHAT: 3, RESPONSES: 3, MESSAGES: 3, GOOGLE: 1}
"""Requests that a client makes of one call where a server says 429 or 5xx."""


def always_fails(number: int, asked: Asked) -> Fault | None:
    """All but OpenAI's request for itself."""
    return None if "hello, world" in asked.question else Fault(500)


async def failed(model: Model) -> None:
    """One call, which does not succeed."""
    with pytest.raises(Exception, match="RetryError"):
        await model.generate([ChatMessageUser(content="Yes?")])


@OWN_WARNING
def test_inspects_retries_multiply_the_clients_own() -> None:
    clients = [client for client in CLIENTS if installed(client.package)]

    async def calls(servers: list[Server]) -> None:
        models = [
            client.of(server, retries=retries, own_retries=None)
            for (client, retries), server in zip(planned, servers, strict=True)
        ]
        await asyncio.gather(*(failed(model) for model in models))

    planned = list(product(clients, (0, 1)))
    with ExitStack() as stack:
        servers = [
            stack.enter_context(served(sure_of("evaluation"), always_fails))
            for _ in planned
        ]
        started = monotonic()
        asyncio.run(calls(servers))
        # Inspect waits 3 to 6 seconds before its first retry
        assert 3 < monotonic() - started < 30
    for (client, retries), server in zip(planned, servers, strict=True):
        # max_retries counts retries, so that 1 allows two attempts of Inspect's
        assert len(server.questions) == (1 + retries) * ATTEMPTS[client]


def test_retries_and_waiting_are_bounded_where_nobody_says_anything() -> None:
    bounds = connection(GenerateConfig())
    assert bounds.max_retries is not None
    assert bounds.timeout is not None
    given = connection(GenerateConfig(max_retries=0, timeout=7, attempt_timeout=3))
    assert (given.max_retries, given.timeout, given.attempt_timeout) == (0, 7, 3)


@each()
def test_a_rate_limit_that_passes_leaves_no_trace(
    client: Client, tmp_path: Path
) -> None:
    if client is GOOGLE:
        pytest.skip("its client leaves retries to Inspect, which waits for seconds")

    def once(number: int, asked: Asked) -> Fault | None:
        first = [a for a in server.asked if a.question == asked.question]
        return Fault(429, retry_after=0.01) if len(first) == 1 else None

    with served(sure_of("evaluation"), lambda n, asked: once(n, asked)) as server:
        model = client.of(server, own_retries=1)
        found = probed(model, chat_log(tmp_path))
    assert found.value == 1.0
    assert record(found)["missing"] == {}
    # four forms, each asked twice
    assert len(server.questions) == 2 * 4


@each()
def test_a_run_on_a_provider_that_is_down_ends_soon_and_with_one_line(
    client: Client, tmp_path: Path
) -> None:
    log, output = chat_log(tmp_path), tmp_path / "out.eval"
    model = client.at(f"http://127.0.0.1:{closed_port()}")
    how, started = asking(questions="direct-test"), monotonic()
    with pytest.raises(ModelError) as raised:
        score_files(Inputs([str(log)]), model, how, Target(output))
    assert monotonic() - started < 30
    message = str(raised.value)
    assert message.startswith(f"{client.model}: no reply to any question")
    assert "\n" not in message
    assert not output.exists()
