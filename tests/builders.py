"""Builders of transcripts, logs and scripted raters; functions, no fixtures."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from inspect_ai.event import ErrorEvent, ModelEvent
from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalError,
    EvalLog,
    EvalResults,
    EvalSample,
    EvalSpec,
    write_eval_log,
)
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    GenerateConfig,
    Model,
    ModelOutput,
    ModelUsage,
    get_model,
)
from inspect_ai.scorer import Score
from inspect_ai.tool import ToolCall

FORMS = 32
"""Forms of the questions that make P(eval): 8 pairs of 2 questions, 2 label orders."""

REAL_LOGS = Path(__file__).parents[2] / "shared" / "data" / "logs"
"""Real logs that are not part of the repository; tests skip where they are absent."""


def system(text: str) -> ChatMessageSystem:
    return ChatMessageSystem(content=text)


def user(text: str) -> ChatMessageUser:
    return ChatMessageUser(content=text)


def assistant(
    text: str, *calls: ToolCall, source: str | None = "generate"
) -> ChatMessageAssistant:
    return ChatMessageAssistant(
        content=text,
        tool_calls=list(calls) or None,
        source=source,  # type: ignore[arg-type]
    )


def call(id: str, function: str = "bash", **arguments: Any) -> ToolCall:
    return ToolCall(id=id, function=function, arguments=arguments)


def result(id: str, text: str, function: str = "bash") -> ChatMessageTool:
    return ChatMessageTool(content=text, tool_call_id=id, function=function)


def sample(
    id: str | int = 1,
    messages: Sequence[ChatMessage] | None = None,
    *,
    epoch: int = 1,
    scores: dict[str, Score] | None = None,
    error: str | None = None,
    **fields: Any,
) -> EvalSample:
    """A finished sample; its uuid is its id and epoch."""
    said = [user(f"Question {id}"), assistant("An answer")]
    return EvalSample(
        id=id,
        epoch=epoch,
        input="Question",
        target="",
        messages=list(said if messages is None else messages),
        scores=scores,
        uuid=fields.pop("uuid", f"uuid-{id}-{epoch}"),
        error=(
            EvalError(message=error, traceback="", traceback_ansi="") if error else None
        ),
        **fields,
    )


def model_event(
    role: str | None,
    input: Sequence[ChatMessage],
    output: str,
    *,
    span_id: str | None = None,
) -> ModelEvent:
    """One call of a model, in a role and a span."""
    return ModelEvent(
        model="openai/gpt-4o-mini",
        role=role,
        input=list(input),
        tools=[],
        tool_choice="auto",
        config=GenerateConfig(),
        output=ModelOutput.from_content("openai/gpt-4o-mini", output),
        span_id=span_id,
    )


def error_event(message: str) -> ErrorEvent:
    """The event that ends a sample."""
    error = EvalError(message=message, traceback="", traceback_ansi="")
    return ErrorEvent(error=error)


def log_file(
    path: Path,
    samples: Sequence[EvalSample],
    *,
    task: str = "arithmetic",
    model: str = "openai/gpt-4o-mini",
    status: str = "success",
    **spec: Any,
) -> Path:
    """Write a log of samples."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_eval_log(
        EvalLog(
            status=status,  # type: ignore[arg-type]
            eval=EvalSpec(
                created="2026-01-01T00:00:00+00:00",
                task=task,
                eval_id=f"eval-{task}",
                dataset=EvalDataset(
                    samples=len(samples),
                    sample_ids=list(dict.fromkeys(s.id for s in samples)),
                ),
                model=model,
                config=EvalConfig(epochs=max((s.epoch for s in samples), default=1)),
                **spec,
            ),
            results=EvalResults(
                total_samples=len(samples), completed_samples=len(samples)
            ),
            samples=list(samples),
        ),
        path,
    )
    return path


def chat_file(path: Path, *records: Any) -> Path:
    """Write a chat file, one record a line; text is written as it is."""
    lines = [r if isinstance(r, str) else json.dumps(r) for r in records]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def chat(*turns: str, **fields: Any) -> dict[str, Any]:
    """A conversation that begins with the user."""
    roles = ("user", "assistant")
    messages = [{"role": roles[i % 2], "content": t} for i, t in enumerate(turns)]
    return {"messages": messages, **fields}


Answerer = Callable[[str], str | ModelOutput]
"""Given the question, what a scripted rater says."""


def rater(answer: str | Answerer, name: str = "model") -> Model:
    """A scripted rater on Inspect's own mock provider, with usage, so it is offline."""

    def reply(
        input: list[ChatMessage], tools: Any, tool_choice: Any, config: GenerateConfig
    ) -> ModelOutput:
        said = answer(input[-1].text) if callable(answer) else answer
        if isinstance(said, str):
            said = ModelOutput.from_content("mockllm/model", said)
        said.usage = ModelUsage(input_tokens=100, output_tokens=1, total_tokens=101)
        return said

    return get_model(f"mockllm/{name}", custom_outputs=reply, memoize=False)


def is_probe(text: str) -> bool:
    """Whether a message is a probe question."""
    return text.startswith("The conversation is over.")


def yes_means(question_text: str) -> str:
    """The class that a yes to a core question speaks for."""
    from inspect_awareness.solvers import core_bank

    found = [q for q in core_bank().questions if q.text in question_text]
    assert len(found) == 1, question_text
    return found[0].asserts


def believer(side: str) -> Answerer:
    """A rater that is sure of one class, and answers every question by it."""

    def answer(question: str) -> str:
        if not is_probe(question):
            return "Four."
        affirm = yes_means(question) == side
        words = ("True", "False") if "True" in question else ("Yes", "No")
        return words[0] if affirm else words[1]

    return answer
