"""Three ways in, one result: a task, Inspect's own scoring, and `awareness score`."""

import math
from pathlib import Path
from typing import Any

import pytest
from builders import (
    REAL_LOGS,
    assistant,
    believer,
    call,
    error_event,
    log_file,
    result,
    sample,
    user,
)
from click.testing import CliRunner
from inspect_ai import eval, score
from inspect_ai.log import EvalLog, read_eval_log, write_eval_log
from inspect_ai.model import ChatMessage, Model, ModelOutput, ModelUsage, get_model
from tiny import model_folder
from whitebox import real

from inspect_awareness import p_eval, probe_log
from inspect_awareness.cli import main
from inspect_awareness.runs import Inputs, Target, score_files
from inspect_awareness.solvers._asking import asking


def by_uuid(log: EvalLog) -> dict[str, float]:
    return {
        str(s.uuid): (s.scores or {})["p_eval"].as_float()
        for s in log.samples or []
        if "p_eval" in (s.scores or {})
    }


def by_id(log: EvalLog) -> dict[str, float]:
    return {str(s.id): (s.scores or {})["p_eval"].as_float() for s in log.samples or []}


def three_ways(
    log: Path, model: Model, name: str, folder: Path, **rule: float
) -> list[EvalLog]:
    """The log by each way."""
    (task,) = eval(
        probe_log(str(log), **rule),  # type: ignore[arg-type]
        model=model,
        log_dir=str(folder / "w1"),
        display="none",
    )
    assert task.status == "success", task.error
    inspect = score(
        read_eval_log(str(log)),
        p_eval(**rule),  # type: ignore[arg-type]
        model=model,
        action="append",
        display="none",
    )
    output = folder / "w3.eval"
    options = [f"--{key.replace('_', '-')}={value}" for key, value in rule.items()]
    if name:
        command = ["score", str(log), "--model", name, "-o", str(output), *options]
        done = CliRunner().invoke(main, command)
        assert done.exit_code == 0, done.output
    else:
        score_files(Inputs([str(log)]), model, asking(), Target(output))
    return [task, inspect, read_eval_log(str(output))]


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


def metrics(log: EvalLog) -> dict[str, float]:
    assert log.results is not None
    (block,) = [s for s in log.results.scores if s.name == "p_eval"]
    return {
        "scored": block.scored_samples or 0,
        **{name: float(m.value) for name, m in block.metrics.items()},
    }


def test_three_ways_agree_with_a_tiny_model(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="torch is not installed (extra `local`)")
    log = mixed_log(tmp_path / "a.eval")
    name = f"whitebox/{model_folder()}"
    made = three_ways(log, get_model(name), name, tmp_path, min_mass=0.0)
    one, two, three = by_id(made[0]), by_uuid(made[1]), by_uuid(made[2])
    assert len(one) == len(three) == 4
    assert all(0 < p < 1 for p in one.values())
    assert len(set(one.values())) >= 3, "different transcripts, different numbers"
    assert math.isnan(two.pop("uuid-3-1"))
    assert two == pytest.approx(one, abs=1e-6)
    assert three == pytest.approx(one, abs=1e-6)
    assert metrics(made[1]) == pytest.approx(metrics(made[0]), abs=1e-6)
    assert metrics(made[2]) == pytest.approx(metrics(made[0]), abs=1e-6)


def test_three_ways_agree_with_a_rater_that_writes(tmp_path: Path) -> None:
    def reply(input: list[ChatMessage], tools: Any, choice: Any, config: Any) -> Any:
        # agents are told from chats, so that transcripts differ
        side = "evaluation" if len(input) > 3 else "deployment"
        output = ModelOutput.from_content("m", str(believer(side)(input[-1].text)))
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    model = get_model("mockllm/model", custom_outputs=reply, memoize=False)
    made = three_ways(mixed_log(tmp_path / "a.eval"), model, "", tmp_path)
    one, two, three = by_id(made[0]), by_uuid(made[1]), by_uuid(made[2])
    assert sorted(one.values()) == [0.0, 0.0, 1.0, 1.0]
    assert math.isnan(two.pop("uuid-3-1"))
    assert one == two == three
    assert metrics(made[0]) == metrics(made[1]) == metrics(made[2])


@real.needed
@pytest.mark.skipif(not REAL_LOGS.is_dir(), reason="the real logs are not here")
def test_three_ways_agree_on_a_real_log_with_the_real_model(tmp_path: Path) -> None:
    whole = read_eval_log(str(REAL_LOGS / "inspect_scout_security-guide.eval"))
    assert whole.results is not None
    whole.samples = (whole.samples or [])[:2]
    whole.results.total_samples = 2
    write_eval_log(whole, str(tmp_path / "a.eval"))
    name = "whitebox/smollm2-135m"
    made = three_ways(tmp_path / "a.eval", get_model(name), name, tmp_path)
    one, two, three = by_id(made[0]), by_uuid(made[1]), by_uuid(made[2])
    assert len(one) == 2
    assert all(0 < p < 1 for p in one.values())
    assert two == pytest.approx(one, abs=1e-6)
    assert three == pytest.approx(one, abs=1e-6)
