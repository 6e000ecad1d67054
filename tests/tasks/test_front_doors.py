"""Components run by path from a checkout, and by name from anywhere."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from builders import log_file, sample
from inspect_ai.log import list_eval_logs, read_eval_log
from tiny import model_folder

ROOT = Path(__file__).parents[2]


def inspect(*arguments: object, cwd: Path = ROOT) -> str:
    """Run Inspect's command line, offline, in a folder."""
    done = subprocess.run(
        [sys.executable, "-m", "inspect_ai", *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=cwd,
        env={**os.environ, "HF_HUB_OFFLINE": "1", "INSPECT_DISPLAY": "plain"},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def rater() -> str:
    pytest.importorskip("torch", reason="torch is not installed (extra `local`)")
    return f"whitebox/{model_folder()}"


@pytest.mark.parametrize("task", ["tasks/probe_log.py", "inspect_awareness/probe_log"])
def test_the_task_runs_by_path_and_by_name(
    task: str, rater: str, tmp_path: Path
) -> None:
    log = log_file(tmp_path / "a.eval", [sample(1), sample(2)])
    options = ["-T", f"log={log}", "-T", "questions=direct-test,direct-use"]
    inspect("eval", task, *options, "--model", rater, "--log-dir", tmp_path / "out")
    (info,) = list_eval_logs(str(tmp_path / "out"))
    made = read_eval_log(info)
    assert made.status == "success"
    record = ((made.samples or [])[0].scores or {})["p_eval"].metadata["awareness"]  # type: ignore[index]
    assert record["instrument"]["questions"] == ["direct-test", "direct-use"]


def test_solver_and_scorer_run_by_path(rater: str, tmp_path: Path) -> None:
    inspect(
        "eval", "tasks/exam_items.py", "--solver", "solvers/probe_questions.py",
        "--limit", 1, "--model", rater, "--log-dir", tmp_path / "out",
    )  # fmt: skip
    (info,) = list_eval_logs(str(tmp_path / "out"))
    output = tmp_path / "scored.eval"
    inspect(
        "score", info.name.removeprefix("file://"), "--scorer", "scorers/p_eval.py",
        "--action", "append", "--output-file", output, "--model", rater,
    )  # fmt: skip
    scores = (read_eval_log(str(output)).samples or [])[0].scores or {}
    assert "p_eval" in scores
