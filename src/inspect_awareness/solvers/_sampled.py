"""Answers that a rater writes: labels, numbers, and words."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from inspect_ai.model import GenerateConfig, Model, ModelOutput
from inspect_ai.util import LimitExceededError, collect

from inspect_awareness.solvers._asking import Asking
from inspect_awareness.solvers._forms import Put, Tokens
from inspect_awareness.solvers._replies import Reply
from inspect_awareness.solvers._top_logprobs import top_labels

TOP = 20
"""Most probable tokens asked for; no provider gives more."""

RETRIES = 5
"""Attempts after a failed one, unless the model's own config says otherwise."""

TIMEOUT = 600
"""Seconds for one answer, retries among them, unless the config says otherwise."""


async def by_sampling(
    puts: Sequence[Put], how: Asking, model: Model
) -> tuple[list[Reply], Tokens]:
    """One reply for each form and repeat, in a config of their own.

    The first is asked alone: a provider that caches prompts has then read the
    transcript before the others come.
    """
    if not puts:
        return [], (0, 0)
    rater = Model(model.api, connection(model.config).merge(how.config_for(model)))
    calls = [partial(_one, put, how, rater) for put in puts]
    answers = [await calls[0]()]
    answers += await collect(*(call() for call in calls[1:]))
    tokens = tuple(
        sum(each) for each in zip(*(used for _, used in answers), strict=True)
    )
    return [reply for reply, _ in answers], (tokens[0], tokens[1])


def connection(config: GenerateConfig) -> GenerateConfig:
    """What a model's config says about connections, and nothing about sampling.

    Retries and waiting are bounded where it says nothing.
    """
    fields = ("max_connections", "max_retries", "timeout", "attempt_timeout")
    found = {name: getattr(config, name) for name in fields}
    if found["max_retries"] is None:
        found["max_retries"] = RETRIES
    if found["timeout"] is None:
        found["timeout"] = TIMEOUT
    return GenerateConfig(**found)


def error_text(ex: Exception) -> str:
    """An error as one short text."""
    return f"{type(ex).__name__}: {str(ex)[:300]}"


async def generated(
    rater: Model, put: Put, config: GenerateConfig
) -> tuple[dict[str, Any], ModelOutput | None, Tokens]:
    """What of a reply is kept, the output, and its tokens; errors are kept too."""
    try:
        output = await rater.generate(
            list(put.messages), tools=[], tool_choice="none", config=config
        )
    except LimitExceededError:
        raise
    except Exception as ex:  # noqa: BLE001 providers raise anything
        return {"error": error_text(ex)}, None, (0, 0)
    usage = output.usage
    tokens = (usage.input_tokens, usage.output_tokens) if usage else (0, 0)
    if output.error:
        return {"error": output.error}, None, tokens
    kept = {"text": output.completion, "stop_reason": output.stop_reason}
    return kept, output, tokens


async def _one(put: Put, how: Asking, rater: Model) -> tuple[Reply, Tokens]:
    """Ask one form; an error of the provider becomes part of the reply."""
    top = put.elicitation == "top_logprobs" and put.form.names_labels
    config = _seed(how, put.repeat)
    if top:
        config = config.merge(GenerateConfig(logprobs=True, top_logprobs=TOP))
    kept, output, tokens = await generated(rater, put, config)
    if top and output is not None:
        kept |= _probabilities(output, put)
    return put.reply().model_copy(update=kept), tokens


def _probabilities(output: ModelOutput, put: Put) -> dict[str, Any]:
    """The labels' log-probabilities, or why they cannot be had."""
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
