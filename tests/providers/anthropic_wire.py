"""The wire format of Anthropic messages."""

import json
from typing import Any

from providers.wire import Asked, Format, Said, text_of, tokens_of, tokens_read

STOPS = {"length": "max_tokens", "refusal": "refusal", "filter": "refusal"}


def read(name: str, path: str, raw: bytes) -> Asked:
    body = json.loads(raw)
    system = body.get("system")
    first = [("system", text_of(system))] if system else []
    said = [(m["role"], text_of(m["content"])) for m in body["messages"]]
    return Asked(
        format=name,
        raw=raw,
        body=body,
        messages=(*first, *said),
        top=None,
        temperature=body.get("temperature"),
        max_tokens=body.get("max_tokens"),
        stream=body.get("stream", False),
    )


def write(asked: Asked, said: Said) -> dict[str, Any]:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": asked.body["model"],
        "content": [{"type": "text", "text": said.text}] if said.text else [],
        "stop_reason": STOPS.get(said.stop, "end_turn"),
        "stop_sequence": None,
        "usage": _usage(asked, said),
    }


def events(asked: Asked, said: Said) -> list[str]:
    whole = write(asked, said)
    start = {**whole, "content": [], "stop_reason": None}
    block = {"type": "text", "text": ""}
    delta = {"type": "text_delta", "text": said.text}
    end = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    sent: list[dict[str, Any]] = [
        {"type": "message_start", "message": start},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": end, "usage": {"output_tokens": 1}},
        {"type": "message_stop"},
    ]
    return [f"event: {e['type']}\ndata: {json.dumps(e)}\n\n" for e in sent]


def error(status: int, message: str) -> dict[str, Any]:
    kind = {429: "rate_limit_error", 529: "overloaded_error"}
    kind[400] = "invalid_request_error"
    return {
        "type": "error",
        "error": {"type": kind.get(status, "api_error"), "message": message},
    }


def _usage(asked: Asked, said: Said) -> dict[str, Any]:
    """Tokens read from the cache are not among the input tokens here."""
    return {
        "input_tokens": tokens_read(asked) - said.cached,
        "cache_read_input_tokens": said.cached,
        "cache_creation_input_tokens": 0,
        "output_tokens": tokens_of(said.text),
    }


MESSAGES = Format("messages", r"/v1/messages", read, write, events, error, 4)
