"""What can be drawn from: the transcripts that one judge judged in one way."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from builders import log_file
from validation.judged import SILENT, Judged, frame, judged_log, judged_samples, some

from inspect_awareness.errors import InputError
from inspect_awareness.scorers.verdicts._record import RECORD


def test_a_frame_holds_models_benchmarks_tasks_and_verdicts(tmp_path: Path) -> None:
    one = judged_log(tmp_path / "a.eval", some(1, 2), "gaia", "openai/one")
    two = judged_log(tmp_path / "b.eval", some(0, 1), "hle", "openai/two")
    found = frame(one, two)
    assert found.judge == "mockllm/judge"
    assert found.verdicts.tolist() == [1, 0, 0, 0]
    assert {k: rows.tolist() for k, rows in found.strata.items()} == {
        ("openai/one", "gaia"): [0, 1, 2],
        ("openai/two", "hle"): [3],
    }
    assert found.tasks == ("0", "1", "2", "0")


def test_transcripts_without_a_verdict_are_counted_by_reason(tmp_path: Path) -> None:
    silent = Judged(task="s", seen=False)
    log = judged_log(tmp_path / "a.eval", [*some(1, 1, missing=2), silent])
    found = frame(log)
    assert found.known.tolist() == [True, True, False, False, False]
    assert found.missing == {"refusal": 2, SILENT: 1}


def test_two_judges_are_not_mixed(tmp_path: Path) -> None:
    logs = [
        judged_log(tmp_path / f"{name}.eval", some(1, 1), judge=name)
        for name in ("strict", "mild")
    ]
    with pytest.raises(InputError, match=r"2 judges .*mockllm/mild.* choose one"):
        frame(*logs)
    assert frame(*logs, judge="mockllm/mild").judge == "mockllm/mild"
    with pytest.raises(InputError, match="no verdicts of 'me'; judges: mockllm"):
        frame(*logs, judge="me")


def test_one_judge_in_two_ways_is_refused_by_what_differs(tmp_path: Path) -> None:
    logs = [
        judged_log(tmp_path / f"{k}.eval", some(1, 1), unsupported=way)
        for k, way in enumerate(("missing", "aware"))
    ]
    with pytest.raises(InputError, match="2 ways that differ in unsupported"):
        frame(*logs)


def test_the_hash_of_a_frame_is_of_its_verdicts_whatever_their_order(
    tmp_path: Path,
) -> None:
    found = frame(judged_log(tmp_path / "a.eval", some(1, 2)))
    turned = replace(
        found, items=tuple(reversed(found.items)), verdicts=found.verdicts[::-1]
    )
    other = replace(found, verdicts=np.array([1.0, 1.0, 0.0]))
    assert turned.digest == found.digest != other.digest


def seen_as(
    folder: Path, view: Any, role: str | None = None, *, old: bool = False
) -> Path:
    """A judged log whose verdicts say from which view they were given, or an old one."""
    made = judged_samples(some(1, 1), source=f"{view}-{role}-{old}")
    for each in made:
        known = ((each.scores or {})["verbalized_awareness"].metadata or {})[RECORD]
        known["transcript"]["view"] = view
        known["instrument"] |= {"view": view, "subject_role": role}
        if old:
            del known["instrument"]["view"], known["instrument"]["subject_role"]
    return log_file(folder / f"{view}-{role}-{old}.eval", made)


def test_verdicts_on_other_views_or_roles_never_mix(tmp_path: Path) -> None:
    full, model = seen_as(tmp_path, "full"), seen_as(tmp_path, "model")
    with pytest.raises(InputError, match="2 ways that differ in view"):
        frame(full, model)
    target = seen_as(tmp_path, "model", "target")
    with pytest.raises(InputError, match="2 ways that differ in subject_role"):
        frame(model, target)


def test_old_verdicts_are_read_with_the_view_of_their_transcript(
    tmp_path: Path,
) -> None:
    full = seen_as(tmp_path, "full")
    assert len(frame(full, seen_as(tmp_path, "full", old=True)).items) == 4
    with pytest.raises(InputError, match="2 ways that differ in view"):
        frame(full, seen_as(tmp_path, "model", old=True))
