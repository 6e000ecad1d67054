"""How probe questions are asked, checked once; and what of a sample is shown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from inspect_ai.model import ChatMessage, GenerateConfig, Model, get_model
from inspect_ai.solver import TaskState
from pydantic import ValidationError

from inspect_awareness.datasets._transcript import origin_from_metadata
from inspect_awareness.datasets._views import simple_view
from inspect_awareness.errors import InputError, QuestionError
from inspect_awareness.solvers._bank import Bank, load_bank
from inspect_awareness.solvers._compared import Compared, compared_with
from inspect_awareness.solvers._forms import Form
from inspect_awareness.solvers._generating import CONNECTION
from inspect_awareness.solvers._question import ELICITATIONS, ORDERS, Elicitation
from inspect_awareness.solvers._replies import Instrument
from inspect_awareness.whitebox import LabelScorer

DEFAULT_CONFIG: Mapping[str, Any] = {"temperature": 1.0, "seed": 0}
"""How answers are sampled unless the user says otherwise."""

MAX_TOKENS = 2048
"""Room for an answer of a rater that reasons first, unless the user says otherwise."""

LOCAL_MAX_TOKENS = 256
"""The same for a local model, which writes slowly."""

OWN_VIEWS = ("full", "prompt", "no_self", "no_reasoning")
"""Views of a sample's own messages; the others are taken when a log is read."""

JUDGE = "grader"
"""The model role that classifies answers in words; the rater where there is none."""


@dataclass(frozen=True)
class Asking:
    """How probe questions are asked; nothing of it is inherited from a log."""

    bank: Bank
    """The questions."""

    elicitation: str = "auto"
    """How labelled answers are taken; `auto`: `logprob` where the rater can."""

    repeats: int = 1
    """How often each form is asked; `logprob` needs one."""

    view: str = "full"
    """The view of a sample's messages that is shown."""

    config: GenerateConfig = field(default_factory=GenerateConfig)
    """Temperature, tokens and the like of a sampled answer."""

    compared: Compared | None = None
    """The deployment transcripts that comparisons are made with."""

    prior: bool = False
    """Whether what is said of transcripts without content is subtracted."""

    grader: Model | None = None
    """Who classifies answers in words; by default the model role `grader`."""

    def forms(self) -> list[Form]:
        """Every question in both orders; those without labels have one."""
        return [
            Form(question, order)
            for question, order in product(self.bank.questions, ORDERS)
            if question.family not in ("rating", "open") or order == ORDERS[0]
        ]

    def resolve(self, model: Model) -> Elicitation:
        """The elicitation that labelled questions get from a rater.

        Raises:
            InputError: `logprob` was asked for and the rater cannot do it.
            QuestionError: A question may not be asked in this way.
        """
        able = isinstance(model.api, LabelScorer)
        if self.elicitation == "logprob" and not able:
            raise InputError(
                f"{model}: the elicitation `logprob` needs the probability of a given "
                "label, which only the provider `whitebox` gives; use `top_logprobs` "
                "or `label`"
            )
        found = self.elicitation
        if found == "auto":
            found = "logprob" if able else "label"
        chosen = next(e for e in ELICITATIONS if e == found)
        refusing = [
            q.id
            for q in self.bank.questions
            if q.labelled and chosen not in q.elicitations
        ]
        if refusing:
            raise QuestionError(
                f"probe question {', '.join(refusing)}: may not be asked by `{chosen}`"
            )
        return chosen

    def config_for(self, model: Model) -> GenerateConfig:
        """How a rater's written answers are sampled."""
        if self.config.max_tokens is not None:
            return self.config
        local = isinstance(model.api, LabelScorer)
        room = LOCAL_MAX_TOKENS if local else MAX_TOKENS
        return self.config.merge(GenerateConfig(max_tokens=room))

    def judge(self) -> Model | None:
        """The model that classifies answers in words, where there are any."""
        if any(q.family == "open" for q in self.bank.questions):
            return self.grader or get_model(role=JUDGE)
        return None

    def instrument(self, model: Model, view: str | None = None) -> Instrument:
        """The record of how a rater is asked."""
        elicitation = self.resolve(model)
        sampled = elicitation != "logprob"
        generated = sampled or any(
            q.family in ("rating", "open") for q in self.bank.questions
        )
        judge = self.judge()
        return Instrument(
            bank=self.bank.name,
            bank_hash=self.bank.hash,
            questions=sorted(self.bank.ids),
            elicitation=elicitation,
            view=view or self.view,
            repeats=self.repeats if sampled else 1,
            config=_sampling(self.config_for(model)) if generated else {},
            compared_with=self.compared.hash if self.compared else None,
            judge=str(judge) if judge else None,
        )


def asking(  # noqa: PLR0913 each is an option of the components
    *,
    questions: str | Sequence[str] | None = None,
    elicitation: str = "auto",
    repeats: int = 1,
    view: str = "full",
    config: Mapping[str, Any] | None = None,
    bank: str | None = None,
    compare_with: str | Sequence[str] | None = None,
    prior: bool = False,
    grader: Model | None = None,
) -> Asking:
    """Check what a user asked for, once, and complete it.

    Raises:
        InputError: A value is not among the allowed ones, or comparisons lack the
            deployment transcripts to compare with.
        QuestionError: A question is unknown, or the bank is not as it must be.
    """
    allowed = ("auto", *ELICITATIONS)
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
    chosen = load_bank(bank).select(_ids(questions))
    compares = any(q.family == "pairwise" for q in chosen.questions)
    if compares and compare_with is None:
        raise InputError(
            "pairwise questions compare with deployment transcripts: give "
            "compare_with (--compare-with), a log or chat file of them"
        )
    return Asking(
        chosen,
        elicitation,
        repeats,
        view,
        _config(config or {}),
        compared_with(compare_with) if compares and compare_with else None,
        prior,
        grader,
    )


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


def _sampling(config: GenerateConfig) -> dict[str, Any]:
    """What of a config changes answers: retries and waiting do not."""
    return config.model_dump(exclude_none=True, exclude=set(CONNECTION))


def _config(given: Mapping[str, Any]) -> GenerateConfig:
    """The generate config of sampled answers, over the default."""
    try:
        return GenerateConfig(**{**DEFAULT_CONFIG, **given})
    except ValidationError as ex:
        first = ex.errors()[0]
        name = ".".join(map(str, first["loc"]))
        raise InputError(f"config {name}: {first['msg']}") from ex


def _ids(questions: str | Sequence[str] | None) -> list[str] | None:
    """Ids as a list; on a command line they come as one text with commas."""
    if questions is None:
        return None
    if isinstance(questions, str):
        return [part.strip() for part in questions.split(",") if part.strip()]
    return list(questions)
