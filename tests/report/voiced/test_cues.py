"""The cues that stably aware tasks cite, in the report."""

from pathlib import Path

import pytest
from report.voiced.runs import report_of, runs
from validation.judged import judged_log
from validation.test_cues import CITED, attributed

from inspect_awareness.report.voiced import cited_table


def test_shares_of_cues_stand_by_benchmark_and_model(tmp_path: Path) -> None:
    (found,) = report_of(attributed(tmp_path)).cited
    assert found.tasks == len(CITED) == 6
    whole, benchmark, model = found.rows
    assert (whole.model, whole.benchmark) == ("all", "all")
    assert (benchmark.model, benchmark.benchmark) == ("all", "gaia")
    assert (model.model, model.benchmark) == ("openai/subject", "gaia")
    # F8 three times, F2 twice, F6 once
    assert whole.cues.shares["F8"].value == pytest.approx(3 / 6)
    assert whole.cues.shares["F2"].value == pytest.approx(2 / 6)
    assert whole.cues.shares["F3"].value == 0.0
    table = cited_table(found)
    assert "% F8 explicit disclosure" in table.header
    assert "% F3 prose register" not in table.header
    assert "F3 prose register" in table.caption


def test_a_task_with_too_few_aware_runs_has_no_cue_in_the_report(
    tmp_path: Path,
) -> None:
    (found,) = report_of(attributed(tmp_path), min_aware=4).cited
    assert found.tasks == 0
    assert "none is stably aware" in cited_table(found).caption


def test_the_task_s_own_score_stays_the_outcome_beside_a_cue(tmp_path: Path) -> None:
    report = report_of(attributed(tmp_path))
    (voiced,) = report.voiced
    assert {tax.outcome for tax in voiced.taxes} == {"match"}


def test_without_attribution_there_is_no_table_of_cues(tmp_path: Path) -> None:
    log = judged_log(tmp_path / "a.eval", runs([[(True, 1)] * 3]))
    assert report_of(log).cited == ()
