"""Asking judges about what a subject said, without touching the transcript."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from inspect_ai.model import (
    ChatMessageUser,
    GenerateConfig,
    Model,
    ModelName,
    ResponseSchema,
)
from inspect_ai.util import (
    collect,
    message_limit,
    span,
    suspend_token_limit,
    suspend_turn_limit,
    suspend_working_limit,
)

from inspect_awareness.datasets._reasoning import Voice
from inspect_awareness.datasets._threads import PROBE_SPAN
from inspect_awareness.scorers.verdicts._judging import Judging
from inspect_awareness.scorers.verdicts._reading import is_policy, verdict_schema
from inspect_awareness.scorers.verdicts._votes import Vote, Votes
from inspect_awareness.solvers._fitting import fitting
from inspect_awareness.solvers._generating import Generated, connection, generated
from inspect_awareness.whitebox import LabelScorer

STRUCTURED = (
    "anthropic",
    "azureai",
    "google",
    "grok",
    "groq",
    "mistral",
    "openai",
    "sglang",
    "together",
    "vllm",
)
"""Providers that can hold a reply to a form, as far as Inspect passes it on."""

_FORM_REFUSED = re.compile(
    r"response_?format|json_?schema|response_?schema|output_?(?:format|config)"
    r"|structured",
    re.IGNORECASE,
)
"""What a provider writes whose model cannot be held to a form."""


VERDICT_FORM = ResponseSchema(name="verdict", json_schema=verdict_schema(), strict=True)
"""The form of a verdict."""


@dataclass(frozen=True)
class Errand:
    """What every vote is asked, and the form of its reply."""

    words: str
    """What the judge reads."""

    form: ResponseSchema
    """The form, for providers that can hold a judge to it."""

    how: Judging
    """How it is asked."""


async def ask_judges(voice: Voice, how: Judging, judges: list[Model]) -> Votes:
    """All votes of all judges on whether awareness is voiced in a judged text.

    Args:
        voice: What is judged.
        how: How it is judged.
        judges: The judges.

    Raises:
        LimitExceededError: The sample's limit on cost or time was reached.
    """
    errand = Errand(how.rubric.render(voice), VERDICT_FORM, how)
    return Votes(asked=how.asked(voice, judges), votes=await votes_on(errand, judges))


async def votes_on(errand: Errand, judges: Sequence[Model]) -> list[Vote]:
    """All votes of all judges, judge by judge.

    The calls stand in one span of the sample's transcript, outside the sample's limits
    on messages, tokens, turns and working time. What fails is recorded in its vote.

    Args:
        errand: What is asked.
        judges: The judges.

    Raises:
        LimitExceededError: The sample's limit on cost or time was reached.
    """
    async with span("awareness_judge", type=PROBE_SPAN):
        with (
            message_limit(None),
            suspend_token_limit(),
            suspend_turn_limit(),
            suspend_working_limit(),
        ):
            calls = [partial(_votes_of, judge, errand) for judge in judges]
            found = await collect(*(call() for call in calls))
    return [vote for votes in found for vote in votes]


async def _votes_of(judge: Model, errand: Errand) -> list[Vote]:
    """The votes of one judge, the first alone: where it fails the others would too."""
    how = errand.how
    config = how.config_for(judge)
    asked = [ChatMessageUser(content=errand.words)]
    blank = [Vote(judge=str(judge), vote=index) for index in range(how.votes)]
    if not await _fits(asked, judge, config.max_tokens or 0):
        return [vote.model_copy(update={"too_long": True}) for vote in blank]
    rater = Model(judge.api, connection(judge.config).merge(config))
    first = await _vote(rater, asked, errand, blank[0])
    if first.error is not None and not is_policy(first.error):
        same = {"error": first.error, "structured": first.structured}
        return [first, *(vote.model_copy(update=same) for vote in blank[1:])]
    others = [partial(_vote, rater, asked, errand, vote) for vote in blank[1:]]
    return [first, *await collect(*(call() for call in others))]


async def _fits(asked: list[ChatMessageUser], judge: Model, answer_tokens: int) -> bool:
    """Whether a local judge can read it all; others say themselves that they cannot."""
    if not isinstance(judge.api, LabelScorer):
        return True
    fit = await fitting(asked, judge, question="", answer_tokens=answer_tokens)
    return fit.dropped == 0


async def _vote(
    rater: Model, asked: list[ChatMessageUser], errand: Errand, vote: Vote
) -> Vote:
    """One vote; a model that cannot be held to the form is asked without."""
    how = errand.how
    config = _seed(how, vote.vote)
    form = _form(rater, errand)
    got = await generated(rater, asked, config.merge(form) if form else config)
    if form and how.structured == "auto" and _refuses_form(got):
        form = None
        got = await generated(rater, asked, config)
    return vote.model_copy(
        update={
            **got.kept,
            "structured": form is not None,
            "input_tokens": got.tokens.read,
            "output_tokens": got.tokens.written,
            "cached_tokens": got.tokens.cached,
        }
    )


def _form(rater: Model, errand: Errand) -> GenerateConfig | None:
    """The form of a reply, where the provider is to hold the judge to it."""
    structured = errand.how.structured
    able = ModelName(rater).api in STRUCTURED
    if structured == "never" or (structured == "auto" and not able):
        return None
    return GenerateConfig(response_schema=errand.form)


def _refuses_form(got: Generated) -> bool:
    """Whether a call failed because of the form."""
    return got.failed and _FORM_REFUSED.search(str(got.kept["error"])) is not None


def _seed(how: Judging, vote: int) -> GenerateConfig:
    """Votes with a seed differ, and can be had again."""
    if how.config.seed is None:
        return GenerateConfig()
    return GenerateConfig(seed=how.config.seed + vote)
