"""Asking probe questions about a transcript, without touching it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from typing import Any, get_args

from inspect_ai.log import transcript
from inspect_ai.model import (
    ChatMessage,
    ChatMessageUser,
    GenerateConfig,
    Model,
    ModelOutput,
)
from inspect_ai.solver import TaskState
from inspect_ai.util import (
    LimitExceededError,
    collect,
    message_limit,
    span,
    suspend_token_limit,
    suspend_turn_limit,
    suspend_working_limit,
)
from pydantic import ValidationError

from inspect_awareness.datasets._threads import PROBE_SPAN
from inspect_awareness.datasets._transcript import origin_from_metadata
from inspect_awareness.datasets._views import askable, simple_view
from inspect_awareness.errors import InputError
from inspect_awareness.solvers._bank import ORDERS, Bank, Order, Question, core_bank
from inspect_awareness.solvers._fitting import fitting
from inspect_awareness.solvers._replies import Elicitation, Instrument, Replies, Reply
from inspect_awareness.solvers._words import digest
from inspect_awareness.whitebox import LabelRequest, LabelScorer

Form = tuple[Question, Order]
"""A question with its labels in one of the two orders."""

DEFAULT_CONFIG: Mapping[str, Any] = {"temperature": 1.0, "max_tokens": 2048, "seed": 0}
"""How answers are sampled unless the user says otherwise."""

OWN_VIEWS = ("full", "prompt", "no_self")
"""Views of a sample's own messages; the others are taken when a log is read."""


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
    """The view of a sample's messages that is shown."""

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
    if view not in OWN_VIEWS:
        raise InputError(
            f"view {view!r} is not one of: {', '.join(OWN_VIEWS)}; `model` and `turns` "
            "are taken when a log is read (`awareness score`, or the task `probe_log`)"
        )
    if repeats < 1:
        raise InputError(f"repeats is {repeats}; each question is asked once or more")
    bank = core_bank().select(_ids(questions))
    return Asking(bank, elicitation, repeats, view, _config(config or {}))


@dataclass(frozen=True)
class Shown:
    """What of a sample is shown to the rater."""

    messages: tuple[ChatMessage, ...]
    """The messages, in the wanted view."""

    view: str
    """The view that they are."""


def shown(state: TaskState, how: Asking) -> Shown:
    """A sample's messages in the view that was asked for.

    A sample made from a transcript is a view already, and keeps its name.
    """
    origin = origin_from_metadata(state.metadata)
    view = origin.view if origin and how.view == "full" else how.view
    return Shown(tuple(simple_view(state.messages, how.view)), view)


async def ask(what: Shown, how: Asking, model: Model) -> Replies:
    """Ask a rater every question about a transcript, each as if it were the first.

    The calls stand in one span of the sample's transcript, outside the sample's limits
    on messages, tokens, turns and working time (limits on cost and time still hold).
    What fails is recorded in its reply.

    Args:
        what: What is shown of the transcript.
        how: The questions and how they are asked.
        model: The rater.

    Raises:
        InputError: The rater cannot be asked in this way.
        LimitExceededError: The sample's limit on cost or time was reached.
    """
    instrument = how.instrument(model, what.view)
    sampled = instrument.elicitation == "label"
    longest = max((how.bank.frame.render(q, o) for q, o in how.forms()), key=len)
    fit = await fitting(
        askable(what.messages),
        model,
        question=longest,
        answer_tokens=(how.config.max_tokens or 0) if sampled else 16,
    )
    async with span("awareness_probes", type=PROBE_SPAN):
        with (
            message_limit(None),
            suspend_token_limit(),
            suspend_turn_limit(),
            suspend_working_limit(),
        ):
            asked = _by_label if sampled else _by_logprob
            replies, tokens = await asked(fit.messages, how, model)
    return Replies(
        rater=str(model),
        instrument=instrument,
        replies=replies,
        whole=digest(what.messages),
        digest=digest(fit.messages),
        trimmed=fit.dropped,
        input_tokens=tokens[0],
        output_tokens=tokens[1],
    )


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
    try:
        results = await scorer.label_logprobs(requests)
    except Exception as ex:  # noqa: BLE001 a model in this process raises anything
        error = _error(ex)
        failed = [Reply(question=q.id, order=o, error=error) for q, o in forms]
        return failed, (0, 0)
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
    except LimitExceededError:
        raise
    except Exception as ex:  # noqa: BLE001 providers raise anything
        return reply.model_copy(update={"error": _error(ex)}), (0, 0)
    usage = output.usage
    tokens = (usage.input_tokens, usage.output_tokens) if usage else (0, 0)
    return reply.model_copy(update=_read(output)), tokens


def _error(ex: Exception) -> str:
    """An error as one short text."""
    return f"{type(ex).__name__}: {str(ex)[:300]}"


def _read(output: ModelOutput) -> dict[str, Any]:
    """What of an output is kept."""
    if output.error:
        return {"error": output.error}
    return {"text": output.completion, "stop_reason": output.stop_reason}


def _config(given: Mapping[str, Any]) -> GenerateConfig:
    """The generate config of sampled answers, over the default."""
    try:
        return GenerateConfig(**{**DEFAULT_CONFIG, **given})
    except ValidationError as ex:
        first = ex.errors()[0]
        name = ".".join(map(str, first["loc"]))
        raise InputError(f"config {name}: {first['msg']}") from ex


def _seed(how: Asking, repeat: int) -> GenerateConfig:
    """Repeats of a seeded question differ, and can be had again."""
    if how.config.seed is None:
        return GenerateConfig()
    return GenerateConfig(seed=how.config.seed + repeat)


def _operational(config: GenerateConfig) -> GenerateConfig:
    """What a model's config says about connections, and nothing about sampling."""
    fields = ("max_connections", "max_retries", "timeout", "attempt_timeout")
    return GenerateConfig(**{name: getattr(config, name) for name in fields})


def _ids(questions: str | Sequence[str] | None) -> list[str] | None:
    """Ids as a list; on a command line they come as one text with commas."""
    if questions is None:
        return None
    if isinstance(questions, str):
        return [part.strip() for part in questions.split(",") if part.strip()]
    return list(questions)
