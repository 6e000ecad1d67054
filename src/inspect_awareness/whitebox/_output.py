"""Replies as Inspect's model output."""

import hashlib
import re
import time
from collections import Counter
from collections.abc import Sequence

from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    Content,
    ContentReasoning,
    ContentText,
    GenerateConfig,
    Logprob,
    Logprobs,
    ModelOutput,
    ModelUsage,
    StopReason,
    TopLogprob,
)

from inspect_awareness.whitebox._local_model import LocalModel
from inspect_awareness.whitebox._prompt import Prompt, prompt
from inspect_awareness.whitebox._sampling import Drawn, Reply, Sampling, reply
from inspect_awareness.whitebox._source import MAX_TOKENS

_PLAIN_STOPS = ("\nuser:", "\nsystem:", "\ntool:")
_THOUGHT = re.compile(r"\s*<think>\n?(.*?)\n?</think>\s*(.*)", re.DOTALL)


def output(
    model: LocalModel,
    messages: Sequence[ChatMessage],
    config: GenerateConfig,
    *,
    name: str,
    asked: Counter[bytes],
) -> ModelOutput:
    """Reply to the messages; the caller holds the model's lock.

    Args:
        model: A loaded model.
        messages: The conversation; a last message of the assistant is continued.
        config: Inspect's generation settings.
        name: The model's name in the output.
        asked: How often each prompt was asked without a seed; counted up here.
    """
    started = time.monotonic()
    shown = prompt(model, messages)
    used = len(shown.tokens)
    room = None if model.max_context is None else model.max_context - used
    if room is not None and room < 1:
        return ModelOutput.from_content(
            name,
            "",
            stop_reason="model_length",
            error=f"the prompt has {used:,} tokens and {name} takes at most "
            f"{model.max_context:,}, so there is no room for a reply",
        )
    sampling, limited = _sampling(model, config, room)
    seed = _seed(shown, config, asked)
    replies = [
        reply(model, shown.tokens, sampling, seed=(*seed, index))
        for index in range(config.num_choices or 1)
    ]
    drawn = sum(one.generated for one in replies)
    return ModelOutput(
        model=name,
        choices=[
            _choice(model, one, shown, config=config, name=name, limited=limited)
            for one in replies
        ],
        usage=ModelUsage(
            input_tokens=used, output_tokens=drawn, total_tokens=used + drawn
        ),
        time=time.monotonic() - started,
    )


def _sampling(
    model: LocalModel, config: GenerateConfig, room: int | None
) -> tuple[Sampling, bool]:
    """How to draw, and whether the context ends before the asked-for length."""
    wanted = config.max_tokens or MAX_TOKENS
    stop = tuple(config.stop_seqs or ())
    if model.style.template is None:
        stop += _PLAIN_STOPS
    sampling = Sampling(
        max_tokens=wanted if room is None else min(wanted, room),
        temperature=1.0 if config.temperature is None else config.temperature,
        top_p=1.0 if config.top_p is None else config.top_p,
        top_k=config.top_k,
        stop=tuple(filter(None, stop)),
        top_logprobs=(config.top_logprobs or 0) if config.logprobs else 0,
    )
    return sampling, room is not None and room < wanted


def _seed(
    shown: Prompt, config: GenerateConfig, asked: Counter[bytes]
) -> tuple[int, ...]:
    """The seed that was given, or 0 with the number of earlier replies."""
    if config.seed is not None:
        return (config.seed % 2**64,)
    digest = hashlib.sha256(repr(shown.tokens).encode()).digest()
    asked[digest] += 1
    return (0, asked[digest] - 1)


def _choice(
    model: LocalModel,
    reply: Reply,
    shown: Prompt,
    *,
    config: GenerateConfig,
    name: str,
    limited: bool,
) -> ChatCompletionChoice:
    """One reply as a choice."""
    stop_reason: StopReason = reply.stop_reason
    if stop_reason == "max_tokens" and limited:
        stop_reason = "model_length"
    logprobs = None
    if config.logprobs:
        logprobs = Logprobs(content=[_logprob(model, one) for one in reply.drawn])
    return ChatCompletionChoice(
        message=ChatMessageAssistant(
            content=_content(reply.text, shown), model=name, source="generate"
        ),
        stop_reason=stop_reason,
        logprobs=logprobs,
    )


def _content(text: str, shown: Prompt) -> str | list[Content]:
    """Text, with a thought at its beginning apart from the rest."""
    if shown.plain:
        text = text.removeprefix(" ")
    thought = _THOUGHT.fullmatch(f"<think>\n{text}" if shown.thinking else text)
    if thought is None:
        return text
    return [ContentReasoning(reasoning=thought[1]), ContentText(text=thought[2])]


def _logprob(model: LocalModel, drawn: Drawn) -> Logprob:
    """Inspect's record of one token."""
    return Logprob(
        token=model.token_text(drawn.token),
        logprob=drawn.logprob,
        top_logprobs=[
            TopLogprob(token=model.token_text(token), logprob=value)
            for token, value in drawn.top
        ]
        or None,
    )
