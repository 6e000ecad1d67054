"""Other methods, lengths, stable tasks and where awareness varies."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pandas as pd
import pytest
from report.voiced.runs import deployed, report_of, runs, table_of, voiced_of
from validation.judged import Judged, judged_log

from inspect_awareness.measurements import Measurements
from inspect_awareness.report import Voiced
from inspect_awareness.report._report import report_on
from inspect_awareness.report._terms import Terms

A, U = True, False
TERMS = Terms(0.95, datetime(2026, 1, 1, tzinfo=UTC))


def asked(
    log: Path, *, rater: str, p: dict[str, float], channel: str = "score"
) -> Measurements:
    """The measurements of a judged log, with P(evaluation) of some transcripts."""
    measured = Measurements.load([log])
    rows = pd.DataFrame(
        {
            "subject": "openai/subject",
            "rater": rater,
            "item": list(p),
            "instrument": "p_eval",
            "implementation": "view=full",
            "channel": channel,
            "repeat": 0,
            "value": list(p.values()),
        }
    )
    values = pd.concat([measured.values, rows.astype({"repeat": "Int64"})])
    values = values.astype(dict(measured.values.dtypes)).reset_index(drop=True)
    return replace(measured, values=values)


def voiced_in(measured: Measurements) -> Voiced:
    (found,) = report_on(measured, None, TERMS).voiced
    return found


def test_the_table_of_who_confirms_whom_counts_the_same_transcripts(
    tmp_path: Path,
) -> None:
    # voiced: 0 and 1 of 5; self-report: 0, 1, 2, 3; one transcript was not asked about
    log = judged_log(tmp_path / "a.eval", runs([[(A, 1)], [(A, 1)], *[[(U, 1)]] * 4]))
    items = [f"gaia-{task}-1" for task in range(5)]
    p = dict(zip(items, (0.9, 0.6, 0.5, 0.8, 0.2), strict=True))
    found = voiced_in(asked(log, rater="openai/subject", p=p))
    assert found.methods is not None
    made = found.methods.confirmations
    own = "probe questions, self-report"
    assert made.common == 5
    pair = made.of("voiced", own)
    assert (pair.both, pair.only_first, pair.only_second, pair.neither) == (2, 0, 2, 1)
    assert pair.share.value == 1.0
    assert made.of(own, "voiced").share.value == pytest.approx(2 / 4)
    rows = table_of(found, "Ways to detect awareness")
    assert [row["unknown"] for row in rows] == ["0", "1"]


def test_asking_another_model_is_no_self_report(tmp_path: Path) -> None:
    log = judged_log(tmp_path / "a.eval", runs([[(A, 1)], [(U, 1)]]))
    p = {"gaia-0-1": 0.9, "gaia-1-1": 0.1}
    found = voiced_in(asked(log, rater="other/rater", p=p))
    assert found.methods is not None
    names = [each.method for each in found.methods.confirmations.rates]
    assert names == ["voiced", "probe questions, third person: other/rater"]
    guess = voiced_in(asked(log, rater="openai/subject", p=p, channel="open"))
    assert guess.methods is not None
    names = [each.method for each in guess.methods.confirmations.rates]
    assert names == ["voiced", "purpose guess, self-report"]


def test_without_questions_there_is_no_other_method(tmp_path: Path) -> None:
    found = voiced_of(judged_log(tmp_path / "a.eval", runs([[(A, 1)], [(U, 1)]])))
    assert found.methods is None


def test_longer_runs_that_are_aware_more_often_show_a_trend(tmp_path: Path) -> None:
    made = [
        Judged(
            aware,
            task=str(task),
            epoch=epoch,
            thought=f"Run {epoch} of task {task}. " + "And on it goes. " * 9 * epoch,
        )
        for task in range(8)
        for epoch, aware in ((1, U), (2, U), (3, A))
    ]
    (length,) = voiced_of(judged_log(tmp_path / "a.eval", made)).lengths
    assert [band.rate.value for band in length.bands.bands] == [0.0, 0.0, 1.0]
    assert length.bands.trend.value > 0
    assert length.bands.p < 0.01


def test_stably_aware_tasks_need_as_many_aware_runs_as_are_asked_for(
    tmp_path: Path,
) -> None:
    # model x: tasks 0 and 1 with 3 aware runs, y: task 1; of 3 tasks with 4 runs each
    three, two, none = (
        [(A, 1)] * 3 + [(U, 1)],
        [(A, 1)] * 2 + [(U, 1)] * 2,
        [(U, 1)] * 4,
    )
    one = judged_log(
        tmp_path / "x.eval", runs([three, three, two]), source="harm", model="x"
    )
    other = judged_log(
        tmp_path / "y.eval",
        runs([none, three, two], first=20),
        source="harm",
        model="y",
    )
    found = voiced_of(one, other)
    assert {e.model: (e.stable, e.possible) for e in found.stability} == {
        "x": (2, 3), "y": (1, 3),
    }  # fmt: skip
    (shared,) = found.shared
    assert shared.overlap.both == 1
    assert shared.overlap.jaccard.value == pytest.approx(1 / 2)
    assert shared.overlap.expected_both == pytest.approx(2 * 1 / 3)
    loose = voiced_of(one, other, min_aware=2)
    assert {e.model: e.stable for e in loose.stability} == {"x": 3, "y": 2}


def test_where_awareness_varies_needs_two_models_and_leaving_out_three(
    tmp_path: Path,
) -> None:
    tasks = [[(A, 1), (U, 1)], [(U, 1), (U, 1)]]
    logs = [
        judged_log(
            tmp_path / f"{name}-{source}.eval",
            runs(tasks[:: 1 if source == name else -1], first=first),
            source=source,
            model=name,
        )
        for name, first in (("x", 1), ("y", 20), ("z", 40))
        for source in ("x", "y")
    ]
    one, two, three = (voiced_of(*logs[: 2 * n]) for n in (1, 2, 3))
    assert one.shares is None
    assert two.shares is not None
    assert two.shares_without == {}
    assert list(three.shares_without) == ["x", "y", "z"]
    assert len(table_of(three, "Interactions without each model")) == 3


def test_deployment_transcripts_are_in_no_other_number(tmp_path: Path) -> None:
    tested = judged_log(
        tmp_path / "a.eval", runs([[(A, 0), (U, 1)]] * 3), source="harm"
    )
    chats = judged_log(tmp_path / "b.eval", deployed(6, aware=3), source="chats")
    found = voiced_of(tested, chats)
    assert {each.benchmark for each in found.taxes} == {"harm"}
    assert [each.benchmark for each in found.stability] == ["harm"]
    assert found.actors[0].naive.n == 6


def test_two_judges_of_the_same_transcripts_are_compared(tmp_path: Path) -> None:
    one = judged_log(
        tmp_path / "a.eval", runs([[(A, 1)], [(A, 1)], [(U, 1)], [(U, 1)]]), judge="one"
    )
    other = judged_log(
        tmp_path / "b.eval", runs([[(A, 1)], [(U, 1)], [(U, 1)], [(U, 1)]]), judge="two"
    )
    found = {each.judge: each for each in report_of(one, other).voiced}["mockllm/one"]
    assert found.methods is not None
    pair = found.methods.confirmations.of("voiced", "voiced, judged by mockllm/two")
    assert (pair.both, pair.only_first, pair.only_second, pair.neither) == (1, 1, 0, 2)
    # agreement 3/4, by chance 1/2 x 1/4 + 1/2 x 3/4 = 1/2
    assert pair.kappa.value == pytest.approx((0.75 - 0.5) / 0.5)
