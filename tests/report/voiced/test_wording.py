"""What the section says in words, and which columns it spares the reader."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from report.voiced.runs import Run, deployed, report_of, runs, table_of, voiced_of
from report.voiced.test_parts import TERMS
from scorers.factors.cited import repeats
from validation.judged import Judged, judged_log
from validation.test_cues import attributed

from inspect_awareness.measurements import Measurements
from inspect_awareness.report import build_report, write_report
from inspect_awareness.report._report import report_on
from inspect_awareness.report.voiced import cited_table, headings

A, U = True, False
EVEN: Sequence[Sequence[Run]] = [[(A, 1), (A, 0), (U, 1), (U, 0)]] * 6
RATES = "Awareness rates by type"


def test_a_column_without_a_type_is_there_only_where_aware_runs_have_none(
    tmp_path: Path,
) -> None:
    typed = voiced_of(judged_log(tmp_path / "a.eval", runs(EVEN)))
    assert "no type" not in table_of(typed, RATES)[0]
    bare = [Judged(k < 2, task=str(k), thought=f"Thought {k}.") for k in range(4)]
    found = voiced_of(judged_log(tmp_path / "b.eval", bare))
    (row,) = table_of(found, RATES)
    assert row["no type"].startswith("0.50")
    assert row["safety"].startswith("0.00")


def test_labels_and_bounds_are_columns_only_where_they_say_something(
    tmp_path: Path,
) -> None:
    log = judged_log(tmp_path / "a.eval", runs(EVEN))
    assert not {"label", "any, with them"} & set(table_of(voiced_of(log), RATES)[0])
    lost = judged_log(tmp_path / "b.eval", [*runs(EVEN), Judged(None, task="9")])
    chats = judged_log(tmp_path / "c.eval", deployed(3), source="chats")
    found = voiced_of(lost, chats)
    assert [row["label"] for row in table_of(found, RATES)] == [
        "evaluation",
        "deployment",
    ]
    # 12 of 24 are aware, and 12 or 13 of 25
    assert table_of(found, RATES)[0]["any, with them"] == "0.48 to 0.52"


def test_only_deployment_transcripts_leave_no_rate_and_no_tax(tmp_path: Path) -> None:
    found = voiced_of(judged_log(tmp_path / "a.eval", deployed(6, 2)))
    text = " ".join(found.reading)
    assert (found.rates, found.taxes) == ((), ())
    assert "All of these transcripts come from deployment" in text
    assert "--outcome" not in text
    (row,) = table_of(found, RATES)
    assert row["any"].startswith("0.33")


def test_many_taxes_with_the_same_caveat_share_a_sentence(tmp_path: Path) -> None:
    # each benchmark has four even tasks with little spread between them
    tasks = [[(A, 1), (U, 0), (U, 1)], [(A, 0), (U, 1), (U, 1)]] * 2
    logs = [
        judged_log(tmp_path / f"{k}.eval", runs(tasks), source=f"bench-{k}")
        for k in range(4)
    ]
    few = "rest on fewer than 5 tasks"
    three = " ".join(voiced_of(*logs[:3]).reading)
    assert three.count("the tax rests on 4 tasks of 4") == 3
    assert few not in three
    four = " ".join(voiced_of(*logs).reading)
    assert f"4 of 4 taxes {few}" in four
    assert "the tax rests on 4 tasks" not in four


def test_numbers_without_an_interval_say_why(tmp_path: Path) -> None:
    one = voiced_of(judged_log(tmp_path / "a.eval", runs([[(A, 1), (U, 1), (U, 0)]])))
    assert "Where no interval stands: one task" in " ".join(one.reading)
    spread = [[(A, 1), (U, 0), (U, 1)], [(U, 1)] * 3, [(A, 0), (A, 1), (U, 1)]] * 4
    found = voiced_of(judged_log(tmp_path / "b.eval", runs(spread)))
    assert "Where no interval stands" not in " ".join(found.reading)


def test_a_judge_that_judged_in_two_ways_has_two_headings_that_differ(
    tmp_path: Path,
) -> None:
    logs = [
        judged_log(tmp_path / "a.eval", runs(EVEN)),
        judged_log(tmp_path / "b.eval", runs(EVEN), unsupported="aware"),
    ]
    report = report_of(*logs)
    assert sorted(headings(report.voiced)) == [
        "mockllm/judge (unsupported aware)",
        "mockllm/judge (unsupported missing)",
    ]
    assert report.voiced[0].methods is not None
    names = [each.method for each in report.voiced[0].methods.confirmations.rates]
    assert names[1] in (
        "voiced, judged by mockllm/judge (unsupported aware)",
        "voiced, judged by mockllm/judge (unsupported missing)",
    )
    write_report(report, tmp_path / "r.md")
    assert "judge (unsupported aware)" in (tmp_path / "r.md").read_text("utf-8")
    assert headings(report_of(logs[0]).voiced) == ("mockllm/judge",)


def test_an_outcome_asked_for_is_never_taken_from_another_score(
    tmp_path: Path,
) -> None:
    harm = judged_log(
        tmp_path / "a.eval",
        [
            Judged(
                k % 2 == 0,
                task=str(k // 4),
                epoch=k % 4,
                thought=f"Run {k}.",
                outcome={"refused": k % 3 / 2},
            )
            for k in range(8)
        ],
        source="harm",
    )
    plain = judged_log(tmp_path / "b.eval", runs(EVEN), source="plain")
    report = build_report([harm, plain], outcomes=["match.refused"])
    (found,) = report.voiced
    assert [tax.benchmark for tax in found.taxes] == ["harm"]
    rows = {row["benchmark"]: row for row in table_of(found, "Awareness rate and awareness tax")}  # fmt: skip
    assert rows["plain"]["tax within tasks"] == "no outcome"


def test_a_table_of_shares_without_any_share_is_left_out(tmp_path: Path) -> None:
    # all tasks of both models are alike, so that nothing varies
    logs = [
        judged_log(
            tmp_path / f"{name}.eval", runs(EVEN, first=first), model=name, source="x"
        )
        for name, first in (("a", 1), ("b", 50))
    ]
    with pytest.raises(ValueError, match="not enough values"):
        table_of(voiced_of(*logs), "Where awareness varies")


def test_tasks_that_nobody_was_asked_about_are_explained(tmp_path: Path) -> None:
    # attributed with at least 3 aware runs: the second task has 2
    log = attributed(tmp_path, [*repeats("1", 3, 1), *repeats("2", 2, 2)])
    (same,) = report_of(log).cited
    assert same.tasks == 1
    assert "nobody was asked about" not in cited_table(same).caption
    (found,) = report_of(log, min_aware=2).cited
    assert found.rows[0].cues.missing == {"not_stable": 1}
    assert "a higher --min-aware than this report's" in cited_table(found).caption
    (none,) = report_of(log, min_aware=4).cited
    assert "No task has at least 4 aware runs" in cited_table(none).caption


def test_a_figure_that_does_not_hold_all_rows_says_so(tmp_path: Path) -> None:
    logs = [
        judged_log(
            tmp_path / f"{k}.eval", runs([[(A, 1), (U, 0)]] * 2), source=f"bench_{k}"
        )
        for k in range(31)
    ]
    write_report(report_of(*logs), tmp_path / "many.html")
    page = (tmp_path / "many.html").read_text("utf-8")
    assert "Drawn are the first 30 of 31 rows" in page
    write_report(report_of(*logs[:3]), tmp_path / "few.html")
    assert "Drawn are the first" not in (tmp_path / "few.html").read_text("utf-8")


def test_the_page_says_what_the_judge_finds_where_nobody_tests(tmp_path: Path) -> None:
    log = judged_log(tmp_path / "a.eval", runs(EVEN))
    chats = judged_log(tmp_path / "b.eval", deployed(8, 2), source="chats")
    text = " ".join(voiced_of(log, chats).reading)
    assert "Of 8 deployment transcripts, where nobody tests" in text
    assert "a share of 0.25 [" in text
    assert "where nobody tests, this" not in " ".join(voiced_of(log).reading)


def test_only_raised_counts_transcripts_that_are_not_judged_aware(
    tmp_path: Path,
) -> None:
    # all six raise the thought; two of them are judged aware besides
    made = [Judged(k < 2, task=str(k), thought=f"Thought {k}.") for k in range(6)]
    measured = Measurements.load([judged_log(tmp_path / "a.eval", made)])
    raised = measured.values["channel"].eq("hypothetical")
    assert raised.sum() == 6
    values = measured.values.assign(value=measured.values["value"].mask(raised, 1.0))
    measured = replace(measured, values=values)
    (found,) = report_on(measured, None, TERMS).voiced
    assert found.rates[0].hypothetical == 4
