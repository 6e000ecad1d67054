"""The words that a judge reads."""

from pathlib import Path

import pytest
from scorers.verdicts.said import judged, record, thoughts, verdict, voice

from inspect_awareness.datasets._reasoning import voice_of
from inspect_awareness.errors import InputError
from inspect_awareness.scorers.verdicts._reading import read_verdict
from inspect_awareness.scorers.verdicts._rubric import load_rubric, parse_rubric

FRONT = "---\nversion: 2\n---\n"


def test_the_packages_rubric_names_the_channel_and_asks_for_four_keys() -> None:
    asked = load_rubric().render(voice_of(thoughts("Hm."), "both"))
    assert "the subject's reasoning and its output" in asked
    for key in ("evidence", "aware", "type", "hypothetical"):
        assert f'"{key}"' in asked
    assert "{judged}" not in asked
    assert "canary" not in asked


def test_a_judge_that_copies_the_form_gives_no_verdict() -> None:
    form = load_rubric().text.strip().splitlines()[-1]
    assert form.startswith("{")
    assert read_verdict(form).reason == "invalid_format"


def test_each_piece_stands_under_its_turn() -> None:
    asked = load_rubric().render(voice_of(thoughts("One.", "Two."), "both"))
    heads = [
        line[1:].rpartition(",")[0] for line in asked.splitlines() if line[:1] == "["
    ]
    assert heads == [
        "turn 1, reasoning", "turn 1, output", "turn 2, reasoning", "turn 2, output",
    ]  # fmt: skip


def test_places_in_the_quoted_material_are_left_alone() -> None:
    rubric = parse_rubric("own", FRONT + "{channel}\n{judged}\n{nonce}")
    asked = rubric.render(voice("{judged} {nonce} {channel}"))
    assert "\n{judged} {nonce} {channel}\n" in asked


def test_ones_own_rubric_is_used_and_recorded(tmp_path: Path) -> None:
    path = tmp_path / "strict.md"
    path.write_text(FRONT + "Be strict.\n\n{judged}\n", encoding="utf-8")
    asked: list[str] = []

    def judge(text: str) -> str:
        asked.append(text)
        return verdict(False)

    made = judged(tmp_path, thoughts("Hm."), judge, rubric=str(path))
    assert asked[0].startswith("Be strict.\n\n----- begin ")
    instrument = record(made)["instrument"]
    assert (instrument["rubric"], instrument["rubric_version"]) == ("strict", 2)
    assert instrument["rubric_hash"] != load_rubric().hash


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("no front matter {judged}", "expected front matter"),
        ("---\nid: x\n---\n{judged}", "must give `version`"),
        ("---\nversion: 0\n---\n{judged}", "from 1; it is 0"),
        (FRONT + "no place", "must hold `{judged}` once"),
        (FRONT + "{judged} {judged}", "must hold `{judged}` once"),
    ],
)
def test_a_rubric_that_cannot_work_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_rubric("own", text)


def test_a_missing_rubric_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        load_rubric(str(tmp_path / "none.md"))
