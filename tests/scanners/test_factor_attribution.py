"""The scan for cues reads the verdicts of the log, and gives what the scorer gives."""

import json
from pathlib import Path

import pytest

scout = pytest.importorskip("inspect_scout", reason="extra `scout` is not installed")

from builders import log_file, sample  # noqa: E402 after the check that Scout is there
from scorers.factors.cited import Namer, repeats, says  # noqa: E402
from scorers.verdicts.said import thoughts  # noqa: E402
from validation.judged import judged_samples  # noqa: E402

from inspect_awareness.scanners import factor_attribution  # noqa: E402

# Inspect's reader of log summaries still writes `inplace=`, which pandas 3.1 regrets
pytestmark = pytest.mark.filterwarnings("ignore:The inplace keyword in DataFrame")


def test_a_scan_reads_the_verdicts_of_the_log(tmp_path: Path) -> None:
    judged = judged_samples([*repeats("1", 2, 1, cites=["F2"])])
    unjudged = sample("9", thoughts(says("F8")))
    log = log_file(tmp_path / "a.eval", [*judged, unjudged], task="gaia")
    judge = Namer()
    status = scout.scan(
        scanners=[factor_attribution(votes=3)],
        transcripts=scout.transcripts_from(str(log)),
        scans=str(tmp_path / "scans"),
        model=judge.model,
        max_processes=1,
        display="none",
    )
    assert status.complete
    table = scout.scan_results_df(status.location).scanners["factor_attribution"]
    found = {row["transcript_id"]: row for row in table.to_dict("records")}
    assert [found[f"gaia-1-{k}"]["value"] for k in (1, 2)] == ["F2", "F2"]
    assert len(judge.asked) == 2 * 3
    reasons = {
        name: json.loads(found[name]["metadata"])["reason"]
        for name in ("gaia-1-3", "uuid-9-1")
    }
    assert reasons == {"gaia-1-3": "not_aware", "uuid-9-1": "not_judged"}
