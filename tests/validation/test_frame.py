"""What can be drawn from: the transcripts that one judge judged in one way."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from validation.judged import SILENT, Judged, frame, judged_log, some

from inspect_awareness.errors import InputError


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
