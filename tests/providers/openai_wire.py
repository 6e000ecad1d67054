"""The two wire formats of OpenAI: chat completions, and responses."""

import json
from typing import Any

from providers.wire import Asked, Format, Said, Token, text_of, tokens_of, tokens_read

STOPS = {"stop": "stop", "length": "length", "filter": "content_filter"}


def read_chat(name: str, path: str, raw: bytes) -> Asked:
    body = json.loads(raw)
    return Asked(
        format=name,
        raw=raw,
        body=body,
        messages=tuple((m["role"], text_of(m["content"])) for m in body["messages"]),
        top=body.get("top_logprobs", 0) if body.get("logprobs") else None,
        temperature=body.get("temperature"),
        max_tokens=body.get("max_tokens") or body.get("max_completion_tokens"),
        stream=body.get("stream", False),
    )


def write_chat(asked: Asked, said: Said) -> dict[str, Any]:
    refused = said.stop == "refusal"
    message = {
        "role": "assistant",
        "content": None if refused else said.text,
        "refusal": said.text if refused else None,
    }
    choice = {
        "index": 0,
        "message": message,
        "finish_reason": STOPS.get(said.stop, "stop"),
        "logprobs": _logprobs(asked, said),
    }
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": asked.body["model"],
        "choices": [choice],
        "usage": _chat_usage(asked, said),
    }


def chat_events(asked: Asked, said: Said) -> list[str]:
    head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1}
    head["model"] = asked.body["model"]
    deltas: list[tuple[dict[str, Any], str | None]] = [
        ({"role": "assistant", "content": said.text}, None),
        ({}, STOPS.get(said.stop, "stop")),
    ]
    chunks: list[dict[str, Any]] = [
        {**head, "choices": [{"index": 0, "delta": d, "finish_reason": stop}]}
        for d, stop in deltas
    ]
    chunks.append({**head, "choices": [], "usage": _chat_usage(asked, said)})
    return [*(f"data: {json.dumps(c)}\n\n" for c in chunks), "data: [DONE]\n\n"]


def _chat_usage(asked: Asked, said: Said) -> dict[str, Any]:
    read, written = tokens_read(asked), tokens_of(said.text)
    return {
        "prompt_tokens": read,
        "completion_tokens": written,
        "total_tokens": read + written,
        "prompt_tokens_details": {"cached_tokens": said.cached},
    }


def _logprobs(asked: Asked, said: Said) -> dict[str, Any] | None:
    """The tokens of a reply, if they were asked for and are known."""
    if asked.top is None or not said.tokens:
        return None
    return {"content": [_token(t, asked.top) for t in said.tokens], "refusal": None}


def _token(token: Token, top: int) -> dict[str, Any]:
    alternatives = [
        {"token": t, "logprob": v, "bytes": None} for t, v in token.top[:top]
    ]
    return {
        "token": token.text,
        "logprob": token.logprob,
        "bytes": None,
        "top_logprobs": alternatives,
    }


def error(status: int, message: str) -> dict[str, Any]:
    kind = {429: "rate_limit_exceeded", 400: "invalid_request_error"}
    return {
        "error": {
            "message": message,
            "type": kind.get(status, "server_error"),
            "param": None,
            "code": "content_filter" if status == 400 else None,
        }
    }


def read_responses(name: str, path: str, raw: bytes) -> Asked:
    body = json.loads(raw)
    given = body["input"]
    items = [{"role": "user", "content": given}] if isinstance(given, str) else given
    included = "message.output_text.logprobs" in body.get("include", [])
    return Asked(
        format=name,
        raw=raw,
        body=body,
        messages=tuple(
            (i["role"], text_of(i["content"])) for i in items if "role" in i
        ),
        top=body.get("top_logprobs", 0) if included else None,
        temperature=body.get("temperature"),
        max_tokens=body.get("max_output_tokens"),
        stream=body.get("stream", False),
    )


def write_responses(asked: Asked, said: Said) -> dict[str, Any]:
    content: dict[str, Any] = {"type": "refusal", "refusal": said.text}
    if said.stop != "refusal":
        content = {
            "type": "output_text",
            "text": said.text,
            "annotations": [],
            "logprobs": (_logprobs(asked, said) or {}).get("content", []),
        }
    reasons = {"length": "max_output_tokens", "filter": "content_filter"}
    cut = reasons.get(said.stop)
    message = {
        "type": "message",
        "id": "msg_1",
        "status": "incomplete" if cut else "completed",
        "role": "assistant",
        "content": [content],
    }
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "model": asked.body["model"],
        "status": "incomplete" if cut else "completed",
        "incomplete_details": {"reason": cut} if cut else None,
        "output": [message],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": _responses_usage(asked, said),
    }


def responses_events(asked: Asked, said: Said) -> list[str]:
    whole = write_responses(asked, said)
    started = {**whole, "status": "in_progress", "output": [], "usage": None}
    events = [
        {"type": "response.created", "sequence_number": 0, "response": started},
        {"type": "response.completed", "sequence_number": 1, "response": whole},
    ]
    return [f"event: {e['type']}\ndata: {json.dumps(e)}\n\n" for e in events]


def _responses_usage(asked: Asked, said: Said) -> dict[str, Any]:
    read, written = tokens_read(asked), tokens_of(said.text)
    return {
        "input_tokens": read,
        "input_tokens_details": {"cached_tokens": said.cached, "cache_write_tokens": 0},
        "output_tokens": written,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": read + written,
    }


CHAT = Format(
    "chat", r"/v1/chat/completions", read_chat, write_chat, chat_events, error, 1
)
RESPONSES = Format(
    "responses",
    r"/v1/responses",
    read_responses,
    write_responses,
    responses_events,
    error,
    1,
)
