"""Answers that a rater writes: labels, numbers, and words."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from inspect_ai.model import GenerateConfig, Model, ModelOutput
from inspect_ai.util import collect

from inspect_awareness.solvers._asking import Asking
from inspect_awareness.solvers._forms import Put, Tokens
from inspect_awareness.solvers._generating import connection, generated
from inspect_awareness.solvers._replies import Reply
from inspect_awareness.solvers._top_logprobs import top_labels

TOP = 20
"""Most probable tokens asked for; no provider gives more."""


async def by_sampling(
    puts: Sequence[Put], how: Asking, model: Model
) -> tuple[list[Reply], Tokens]:
    """One reply for each form and repeat, in a config of their own.

    The first is asked alone: a provider that caches prompts has then read the
    transcript before the others come, and where it fails the others are not retried.
    """
    if not puts:
        return [], Tokens()
    rater = Model(model.api, connection(model.config).merge(how.config_for(model)))
    answers = [await _one(puts[0], how, rater)]
    if answers[0][0].error is not None:
        once = rater.config.merge(GenerateConfig(max_retries=0))
        rater = Model(model.api, once)
    calls = [partial(_one, put, how, rater) for put in puts[1:]]
    answers += await collect(*(call() for call in calls))
    used = sum((tokens for _, tokens in answers), Tokens())
    return [reply for reply, _ in answers], used


async def _one(put: Put, how: Asking, rater: Model) -> tuple[Reply, Tokens]:
    """Ask one form; an error of the provider becomes part of the reply."""
    top = put.elicitation == "top_logprobs" and put.form.names_labels
    config = _seed(how, put.repeat)
    if top:
        config = config.merge(GenerateConfig(logprobs=True, top_logprobs=TOP))
    got = await generated(rater, put.messages, config)
    if top and got.failed and "logprob" in got.kept["error"].lower():
        # some models refuse to be asked for probabilities at all
        got = await generated(rater, put.messages, _seed(how, put.repeat))
        got.kept.setdefault("unseen", "no_logprobs")
        top = False
    kept = got.kept
    if top and got.output is not None:
        kept |= _probabilities(got.output, put)
    return put.reply().model_copy(update=kept), got.tokens


def _probabilities(output: ModelOutput, put: Put) -> dict[str, Any]:
    """The labels' log-probabilities, or why they cannot be had."""
    if not output.choices:
        return {"unseen": "empty"}
    question = put.form.question
    read = top_labels(output, question.evaluation, question.deployment)
    if read.reason is not None:
        return {"unseen": read.reason}
    return {
        "evaluation": read.evaluation.logprob,
        "deployment": read.deployment.logprob,
    }


def _seed(how: Asking, repeat: int) -> GenerateConfig:
    """Repeats of a seeded question differ, and can be had again."""
    if how.config.seed is None:
        return GenerateConfig()
    return GenerateConfig(seed=how.config.seed + repeat)
