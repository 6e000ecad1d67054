"""People read the very text that the judge read."""

from pathlib import Path

import pytest
from builders import REAL_LOGS, rater
from scorers.verdicts.said import verdict
from validation.judged import Judged, frame, judged_log, some

from inspect_awareness.datasets._inputs import Inputs
from inspect_awareness.datasets._selection import Selection
from inspect_awareness.errors import InputError
from inspect_awareness.runs import Target
from inspect_awareness.runs._judging import judge_files
from inspect_awareness.scorers.verdicts._judging import judging
from inspect_awareness.validation import text_of

REAL = REAL_LOGS / "oversight_subversion_basic_gpt_5_mini.eval"


def test_only_the_texts_that_are_wanted_are_given(tmp_path: Path) -> None:
    log = judged_log(tmp_path / "a.eval", some(2, 3))
    texts = text_of([str(log)], frame(log), ["gaia-3-1", "gaia-0-1"])
    assert texts == {
        "gaia-0-1": "[turn 1, reasoning]\nThis is thought number 0.",
        "gaia-3-1": "[turn 1, reasoning]\nThis is thought number 3.",
    }


def test_a_transcript_of_another_log_is_missed_by_name(tmp_path: Path) -> None:
    log = judged_log(tmp_path / "a.eval", some(1, 1))
    with pytest.raises(InputError, match=r"1 of 1 drawn .* \(such as elsewhere\)"):
        text_of([str(log)], frame(log), ["elsewhere"])


def test_what_is_shown_is_one_of_three(tmp_path: Path) -> None:
    log = judged_log(tmp_path / "a.eval", [Judged()])
    with pytest.raises(InputError, match="'all' is not one of: judged, evidence, none"):
        text_of([str(log)], frame(log), ["gaia-1-1"], shown="all")
    assert text_of([str(log)], frame(log), ["gaia-1-1"], shown="none") == {}


@pytest.mark.parametrize("view", ["full", "model"])
def test_of_a_real_log_people_read_what_was_judged(tmp_path: Path, view: str) -> None:
    if not REAL.exists():
        pytest.skip("the real logs are not part of the repository")
    seen: list[str] = []

    def judge(text: str) -> str:
        seen.append(text)
        return verdict(False)

    inputs = Inputs([str(REAL)], Selection(view=view, limit=6))
    judge_files(inputs, [rater(judge)], judging(), Target(tmp_path / "a.eval"))
    found = frame(tmp_path / "a.eval")
    drawn = [found.items[row] for row in range(4) if found.known[row]]
    texts = text_of([str(tmp_path / "a.eval")], found, drawn)
    assert set(texts) == set(drawn)
    for text in texts.values():
        # a piece without its mark, as the judge was shown it
        piece = text.split("\n\n[turn ")[0].split("\n", 1)[1]
        assert any(piece in prompt for prompt in seen)
