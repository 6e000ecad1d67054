"""Asking probe questions about a transcript, without touching it."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from typing import Any, get_args

from inspect_ai.log import transcript
from inspect_ai.model import (
    ChatMessage,
    ChatMessageUser,
    ContentReasoning,
    GenerateConfig,
    Model,
    ModelOutput,
    get_model_info,
)
from inspect_ai.solver import TaskState
from inspect_ai.util import (
    collect,
    message_limit,
    span,
    suspend_token_limit,
    suspend_turn_limit,
    suspend_working_limit,
)

from inspect_awareness.datasets._transcript import origin_from_metadata
from inspect_awareness.datasets._views import Trimmed, askable, simple_view, trim
from inspect_awareness.errors import InputError
from inspect_awareness.solvers._bank import ORDERS, Bank, Order, Question, core_bank
from inspect_awareness.solvers._replies import Elicitation, Instrument, Replies, Reply
from inspect_awareness.whitebox import LabelRequest, LabelScorer

Form = tuple[Question, Order]
"""A question with its labels in one of the two orders."""

DEFAULT_CONFIG: Mapping[str, Any] = {"temperature": 1.0, "max_tokens": 1024, "seed": 0}
"""How answers are sampled unless the user says otherwise."""

_RESERVED_TOKENS = 64
"""Room for what a chat template adds once."""

_TURN_TOKENS = 16
"""Room for what a chat template adds to a turn."""


@dataclass(frozen=True)
class Asking:
    """How probe questions are asked; nothing of it is inherited from a log."""

    bank: Bank
    """The questions."""

    elicitation: str = "auto"
    """`logprob`, `label`, or `auto`: `logprob` where the rater can."""

    repeats: int = 1
    """How often each form is asked; `logprob` needs one."""

    view: str = "full"
    """The view that is shown."""

    config: GenerateConfig = field(default_factory=GenerateConfig)
    """Temperature, tokens and the like of a sampled answer."""

    def forms(self) -> list[Form]:
        """Every question with its labels in both orders."""
        return list(product(self.bank.questions, ORDERS))

    def resolve(self, model: Model) -> Elicitation:
        """The elicitation that a rater gets.

        Raises:
            InputError: `logprob` was asked for and the rater cannot do it.
        """
        able = isinstance(model.api, LabelScorer)
        if self.elicitation == "label" or (self.elicitation == "auto" and not able):
            return "label"
        if not able:
            raise InputError(
                f"{model}: the elicitation `logprob` needs the probability of a given "
                "label, which only the provider `whitebox` gives; use `label`"
            )
        return "logprob"

    def instrument(self, model: Model, view: str | None = None) -> Instrument:
        """The record of how a rater is asked."""
        elicitation = self.resolve(model)
        sampled = elicitation == "label"
        return Instrument(
            bank=self.bank.name,
            bank_hash=self.bank.hash,
            questions=sorted(self.bank.ids),
            elicitation=elicitation,
            view=view or self.view,
            repeats=self.repeats if sampled else 1,
            config=self.config.model_dump(exclude_none=True) if sampled else {},
        )


def asking(
    *,
    questions: str | Sequence[str] | None = None,
    elicitation: str = "auto",
    repeats: int = 1,
    view: str = "full",
    config: Mapping[str, Any] | None = None,
) -> Asking:
    """Check what a user asked for, once, and complete it.

    Raises:
        InputError: A value is not among the allowed ones.
        QuestionError: A question is unknown.
    """
    allowed = ("auto", *get_args(Elicitation))
    if elicitation not in allowed:
        raise InputError(
            f"elicitation {elicitation!r} is not one of: {', '.join(allowed)}"
        )
    if repeats < 1:
        raise InputError(f"repeats is {repeats}; each question is asked once or more")
    bank = core_bank().select(_ids(questions))
    settings = {**DEFAULT_CONFIG, **(config or {})}
    return Asking(bank, elicitation, repeats, view, GenerateConfig(**settings))


async def ask(
    messages: Sequence[ChatMessage],
    how: Asking,
    model: Model,
    *,
    view: str | None = None,
) -> Replies:
    """Ask a rater every question about a transcript, each as if it were the first.

    The calls stand in one span of the sample's transcript, outside the sample's
    limits. What fails is recorded in its reply.

    Args:
        messages: What is shown of the transcript.
        how: The questions and how they are asked.
        model: The rater.
        view: The view that `messages` is, if not the one of `how`.
    """
    instrument = how.instrument(model, view)
    shown = await _fitting(askable(messages), how, model)
    async with span("awareness_probes", type="probe"):
        with (
            message_limit(None),
            suspend_token_limit(),
            suspend_turn_limit(),
            suspend_working_limit(),
        ):
            if instrument.elicitation == "logprob":
                replies, tokens = await _by_logprob(shown.messages, how, model)
            else:
                replies, tokens = await _by_label(shown.messages, how, model)
    return Replies(
        rater=str(model),
        instrument=instrument,
        replies=replies,
        digest=digest(shown.messages),
        trimmed=shown.dropped,
        input_tokens=tokens[0],
        output_tokens=tokens[1],
    )


async def ask_sample(state: TaskState, how: Asking, model: Model) -> Replies:
    """Ask about a sample's messages, in the view that was asked for.

    A sample made from a transcript is a view already, and keeps its name.
    """
    origin = origin_from_metadata(state.metadata)
    view = origin.view if origin and how.view == "full" else how.view
    return await ask(simple_view(state.messages, how.view), how, model, view=view)


def digest(messages: Sequence[ChatMessage]) -> str:
    """Hash of what a rater is shown: 16 hex digits of SHA-256."""
    content = json.dumps([[m.role, words(m)] for m in messages], ensure_ascii=False)
    return hashlib.sha256(content.encode()).hexdigest()[:16]


async def _by_logprob(
    messages: Sequence[ChatMessage], how: Asking, model: Model
) -> tuple[list[Reply], tuple[int, int]]:
    """One batch of label probabilities, in nats, for all forms."""
    scorer = model.api
    assert isinstance(scorer, LabelScorer)
    forms, frame = how.forms(), how.bank.frame
    requests = [
        LabelRequest(
            messages=(*messages, ChatMessageUser(content=frame.render(q, order))),
            prefill=frame.prefill,
            labels=(f" {q.evaluation}", f" {q.deployment}"),
        )
        for q, order in forms
    ]
    results = await scorer.label_logprobs(requests)
    replies = [
        Reply(
            question=question.id,
            order=order,
            evaluation=result.logprobs[0],
            deployment=result.logprobs[1],
        )
        for (question, order), result in zip(forms, results, strict=True)
    ]
    transcript().info(
        {"label_logprobs": [reply.model_dump(exclude_none=True) for reply in replies]},
        source="inspect_awareness",
    )
    return replies, (sum(result.input_tokens for result in results), 0)


async def _by_label(
    messages: Sequence[ChatMessage], how: Asking, model: Model
) -> tuple[list[Reply], tuple[int, int]]:
    """One sampled reply for each form and repeat, in a config of their own."""
    rater = Model(model.api, _operational(model.config).merge(how.config))
    calls = [
        partial(_one_label, messages, how, rater, form, repeat)
        for repeat in range(how.repeats)
        for form in how.forms()
    ]
    answers = await collect(*(call() for call in calls))
    usages = [usage for _, usage in answers]
    tokens = (sum(u[0] for u in usages), sum(u[1] for u in usages))
    return [reply for reply, _ in answers], tokens


async def _one_label(
    messages: Sequence[ChatMessage],
    how: Asking,
    rater: Model,
    form: Form,
    repeat: int,
) -> tuple[Reply, tuple[int, int]]:
    """Ask one form; an error of the provider becomes part of the reply."""
    question, order = form
    asked = ChatMessageUser(content=how.bank.frame.render(question, order))
    reply = Reply(question=question.id, order=order, repeat=repeat)
    try:
        output = await rater.generate(
            [*messages, asked], tools=[], tool_choice="none", config=_seed(how, repeat)
        )
    except Exception as ex:  # noqa: BLE001 providers raise anything
        error = f"{type(ex).__name__}: {str(ex)[:300]}"
        return reply.model_copy(update={"error": error}), (0, 0)
    usage = output.usage
    tokens = (usage.input_tokens, usage.output_tokens) if usage else (0, 0)
    return reply.model_copy(update=_read(output)), tokens


def _read(output: ModelOutput) -> dict[str, Any]:
    """What of an output is kept."""
    if output.error:
        return {"error": output.error}
    return {"text": output.completion, "stop_reason": output.stop_reason}


def _seed(how: Asking, repeat: int) -> GenerateConfig:
    """Repeats of a seeded question differ, and can be had again."""
    if how.config.seed is None:
        return GenerateConfig()
    return GenerateConfig(seed=how.config.seed + repeat)


def _operational(config: GenerateConfig) -> GenerateConfig:
    """What a model's config says about connections, and nothing about sampling."""
    fields = ("max_connections", "max_retries", "timeout", "attempt_timeout")
    return GenerateConfig(**{name: getattr(config, name) for name in fields})


async def _fitting(
    messages: Sequence[ChatMessage], how: Asking, model: Model
) -> Trimmed:
    """The messages, trimmed to the rater's context if that is known."""
    limit = _context(model)
    if limit is None:
        return Trimmed(tuple(messages), 0)
    longest = max((how.bank.frame.render(q, o) for q, o in how.forms()), key=len)
    texts = {longest, *(words(message) for message in messages)}
    # a token is a byte at least, so a short transcript needs no counting
    bound = {text: len(text.encode()) for text in texts}
    exact = await _token_counts(texts, model) if _total(bound) > limit // 2 else bound

    def count(shown: Sequence[ChatMessage]) -> int:
        return sum(
            exact.get(text, _estimated_tokens(text)) + _TURN_TOKENS
            for text in map(words, shown)
        )

    reserve = exact[longest] + _RESERVED_TOKENS + _answer_tokens(how, model)
    return trim(messages, budget=max(limit - reserve, 1), count=count)


def _total(counts: Mapping[str, int]) -> int:
    """All tokens, with those of a chat template."""
    return sum(counts.values()) + _TURN_TOKENS * len(counts)


async def _token_counts(texts: Iterable[str], model: Model) -> dict[str, int]:
    """Tokens of each text: counted by a local model, estimated for another."""
    if not isinstance(model.api, LabelScorer):
        return {text: _estimated_tokens(text) for text in texts}
    return {text: await model.api.count_text_tokens(text) for text in texts}


def _estimated_tokens(text: str) -> int:
    """2.5 characters a token: more tokens than nearly any text takes."""
    return int(len(text) / 2.5)


def _answer_tokens(how: Asking, model: Model) -> int:
    """Tokens that an answer may take."""
    if how.resolve(model) == "logprob":
        return 16
    return how.config.max_tokens or 0


def _context(model: Model) -> int | None:
    """The rater's context in tokens, where it is known."""
    if isinstance(model.api, LabelScorer):
        return model.api.max_context
    info = get_model_info(str(model))
    return info.context_length if info else None


def words(message: ChatMessage) -> str:
    """Everything in a message that takes tokens or carries meaning, as text."""
    parts = [message.text]
    if not isinstance(message.content, str):
        parts.extend(
            part.text if isinstance(part, ContentReasoning) else f"[{part.type}]"
            for part in message.content
            if part.type != "text"
        )
    if message.role == "assistant" and message.tool_calls:
        parts.extend(f"{c.function}({c.arguments})" for c in message.tool_calls)
    if message.role == "tool" and message.error:
        parts.append(message.error.message)
    return "\n".join(part for part in parts if part)


def _ids(questions: str | Sequence[str] | None) -> list[str] | None:
    """Ids as a list; on a command line they come as one text with commas."""
    if questions is None:
        return None
    if isinstance(questions, str):
        return [part.strip() for part in questions.split(",") if part.strip()]
    return list(questions)
