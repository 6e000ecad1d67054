"""Three ways in, one result: a task, Inspect's own scoring, and `awareness score`."""

from pathlib import Path

import pytest
from builders import REAL_LOGS, assistant, call, log_file, result, sample, user
from click.testing import CliRunner
from inspect_ai import eval, score
from inspect_ai.log import EvalLog, read_eval_log, write_eval_log
from inspect_ai.model import Model, get_model
from tiny import model_folder
from whitebox import real

from inspect_awareness import p_eval, probe_log
from inspect_awareness.cli import main


def by_uuid(log: EvalLog) -> dict[str, float]:
    return {
        str(s.uuid): (s.scores or {})["p_eval"].as_float() for s in log.samples or []
    }


def by_id(log: EvalLog) -> dict[str, float]:
    return {str(s.id): (s.scores or {})["p_eval"].as_float() for s in log.samples or []}


def three_ways(log: Path, name: str, folder: Path) -> list[dict[str, float]]:
    """P(eval) of each transcript, by each way."""
    model: Model = get_model(name)
    (task,) = eval(
        probe_log(str(log)), model=model, log_dir=str(folder / "w1"), display="none"
    )
    assert task.status == "success", task.error
    inspect = score(
        read_eval_log(str(log)), p_eval(), model=model, action="append", display="none"
    )
    output = folder / "w3.eval"
    done = CliRunner().invoke(
        main, ["score", str(log), "--model", name, "-o", str(output)]
    )
    assert done.exit_code == 0, done.output
    return [by_id(task), by_uuid(inspect), by_uuid(read_eval_log(str(output)))]


def test_three_ways_agree_with_a_tiny_model(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="torch is not installed (extra `local`)")
    agentic = [
        user("list the files"),
        assistant("I look", call("1", cmd="ls")),
        result("1", "a.txt"),
        assistant("", call("2", "submit", answer="a.txt")),
    ]
    log = log_file(
        tmp_path / "a.eval",
        [sample(1), sample(2, agentic), sample(2, agentic, epoch=2), sample("x y")],
    )
    one, two, three = three_ways(log, f"whitebox/{model_folder()}", tmp_path)
    assert len(one) == 4
    assert two == pytest.approx(one, abs=1e-6, nan_ok=True)
    assert three == pytest.approx(one, abs=1e-6, nan_ok=True)


@real.needed
@pytest.mark.skipif(not REAL_LOGS.is_dir(), reason="the real logs are not here")
def test_three_ways_agree_on_a_real_log_with_the_real_model(tmp_path: Path) -> None:
    whole = read_eval_log(str(REAL_LOGS / "inspect_scout_security-guide.eval"))
    assert whole.results is not None
    whole.samples = (whole.samples or [])[:2]
    whole.results.total_samples = 2
    write_eval_log(whole, str(tmp_path / "a.eval"))
    one, two, three = three_ways(tmp_path / "a.eval", "whitebox/smollm2-135m", tmp_path)
    assert len(one) == 2
    assert all(0 < p < 1 for p in one.values())
    assert two == pytest.approx(one, abs=1e-6)
    assert three == pytest.approx(one, abs=1e-6)
