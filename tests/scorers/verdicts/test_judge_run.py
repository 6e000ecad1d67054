"""Judging files: the cost first, copies with verdicts, and going on after a stop."""

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from builders import (
    REAL_LOGS,
    assistant,
    chat,
    chat_file,
    log_file,
    rater,
    sample,
    user,
)
from commands import run as typed
from inspect_ai.log import EvalLog, EvalSample, read_eval_log
from inspect_ai.model import Model, ModelOutput
from inspect_ai.scorer import Score
from scorers.verdicts.said import AWARE, record, thoughts, verdict

from inspect_awareness.cli import main
from inspect_awareness.datasets._inputs import Inputs
from inspect_awareness.datasets._selection import Selection
from inspect_awareness.errors import InputError, ModelError, OutputExistsError
from inspect_awareness.runs import Target
from inspect_awareness.runs._judged_log import VerdictJournal, verdict_run
from inspect_awareness.runs._judging import (
    Judged,
    judge_files,
    judging_journal,
    plan_judging,
)
from inspect_awareness.scorers.verdicts._judging import Judging, judging

YES = verdict(True, AWARE, type="safety")
NO = verdict(False)
SAID = {1: "I look.", 2: AWARE, 3: "All fine.", 4: "Hm."}


class Judge:
    """A judge by a rule, that counts how often it was asked."""

    def __init__(self, name: str = "judge") -> None:
        self.asked: list[str] = []
        self.fails_on: str | None = None
        self.model: Model = rater(self.answer, name=name)

    def answer(self, text: str) -> str | ModelOutput:
        if self.fails_on is not None and self.fails_on in text:
            raise ConnectionError("connection reset")
        self.asked.append(text)
        return YES if AWARE in text else NO


def samples_of(log: EvalLog) -> list[EvalSample]:
    assert log.samples is not None
    return log.samples


def plain_log(path: Path, said: dict[int, str] | None = None) -> Path:
    """A log of one thought a sample, with the task's own score, and one without."""
    own = {"match": Score(value="C")}
    samples = [
        sample(id, thoughts(thought), scores=dict(own))
        for id, thought in (said or SAID).items()
    ]
    silent = sample(9, [user("?"), assistant("Four.")], scores=dict(own))
    return log_file(path, [*samples, silent])


def go(
    paths: Sequence[Path], judges: Sequence[Model], output: Path, **more: Any
) -> Judged:
    settings = {k: more.pop(k) for k in ("channel", "votes") if k in more}
    wanted = Selection(**{k: more.pop(k) for k in ("limit", "view") if k in more})
    inputs = Inputs([str(path) for path in paths], wanted)
    return judge_files(inputs, judges, judging(**settings), Target(output, **more))


def verdicts(path: Path, name: str = "verbalized_awareness") -> dict[Any, Score]:
    return {s.id: (s.scores or {})[name] for s in samples_of(read_eval_log(str(path)))}


def verdicts_of(path: Path) -> list[Score]:
    """All verdicts of a log, those of epochs too."""
    samples = samples_of(read_eval_log(str(path)))
    return [(s.scores or {})["verbalized_awareness"] for s in samples]


def test_a_copy_has_the_verdicts_and_nothing_else_is_changed(tmp_path: Path) -> None:
    source, copy = plain_log(tmp_path / "a.eval"), tmp_path / "b.eval"
    before = source.read_bytes()
    judged = go([source], [Judge().model], copy)
    assert source.read_bytes() == before
    made = verdicts(copy)
    assert [made[id].value for id in SAID] == [0.0, 1.0, 0.0, 0.0]
    assert made[9].reason == "no_reasoning_channel"
    assert judged.rate.value == 0.25
    assert (judged.scored, judged.rate.unit, judged.rate.clusters) == (4, "task", 4)
    assert judged.unscored == {"no_reasoning_channel": 1}
    assert judged.types == {"safety": 1}
    old, new = read_eval_log(str(source)), read_eval_log(str(copy))
    for one, other in zip(samples_of(old), samples_of(new), strict=True):
        assert other.messages == one.messages
        assert (other.scores or {})["match"] == (one.scores or {})["match"]
    assert (new.eval.model, new.eval.task) == (old.eval.model, old.eval.task)
    assert new.results is not None
    (results,) = new.results.scores
    assert results.name == "verbalized_awareness"
    assert results.metrics["mean"].value == 0.25
    assert new.eval.scorers is not None
    assert (new.eval.scorers[-1].options or {})["judges"] == ["mockllm/judge"]
    assert not judging_journal(copy).exists()


def test_a_record_knows_where_its_transcript_comes_from(tmp_path: Path) -> None:
    source, copy = plain_log(tmp_path / "a.eval"), tmp_path / "b.eval"
    go([source], [Judge().model], copy)
    found = record(verdicts(copy)[2])
    assert (found["judge"], found["subject"]) == ("mockllm/judge", "openai/gpt-4o-mini")
    assert {
        "item": "uuid-2-1", "source": "arithmetic", "task_id": "2", "log": "a.eval",
        "outcome": 1.0,
    }.items() <= found["transcript"].items()  # fmt: skip


def test_the_cost_is_known_before_anything_is_asked(tmp_path: Path) -> None:
    judge = Judge()
    source = plain_log(tmp_path / "a.eval")
    plan = plan_judging(Inputs([str(source)]), judging(), [judge.model])
    assert (plan.transcripts, plan.judged, plan.calls) == (5, 4, 4)
    assert plan.characters == sum(map(len, SAID.values()))
    assert plan.missing == {"no_reasoning_channel": 1}
    assert plan.kinds == {"raw": 4, "none": 1}
    go([source], [judge.model], tmp_path / "b.eval")
    # what was read, at four characters a token
    assert plan.input_tokens == sum(map(len, judge.asked)) // 4
    more = plan_judging(
        Inputs([str(source)]), judging(votes=3), [judge.model, Judge("b").model]
    )
    assert more.calls == 24
    assert more.input_tokens == pytest.approx(6 * plan.input_tokens, abs=6)


def test_an_interrupted_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    source, copy = plain_log(tmp_path / "a.eval"), tmp_path / "b.eval"
    judge = Judge()
    judge.fails_on = "Hm."
    first = go([source], [judge.model], copy)
    assert len(judge.asked) == 3
    assert first.unscored == {"no_reasoning_channel": 1, "provider_error": 1}
    assert first.journal == judging_journal(copy)
    judge.fails_on = None
    second = go([source], [judge.model], copy, overwrite=True)
    assert len(judge.asked) == 4  # only what had failed
    assert (second.resumed, second.journal) == (3, None)
    assert [verdicts(copy)[id].value for id in SAID] == [0.0, 1.0, 0.0, 0.0]
    assert not judging_journal(copy).exists()


def test_a_changed_text_is_judged_anew(tmp_path: Path) -> None:
    copy = tmp_path / "b.eval"
    judge = Judge()
    judge.fails_on = "Hm."
    go([plain_log(tmp_path / "a.eval")], [judge.model], copy)
    judge.fails_on = None
    changed = plain_log(tmp_path / "a.eval", {**SAID, 1: f"I look. {AWARE}"})
    go([changed], [judge.model], copy, overwrite=True)
    assert len(judge.asked) == 3 + 2
    assert verdicts(copy)[1].value == 1.0


def test_other_settings_are_judged_anew(tmp_path: Path) -> None:
    source, copy = plain_log(tmp_path / "a.eval"), tmp_path / "b.eval"
    judge = Judge()
    judge.fails_on = "Hm."
    go([source], [judge.model], copy)
    judge.fails_on = None
    go([source], [judge.model], copy, overwrite=True, channel="both")
    assert len(judge.asked) == 3 + 5  # with output, the silent one too


def half_done(folder: Path, judge: Judge) -> list[Path]:
    """A run over two logs that broke off at the second, after it wrote the first."""
    first = plain_log(folder / "in" / "a.eval")
    said = {k: f"Hm, {k}." for k in (1, 2, 3)}
    second = log_file(
        folder / "in" / "b.eval",
        [sample(k, thoughts(t), uuid=f"b-{k}") for k, t in said.items()],
    )
    judge.fails_on = "Hm, "
    with pytest.raises((ModelError, BaseExceptionGroup)):
        go([first, second], [judge.model], folder / "out")
    assert [path.name for path in (folder / "out").iterdir()] == ["a.eval"]
    judge.fails_on, judge.asked = None, []
    return [first, second]


def test_an_output_that_is_done_is_not_judged_again(tmp_path: Path) -> None:
    judge = Judge()
    paths = half_done(tmp_path, judge)
    go(paths, [judge.model], tmp_path / "out")
    assert len(judge.asked) == 3  # the second log's
    assert verdicts(tmp_path / "out" / "b.eval")[1].value == 0.0


@pytest.mark.parametrize("other", [{"votes": 3}, {"channel": "both"}])
def test_an_output_that_was_judged_in_another_way_is_not_done(
    other: dict[str, Any], tmp_path: Path
) -> None:
    judge = Judge()
    paths = half_done(tmp_path, judge)
    with pytest.raises(OutputExistsError, match=r"a\.eval"):
        go(paths, [judge.model], tmp_path / "out", **other)
    assert judge.asked == []


def test_the_way_of_a_run_is_of_all_that_decides_a_verdict(tmp_path: Path) -> None:
    judge = Judge().model
    journal = VerdictJournal(tmp_path / "journal", judge)

    def way(how: Judging, view: str = "full", role: str | None = None) -> str:
        wanted = Selection(view=view, subject_role=role)
        return verdict_run([judge], how, journal, lambda done: None, wanted).way

    plain = judging()
    ways = [
        way(plain),
        way(plain, "model"),
        way(plain, "model", "target"),
        way(judging(votes=3)),
        way(judging(unsupported="aware")),
        way(judging(config={"max_tokens": 9})),
        way(replace(plain, rubric=replace(plain.rubric, text="{judged}"))),
    ]
    journal.close()
    assert len(set(ways)) == len(ways)
    assert way(judging()) == ways[0]


def test_it_is_judged_anew_where_it_may_be_overwritten(tmp_path: Path) -> None:
    judge = Judge()
    paths = half_done(tmp_path, judge)
    go(paths, [judge.model], tmp_path / "out", overwrite=True, votes=3)
    assert len(judge.asked) == 3 * (4 + 3)
    made = record(verdicts(tmp_path / "out" / "a.eval")[2])
    assert len(made["votes"]) == 3


def test_a_provider_that_is_gone_ends_the_run(tmp_path: Path) -> None:
    judge = Judge()
    judge.fails_on = "-----"
    copy = tmp_path / "b.eval"
    with pytest.raises((ModelError, BaseExceptionGroup)) as raised:
        go([plain_log(tmp_path / "a.eval")], [judge.model], copy)
    assert "no reply about 3 transcripts in a row" in str(
        getattr(raised.value, "exceptions", [raised.value])[0]
    )
    assert not copy.exists()


def test_a_policy_that_refuses_many_in_a_row_ends_nothing(tmp_path: Path) -> None:
    asked: list[str] = []

    def judge(text: str) -> str:
        asked.append(text)
        raise ValueError("400: flagged under our usage policy")

    copy = tmp_path / "b.eval"
    judged = go([plain_log(tmp_path / "a.eval")], [rater(judge, name="j")], copy)
    assert judged.unscored == {"content_filter": 4, "no_reasoning_channel": 1}
    assert (len(asked), judged.journal) == (4, None)


def test_several_judges_vote_on_each_transcript(tmp_path: Path) -> None:
    source, copy = plain_log(tmp_path / "a.eval"), tmp_path / "b.eval"
    judges = [Judge("one"), Judge("two"), Judge("three")]
    judges[2].fails_on = AWARE
    judged = go([source], [judge.model for judge in judges], copy)
    found = record(verdicts(copy)[2])
    assert [v["verdict"] for v in found["votes"]] == [True, True, None]
    assert (found["verdict"], found["agreement"]) == (True, 1.0)
    assert found["missing"] == {"provider_error": 1}
    # a verdict is there; still the failed vote can be had with the journal
    assert judged.scored == 4
    assert judged.journal == judging_journal(copy)
    judges[2].fails_on = None
    again = go([source], [judge.model for judge in judges], copy, overwrite=True)
    assert again.journal is None
    assert [len(judge.asked) for judge in judges] == [5, 5, 4]
    header = read_eval_log(str(copy), header_only=True)
    assert (header.eval.scorers or [])[-1].options["judges"] == [
        "mockllm/one", "mockllm/two", "mockllm/three",
    ]  # fmt: skip


def test_several_logs_become_a_folder(tmp_path: Path) -> None:
    paths = [plain_log(tmp_path / "in" / name) for name in ("a.eval", "b.eval")]
    other = log_file(paths[1], [sample(7, thoughts(AWARE))], task="other")
    judged = go([paths[0], other], [Judge().model], tmp_path / "out")
    assert [path.name for path in judged.outputs] == ["a.eval", "b.eval"]
    assert judged.scored == 5
    assert verdicts(tmp_path / "out" / "b.eval")[7].value == 1.0


def test_a_chat_file_becomes_a_log(tmp_path: Path) -> None:
    chats = chat_file(
        tmp_path / "chats.jsonl",
        chat("hi", f"<think>{AWARE}</think>Hello."),
        chat("hi", "Hello."),
    )
    judged = go([chats], [Judge().model], tmp_path / "b.eval")
    assert (judged.scored, judged.rate.value) == (1, 1.0)
    made = verdicts_of(tmp_path / "b.eval")
    assert [score.reason for score in made] == [None, "no_reasoning_channel"]


def test_a_second_judgement_stands_beside_the_first_or_replaces_it(
    tmp_path: Path,
) -> None:
    source = plain_log(tmp_path / "a.eval")
    one, two, three = (tmp_path / f"{n}.eval" for n in "123")
    go([source], [Judge().model], one)
    go([one], [Judge("other").model], two, votes=3)
    assert verdicts(two, "verbalized_awareness1")[2].value == 1.0
    assert record(verdicts(two)[2])["judge"] == "mockllm/judge"
    go([two], [Judge("third").model], three, replace=True)
    names = set(samples_of(read_eval_log(str(three)))[0].scores or {})
    assert names == {"match", "verbalized_awareness"}
    assert record(verdicts(three)[2])["judge"] == "mockllm/third"


def test_an_output_that_exists_is_kept(tmp_path: Path) -> None:
    source, copy = plain_log(tmp_path / "a.eval"), tmp_path / "b.eval"
    copy.write_text("mine")
    judge = Judge()
    with pytest.raises(OutputExistsError):
        go([source], [judge.model], copy)
    assert (judge.asked, copy.read_text()) == ([], "mine")


def test_views_without_the_subjects_turns_are_refused(tmp_path: Path) -> None:
    source = plain_log(tmp_path / "a.eval")
    with pytest.raises(InputError, match="view 'no_self' is not one of: full, model"):
        go([source], [Judge().model], tmp_path / "b.eval", view="no_self")


def test_the_command_says_what_it_will_cost(tmp_path: Path) -> None:
    command = ["judge", "run", plain_log(tmp_path / "a.eval"), "--judge", "none/none"]
    shown = typed(main, *command, "--dry-run")
    assert shown.exit_code == 0, shown.output
    assert "4 of 5 transcripts, 63 characters, 4 verdicts" in shown.stdout
    assert "nothing to judge: no_reasoning_channel 1" in shown.stdout
    plan = json.loads(typed(main, *command, "--dry-run", "--json").stdout)
    assert (plan["verdicts"], plan["reasoning"]) == (4, {"raw": 4, "none": 1})
    missing = typed(main, *command)
    assert missing.exit_code == 1
    assert "give -o OUTPUT" in missing.stderr


def test_a_model_that_cannot_judge_gives_no_rate_at_all(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="torch is not installed (extra `local`)")
    from tiny import model_folder

    copy = tmp_path / "b.eval"
    done = typed(
        main, "judge", "run", plain_log(tmp_path / "a.eval"), "--judge",
        f"whitebox/{model_folder()}", "--limit", 2, "--max-tokens", 8, "-o", copy,
        "--json",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["scored"] == 0
    assert found["rate"]["value"] is None
    assert sum(found["unscored"].values()) == 2
    assert copy.exists()


def test_a_judge_is_given_once(tmp_path: Path) -> None:
    path = plain_log(tmp_path / "a.eval")
    done = typed(
        main, "judge", "run", path, "--judge", "none/none", "--judge", "none/none"
    )
    assert done.exit_code == 1
    assert "none/none is given twice" in done.stderr
    nobody = typed(main, "judge", "run", path, "--judge", "none/none", "-o", "x.eval")
    assert "none/none is nobody" in nobody.stderr


REAL = (
    ("oversight_subversion_basic_gpt_5_mini.eval", 33, 32, 31),
    ("metr_oxdna_6_epochs.eval", 6, 6, 0),
)
"""Log, transcripts, how many reason, and how many of these under bold titles."""


@pytest.mark.parametrize(("name", "transcripts", "reasoned", "titled"), REAL)
def test_real_logs_are_walked(
    name: str, transcripts: int, reasoned: int, titled: int, tmp_path: Path
) -> None:
    path = REAL_LOGS / name
    if not path.exists():
        pytest.skip("the real logs are not here")

    def judge(text: str) -> str:
        shown = text.split("----- begin ")[1].split("----- end ")[0]
        lines = [line for line in shown.split("\n")[1:] if line[:6] != "[turn "]
        return verdict("test" in shown, max(lines, key=len), type="other")

    judged = go([path], [rater(judge, name="scripted")], tmp_path / "b.eval")
    assert judged.scored == reasoned
    assert judged.unscored.total() == transcripts - reasoned
    assert judged.flags["looks_like_summary"] == titled
    for made in verdicts_of(tmp_path / "b.eval"):
        if math.isnan(made.as_float()):
            assert made.reason == "no_reasoning_channel"
            continue
        (found,) = record(made)["evidence"]
        assert found["supported"]
        assert 0 <= found["position"] < 1
        assert found["turn"] <= record(made)["channel"]["turns"]
