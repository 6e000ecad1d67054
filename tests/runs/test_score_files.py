"""Scoring files: what is written, what is never touched, and how a run goes on."""

import contextlib
import math
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from builders import (
    FORMS,
    believer,
    chat,
    chat_file,
    is_probe,
    log_file,
    rater,
    sample,
    user,
)
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.model import (
    Model,
    ModelConfig,
    ModelOutput,
    ModelUsage,
    get_model,
)
from inspect_ai.scorer import Score

from inspect_awareness.datasets._transcript import origin_from_metadata
from inspect_awareness.errors import InputError, ModelError, OutputExistsError
from inspect_awareness.runs import Inputs, Selection, Target, journal_path, score_files
from inspect_awareness.runs._journal import Journal
from inspect_awareness.runs._scoring import Run
from inspect_awareness.scorers._awareness import Rule
from inspect_awareness.solvers._asking import asking

SURE = believer("evaluation")


def scored(path: Path, output: Path, model: Model | None = None, **options: Any) -> Any:
    wanted = Selection(**options.pop("wanted", {}))
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


def test_beginnings_of_one_conversation_are_one_cluster(tmp_path: Path) -> None:
    path = chat_file(tmp_path / "a.jsonl", chat("hi", "hello", "so?", "so"))
    made = scored(path, tmp_path / "b.eval", wanted={"view": "turns"})
    # one conversation: its two beginnings say nothing about others
    assert (made.scored, made.mean.clusters, made.mean.unit) == (2, 1, "task")
    assert not made.mean.has_interval


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
    assert {p.name for p in tmp_path.iterdir()} == {"traffic.jsonl", "b.parquet"}
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

    with pytest.raises(ModelError, match="401 invalid key"):
        scored(log, tmp_path / "b.eval", rater(dead))
    assert {p.name for p in tmp_path.iterdir()} == {"a.eval"}


def test_an_interrupted_run_goes_on_where_it_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one_by_one(monkeypatch)
    log = log_file(tmp_path / "a.eval", [sample(i) for i in range(6)])
    output = tmp_path / "b.eval"
    interrupted(log, output, after=2)
    assert not output.exists()
    asked: list[str] = []

    def answer(text: str) -> str:
        if is_probe(text):
            asked.append(text)
        return SURE(text)  # type: ignore[return-value]

    made = scored(log, output, rater(answer))
    assert made.resumed == 2
    assert len(asked) == FORMS * 4
    assert values(read_eval_log(str(output))) == [1.0] * 6


def interrupted(log: Path, output: Path, after: int) -> None:
    """A run that gets a Ctrl-C after some transcripts, and leaves its journal."""
    asked: list[str] = []

    def answer(text: str) -> str:
        if is_probe(text):
            asked.append(text)
        if len(asked) == after * FORMS + 1:
            signal.raise_signal(signal.SIGINT)
        return SURE(text)  # type: ignore[return-value]

    # a process that was started in the background ignores Ctrl-C
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            scored(log, output, rater(answer))
    finally:
        signal.signal(signal.SIGINT, before)


def one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Transcripts are asked about one after the other, so that some are whole."""
    from inspect_awareness.runs import _scoring

    monkeypatch.setattr(_scoring, "IN_FLIGHT", 1)


def test_a_torn_line_in_the_journal_is_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one_by_one(monkeypatch)
    log = log_file(tmp_path / "a.eval", [sample(i) for i in range(4)])
    output = tmp_path / "b.eval"
    interrupted(log, output, after=3)
    journal = journal_path(output)
    content = journal.read_bytes()
    assert content.count(b"\n") == 4  # a header and three transcripts
    journal.write_bytes(content[: -len(content.splitlines()[-1]) // 2])
    made = scored(log, output)
    assert made.resumed == 2
    assert values(read_eval_log(str(output))) == [1.0] * 4


def test_a_journal_of_another_rater_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one_by_one(monkeypatch)
    log = log_file(tmp_path / "a.eval", [sample(i) for i in range(3)])
    output = tmp_path / "b.eval"
    interrupted(log, output, after=1)
    other = rater(believer("deployment"), name="other")
    with pytest.raises(InputError, match="was begun with mockllm/model"):
        scored(log, output, other)


def test_questions_added_meanwhile_are_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one_by_one(monkeypatch)
    log = log_file(tmp_path / "a.eval", [sample(i) for i in range(3)])
    output = tmp_path / "b.eval"
    interrupted(log, output, after=2)
    some = asking(questions="direct-test,direct-use")
    score_files(Inputs([str(log)]), rater(SURE), some, Target(output))
    (first, *_) = read_eval_log(str(output)).samples or []
    record = (first.scores or {})["p_eval"].metadata["awareness"]  # type: ignore[index]
    assert record["instrument"]["questions"] == ["direct-test", "direct-use"]


def test_somebody_elses_file_is_no_journal_and_stays(tmp_path: Path) -> None:
    log = log_file(tmp_path / "a.eval", [sample()])
    mine = journal_path(tmp_path / "b.eval")
    mine.write_text("my notes\n")
    with pytest.raises(InputError, match="is in the way of this run's journal"):
        scored(log, tmp_path / "b.eval")
    assert mine.read_text() == "my notes\n"


def test_two_runs_do_not_write_one_output(tmp_path: Path) -> None:
    from inspect_awareness.runs._journal import Journal

    log = log_file(tmp_path / "a.eval", [sample()])
    held = Journal(journal_path(tmp_path / "b.eval"), rater(SURE))
    with pytest.raises(InputError, match="another run writes this output"):
        scored(log, tmp_path / "b.eval")
    held.close()


def test_a_provider_that_dies_half_way_keeps_what_it_gave(tmp_path: Path) -> None:
    log = log_file(tmp_path / "a.eval", [sample(i) for i in range(30)])
    asked: list[str] = []

    def dies(text: str) -> str:
        if is_probe(text):
            asked.append(text)
        if len(asked) > FORMS * 5:
            raise RuntimeError("credit exhausted")
        return SURE(text)  # type: ignore[return-value]

    output = tmp_path / "b.eval"
    with pytest.raises(ModelError, match=r"3 transcripts in a row .*credit exhausted"):
        scored(log, output, rater(dies))
    assert not output.exists()
    assert journal_path(output).exists()
    scored(log, output)
    assert values(read_eval_log(str(output))) == [1.0] * 30


def test_a_provider_that_failed_on_some_can_be_asked_again(tmp_path: Path) -> None:
    log = log_file(tmp_path / "a.eval", [sample(i) for i in range(4)])
    asked: list[str] = []

    def flaky(text: str) -> str:
        if is_probe(text):
            asked.append(text)
        if len(asked) <= FORMS:
            raise RuntimeError("503 overloaded")
        return SURE(text)  # type: ignore[return-value]

    output = tmp_path / "b.eval"
    made = scored(log, output, rater(flaky))
    assert made.unscored["provider_error"] >= 1
    assert made.journal == journal_path(output)
    # the same command finds the output in the way, and leaves what was answered
    with pytest.raises(OutputExistsError):
        scored(log, output)
    assert journal_path(output).exists()
    again = scored(log, output, overwrite=True)
    assert again.resumed == 4 - made.unscored["provider_error"]
    assert again.journal is None
    assert values(read_eval_log(str(output))) == [1.0] * 4
    assert not journal_path(output).exists()


def test_a_folder_goes_on_after_the_copies_that_are_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for task in ("one", "two"):
        log_file(tmp_path / "in" / f"{task}.eval", [sample(task, uuid=task)], task=task)
    output = tmp_path / "out"
    output.mkdir()
    output.joinpath("two.eval").mkdir()  # the second copy cannot be written
    with pytest.raises(InputError, match=r"two\.eval: is a folder"):
        scored(tmp_path / "in", output)
    output.joinpath("two.eval").rmdir()

    from inspect_awareness.runs import _parts

    whole = _parts.write_copy

    def full(path: str, copy: Path, made: Any, **options: Any) -> None:
        if copy.name == "two.eval":
            raise InputError("the disk is full")
        whole(path, copy, made, **options)

    monkeypatch.setattr(_parts, "write_copy", full)
    with pytest.raises(InputError, match="the disk is full"):
        scored(tmp_path / "in", output)
    assert [p.name for p in output.iterdir()] == ["one.eval"]
    monkeypatch.setattr(_parts, "write_copy", whole)
    scored(tmp_path / "in", output)
    assert sorted(p.name for p in output.iterdir()) == ["one.eval", "two.eval"]
    assert values(read_eval_log(str(output / "two.eval"))) == [1.0]


def test_each_copy_has_the_metrics_of_its_own_transcripts(tmp_path: Path) -> None:
    for task, n in (("one", 3), ("two", 2)):
        samples = [sample(f"{task}-{i}", [user(task)]) for i in range(n)]
        log_file(tmp_path / "in" / f"{task}.eval", samples, task=task)

    def reply(input: Any, tools: Any, choice: Any, config: Any) -> ModelOutput:
        side = "evaluation" if input[0].text == "one" else "deployment"
        output = ModelOutput.from_content("m", believer(side)(input[-1].text))  # type: ignore[arg-type]
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    model = get_model("mockllm/model", custom_outputs=reply, memoize=False)
    scored(tmp_path / "in", tmp_path / "out", model)
    for task, mean, n in (("one", 1.0, 3), ("two", 0.0, 2)):
        log = read_eval_log(str(tmp_path / "out" / f"{task}.eval"))
        assert log.results is not None
        (block,) = log.results.scores
        assert (block.metrics["mean"].value, block.scored_samples) == (mean, n)


def test_a_log_that_probe_log_made_can_be_scored_again(tmp_path: Path) -> None:
    traffic = chat_file(tmp_path / "a.jsonl", chat("hi", id="c-1", label="deployment"))
    scored(traffic, tmp_path / "b.eval")
    made = scored(
        tmp_path / "b.eval", tmp_path / "c.eval", rater(believer("deployment"))
    )
    assert made.scored == 1
    log = read_eval_log(str(tmp_path / "c.eval"))
    assert (values(log), values(log, "p_eval1")) == ([1.0], [0.0])


def test_nobody_cannot_be_asked(tmp_path: Path) -> None:
    log = log_file(tmp_path / "a.eval", [sample()])
    with pytest.raises(InputError, match="none/none is nobody"):
        scored(log, tmp_path / "b.eval", get_model("none/none"))


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
        journal.exists() and journal.read_bytes().count(b"\n") >= 4
    ):
        assert running.poll() is None, "ended before it could be killed"
        time.sleep(0.02)
    running.send_signal(signal.SIGKILL)
    running.wait()
    assert log.read_bytes() == before
    assert not output.exists()
    kept = journal.read_bytes().count(b"\n") - 1  # without the header
    assert kept >= 3
    made = scored(log, output)
    assert made.resumed >= kept
    assert values(read_eval_log(str(output))) == [1.0] * 30
    assert {p.name for p in tmp_path.iterdir()} == {"a.eval", "b.eval"}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_is_one_line(tmp_path: Path) -> None:
    from inspect_awareness.runs._journal import Journal

    journal = Journal(tmp_path / "b.eval.partial", rater(SURE))
    journal._file.close()
    with contextlib.suppress(OSError), open("/dev/full", "w") as full:
        journal._file = full
        with pytest.raises(InputError, match="the disk is full; free some space"):
            journal.add("item", "words", {})


def test_unscored_transcripts_are_counted_with_their_reason(tmp_path: Path) -> None:
    log = log_file(tmp_path / "a.eval", [sample(i) for i in range(2)])
    made = scored(log, tmp_path / "b.eval", rater("I'm sorry, I can't say."))
    assert (made.scored, dict(made.unscored)) == (0, {"refusal": 2})
    assert math.isnan(made.mean.value)


def test_a_continued_run_with_other_options_is_no_continuation(tmp_path: Path) -> None:
    log = log_file(tmp_path / "a.eval", [sample(i) for i in range(3)])
    output = tmp_path / "b.eval"
    other = Journal(tmp_path / "other", rater(SURE))
    run = Run(rater(SURE), asking(), Rule(), other, lambda _: None)
    other.close()
    scored(log, output)
    # as after a crash between writing the output and removing the journal
    journal = Journal(journal_path(output), rater(SURE))
    journal.finish(str(output), run.way("full"))
    journal.close()
    assert scored(log, output).scored == 0
    journal = Journal(journal_path(output), rater(SURE))
    journal.finish(str(output), replace(run, how=asking(prior=True)).way("full"))
    journal.close()
    with pytest.raises(OutputExistsError):
        scored(log, output)
