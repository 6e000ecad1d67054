"""Solver that asks probe questions about a sample's messages."""

from collections.abc import Sequence
from typing import Any

from inspect_ai.model import get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver

from inspect_awareness._prerequisites import checked
from inspect_awareness.solvers._ask import ask
from inspect_awareness.solvers._asking import asking, shown
from inspect_awareness.solvers._replies import ProbeStore


@solver
@checked
def probe_questions(
    questions: str | Sequence[str] | None = None,
    elicitation: str = "auto",
    repeats: int = 1,
    view: str = "full",
    config: dict[str, Any] | None = None,
    bank: str | None = None,
    compare_with: str | Sequence[str] | None = None,
) -> Solver:
    """Ask probe questions after a transcript, and keep the replies in the store.

    The sample's messages, output and limits are left as they are; the calls stand in
    one folded span. The scorer `p_eval` turns the replies into a number.

    Args:
        questions: Ids or families of the questions to ask, or `all`; by default
            those that feed P(eval).
        elicitation: How labelled answers are taken: `logprob`, the probability of each
            label after a fixed answer prefill; `top_logprobs`, their probability among
            the provider's most probable tokens; `label`, a sampled answer; `cot_label`,
            a label after reasoning; `letter`, the letter of an option; `auto`, `logprob` where the rater can, else `label`.
        repeats: How often to ask each question in each label order (not `logprob`).
        view: The part of the sample's messages to show: `full`, `prompt`, `no_self` or
            `no_reasoning`. Transcripts that are such a view already are shown as they
            are.
        config: Generate config of sampled answers, over the default temperature 1
            and at most 2,048 tokens (256 of a local model). Nothing is inherited from the task.
        bank: A folder of questions of one's own; the package's by default.
        compare_with: Logs or chat files of deployment transcripts, which questions of
            the family `pairwise` compare with.

    Raises:
        QuestionError: A question is unknown.
        InputError: Another argument is not among the allowed values.
    """
    how = asking(
        questions=questions,
        elicitation=elicitation,
        repeats=repeats,
        view=view,
        config=config,
        bank=bank,
        compare_with=compare_with,
    )

    async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001
        replies = await ask(shown(state, how), how, get_model())
        store = state.store_as(ProbeStore)
        store.asked = [*store.asked, replies]
        return state

    return solve
