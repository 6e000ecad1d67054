"""Task: ask probe questions about the transcripts of existing logs."""

from collections.abc import Sequence
from typing import Any

from inspect_ai import Task, task
from inspect_ai.viewer import ViewerConfig

from inspect_awareness._prerequisites import checked
from inspect_awareness._version import __version__
from inspect_awareness.datasets.inspect_logs import transcripts_from_logs
from inspect_awareness.scorers._awareness import Rule
from inspect_awareness.scorers.p_eval import p_eval
from inspect_awareness.solvers.probe_questions import probe_questions


@task
@checked
def probe_log(  # noqa: PLR0913 each is an option of `inspect eval -T`
    log: str | Sequence[str],
    view: str = "full",
    label: str | None = None,
    source: str | None = None,
    subject_role: str | None = None,
    sample: int | None = None,
    seed: int = 0,
    questions: str | Sequence[str] | None = None,
    elicitation: str = "auto",
    repeats: int = 1,
    config: dict[str, Any] | None = None,
    min_mass: float = Rule.min_mass,
    min_answered: float = Rule.min_answered,
    *,
    bank: str | None = None,
    compare_with: str | Sequence[str] | None = None,
    prior: bool = False,
) -> Task:
    """P(eval) of every transcript of a log, of several, or of a folder of logs.

    Args:
        log: Logs or folders of logs.
        view: `full`, `prompt`, `no_self`, `no_reasoning`, `model` or `turns`.
        label: Label for all transcripts; `evaluation` by default.
        source: Source for all transcripts; the log's task by default.
        subject_role: The model role that wrote the transcripts.
        sample: Draw this many samples, stratified by source.
        seed: Seed of the draw.
        questions: Ids or families of the probe questions; by default those that make P(eval).
        elicitation: `auto`, `logprob`, `top_logprobs`, `label`, `cot_label` or `letter` (see
            `probe_questions`).
        repeats: How often to ask each question in each label order.
        config: Generate config of sampled answers.
        min_mass: Least probability of the two labels together (see `p_eval`).
        min_answered: Least share of question pairs with an answer (see `p_eval`).
        bank: A folder of questions of one's own; the package's by default.
        compare_with: Deployment transcripts for questions of the family `pairwise`.
        prior: Whether to subtract what is said of transcripts without content.
    """
    return Task(
        dataset=transcripts_from_logs(
            log,
            label=label,
            source=source,
            view=view,
            subject_role=subject_role,
            sample=sample,
            seed=seed,
        ),
        solver=probe_questions(
            questions,
            elicitation,
            repeats,
            config=config,
            bank=bank,
            compare_with=compare_with,
        ),
        scorer=p_eval(
            questions,
            elicitation,
            repeats,
            config=config,
            min_mass=min_mass,
            min_answered=min_answered,
            bank=bank,
            compare_with=compare_with,
            prior=prior,
        ),
        viewer=ViewerConfig(trust_content=False),
        metadata={"inspect_awareness": __version__},
    )
