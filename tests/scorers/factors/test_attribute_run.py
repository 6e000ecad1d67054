"""Attributing files: the cost first, stably aware tasks over all logs, copies."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from builders import assistant, log_file, model_event, rater, sample, user
from commands import page_of
from commands import run as typed
from inspect_ai.log import EvalSample, read_eval_log
from inspect_ai.model import ChatMessage, Model, ModelOutput
from inspect_ai.scorer import Score
from scorers.factors.cited import Namer, cue, record, repeats, says
from scorers.verdicts.said import verdict
from validation.judged import judged_log

from inspect_awareness.cli import main
from inspect_awareness.cli._judge_attribute import _print_attributed
from inspect_awareness.datasets._inputs import Inputs
from inspect_awareness.datasets._selection import Selection
from inspect_awareness.errors import InputError, ModelError, OutputExistsError
from inspect_awareness.measurements import Measurements
from inspect_awareness.runs import Target
from inspect_awareness.runs._attributing import (
    Attributed,
    attribute_files,
    cue_journal,
)
from inspect_awareness.runs._cue_plan import plan_attribution
from inspect_awareness.runs._judging import judge_files
from inspect_awareness.scorers.factors._attributing import attributing
from inspect_awareness.scorers.verdicts._judging import judging

TASKS = [
    *repeats("1", 3, 1, cites=["F8"]),
    *repeats("2", 3, 1, cites=["F2"]),
    *repeats("3", 2, 2, cites=["F4"]),
    *repeats("4", 0, 4),
]
"""Two stably aware tasks of four, each with four repeats."""


def go(
    paths: Sequence[Path],
    judges: Sequence[Model],
    output: Path,
    *,
    awareness_judge: str | None = None,
    **more: Any,
) -> Attributed:
    how = attributing(
        **{k: more.pop(k) for k in ("votes", "min_aware", "rubric") if k in more}
    )
    planned = plan_attribution(
        [str(path) for path in paths], how, judges, awareness_judge=awareness_judge
    )
    return attribute_files(planned, judges, how, Target(output, **more))


def cues(path: Path, name: str = "factor_attribution") -> dict[Any, Score]:
    samples = read_eval_log(str(path)).samples or []
    return {(s.id, s.epoch): (s.scores or {})[name] for s in samples}


def named(found: Attributed) -> dict[str, str | None]:
    return {task.task: task.category for task in found.tasks}


def test_only_aware_repeats_of_stably_aware_tasks_are_asked_about(
    tmp_path: Path,
) -> None:
    source, copy = judged_log(tmp_path / "a.eval", TASKS), tmp_path / "b.eval"
    before = source.read_bytes()
    judge = Namer()
    found = go([source], [judge.model], copy)
    assert source.read_bytes() == before
    assert len(judge.asked) == 6 * 5  # three aware repeats of two tasks, five votes
    assert named(found) == {"1": "F8", "2": "F2"}
    assert found.unscored == {"not_aware": 8, "not_stable": 2}
    made = cues(copy)
    assert [made["1", k].value for k in (1, 2, 3)] == ["F8"] * 3
    assert made["3", 1].reason == "not_stable"
    log = read_eval_log(str(copy))
    assert log.results is not None
    metrics = log.results.scores[-1].metrics
    assert (metrics["tasks"].value, metrics["F8"].value) == (2, 0.5)
    known = record(made["1", 1])
    assert (known["judge"], known["subject"], known["transcript"]["item"]) == (
        "mockllm/namer", "openai/subject", "gaia-1-1",
    )  # fmt: skip
    assert not cue_journal(copy).exists()


def test_the_cost_is_known_before_anything_is_asked(tmp_path: Path) -> None:
    source = judged_log(tmp_path / "a.eval", TASKS)
    judge = Namer()
    how = attributing(votes=3)
    plan = plan_attribution([str(source)], how, [judge.model])
    assert (plan.transcripts, plan.tasks, len(plan.stable)) == (16, 4, 2)
    assert (plan.asked, plan.calls) == (6, 18)
    assert plan.left_out == {"not_aware": 8, "not_stable": 2}
    assert judge.asked == []
    go([source], [judge.model], tmp_path / "b.eval", votes=3)
    assert plan.input_tokens == sum(map(len, judge.asked)) // 4


def test_a_task_is_stably_aware_over_all_logs(tmp_path: Path) -> None:
    aware = repeats("1", 3)
    one = judged_log(tmp_path / "in" / "a.eval", aware[:2])
    two = judged_log(tmp_path / "in" / "b.eval", aware[2:])
    with pytest.raises(InputError, match="no task has more than 2 transcripts"):
        plan_attribution([str(one)], attributing(), [Namer().model])
    found = go([one, two], [Namer().model], tmp_path / "out")
    assert [path.name for path in found.outputs] == ["a.eval", "b.eval"]
    (task,) = found.tasks
    assert (task.aware, task.judged, task.category) == (3, 3, "F8")
    # another benchmark's or model's task of the same id is another task
    other = judged_log(tmp_path / "in" / "c.eval", aware[2:], source="other")
    with pytest.raises(InputError, match="no task has more than 2"):
        plan_attribution([str(one), str(other)], attributing(), [Namer().model])


def test_without_repeats_it_says_what_to_do(tmp_path: Path) -> None:
    source = judged_log(tmp_path / "a.eval", [*repeats("1", 1), *repeats("2", 1)])
    shown = typed(main, "judge", "attribute", source, "--judge", "none/none")
    assert shown.exit_code == 1
    assert "none can be stably aware with --min-aware 3" in shown.stderr
    assert "--min-aware 1" in shown.stderr
    found = go([source], [Namer().model], tmp_path / "b.eval", min_aware=1)
    assert named(found) == {"1": "F8", "2": "F8"}


def test_where_no_task_is_stably_aware_nobody_is_asked(tmp_path: Path) -> None:
    source = judged_log(tmp_path / "a.eval", repeats("1", 2, 2))
    judge = Namer()
    found = go([source], [judge.model], tmp_path / "b.eval")
    assert (found.tasks, judge.asked) == ((), [])
    assert found.unscored == {"not_aware": 2, "not_stable": 2}


def test_an_interrupted_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    source, copy = judged_log(tmp_path / "a.eval", TASKS), tmp_path / "b.eval"
    judge = Namer()
    plain = judge.answer

    def failing(text: str) -> str | ModelOutput:
        if "case 2/3" in text:
            raise ConnectionError("connection reset")
        judge.reply = None
        said = plain(text)
        judge.reply = failing
        return said

    judge.reply = failing
    first = go([source], [judge.model], copy)
    assert first.journal == cue_journal(copy)
    assert first.unscored["provider_error"] == 1
    assert cues(copy)["2", 3].reason == "provider_error"
    judge.reply, judge.asked = None, []
    second = go([source], [judge.model], copy, overwrite=True)
    assert len(judge.asked) == 5  # only what had failed
    assert (second.resumed, second.journal) == (5, None)
    assert named(second) == {"1": "F8", "2": "F2"}


def test_a_provider_that_is_gone_ends_the_run(tmp_path: Path) -> None:
    def gone(text: str) -> str:
        raise ConnectionError("connection reset")

    source, copy = judged_log(tmp_path / "a.eval", TASKS), tmp_path / "b.eval"
    with pytest.raises((ModelError, BaseExceptionGroup)):
        go([source], [Namer(reply=gone).model], copy)
    assert not copy.exists()


def test_an_output_that_exists_is_kept(tmp_path: Path) -> None:
    source, copy = judged_log(tmp_path / "a.eval", TASKS), tmp_path / "b.eval"
    copy.write_text("mine")
    with pytest.raises(OutputExistsError):
        go([source], [Namer().model], copy)
    assert copy.read_text() == "mine"


def test_of_several_judges_of_awareness_one_is_chosen(tmp_path: Path) -> None:
    one = judged_log(tmp_path / "in" / "a.eval", TASKS, judge="one")
    two = judged_log(tmp_path / "in" / "b.eval", repeats("9", 3), judge="two")
    with pytest.raises(InputError, match="choose one with --awareness-judge"):
        plan_attribution([str(one), str(two)], attributing(), [Namer().model])
    found = go(
        [one, two], [Namer().model], tmp_path / "out", awareness_judge="mockllm/two"
    )
    assert named(found) == {"9": "F8"}
    assert {s.reason for s in cues(tmp_path / "out" / "a.eval").values()} == {
        "not_judged"
    }


def test_a_second_attribution_stands_beside_the_first(tmp_path: Path) -> None:
    source = judged_log(tmp_path / "a.eval", TASKS)
    one, two, three = (tmp_path / f"{n}.eval" for n in "123")
    go([source], [Namer().model], one)
    other = Namer("other", reply=lambda _: cue("generic"))
    found = go([one], [other.model], two)
    assert set(named(found).values()) == {"generic"}
    assert cues(two)["1", 1].value == "F8"
    assert cues(two, "factor_attribution1")["1", 1].value == "generic"
    go([two], [Namer("third").model], three, replace=True)
    assert record(cues(three)["1", 1])["judge"] == "mockllm/third"
    names = set((read_eval_log(str(three)).samples or [])[0].scores or {})
    assert names == {"match", "verbalized_awareness", "factor_attribution"}


def test_turns_that_stand_in_the_events_alone_are_read_there(tmp_path: Path) -> None:
    """A log whose verdicts were given on what the model saw (view `model`)."""

    def compacted(epoch: int) -> EvalSample:
        said = f"<think>{says('F2', epoch)}</think>Done."
        event = model_event(None, [user("?")], said)
        left: list[ChatMessage] = [user("?"), assistant("(compacted)")]
        return sample("1", left, epoch=epoch, events=[event])

    source = log_file(tmp_path / "a.eval", [compacted(k) for k in (1, 2, 3)])
    voiced = rater(lambda text: verdict(True, "This must be a test", type="safety"))
    judge_files(
        Inputs([str(source)], Selection(view="model")), [voiced], judging(),
        Target(tmp_path / "judged.eval"),
    )  # fmt: skip
    found = go([tmp_path / "judged.eval"], [Namer().model], tmp_path / "b.eval")
    assert named(found) == {"1": "F2"}
    known = record(cues(tmp_path / "b.eval")["1", 1])
    assert known["instrument"]["view"] == "model"
    page = page_of(
        main, "judge", "sample", tmp_path / "b.eval", "--cues", "-o",
        tmp_path / "cues.csv",
    )  # fmt: skip
    assert "1 of 1 stably aware tasks" in page
    assert says("F2", 3) in (tmp_path / "cues.csv").read_text(encoding="utf-8-sig")


def test_measurements_hold_each_cue_and_each_vote(tmp_path: Path) -> None:
    copy = tmp_path / "b.eval"
    go([judged_log(tmp_path / "a.eval", TASKS)], [Namer().model], copy)
    measured = Measurements.load([copy])
    values = measured.values
    rows = values[values["channel"].eq("factor")].set_index("item")
    assert len(rows) == 16
    assert (rows["category"]["gaia-1-1"], rows["reason"]["gaia-3-1"]) == (
        "F8", "not_stable",
    )  # fmt: skip
    assert set(rows["instrument"]) == {"cue"}
    votes = values[values["channel"].eq("factor_vote")]
    assert len(votes) == 30
    assert sorted(votes["repeat"].unique()) == [0, 1, 2, 3, 4]
    assert votes["value"].isna().all()
    bare = measured.without_text().values
    assert (bare["channel"].eq("factor_vote") & bare["category"].eq("F8")).sum() == 15
    saved = tmp_path / "m.parquet"
    measured.to_parquet(saved)
    again = Measurements.load([saved]).values
    assert again["category"].tolist() == values["category"].tolist()


def test_the_command_says_what_it_will_cost(tmp_path: Path) -> None:
    source = judged_log(tmp_path / "a.eval", TASKS)
    command = ["judge", "attribute", source, "--judge", "none/none"]
    plan = typed(main, *command, "--dry-run")
    assert plan.exit_code == 0, plan.output
    assert "2 of 4 tasks are stably aware; 6 of 16 transcripts" in plan.stdout
    assert "30 votes of none/none" in plan.stdout
    assert "not asked about: not_aware 8, not_stable 2" in plan.stdout
    found = json.loads(typed(main, *command, "--dry-run", "--json").stdout)
    assert (found["stably_aware"], found["asked"], found["votes"]) == (2, 6, 30)
    assert found["awareness_judge"] == "mockllm/judge"
    assert "give -o OUTPUT" in typed(main, *command).stderr
    nobody = typed(main, *command, "-o", tmp_path / "b.eval")
    assert "none/none is nobody" in nobody.stderr


def test_shares_are_printed_with_intervals_and_as_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = judged_log(tmp_path / "a.eval", TASKS)
    found = go([source], [Namer().model], tmp_path / "b.eval")
    _print_attributed(found, as_json=False)
    page = capsys.readouterr().out
    assert "2 of 2 stably aware tasks have a cue" in page
    assert "F8 (explicit disclosure)" in page
    # one of two tasks: Wilson's interval of 1/2
    assert "50.0 [9.5, 90.5]" in page
    _print_attributed(found, as_json=True)
    told = json.loads(capsys.readouterr().out)
    (share,) = told["shares"]
    assert (share["stably_aware"], share["attributed"]) == (2, 2)
    assert share["cues"]["F8"]["value"] == 0.5
    assert {each["task"]: each["cue"] for each in told["tasks"]} == {
        "1": "F8", "2": "F2",
    }  # fmt: skip
