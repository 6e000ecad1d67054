"""One written reply: bounded in time and attempts, its errors kept."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ContentText,
    GenerateConfig,
    Model,
    ModelOutput,
)
from inspect_ai.tool import ToolInfo, ToolParams
from inspect_ai.util import LimitExceededError

from inspect_awareness.solvers._forms import Tokens

RETRIES = 3
"""Attempts after a failed one, unless the model's own config says otherwise."""

TIMEOUT = 600
"""Seconds for one answer, retries among them, unless the config says otherwise."""

ATTEMPT_TIMEOUT = 120
"""Seconds for one attempt; some clients do not heed the other."""

CONNECTION = (
    "max_connections",
    "max_retries",
    "timeout",
    "attempt_timeout",
    "stream_idle_timeout",
)
"""What of a generate config concerns connections, and no answer."""

_WRAPPERS = ("RetryError", "ModelGenerateError")
"""Errors that hide the one that matters."""

_NOTHING = "(no content)"
"""What Inspect writes where a reply held nothing."""


@dataclass(frozen=True)
class Generated:
    """What came of one call."""

    kept: dict[str, Any]
    """What of it a reply keeps: text and stop reason, or the error."""

    output: ModelOutput | None
    """The output, unless it is an error."""

    tokens: Tokens
    """What it took."""

    @property
    def failed(self) -> bool:
        """Whether the provider gave nothing."""
        return "error" in self.kept


async def generated(
    rater: Model, messages: Sequence[ChatMessage], config: GenerateConfig
) -> Generated:
    """Ask once; an error of the provider becomes part of what is kept.

    Raises:
        LimitExceededError: The sample's limit on cost or time was reached.
    """
    try:
        output = await rater.generate(
            list(messages),
            tools=_called(messages),
            tool_choice="none",
            config=config,
        )
    except LimitExceededError:
        raise
    except Exception as ex:  # noqa: BLE001 providers raise anything
        return Generated({"error": error_text(ex)}, None, Tokens())
    tokens = _tokens(output)
    filtered = bool(output.choices) and output.stop_reason == "content_filter"
    if output.error and not filtered:
        return Generated({"error": output.error}, None, tokens)
    return Generated(_kept(output), output, tokens)


def connection(config: GenerateConfig) -> GenerateConfig:
    """What a model's config says about connections, and nothing about sampling.

    Retries and waiting are bounded where it says nothing.
    """
    found = {name: getattr(config, name) for name in CONNECTION}
    bounds = {
        "max_retries": RETRIES,
        "timeout": TIMEOUT,
        "attempt_timeout": ATTEMPT_TIMEOUT,
    }
    for name, bound in bounds.items():
        if found[name] is None:
            found[name] = bound
    return GenerateConfig(**found)


def error_text(ex: BaseException) -> str:
    """An error as one short text: the one that matters, not the one around it."""
    while type(ex).__name__ in _WRAPPERS and ex.__cause__ is not None:
        ex = ex.__cause__
    return f"{type(ex).__name__}: {str(ex)[:300]}"


def _kept(output: ModelOutput) -> dict[str, Any]:
    """Text and stop reason; a refusal that the provider marks as one is one."""
    if not output.choices:
        return {"text": "", "stop_reason": "unknown"}
    text = "" if output.completion == _NOTHING else output.completion
    return {
        "text": text,
        "stop_reason": "refusal" if _is_refused(output) else output.stop_reason,
    }


def _is_refused(output: ModelOutput) -> bool:
    """Whether a part of the reply carries the provider's mark of a refusal."""
    content = output.message.content
    return not isinstance(content, str) and any(
        isinstance(part, ContentText) and part.refusal for part in content
    )


def _called(messages: Sequence[ChatMessage]) -> list[ToolInfo]:
    """Stand-ins for the tools that the transcript called.

    Anthropic refuses calls to tools that it was not told of; Inspect leaves them out
    for the others, since none may be used.
    """
    names = {
        call.function: None
        for message in messages
        if isinstance(message, ChatMessageAssistant)
        for call in message.tool_calls or []
    }
    return [ToolInfo(name=n, description=n, parameters=ToolParams()) for n in names]


def _tokens(output: ModelOutput) -> Tokens:
    """What the provider counted."""
    usage = output.usage
    if usage is None:
        return Tokens()
    cached = (usage.input_tokens_cache_read or 0) + (
        usage.input_tokens_cache_write or 0
    )
    return Tokens(usage.input_tokens, usage.output_tokens, cached)
