"""An audited task gives what it gives alone, and P(eval) beside it."""

import atexit
import logging
import math
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import anyio
import pytest
from builders import believer, is_probe, rater
from click.testing import CliRunner
from inspect_ai import Task, eval, eval_retry
from inspect_ai.log import EvalLog, EvalSample, list_eval_logs, read_eval_log
from inspect_ai.model import (
    ChatMessage,
    Model,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    get_model,
    modelapi,
)

from inspect_awareness.errors import InputError, QuestionError
from inspect_awareness.measurements import Measurements
from inspect_awareness.scorers.p_eval import p_eval
from inspect_awareness.tasks import audit

ROOT = Path(__file__).parents[2]
FILE = Path(__file__).parent / "audited.py"
TWO = {"questions": "direct-test,direct-use"}

FEATURES = (
    "several_scorers",
    "grouped_metrics",
    "epochs",
    "limited",
    "erring",
    "scored_by_its_solver",
    "scored_on_the_way",
    "furnished",
)


def audited(name: str, **arguments: Any) -> Task:
    return audit(f"{FILE}@{name}", **TWO, **arguments)


def subject(name: str = "model") -> Model:
    """Says `1` or looks around for ever, and believes that it is tested."""

    def answer(text: str) -> str | ModelOutput:
        if is_probe(text):
            return believer("evaluation")(text)
        if text.startswith("nothing in") or text in ("Say 0.", "Say 1."):
            return "It is 1."
        return "It is 0."

    return rater(answer, name)


def wanderer() -> Model:
    """Calls its tool in every turn."""

    def answer(text: str) -> str | ModelOutput:
        if is_probe(text):
            return believer("deployment")(text)
        return ModelOutput.for_tool_call("mockllm/model", "look", {"where": "box"})

    return rater(answer)


class Believer(ModelAPI):
    """Believes that it is tested; a provider, so that it can be named in a command."""

    seconds = 0.0

    async def generate(
        self, input: list[ChatMessage], tools: Any, tool_choice: Any, config: Any
    ) -> ModelOutput:
        text = input[-1].text
        if is_probe(text):
            await anyio.sleep(self.seconds)
        said = str(believer("evaluation")(text))
        output = ModelOutput.from_content("model", said)
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output


@modelapi("sure")
class Sure(Believer):
    """Answers at once."""


@modelapi("sure-slowly")
class SureSlowly(Believer):
    """Takes five seconds for a question about itself."""

    seconds = 5.0


def inspect(*arguments: object) -> None:
    """Run Inspect's command line in this process."""
    from inspect_ai._cli.main import inspect as command

    done = CliRunner().invoke(command, [str(a) for a in arguments])
    assert done.exit_code == 0, done.output


def run(task: Any, folder: Path, model: Model | None = None, **options: Any) -> EvalLog:
    (log,) = eval(
        task,
        model=model or subject(),
        log_dir=str(folder),
        display="none",
        **options,
    )
    return log


@cache
def both(name: str) -> tuple[EvalLog, EvalLog]:
    """The task alone, and the same task audited; run once for all tests."""
    folder = Path(tempfile.mkdtemp(prefix="audited-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    model = wanderer() if name == "limited" else subject()
    alone = run(f"{FILE}@{name}", folder / "alone", model)
    return alone, run(audited(name), folder / "audited", model)


def samples(log: EvalLog) -> list[EvalSample]:
    assert log.samples is not None, log.error
    return log.samples


def without_ours(sample: EvalSample) -> dict[str, Any]:
    """What a sample came to, apart from P(eval) and from what differs in every run."""
    scores = {k: v for k, v in (sample.scores or {}).items() if k != "p_eval"}
    return {
        "id": (sample.id, sample.epoch),
        "scores": {k: score.model_dump() for k, score in scores.items()},
        "messages": [(m.role, m.text) for m in sample.messages],
        "output": sample.output.completion,
        "store": {k: v for k, v in sample.store.items() if "ProbeStore" not in k},
        "limit": sample.limit,
        "error": sample.error and sample.error.message,
    }


def blocks(log: EvalLog) -> list[dict[str, Any]]:
    """The results of every scorer but ours."""
    assert log.results is not None
    return [s.model_dump() for s in log.results.scores if s.scorer != "p_eval"]


def p_evals(log: EvalLog) -> list[float]:
    return [(s.scores or {})["p_eval"].as_float() for s in samples(log)]


@pytest.mark.parametrize("name", FEATURES)
def test_every_score_and_metric_is_the_same_with_and_without(
    name: str,
) -> None:
    alone, beside = both(name)
    assert alone.status == beside.status == "success", beside.error
    assert [without_ours(s) for s in samples(beside)] == [
        without_ours(s) for s in samples(alone)
    ]
    assert blocks(beside) == blocks(alone)
    assert alone.results is not None
    assert beside.results is not None
    assert beside.results.completed_samples == alone.results.completed_samples
    if name != "scored_by_its_solver":
        assert beside.results.headline == alone.results.headline
    ours = [s for s in beside.results.scores if s.scorer == "p_eval"]
    assert [s.name for s in ours] == ["p_eval"]
    assert {"mean", "lower", "upper"} <= set(ours[0].metrics)


@pytest.mark.parametrize("name", ["furnished", "limited", "epochs", "grouped_metrics"])
def test_the_log_says_of_the_task_what_it_says_of_it_alone(
    name: str,
) -> None:
    alone, beside = (log.eval for log in both(name))
    for field in (
        "task", "task_display_name", "task_description", "task_version", "dataset",
        "config", "sandbox", "model", "model_roles", "tags", "viewer", "metrics",
        "model_generate_config", "headline_metric",
    ):  # fmt: skip
        theirs = getattr(alone, field, None)
        assert getattr(beside, field, None) == theirs, field
    assert (alone.metadata or {}).items() <= (beside.metadata or {}).items()
    assert beside.scorers is not None
    assert beside.scorers[:-1] == alone.scorers
    assert beside.scorers[-1].name == "p_eval"
    assert beside.task_registry_name == "inspect_awareness/audit"
    assert Path(str(beside.task_file)).name == "audited.py"


def test_what_a_task_says_in_every_field_arrives(tmp_path: Path) -> None:
    log = run(audited("furnished", word="brave"), tmp_path)
    spec = log.eval
    assert (spec.task, spec.task_display_name) == ("furnished-room", "Furnished room")
    assert spec.config.epochs == 2
    assert spec.config.approval is not None
    assert spec.sandbox is not None
    assert log.plan.config.temperature == 0.3
    assert samples(log)[0].messages[0].text == "Be brave."
    assert (spec.metadata or {})["audited_task"] == {
        "name": "furnished",
        "package": None,
        "attribs": {"light": True},
    }
    assert spec.task_args_passed == {
        "task": f"{FILE}@furnished",
        "word": "brave",
        **TWO,
    }


def test_tables_group_by_the_audited_task() -> None:
    logs = [both(name)[1] for name in ("furnished", "grouped_metrics")]
    items = Measurements.load([log.location for log in logs]).items
    assert sorted(set(items["source"])) == ["furnished-room", "grouped_metrics"]
    assert set(items["label"]) == {"evaluation"}


def test_a_sample_that_hit_its_limit_is_asked() -> None:
    _, log = both("limited")
    assert [s.limit and s.limit.type for s in samples(log)] == ["message"] * 2
    assert p_evals(log) == [0.0, 0.0]


def test_a_sample_that_broke_off_has_no_number_and_its_reason() -> None:
    _, log = both("erring")
    scores = {s.id: (s.scores or {})["p_eval"] for s in samples(log)}
    assert math.isnan(scores[1].as_float())
    assert scores[1].reason == "sample_error"
    assert (scores[0].as_float(), scores[2].as_float()) == (1.0, 1.0)


def test_p_eval_is_the_headline_only_where_a_task_has_no_scorer() -> None:
    _, log = both("scored_by_its_solver")
    assert log.results is not None
    assert log.results.headline is not None
    assert log.results.headline.scorer == "p_eval"
    assert {s.name for s in log.results.scores} == {"own", "p_eval"}


def test_a_solver_that_asks_for_scores_gets_its_own_only() -> None:
    _, log = both("scored_on_the_way")
    assert samples(log)[0].output.completion.endswith("2 scores")
    calls = [e for e in samples(log)[0].events if e.event == "model"]
    assert len(calls) == 1 + 2 * 2, "the task's, and two questions in two orders"


def test_questions_that_take_too_long_cost_no_score(tmp_path: Path) -> None:
    log = run(audited("slow"), tmp_path, get_model("sure-slowly/model"))
    (sample,) = samples(log)
    assert log.status == "success", log.error
    assert sample.error is None
    assert (sample.scores or {})["observer"].value == 2
    assert (sample.scores or {})["p_eval"].reason == "time_limit"


def test_without_that_care_the_same_task_fails(tmp_path: Path) -> None:
    made = audited("slow")
    made.scorer = [*(made.scorer or [])[:-1], p_eval(**TWO)]
    log = run(made, tmp_path, get_model("sure-slowly/model"))
    assert log.status == "error"


def test_an_argument_of_both_goes_to_us_with_a_word_about_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        made = audited("furnished", config={"max_tokens": 9})
    assert (made.metadata or {})["config"] == "easy"
    assert 'write -T task_args="{config: ...}"' in caplog.text
    made = audited("furnished", task_args={"config": "hard", "name": "m"})
    assert {"config": "hard", "name": "m"}.items() <= (made.metadata or {}).items()


def test_a_registered_task_is_named_by_its_package(tmp_path: Path) -> None:
    log = run(audit("inspect_awareness/exam_items", **TWO), tmp_path, limit=1)
    assert log.eval.task == "inspect_awareness/exam_items"
    assert log.eval.task_display_name == "exam_items"
    package = (log.eval.metadata or {})["audited_task"]["package"]
    assert package["name"] == "inspect_awareness"
    assert set(samples(log)[0].scores or {}) == {"includes", "p_eval"}


def test_an_interrupted_audit_can_be_retried_from_its_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "mine.py").write_text(FILE.read_text())
    monkeypatch.chdir(tmp_path)
    arguments = {"task": "inner/mine.py@erring", **TWO}
    log = run("inspect_awareness/audit", tmp_path / "logs", task_args=arguments)
    assert log.status == "success", log.error
    (again,) = eval_retry(log, log_dir=str(tmp_path / "logs"), display="none")
    assert again.eval.task == log.eval.task == "erring"
    assert again.eval.task_args_passed == arguments
    assert [s.id for s in again.samples or []] == [s.id for s in log.samples or []]
    assert os.getcwd() == str(tmp_path)


def test_a_task_object_that_is_handed_out_twice_is_left_as_it_was() -> None:
    first, second = audited("always_the_same"), audited("always_the_same")
    assert len(first.scorer or []) == len(second.scorer or []) == 2


@pytest.mark.parametrize(
    ("spec", "arguments", "words"),
    [
        (f"{FILE}@nope", {}, "no task 'nope'.*its tasks: always_the_same, epochs"),
        (str(FILE), {}, "not just one task.*Give .*@name"),
        ("nowhere.py@x", {}, "no file 'nowhere.py'"),
        ("inspect_awareness/nope", {}, "no task.*Packages.*inspect_awareness"),
        ("missing_package/x", {}, "give package/name or file.py@name"),
        (f"{FILE}@furnished", {"wrod": 1}, "unexpected keyword argument 'wrod'"),
        ("inspect_awareness/exam_items", {"n": 1}, "unexpected keyword argument 'n'"),
        ("inspect_awareness/exam_items", {"name": 1}, "'name' cannot be passed"),
        ("inspect_awareness/probe_log", {}, "missing.*'log'"),
        (f"{FILE}@epochs", {"elicitation": "guess"}, "elicitation 'guess'"),
    ],
)
def test_what_cannot_be_audited_is_said(
    spec: str, arguments: dict[str, Any], words: str
) -> None:
    with pytest.raises(InputError, match=f"(?s){words}"):
        audit(spec, **arguments)


def test_an_unknown_question_is_said_before_anything_runs() -> None:
    with pytest.raises(QuestionError, match="direct-tset"):
        audit(f"{FILE}@epochs", questions="direct-tset")


def test_the_command_line_runs_it_by_path_and_scans_beside_it(tmp_path: Path) -> None:
    pytest.importorskip("inspect_scout", reason="extra `scout` is not installed")
    inspect(
        "eval", ROOT / "tasks" / "audit.py@audit", "-T", f"task={FILE}@furnished", "-T", "word=brave",
        "-T", "questions=direct-test,direct-use", "-T", "task_args={config: hard}",
        "--scanner", "inspect_awareness/probe_questions", "--limit", 1,
        "--scanner-arg", "questions=direct-test,direct-use", "--epochs", 1,
        "--model", "sure/model", "--log-dir", tmp_path,
    )  # fmt: skip
    (info,) = list_eval_logs(str(tmp_path))
    log = read_eval_log(info)
    assert log.eval.task == "furnished-room"
    assert (log.eval.metadata or {})["config"] == "hard"
    assert samples(log)[0].messages[0].text == "Be brave."
    assert set(samples(log)[0].scores or {}) == {"observer", "p_eval"}
    assert list(tmp_path.glob("scans/*/probe_questions.parquet"))
