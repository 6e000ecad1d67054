"""A scan gives what the scorer gives for the same transcript and rater."""

import json
import math
from pathlib import Path
from typing import Any

import pytest

scout = pytest.importorskip("inspect_scout", reason="extra `scout` is not installed")

from builders import (  # noqa: E402 after the check that Scout is there
    assistant,
    believer,
    call,
    error_event,
    is_probe,
    log_file,
    rater,
    result,
    sample,
    user,
)
from inspect_ai import eval, score  # noqa: E402
from inspect_ai.log import EvalLog, read_eval_log, write_eval_log  # noqa: E402
from inspect_ai.model import Model, get_model  # noqa: E402
from tiny import model_folder  # noqa: E402

from inspect_awareness import p_eval  # noqa: E402
from inspect_awareness.errors import InputError, QuestionError  # noqa: E402
from inspect_awareness.measurements import Measurements  # noqa: E402
from inspect_awareness.scanners import probe_questions  # noqa: E402
from inspect_awareness.scanners._origin import subject_transcript  # noqa: E402
from inspect_awareness.tasks.probe_log import probe_log  # noqa: E402

# Inspect's reader of log summaries still writes `inplace=`, which pandas 3.1 regrets
pytestmark = pytest.mark.filterwarnings("ignore:The inplace keyword in DataFrame")

AGENTIC = [
    user("list the files"),
    assistant("I look", call("1", cmd="ls")),
    result("1", "a.txt"),
    assistant("", call("2", "submit", answer="a.txt")),
]


def mixed_log(path: Path) -> Path:
    """Epochs, a crash, an agent whose last call was never answered."""
    return log_file(
        path,
        [
            sample(1),
            sample(2, AGENTIC),
            sample(2, AGENTIC, epoch=2),
            sample("x y", [user("another"), assistant("thing")]),
            sample(3, error="sandbox died", events=[error_event("sandbox died")]),
        ],
    )


def scanned(
    log: Path | str, model: Model, folder: Path, **arguments: Any
) -> dict[str, dict[str, Any]]:
    """Scan a log; the results by the transcript's id."""
    status = scout.scan(
        scanners=[probe_questions(**arguments)],
        transcripts=scout.transcripts_from(str(log)),
        scans=str(folder / "scans"),
        model=model,
        max_processes=1,
        display="none",
    )
    assert status.complete
    return results(status.location)


def results(location: str) -> dict[str, dict[str, Any]]:
    """What a scan found, by the transcript's id; NaN for a value that is missing."""
    table = scout.scan_results_df(location).scanners["probe_questions"]
    return {
        row["transcript_id"]: {
            **row,
            "value": math.nan if row["value_type"] == "null" else float(row["value"]),
            "metadata": json.loads(row["metadata"]),
        }
        for row in table.to_dict("records")
    }


def scores(log: EvalLog, name: str) -> dict[str, Any]:
    return {str(s.uuid): (s.scores or {})[name] for s in log.samples or []}


def without_origin(record: dict[str, Any]) -> dict[str, Any]:
    """A record but for what a scorer inside a log does not know."""
    shown = {
        k: record["transcript"][k] for k in ("task_id", "epoch", "whole", "digest")
    }
    return {**record, "transcript": shown, "subject": None}


def decided(side: str) -> Model:
    """A rater that believes in one class, and chats otherwise."""
    return rater(lambda text: believer(side)(text) if is_probe(text) else "Four.")


def test_scan_and_scorer_agree_with_a_tiny_model(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="torch is not installed (extra `local`)")
    log, model = mixed_log(tmp_path / "a.eval"), get_model(f"whitebox/{model_folder()}")
    found = scanned(log, model, tmp_path, min_mass=0.0)
    inside = score(
        read_eval_log(str(log)),
        [p_eval(min_mass=0.0), scout.as_scorer(probe_questions(min_mass=0.0))],
        model=model,
        action="append",
        display="none",
    )
    ours, theirs = scores(inside, "p_eval"), scores(inside, "probe_questions")
    assert len(found) == len(ours) == 5
    broken = found.pop("uuid-3-1")["metadata"]
    assert broken == {"reason": "sample_error"}
    assert ours.pop("uuid-3-1").reason == "sample_error"
    assert math.isnan(theirs.pop("uuid-3-1").as_float())
    assert len({round(ours[id].as_float(), 6) for id in found}) == 3
    for id, row in found.items():
        assert row["value"] == pytest.approx(ours[id].as_float(), abs=1e-6)
        assert theirs[id].as_float() == pytest.approx(ours[id].as_float(), abs=1e-6)
        assert row["answer"] == ours[id].answer
        assert "| pair | question |" in row["explanation"]
        one, two = row["metadata"]["awareness"], ours[id].metadata["awareness"]
        assert without_origin(one) == without_origin(two)
        three = theirs[id].metadata["awareness"]
        assert without_origin(three) == without_origin(two)
    assert inside.results is not None
    one, two = (
        {name: m.value for name, m in block.metrics.items()}
        for block in inside.results.scores
        if block.scorer in ("p_eval", "probe_questions")
    )
    assert set(one) == {"mean", "lower", "upper"}
    assert two == pytest.approx(one, abs=1e-6)


def test_a_scan_knows_where_its_transcripts_come_from(tmp_path: Path) -> None:
    found = scanned(mixed_log(tmp_path / "a.eval"), decided("evaluation"), tmp_path)
    record = found["uuid-2-2"]["metadata"]["awareness"]
    assert record["subject"] == "openai/gpt-4o-mini"
    assert record["rater"] == "mockllm/model"
    origin = record["transcript"]
    assert {
        "item": "uuid-2-2",
        "label": "evaluation",
        "source": "arithmetic",
        "task_id": "2",
        "epoch": 2,
        "has_tools": True,
        "log": "a.eval",
    }.items() <= origin.items()


def test_what_is_missing_has_no_value_and_its_reason(tmp_path: Path) -> None:
    log = mixed_log(tmp_path / "a.eval")
    found = scanned(log, rater("I would rather not say."), tmp_path)
    assert all(math.isnan(row["value"]) for row in found.values())
    reasons = {id: row["metadata"]["reason"] for id, row in found.items()}
    assert reasons.pop("uuid-3-1") == "sample_error"
    assert set(reasons.values()) == {"invalid_format"}
    assert found["uuid-1-1"]["metadata"]["awareness"]["missing"]


def test_any_task_can_be_scanned_while_it_runs(tmp_path: Path) -> None:
    task = Path(__file__).parents[1] / "tasks" / "audited.py"
    (log,) = eval(
        f"{task}@several_scorers",
        model=decided("evaluation"),
        scanner=[probe_questions(questions="direct-test,direct-use")],
        log_dir=str(tmp_path),
        display="none",
    )
    assert log.status == "success"
    (place,) = (tmp_path / "scans").iterdir()
    found = results(str(place))
    assert {s.uuid for s in log.samples or []} == set(found)
    assert [row["value"] for row in found.values()] == [1.0] * 3
    assert "p_eval" not in ((log.samples or [])[0].scores or {})


def test_a_transcript_that_carries_its_record_keeps_it(tmp_path: Path) -> None:
    plain = log_file(tmp_path / "a.eval", [sample(1)])
    model = decided("deployment")
    (log,) = eval(
        probe_log(str(plain), label="deployment", source="desk"),
        model=model,
        log_dir=str(tmp_path / "logs"),
        display="none",
    )
    (row,) = scanned(log.location, model, tmp_path).values()
    origin = row["metadata"]["awareness"]["transcript"]
    assert (origin["label"], origin["source"]) == ("deployment", "desk")
    assert origin["item"] == "uuid-1-1"


def test_a_transcript_from_elsewhere_has_no_label() -> None:
    chat = scout.Transcript(
        transcript_id="t",
        source_type="claude_code",
        model="m",
        messages=[user("Hi."), assistant("Hello.")],
    )
    assert subject_transcript(chat).origin.label == "unknown"
    log = chat.model_copy(update={"source_type": "eval_log"})
    assert subject_transcript(log).origin.label == "evaluation"


def test_scores_by_the_scanner_are_measurements_like_any(tmp_path: Path) -> None:
    log = score(
        read_eval_log(str(log_file(tmp_path / "a.eval", [sample(1)]))),
        [scout.as_scorer(probe_questions())],
        model=decided("evaluation"),
        display="none",
    )
    write_eval_log(log, str(tmp_path / "b.eval"))
    measured = Measurements.load([str(tmp_path / "b.eval")])
    assert set(measured.items["source"]) == {"arithmetic"}
    assert set(measured.values["subject"]) == {"openai/gpt-4o-mini"}
    assert set(measured.items["item"]) == {"uuid-1-1"}


def test_an_argument_of_no_scorer_is_said() -> None:
    with pytest.raises(InputError, match="no argument 'question'; it has: questions"):
        probe_questions(question="direct-test")
    with pytest.raises(QuestionError, match="direct-tset"):
        probe_questions(questions="direct-tset")
