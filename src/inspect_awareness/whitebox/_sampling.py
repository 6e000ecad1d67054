"""Replies, token by token: seeded, with stop strings and log-probabilities.

The global random state is not touched: every reply has its own generator. Draws are
made on the CPU in float64, so a seed means the same on every device, up to the
rounding of the model itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import torch

from inspect_awareness.whitebox._local_model import LocalModel, log_normalizers


@dataclass(frozen=True)
class Sampling:
    """How to draw a reply.

    Args:
        max_tokens: Most tokens of the reply.
        temperature: 0 takes the likeliest token.
        top_p: Draw from the smallest set with at least this probability; 1 for all.
        top_k: Draw from this many of the likeliest tokens; None or 0 for all.
        stop: Strings that end the reply and are cut off.
        top_logprobs: Alternatives to record for each token.
    """

    max_tokens: int
    temperature: float = 1.0
    top_p: float = 1.0
    top_k: int | None = None
    stop: tuple[str, ...] = ()
    top_logprobs: int = 0


@dataclass(frozen=True)
class Drawn:
    """One token of a reply.

    Args:
        token: Its id.
        logprob: Under the model itself: temperature 1, nothing truncated. Nats.
        top: The likeliest tokens there, with their log-probabilities.
    """

    token: int
    logprob: float
    top: tuple[tuple[int, float], ...]


@dataclass(frozen=True)
class Reply:
    """A reply, without what ended it."""

    text: str
    drawn: tuple[Drawn, ...]
    generated: int
    stop_reason: Literal["stop", "max_tokens"]


def reply(
    model: LocalModel,
    prompt: Sequence[int],
    sampling: Sampling,
    *,
    seed: tuple[int, ...],
) -> Reply:
    """Draw one reply; the caller holds the model's lock.

    Args:
        model: A loaded model.
        prompt: Token ids, at least one.
        sampling: How to draw.
        seed: Entropy of the draws: whole numbers of at least 0.
    """
    generator = torch.Generator().manual_seed(
        int(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0] >> 1)
    )
    cache = model.new_cache()
    drawn: list[Drawn] = []
    step = list(prompt)
    with torch.inference_mode():
        while len(drawn) < sampling.max_tokens:
            logits = model.forward(step, keep=[len(step) - 1], cache=cache)
            logprobs = logits[0].cpu().double() - log_normalizers(logits)[0]
            token = _draw(logprobs, sampling, generator)
            step = [token]
            if token in model.stop_ids:
                return _reply(model, drawn, len(drawn) + 1, "stop")
            drawn.append(_record(logprobs, token, sampling.top_logprobs))
            cut = _stop_at(model, drawn, sampling.stop)
            if cut is not None:
                return _cut(model, drawn, cut)
    return _reply(model, drawn, len(drawn), "max_tokens")


def _draw(logprobs: Any, sampling: Sampling, generator: Any) -> int:
    """One token id from next-token log-probabilities, shape ``(vocabulary,)``."""
    if sampling.temperature == 0 or sampling.top_k == 1:
        return int(logprobs.argmax())
    scaled = logprobs / sampling.temperature
    if sampling.top_k is not None and 0 < sampling.top_k < len(scaled):
        least = scaled.topk(sampling.top_k).values[-1]
        scaled = scaled.masked_fill(scaled < least, -torch.inf)
    probabilities = torch.softmax(scaled, dim=-1)
    if sampling.top_p < 1:
        ordered, order = probabilities.sort(descending=True, stable=True)
        before = ordered.cumsum(0) - ordered
        beyond = before >= sampling.top_p
        beyond[0] = False  # the likeliest token stays, whatever the limit
        probabilities[order[beyond]] = 0
    return int(torch.multinomial(probabilities, 1, generator=generator))


def _record(logprobs: Any, token: int, top: int) -> Drawn:
    """The token with its log-probability and its alternatives."""
    best = logprobs.topk(min(top, len(logprobs))) if top else None
    alternatives = (
        ()
        if best is None
        else tuple(zip(best.indices.tolist(), best.values.tolist(), strict=True))
    )
    return Drawn(token, float(logprobs[token]), alternatives)


def _stop_at(
    model: LocalModel, drawn: Sequence[Drawn], stop: Sequence[str]
) -> int | None:
    """Index in the text where the first stop string begins, if there is one."""
    if not stop:
        return None
    # Every character of a stop string is at least one byte, so at most a token
    # a byte: only the tail can hold a stop string that was not there before.
    reach = max(len(s.encode()) for s in stop) + 4
    tail = _text(model, drawn[-reach:])
    if not any(s in tail for s in stop):
        return None
    text = _text(model, drawn)
    found = [text.find(s) for s in stop if s in text]
    return min(found, default=None)


def _cut(model: LocalModel, drawn: Sequence[Drawn], end: int) -> Reply:
    """The reply up to a stop string, with the tokens that write it."""
    text = _text(model, drawn)[:end]
    kept = 0
    while kept < len(drawn) and len(_text(model, drawn[:kept])) < end:
        kept += 1
    return Reply(text, tuple(drawn[:kept]), len(drawn), "stop")


def _reply(
    model: LocalModel,
    drawn: Sequence[Drawn],
    generated: int,
    stop_reason: Literal["stop", "max_tokens"],
) -> Reply:
    """A reply that no stop string cuts."""
    return Reply(_text(model, drawn), tuple(drawn), generated, stop_reason)


def _text(model: LocalModel, drawn: Sequence[Drawn]) -> str:
    """The characters of the tokens."""
    return model.decode([one.token for one in drawn])
