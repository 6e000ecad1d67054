"""The scan for voiced awareness gives what the scorer gives."""

import json
from pathlib import Path
from typing import Any

import pytest

scout = pytest.importorskip("inspect_scout", reason="extra `scout` is not installed")

from builders import (  # noqa: E402 after the check that Scout is there
    assistant,
    error_event,
    log_file,
    rater,
    sample,
    user,
)
from inspect_ai import score  # noqa: E402
from inspect_ai.log import read_eval_log  # noqa: E402
from scorers.verdicts.said import AWARE, thoughts, verdict  # noqa: E402

from inspect_awareness.errors import InputError  # noqa: E402
from inspect_awareness.scanners import verbalized_awareness  # noqa: E402
from inspect_awareness.scorers import (  # noqa: E402
    verbalized_awareness as the_scorer,
)

# Inspect's reader of log summaries still writes `inplace=`, which pandas 3.1 regrets
pytestmark = pytest.mark.filterwarnings("ignore:The inplace keyword in DataFrame")


def judge() -> Any:
    yes, no = verdict(True, AWARE, type="safety"), verdict(False)
    return rater(lambda text: yes if AWARE in text else no)


def mixed_log(path: Path) -> Path:
    return log_file(
        path,
        [
            sample(1, thoughts("I look.", AWARE)),
            sample(2, thoughts("All fine.")),
            sample(3, [user("?"), assistant("Four.")]),
            sample(4, thoughts(AWARE), error="died", events=[error_event("died")]),
        ],
    )


def scanned(log: Path, folder: Path) -> dict[str, dict[str, Any]]:
    status = scout.scan(
        scanners=[verbalized_awareness()],
        transcripts=scout.transcripts_from(str(log)),
        scans=str(folder / "scans"),
        model=judge(),
        max_processes=1,
        display="none",
    )
    assert status.complete
    table = scout.scan_results_df(status.location).scanners["verbalized_awareness"]
    return {row["transcript_id"]: row for row in table.to_dict("records")}


def test_a_scan_and_the_scorer_agree(tmp_path: Path) -> None:
    log = mixed_log(tmp_path / "a.eval")
    found = scanned(log, tmp_path)
    inside = score(
        read_eval_log(str(log)),
        [the_scorer(), scout.as_scorer(verbalized_awareness())],
        model=judge(),
        display="none",
    )
    for each in inside.samples or []:
        row, ours = found[str(each.uuid)], (each.scores or {})["verbalized_awareness"]
        metadata = json.loads(row["metadata"])
        if ours.reason is not None:
            assert row["value_type"] == "null"
            assert metadata["reason"] == ours.reason
            continue
        assert float(row["value"]) == ours.value
        assert row["answer"] == ours.answer
        (one, two) = metadata["verbalized"], (ours.metadata or {})["verbalized"]
        same = ("verdict", "type", "evidence", "onset", "asked", "flags", "votes")
        assert [one[key] for key in same] == [two[key] for key in same]
    reasons = {
        id: json.loads(row["metadata"]).get("reason") for id, row in found.items()
    }
    assert reasons == {
        "uuid-1-1": None,
        "uuid-2-1": None,
        "uuid-3-1": "no_reasoning_channel",
        "uuid-4-1": "sample_error",
    }


def test_a_quote_leads_to_its_message(tmp_path: Path) -> None:
    row = scanned(mixed_log(tmp_path / "a.eval"), tmp_path)["uuid-1-1"]
    (reference,) = json.loads(row["message_references"])
    assert (reference["cite"], reference["id"]) == ("[M4]", "turn-2")
    assert "[M4]" in row["explanation"]
    assert "scanner_references" not in json.loads(row["metadata"])


def test_as_a_scorer_it_keeps_its_references(tmp_path: Path) -> None:
    log = log_file(tmp_path / "a.eval", [sample(1, thoughts("I look.", AWARE))])
    made = score(
        read_eval_log(str(log)),
        [scout.as_scorer(verbalized_awareness())],
        model=judge(),
        display="none",
    )
    assert made.samples is not None
    (found,) = (made.samples[0].scores or {}).values()
    (reference,) = (found.metadata or {})["scanner_references"]
    assert (reference.cite, reference.id) == ("[M4]", "turn-2")


def test_a_scan_knows_where_its_transcripts_come_from(tmp_path: Path) -> None:
    row = scanned(mixed_log(tmp_path / "a.eval"), tmp_path)["uuid-2-1"]
    found = json.loads(row["metadata"])["verbalized"]
    assert found["subject"] == "openai/gpt-4o-mini"
    assert found["transcript"]["item"] == "uuid-2-1"
    assert found["transcript"]["source"] == "arithmetic"


def test_an_argument_of_no_scorer_is_said() -> None:
    with pytest.raises(InputError, match="no argument 'chanel'; it has: channel"):
        verbalized_awareness(chanel="output")
