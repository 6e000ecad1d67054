"""`awareness framings`: what there is, and whether a user's own are a fair design."""

import json
from pathlib import Path

import pytest
from commands import failure_of, output_of, page_of

from inspect_awareness.cli._framings import framings
from inspect_awareness.datasets.framings import framings as load
from inspect_awareness.whitebox._packaged import PINS, is_ready


def folder_of_four(folder: Path) -> Path:
    for arm in ("evaluation", "deployment"):
        for number, words in enumerate(("Short.", "Rather longer than that."), start=1):
            text = f"---\narm: {arm}\n---\n{arm}: {words}\n"
            (folder / f"{arm}-{number}.md").write_text(text, encoding="utf-8")
    return folder


def test_the_list_names_every_framing_with_arm_and_hash() -> None:
    records = output_of(framings, "list")
    assert [r["id"] for r in records] == [f.id for f in load()]
    page = page_of(framings, "list")
    for framing in load():
        assert framing.id in page
        assert framing.hash in page


def test_check_states_the_measured_lengths_of_the_packages_own() -> None:
    found = output_of(framings, "check")
    assert found["arms"] == {"deployment": 6, "evaluation": 6, "neutral": 6}
    assert [each["matched"] for each in found["lengths"]] == [True] * 3
    assert "79 to 82 tokens, longest 3.8% above shortest: matched" in page_of(
        framings, "check"
    )


def test_check_without_a_tokenizer_says_that_lengths_were_not_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INSPECT_AWARENESS_CACHE", str(tmp_path / "empty"))
    page = page_of(framings, "check", folder_of_four(tmp_path))
    assert "4 framings: 2 deployment, 2 evaluation" in page
    assert "lengths were not compared" in page


def test_check_measures_with_the_tokenizer_of_a_packaged_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("tokenizers", reason="the extra `local` is not installed")
    pin = PINS["smollm2-135m"]
    if not is_ready(pin):
        pytest.skip("smollm2-135m is not on this machine")
    only = tmp_path / "cache" / "models"
    only.mkdir(parents=True)
    (only / pin.folder.name).symlink_to(pin.folder)
    monkeypatch.setenv("INSPECT_AWARENESS_CACHE", str(tmp_path / "cache"))
    (found,) = output_of(framings, "check", folder_of_four(tmp_path))["lengths"]
    assert found["tokenizer"] == "smollm2-135m"
    assert found["tokens"]["evaluation-1"] < found["tokens"]["evaluation-2"]
    assert not found["matched"]


def test_a_broken_framing_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "f.json"
    path.write_text(json.dumps([{"id": "a", "arm": "eval", "text": "For {NAME}."}]))
    assert "a slot left in it, {NAME}" in failure_of(framings, "check", path)
