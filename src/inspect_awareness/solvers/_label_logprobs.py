"""Answers as the exact probability of both labels, from a local model."""

from collections.abc import Sequence

from inspect_ai.log import transcript
from inspect_ai.model import Model

from inspect_awareness.solvers._asking import Asking
from inspect_awareness.solvers._forms import Put, Tokens
from inspect_awareness.solvers._generating import error_text
from inspect_awareness.solvers._replies import Reply
from inspect_awareness.whitebox import LabelRequest, LabelScorer


async def by_logprob(
    puts: Sequence[Put], how: Asking, model: Model
) -> tuple[list[Reply], Tokens]:
    """One batch of label probabilities, in nats, for all forms."""
    if not puts:
        return [], Tokens()
    scorer = model.api
    assert isinstance(scorer, LabelScorer)
    requests = [_request(put, how) for put in puts]
    try:
        results = await scorer.label_logprobs(requests)
    except Exception as ex:  # noqa: BLE001 a model in this process raises anything
        failed = {"error": error_text(ex)}
        return [put.reply().model_copy(update=failed) for put in puts], Tokens()
    replies = [
        put.reply().model_copy(
            update={"evaluation": result.logprobs[0], "deployment": result.logprobs[1]}
        )
        for put, result in zip(puts, results, strict=True)
    ]
    transcript().info(
        {"label_logprobs": [reply.model_dump(exclude_none=True) for reply in replies]},
        source="inspect_awareness",
    )
    return replies, Tokens(sum(result.input_tokens for result in results))


def _request(put: Put, how: Asking) -> LabelRequest:
    """Both labels after the prefill of the frame for labels."""
    question = put.form.question
    return LabelRequest(
        messages=put.messages,
        prefill=how.bank.frames["label"].prefill,
        labels=(f" {question.evaluation}", f" {question.deployment}"),
    )
