"""Only awareness that came before the decision counts for the tax."""

from pathlib import Path

import pandas as pd
import pytest
from report.voiced.runs import runs, voiced_of
from validation.judged import judged_log

from inspect_awareness.errors import InputError
from inspect_awareness.report import VoicedTerms
from inspect_awareness.report._reference import Made
from inspect_awareness.report.voiced._cases import Cases, checked_decision


def cases(**columns: object) -> Cases:
    size = max(len(each) for each in columns.values())  # type: ignore[arg-type]
    table = pd.DataFrame({"aware": [1.0] * size, "part": ["reasoning"] * size})
    flags = pd.DataFrame({"item": [], "flag": []})
    return Cases(Made("judge", ""), table.assign(**columns), flags)


def test_reasoning_of_the_last_turn_comes_before_its_end_and_output_does_not() -> None:
    found = cases(
        onset_turn=[1.0, 3.0, 3.0], turns=[3.0] * 3, part=["output", "reasoning", "output"]
    )  # fmt: skip
    assert found.before("end").tolist() == [1.0, 1.0, 0.0]


def test_awareness_after_the_first_tool_call_comes_too_late_for_it() -> None:
    nan = float("nan")
    found = cases(
        onset_turn=[1.0, 2.0, 2.0, 2.0],
        turns=[4.0] * 4,
        first_action=[2.0, 2.0, 1.0, nan],
    )
    # in the turn of the call its reasoning comes first; without a call the end counts
    assert found.before("first-action").tolist() == [1.0, 1.0, 0.0, 1.0]


def test_awareness_counts_where_its_place_is_not_known_or_no_decision_is() -> None:
    nan = float("nan")
    found = cases(
        onset_turn=[nan, 9.0], turns=[2.0] * 2, first_action=[1.0] * 2, part=[None, "output"]
    )  # fmt: skip
    assert found.before("first-action").tolist() == [1.0, 0.0]
    assert found.before("none").tolist() == [1.0, 1.0]
    assert found.unplaced() == 1


def test_a_transcript_without_a_verdict_stays_one() -> None:
    nan = float("nan")
    found = cases(aware=[nan, 0.0], onset_turn=[nan, nan], turns=[1.0, 1.0])
    before = found.before("end")
    assert before[0] != before[0]
    assert before[1] == 0.0


def test_an_unknown_decision_is_refused() -> None:
    with pytest.raises(InputError, match="end, first-action, none"):
        checked_decision("soon")
    with pytest.raises(InputError, match="decision 'soon'"):
        VoicedTerms(decision="soon")  # type: ignore[arg-type]


def test_the_page_says_what_awareness_had_to_come_before(tmp_path: Path) -> None:
    log = judged_log(tmp_path / "a.eval", runs([[(True, 1), (False, 0)]]))
    assert "the end of the subject's last turn" in " ".join(voiced_of(log).reading)
    other = voiced_of(log, decision="first-action")
    assert "first tool call" in " ".join(other.reading)
    assert other.decision == "first-action"
