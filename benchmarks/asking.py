"""What a probe question costs beyond Inspect's own `generate`, in milliseconds a call.

A mock model replies at once. The peer calls `generate` with the same messages and
config, with as many calls at a time. The target: 3 ms a call.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

from time import perf_counter
from typing import Any

import anyio
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    GenerateConfig,
    Model,
    ModelOutput,
    ModelUsage,
    get_model,
)
from inspect_ai.util import collect, span

from inspect_awareness.solvers._ask import ask
from inspect_awareness.solvers._asking import Shown, asking

TRANSCRIPTS, ROUNDS = 20, 5


def transcript(k: int) -> tuple[ChatMessage, ...]:
    """Twenty messages of some length."""
    return tuple(
        message
        for turn in range(10)
        for message in (
            ChatMessageUser(content=f"question {turn} of {k}: " + "words " * 60),
            ChatMessageAssistant(content="and an answer " * 30),
        )
    )


def instant() -> Model:
    """A model that says yes at once."""

    def reply(*_: Any) -> ModelOutput:
        output = ModelOutput.from_content("mockllm/model", "Yes")
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    return get_model("mockllm/model", custom_outputs=reply, memoize=False)


async def ours(model: Model) -> int:
    """All questions about each transcript."""
    how, calls = asking(), 0
    for k in range(TRANSCRIPTS):
        replies = await ask(Shown(transcript(k), "full"), how, model)
        calls += len(replies.replies)
    return calls


async def plain(model: Model) -> int:
    """The same number of calls of `generate` with the same messages."""
    how, calls = asking(), 0
    config = GenerateConfig(temperature=1.0, max_tokens=2048, seed=0)
    frame = how.bank.frames["label"]
    for k in range(TRANSCRIPTS):
        messages = transcript(k)
        asked = [
            [*messages, ChatMessageUser(content=frame.render(f.question, f.order))]
            for f in how.forms()
        ]
        async with span("generate"):
            outputs = await collect(
                *(
                    model.generate(a, tools=[], tool_choice="none", config=config)
                    for a in asked
                )
            )
        calls += len(outputs)
    return calls


def timed(run: Any, model: Model) -> tuple[float, int]:
    """Seconds and calls."""
    start = perf_counter()
    calls: int = anyio.run(run, model)
    return perf_counter() - start, calls


def main() -> None:
    """In turns, so that a busy machine is busy for both."""
    model = instant()
    timed(ours, model), timed(plain, model)
    pairs = [(timed(ours, model), timed(plain, model)) for _ in range(ROUNDS)]
    beyond = sorted(1000 * (a - b) / calls for (a, calls), (b, _) in pairs)
    least = [1000 * min(pair[k][0] / pair[k][1] for pair in pairs) for k in (0, 1)]
    print(
        f"{pairs[0][0][1]:,} calls: ours {least[0]:.2f} ms, generate {least[1]:.2f} ms"
    )
    print(
        f"  beyond generate: {beyond[ROUNDS // 2]:.2f} ms a call (median of {ROUNDS})"
    )


if __name__ == "__main__":
    main()
