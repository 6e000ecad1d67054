"""Scoring files: what is written, what is never touched, and how a run goes on."""

import json
import math
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from builders import believer, chat, chat_file, is_probe, log_file, rater, sample
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.model import Model, ModelConfig
from inspect_ai.scorer import Score

from inspect_awareness.datasets._transcript import origin_from_metadata
from inspect_awareness.errors import InputError, ModelError, OutputExistsError
from inspect_awareness.runs import Inputs, Target, Wanted, journal_path, score_files
from inspect_awareness.solvers._asking import asking

SURE = believer("evaluation")


def scored(path: Path, output: Path, model: Model | None = None, **options: Any) -> Any:
    wanted = Wanted(**options.pop("wanted", {}))
    return score_files(
        Inputs([str(path)], wanted),
        model or rater(SURE),
        asking(),
        Target(output, **options),
    )


def values(log: EvalLog, name: str = "p_eval") -> list[float]:
    return [(s.scores or {})[name].as_float() for s in log.samples or []]


def test_a_log_is_copied_with_the_scores_appended(tmp_path: Path) -> None:
    match = {"match": Score(value="C")}
    log = log_file(tmp_path / "a.eval", [sample(i, scores=match) for i in range(3)])
    before = log.read_bytes()
    made = scored(log, tmp_path / "b.eval")
    assert log.read_bytes() == before
    copy = read_eval_log(str(tmp_path / "b.eval"))
    assert values(copy) == [1.0, 1.0, 1.0]
    assert [list(s.scores or {}) for s in copy.samples or []] == [
        ["match", "p_eval"]
    ] * 3
    assert copy.results is not None
    assert [s.name for s in copy.results.scores] == ["p_eval"]
    assert copy.results.scores[0].metrics["mean"].value == 1.0
    assert copy.eval.model == "openai/gpt-4o-mini"
    assert (made.scored, dict(made.unscored)) == (3, {})
    assert not journal_path(tmp_path / "b.eval").exists()


def test_the_logs_own_model_and_roles_are_not_loaded_and_are_kept(
    tmp_path: Path,
) -> None:
    log = log_file(
        tmp_path / "a.eval",
        [sample()],
        model="no_such_provider/m",
        model_roles={"grader": ModelConfig(model="no_such_provider/g")},
    )
    scored(log, tmp_path / "b.eval")
    copy = read_eval_log(str(tmp_path / "b.eval"))
    assert copy.eval.model == "no_such_provider/m"
    assert copy.eval.model_roles is not None
    assert values(copy) == [1.0]


def test_a_second_score_gets_a_name_of_its_own_unless_replaced(tmp_path: Path) -> None:
    log = log_file(tmp_path / "a.eval", [sample()])
    scored(log, tmp_path / "b.eval")
    other = rater(believer("deployment"))
    scored(tmp_path / "b.eval", tmp_path / "c.eval", other)
    both = read_eval_log(str(tmp_path / "c.eval"))
    assert values(both) == [1.0]
    assert values(both, "p_eval1") == [0.0]
    scored(tmp_path / "c.eval", tmp_path / "d.eval", other, replace=True)
    (only,) = read_eval_log(str(tmp_path / "d.eval")).samples or []
    assert {k: v.value for k, v in (only.scores or {}).items()} == {"p_eval": 0.0}
    results = read_eval_log(str(tmp_path / "d.eval")).results
    assert results is not None
    assert [s.name for s in results.scores] == ["p_eval"]


def test_several_logs_become_a_folder_of_copies(tmp_path: Path) -> None:
    for task in ("one", "two"):
        log_file(tmp_path / "in" / f"{task}.eval", [sample(task)], task=task)
    made = scored(tmp_path / "in", tmp_path / "out")
    assert [p.name for p in made.outputs] == ["one.eval", "two.eval"]
    assert values(read_eval_log(str(tmp_path / "out" / "two.eval"))) == [1.0]
    with pytest.raises(
        InputError, match="2 logs were given, so the output is a folder"
    ):
        scored(tmp_path / "in", tmp_path / "x.eval")


def test_a_chat_file_becomes_a_log_of_transcripts(tmp_path: Path) -> None:
    path = chat_file(
        tmp_path / "traffic.jsonl", chat("hi", "hello", label="deployment")
    )
    scored(path, tmp_path / "b.eval")
    log = read_eval_log(str(tmp_path / "b.eval"))
    (only,) = log.samples or []
    origin = origin_from_metadata(only.metadata)
    assert origin is not None
    assert (origin.label, origin.source) == ("deployment", "traffic")
    assert values(log) == [1.0]


def test_turns_become_a_log_of_transcripts(tmp_path: Path) -> None:
    log = log_file(tmp_path / "a.eval", [sample()])
    scored(log, tmp_path / "b.eval", wanted={"view": "turns"})
    made = read_eval_log(str(tmp_path / "b.eval"))
    assert [s.id for s in made.samples or []] == ["uuid-1-1#1"]


def test_a_sample_scores_only_what_was_drawn(tmp_path: Path) -> None:
    log = log_file(tmp_path / "a.eval", [sample(i) for i in range(10)])
    made = scored(log, tmp_path / "b.eval", wanted={"sample": 4})
    copy = read_eval_log(str(tmp_path / "b.eval"))
    assert sum("p_eval" in (s.scores or {}) for s in copy.samples or []) == 4
    assert len(copy.samples or []) == 10
    assert made.mean.n == 4


def test_scores_only_holds_no_word_of_a_transcript(tmp_path: Path) -> None:
    path = chat_file(
        tmp_path / "traffic.jsonl",
        chat("my pin is 4711", "forget it", id="customer-9", source="app"),
    )
    scored(path, tmp_path / "b.parquet", scores_only=True)
    content = (tmp_path / "b.parquet").read_bytes()
    assert [p.name for p in tmp_path.iterdir()] == ["traffic.jsonl", "b.parquet"] or {
        p.name for p in tmp_path.iterdir()
    } == {"traffic.jsonl", "b.parquet"}
    from inspect_awareness.measurements import Measurements

    measured = Measurements.from_parquet(str(tmp_path / "b.parquet"))
    text = measured.values.to_csv() + measured.items.to_csv()
    for secret in ("4711", "forget", "customer-9", "traffic.jsonl", str(tmp_path)):
        assert secret not in text
        assert secret.encode() not in content
    assert "app" in text
    with pytest.raises(InputError, match=r"must end in \.parquet"):
        scored(path, tmp_path / "b.eval", scores_only=True)


def test_an_output_that_exists_is_refused_before_anything_is_asked(
    tmp_path: Path,
) -> None:
    log = log_file(tmp_path / "a.eval", [sample()])
    (tmp_path / "b.eval").write_text("mine")

    def never(text: str) -> str:
        raise AssertionError("asked")

    with pytest.raises(OutputExistsError, match=r"b\.eval: exists already"):
        scored(log, tmp_path / "b.eval", rater(never))
    assert (tmp_path / "b.eval").read_text() == "mine"
    with pytest.raises(InputError, match="no such folder"):
        scored(log, tmp_path / "nowhere" / "b.eval", rater(never))
    scored(log, tmp_path / "b.eval", overwrite=True)
    assert values(read_eval_log(str(tmp_path / "b.eval"))) == [1.0]


def test_a_log_may_be_scored_in_place_when_told_so(tmp_path: Path) -> None:
    log = log_file(tmp_path / "a.eval", [sample()])
    scored(log, log, overwrite=True)
    assert values(read_eval_log(str(log))) == [1.0]


def test_a_dead_provider_ends_the_run_and_writes_nothing(tmp_path: Path) -> None:
    log = log_file(tmp_path / "a.eval", [sample(i) for i in range(5)])

    def dead(text: str) -> str:
        raise RuntimeError("401 invalid key")

    with pytest.raises(ModelError, match=r"401 invalid key.*nothing was written"):
        scored(log, tmp_path / "b.eval", rater(dead))
    assert {p.name for p in tmp_path.iterdir()} == {"a.eval"}


def test_an_interrupted_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    log = log_file(tmp_path / "a.eval", [sample(i) for i in range(6)])
    asked: list[str] = []

    def stops_after(n: int) -> Model:
        def answer(text: str) -> str:
            if is_probe(text):
                asked.append(text)
            if len(asked) > n:
                raise KeyboardInterrupt
            return SURE(text)  # type: ignore[return-value]

        return rater(answer)

    with pytest.raises(KeyboardInterrupt):
        scored(log, tmp_path / "b.eval", stops_after(24 * 2 + 5))
    journal = journal_path(tmp_path / "b.eval")
    kept = len(journal.read_text().splitlines()) if journal.exists() else 0
    assert not (tmp_path / "b.eval").exists()

    asked.clear()
    made = scored(log, tmp_path / "b.eval", stops_after(10_000))
    assert made.resumed == kept
    assert len(asked) == 24 * (6 - kept)
    assert values(read_eval_log(str(tmp_path / "b.eval"))) == [1.0] * 6


def test_a_torn_line_in_the_journal_is_asked_again(tmp_path: Path) -> None:
    log = log_file(tmp_path / "a.eval", [sample(i) for i in range(2)])
    output = tmp_path / "b.eval"
    scored(log, output)
    record = (read_eval_log(str(output)).samples or [])[0].scores["p_eval"].metadata  # type: ignore
    output.unlink()
    from inspect_awareness.datasets import transcripts_from_logs
    from inspect_awareness.solvers._asking import digest

    first = transcripts_from_logs(log)[0]
    words = digest(first.input)  # type: ignore[arg-type]
    line = json.dumps({"item": first.id, "words": words, "record": record["awareness"]})
    journal_path(output).write_text(line + "\n" + line[: len(line) // 2])
    made = scored(log, output)
    assert made.resumed == 1
    assert values(read_eval_log(str(output))) == [1.0, 1.0]


def test_a_journal_of_another_rater_does_not_count(tmp_path: Path) -> None:
    log = log_file(tmp_path / "a.eval", [sample()])
    output = tmp_path / "b.eval"
    scored(log, output)
    record = (read_eval_log(str(output)).samples or [])[0].scores["p_eval"].metadata  # type: ignore
    output.unlink()
    from inspect_awareness.datasets import transcripts_from_logs
    from inspect_awareness.solvers._asking import digest

    first = transcripts_from_logs(log)[0]
    words = digest(first.input)  # type: ignore[arg-type]
    line = json.dumps({"item": first.id, "words": words, "record": record["awareness"]})
    journal_path(output).write_text(line + "\n")
    scored(log, output, rater(believer("deployment"), name="other"))
    assert values(read_eval_log(str(output))) == [0.0]


SLOW = """
import sys, time
from pathlib import Path
sys.path.insert(0, {tests!r})
from builders import believer, is_probe, rater
from inspect_awareness.runs import Inputs, Target, score_files
from inspect_awareness.solvers._asking import asking

def slow(text):
    time.sleep(0.02)
    return believer("evaluation")(text)

score_files(Inputs([{log!r}]), rater(slow), asking(), Target(Path({output!r})))
"""


def test_a_killed_run_leaves_the_input_alone_and_goes_on(tmp_path: Path) -> None:
    log = log_file(tmp_path / "a.eval", [sample(i) for i in range(30)])
    before = log.read_bytes()
    output = tmp_path / "b.eval"
    program = SLOW.format(
        tests=str(Path(__file__).parents[1]), log=str(log), output=str(output)
    )
    running = subprocess.Popen([sys.executable, "-c", program])
    journal = journal_path(output)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not (
        journal.exists() and journal.read_bytes().count(b"\n") >= 3
    ):
        assert running.poll() is None, "ended before it could be killed"
        time.sleep(0.02)
    running.send_signal(signal.SIGKILL)
    running.wait()
    assert log.read_bytes() == before
    assert not output.exists()
    kept = journal.read_bytes().count(b"\n")
    assert kept >= 3
    made = scored(log, output)
    assert made.resumed >= kept
    assert values(read_eval_log(str(output))) == [1.0] * 30
    assert {p.name for p in tmp_path.iterdir()} == {"a.eval", "b.eval"}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_is_one_line(tmp_path: Path) -> None:
    log = log_file(tmp_path / "a.eval", [sample()])
    output = tmp_path / "b.eval"
    journal_path(output).symlink_to("/dev/full")
    with pytest.raises(InputError, match="the disk is full; free some space"):
        scored(log, output)
    assert not output.exists()


def test_unscored_transcripts_are_counted_with_their_reason(tmp_path: Path) -> None:
    log = log_file(tmp_path / "a.eval", [sample(i) for i in range(2)])
    made = scored(log, tmp_path / "b.eval", rater("I'm sorry, I can't say."))
    assert (made.scored, dict(made.unscored)) == (0, {"refusal": 2})
    assert math.isnan(made.mean.value)
