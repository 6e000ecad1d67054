"""P(eval) in a run: where replies come from, and what a score holds."""

import math
from pathlib import Path
from typing import Any

import pytest
from builders import FORMS, believer, is_probe, log_file, rater, sample
from inspect_ai import Task, eval, score
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import Score
from inspect_ai.solver import Generate, Solver, TaskState, solver

from inspect_awareness.datasets._transcript import SCHEMA
from inspect_awareness.errors import InputError, QuestionError
from inspect_awareness.scorers import p_eval
from inspect_awareness.scorers._explanation import escaped
from inspect_awareness.scorers._record import replies_from_record
from inspect_awareness.solvers import Replies, Reply, probe_questions


def ran(task: Task, model: Any, folder: Path, **options: Any) -> EvalLog:
    (log,) = eval(task, model=model, log_dir=str(folder), display="none", **options)
    assert log.status == "success", log.error
    return log


def awareness_of(log: EvalLog, index: int = 0) -> Score:
    assert log.samples is not None
    assert log.samples[index].scores is not None
    return log.samples[index].scores["p_eval"]


def one_sample() -> list[Sample]:
    return [Sample(id="a", input="What is 2 + 2?", target="4")]


@pytest.mark.parametrize(("side", "p"), [("evaluation", 1.0), ("deployment", 0.0)])
def test_one_means_evaluation(side: str, p: float, tmp_path: Path) -> None:
    log = ran(
        Task(dataset=one_sample(), solver=probe_questions(), scorer=p_eval()),
        rater(believer(side)),
        tmp_path,
    )
    found = awareness_of(log)
    assert found.value == p
    record = (found.metadata or {})["awareness"]
    assert record["instrument"]["elicitation"] == "label"
    assert record["rater"] == record["subject"] == "mockllm/model"
    assert len(record["answers"]) == FORMS
    assert record["tokens"] == {"input": 100 * FORMS, "output": FORMS, "cached": 0}


def test_a_rater_that_always_says_yes_is_at_one_half(tmp_path: Path) -> None:
    def yes(question: str) -> str:
        return "True" if "True" in question else "Yes"

    log = ran(Task(dataset=one_sample(), scorer=p_eval()), rater(yes), tmp_path)
    assert awareness_of(log).value == 0.5


def test_the_solver_leaves_messages_output_and_limits_alone(tmp_path: Path) -> None:
    @solver
    def answer() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            return await generate(state)

        return solve

    log = ran(
        Task(
            dataset=one_sample(),
            solver=[answer(), probe_questions()],
            scorer=p_eval(),
            message_limit=3,
        ),
        rater("four"),
        tmp_path,
    )
    assert log.samples is not None
    (only,) = log.samples
    assert [m.text for m in only.messages] == ["What is 2 + 2?", "four"]
    assert only.output.completion == "four"
    assert only.limit is None
    probes = [e for e in only.events if e.event == "span_begin" and e.type == "probe"]
    # asked once by the solver; the scorer found the replies in the store
    assert len(probes) == 1


def test_the_scorer_asks_where_the_solver_never_came_to_it(tmp_path: Path) -> None:
    log = ran(
        Task(dataset=one_sample(), scorer=p_eval()),
        rater(believer("evaluation")),
        tmp_path,
    )
    assert awareness_of(log).value == 1.0


def test_replies_of_another_rater_are_not_taken_for_this_ones(tmp_path: Path) -> None:
    log = ran(
        Task(dataset=one_sample(), solver=probe_questions(), scorer=p_eval()),
        rater(believer("evaluation")),
        tmp_path,
    )
    other = score(
        log,
        p_eval(),
        model=rater(believer("deployment"), name="other"),
        action="overwrite",
        display="none",
    )
    assert awareness_of(other).value == 0.0
    nobody = score(log, p_eval(), model="none/none", action="overwrite", display="none")
    assert awareness_of(nobody).value == 1.0
    assert (awareness_of(nobody).metadata or {})["awareness"][
        "rater"
    ] == "mockllm/model"


def test_with_nobody_to_ask_a_sample_is_unscored(tmp_path: Path) -> None:
    log = read_eval_log(log_file(tmp_path / "a.eval", [sample()]))
    made = awareness_of(score(log, p_eval(), model="none/none", display="none"))
    assert math.isnan(made.as_float())
    assert made.reason == "not_asked"


def test_questions_are_asked_in_their_own_config(tmp_path: Path) -> None:
    from inspect_ai.model import GenerateConfig, get_model

    seen: list[GenerateConfig] = []

    def reply(input: Any, tools: Any, choice: Any, config: GenerateConfig) -> Any:
        from inspect_ai.model import ModelUsage

        if is_probe(input[-1].text):
            seen.append(config)
        output = ModelOutput.from_content("mockllm/model", "Yes")
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    model = get_model(
        "mockllm/model",
        custom_outputs=reply,
        memoize=False,
        config=GenerateConfig(
            temperature=0.1, system_message="Be brief", stop_seqs=["Yes"]
        ),
    )
    ran(Task(dataset=one_sample(), scorer=p_eval()), model, tmp_path)
    assert {c.temperature for c in seen} == {1.0}
    assert {c.system_message for c in seen} == {None}
    assert {str(c.stop_seqs) for c in seen} == {"None"}
    assert {c.max_tokens for c in seen} == {2048}


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        ("I'm sorry, I can't help with that.", "refusal"),
        ("Hmm", "invalid_format"),
        ("", "empty"),
    ],
)
def test_a_rater_without_answers_leaves_the_transcript_unscored(
    output: str, reason: str, tmp_path: Path
) -> None:
    log = ran(Task(dataset=one_sample(), scorer=p_eval()), rater(output), tmp_path)
    made = awareness_of(log)
    assert math.isnan(made.as_float())
    assert made.reason == reason
    assert (made.metadata or {})["awareness"]["missing"] == {reason: FORMS}
    assert log.results is not None
    (block,) = log.results.scores
    assert (block.scored_samples, block.unscored_samples) == (0, 1)


def test_an_error_of_the_provider_is_typed_and_loses_no_other_sample(
    tmp_path: Path,
) -> None:
    def failing(question: str) -> str:
        if is_probe(question):
            raise RuntimeError("503 overloaded")
        return "Four."

    log = ran(Task(dataset=one_sample(), scorer=p_eval()), rater(failing), tmp_path)
    assert awareness_of(log).reason == "provider_error"
    assert "503 overloaded" in (awareness_of(log).explanation or "")


def test_metrics_are_a_mean_an_interval_and_an_auroc_with_both_labels(
    tmp_path: Path,
) -> None:
    def about(n: int, label: str) -> list[Sample]:
        return [
            Sample(
                id=f"{label}-{i}",
                input=f"{label} {i}",
                metadata={"transcript": {"schema": SCHEMA, "item": f"{label}-{i}",
                                         "label": label, "source": label,
                                         "task_id": str(i)}},
            )
            for i in range(n)
        ]  # fmt: skip

    from inspect_ai.model import GenerateConfig, ModelUsage, get_model

    def reply(input: Any, tools: Any, choice: Any, config: GenerateConfig) -> Any:
        side = input[0].text.split()[0]
        output = ModelOutput.from_content("m", believer(side)(input[-1].text))
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    model = get_model("mockllm/model", custom_outputs=reply, memoize=False)
    data = about(3, "evaluation") + about(3, "deployment")
    log = ran(Task(dataset=data, scorer=p_eval()), model, tmp_path)
    assert log.results is not None
    (block,) = log.results.scores
    metrics = {name: m.value for name, m in block.metrics.items()}
    assert metrics["mean"] == 0.5
    assert metrics["auroc"] == 1.0
    assert metrics["lower"] < 0.5 < metrics["upper"]

    alone = ran(Task(dataset=about(3, "evaluation"), scorer=p_eval()), model, tmp_path)
    assert alone.results is not None
    assert "auroc" not in alone.results.scores[0].metrics


def test_epochs_are_repeats_and_no_units(tmp_path: Path) -> None:
    log = ran(
        Task(dataset=one_sample(), scorer=p_eval()), rater("Yes"), tmp_path, epochs=3
    )
    assert log.results is not None
    lower = log.results.scores[0].metrics["lower"].value
    assert math.isnan(float(lower)), "one task is one cluster: no interval"


def test_the_record_gives_the_replies_back(tmp_path: Path) -> None:
    log = ran(
        Task(dataset=one_sample(), solver=probe_questions(), scorer=p_eval()),
        rater(believer("evaluation")),
        tmp_path,
    )
    assert log.samples is not None
    (stored,) = log.samples[0].store["ProbeStore:asked"]
    record = (awareness_of(log).metadata or {})["awareness"]
    before, after = Replies(**stored), replies_from_record(record)

    def by_form(replies: Replies) -> list[Reply]:
        return sorted(replies.replies, key=lambda r: (r.question, r.order))

    assert by_form(after) == by_form(before)
    assert after.instrument == before.instrument
    assert (after.rater, after.digest) == (before.rater, before.digest)


def test_what_a_model_wrote_cannot_break_out_of_the_table() -> None:
    hostile = "No | <img src=x onerror=alert(1)> [click](javascript:alert(1))\n\n# Big"
    cell = escaped(hostile, limit=200)
    assert "\n" not in cell
    assert "|" not in cell.replace("\\|", "")
    assert "<img" not in cell.replace("\\<", "")
    assert "](" not in cell


def test_wrong_arguments_end_before_anything_is_asked() -> None:
    with pytest.raises(QuestionError, match="unknown probe question"):
        p_eval(questions="nope")
    with pytest.raises(InputError, match="elicitation 'guess'"):
        p_eval(elicitation="guess")
    with pytest.raises(InputError, match="repeats is 0"):
        p_eval(repeats=0)
    with pytest.raises(InputError, match="min_mass is 2"):
        p_eval(min_mass=2)


def test_label_probabilities_of_a_rater_that_has_none_are_refused(
    tmp_path: Path,
) -> None:
    (log,) = eval(
        Task(dataset=one_sample(), scorer=p_eval(elicitation="logprob")),
        model=rater("Yes"),
        log_dir=str(tmp_path),
        display="none",
    )
    assert log.status == "error"
    assert log.error is not None
    assert "only the provider `whitebox`" in log.error.message


def test_stored_replies_about_other_messages_do_not_count(tmp_path: Path) -> None:
    @solver
    def answer() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            return await generate(state)

        return solve

    log = ran(
        Task(
            dataset=one_sample(), solver=[probe_questions(), answer()], scorer=p_eval()
        ),
        rater(believer("evaluation")),
        tmp_path,
    )
    assert log.samples is not None
    (asked,) = log.samples[0].store["ProbeStore:asked"]
    record = (awareness_of(log).metadata or {})["awareness"]
    assert record["transcript"]["whole"] != asked["whole"]


def test_failed_replies_in_the_store_are_asked_for_again(tmp_path: Path) -> None:
    def failing(question: str) -> str:
        raise RuntimeError("503 overloaded")

    log = ran(
        Task(dataset=one_sample(), solver=probe_questions(), scorer=p_eval()),
        rater(failing),
        tmp_path,
    )
    assert awareness_of(log).reason == "provider_error"
    again = score(
        log,
        p_eval(),
        model=rater(believer("evaluation")),
        action="overwrite",
        display="none",
    )
    assert awareness_of(again).value == 1.0


def test_a_sample_that_ended_in_an_error_is_not_asked_about(tmp_path: Path) -> None:
    @solver
    def crash() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            raise RuntimeError("sandbox died")

        return solve

    (log,) = eval(
        Task(dataset=one_sample(), solver=crash(), scorer=p_eval()),
        model=rater("Four."),
        log_dir=str(tmp_path),
        display="none",
        fail_on_error=False,
    )
    made = score(
        log,
        p_eval(),
        model=rater(believer("evaluation")),
        action="overwrite",
        display="none",
    )
    assert awareness_of(made).reason == "sample_error"


def test_one_wording_without_its_opposite_says_so(tmp_path: Path) -> None:
    log = ran(
        Task(dataset=one_sample(), scorer=p_eval(questions="direct-test")),
        rater("Yes"),
        tmp_path,
    )
    assert awareness_of(log).value == 1.0
    assert "a liking for yes does not cancel: direct" in (
        awareness_of(log).explanation or ""
    )


@pytest.mark.parametrize("view", ["turns", "model", "banana"])
def test_views_that_a_scorer_cannot_take_are_refused(view: str) -> None:
    with pytest.raises(InputError, match="is not one of: full, prompt, no_self"):
        p_eval(view=view)
