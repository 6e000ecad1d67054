"""The wire format of Google's generateContent."""

import json
from typing import Any

from providers.wire import Asked, Format, Said, text_of, tokens_of, tokens_read

STOPS = {"length": "MAX_TOKENS", "filter": "SAFETY", "refusal": "PROHIBITED_CONTENT"}
ROLES = {"model": "assistant"}


def read(name: str, path: str, raw: bytes) -> Asked:
    body = json.loads(raw)
    config = body.get("generationConfig", {})
    system = body.get("systemInstruction")
    first = [("system", text_of(system["parts"]))] if system else []
    said = [
        (ROLES.get(c["role"], c["role"]), text_of(c["parts"])) for c in body["contents"]
    ]
    return Asked(
        format=name,
        raw=raw,
        body=body,
        messages=(*first, *said),
        top=config.get("logprobs", 0) if config.get("responseLogprobs") else None,
        temperature=config.get("temperature"),
        max_tokens=config.get("maxOutputTokens"),
        stream="streamGenerateContent" in path,
    )


def write(asked: Asked, said: Said) -> dict[str, Any]:
    if said.stop == "blocked":
        return blocked(asked, said)
    return {
        "candidates": [_candidate(asked, said)],
        "usageMetadata": _usage(asked, said),
        "modelVersion": "gemini-2.0-flash",
        "responseId": "r1",
    }


def blocked(asked: Asked, said: Said) -> dict[str, Any]:
    """No candidate at all, since the prompt was blocked."""
    return {
        "promptFeedback": {"blockReason": "SAFETY"},
        "usageMetadata": _usage(asked, said),
        "modelVersion": "gemini-2.0-flash",
    }


def events(asked: Asked, said: Said) -> list[str]:
    whole = write(asked, said)
    (candidate,) = whole["candidates"]
    begun = {k: v for k, v in candidate.items() if k != "finishReason"}
    end = {"index": 0, "finishReason": candidate["finishReason"]}
    sent = [{**whole, "candidates": [begun]}, {**whole, "candidates": [end]}]
    return [f"data: {json.dumps(e)}\n\n" for e in sent]


def error(status: int, message: str) -> dict[str, Any]:
    kind = {429: "RESOURCE_EXHAUSTED", 503: "UNAVAILABLE", 400: "INVALID_ARGUMENT"}
    return {
        "error": {
            "code": status,
            "message": message,
            "status": kind.get(status, "INTERNAL"),
        }
    }


def _candidate(asked: Asked, said: Said) -> dict[str, Any]:
    found: dict[str, Any] = {
        "index": 0,
        "content": {"role": "model", "parts": [{"text": said.text}]},
        "finishReason": STOPS.get(said.stop, "STOP"),
    }
    if not said.text:
        found["content"] = {"role": "model"}
    if asked.top is not None and said.tokens:
        found["logprobsResult"] = {
            "chosenCandidates": [_token(t.text, t.logprob) for t in said.tokens],
            "topCandidates": [
                {"candidates": [_token(*pair) for pair in t.top[: asked.top]]}
                for t in said.tokens
            ],
        }
    return found


def _token(text: str, logprob: float) -> dict[str, Any]:
    return {"token": text, "tokenId": 1, "logProbability": logprob}


def _usage(asked: Asked, said: Said) -> dict[str, Any]:
    return {
        "promptTokenCount": tokens_read(asked),
        "cachedContentTokenCount": said.cached,
        "candidatesTokenCount": tokens_of(said.text),
        "totalTokenCount": tokens_read(asked) + tokens_of(said.text),
    }


GENERATE = Format(
    "google",
    r"/v1(?:beta)?/models/[^:]+:(?:streamGenerate|generate)Content",
    read,
    write,
    events,
    error,
    1,
)
