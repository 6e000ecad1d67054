"""`awareness floor`: from logs and chat files to floors."""

import json
from pathlib import Path

import pytest
from builders import REAL_LOGS, chat, chat_file, log_file, sample, user
from commands import failure_of, output_of, page_of, refused
from surface.transcripts import needham_chats, transcript

from inspect_awareness.cli._floor import MANY, _labelled, floor
from inspect_awareness.datasets.bundled_items import bundled_log


def chats(path: Path, word: str, *, label: str | None = None, sources: int = 4) -> Path:
    said = {} if label is None else {"label": label}
    records = [
        chat(
            f"please {word} number {i % 7}", "ok", source=f"{word}{i % sources}", **said
        )
        for i in range(4 * sources)
    ]
    return chat_file(path, *records)


def test_floors_of_two_chat_files(tmp_path: Path) -> None:
    tests = chats(tmp_path / "tests.jsonl", "solve")
    uses = chats(tmp_path / "uses.jsonl", "mail")
    path = tmp_path / "floor.json"
    given = (tests, "--reference", uses, "--permutations", 19, "-o", path)
    record = output_of(floor, *given)
    assert json.loads(path.read_text(encoding="utf-8")) == record
    assert [f["kind"] for f in record["floors"]] == ["words", "characters", "length"]
    assert record["floors"][0]["auroc"]["value"] == 1.0
    assert (record["evaluation"], record["deployment"]) == (16, 16)
    assert set(record["sources"]["deployment"]) == {f"mail{i}" for i in range(4)}
    assert (record["view"], record["seed"]) == ("full", 0)
    page = page_of(floor, *given)
    assert "16 evaluation from 4 sources, 16 deployment from 4 sources" in page
    assert "4 folds of whole sources, 19 permutations, view full, seed 0" in page
    assert "! conditional on these 8 sources; says nothing about others" in page
    assert "! 4 folds instead of 5" in page
    assert page.count("conditional on") == 1
    assert f"floors: {path}" in page


def test_labels_of_their_own_count_and_logs_stand_beside_chats(tmp_path: Path) -> None:
    uses = chats(tmp_path / "uses.jsonl", "mail", label="deployment")
    logs = [
        log_file(
            tmp_path / f"{task}.eval",
            [sample(f"{task}{i}", [user(f"solve {i}")]) for i in range(4)],
            task=task,
        )
        for task in ("one", "two")
    ]
    record = output_of(floor, uses, *logs, "--permutations", 9)
    assert record["sources"]["evaluation"] == {"one": 4, "two": 4}
    assert record["deployment"] == 16
    # the same with a log as reference: it counts as deployment whatever it says
    record = output_of(floor, logs[0], "--reference", logs[1], "--permutations", 0)
    assert (record["evaluation"], record["deployment"]) == (4, 4)


def test_one_source_a_class_is_said_plainly() -> None:
    exam, requests = bundled_log("exam_items"), bundled_log("everyday_requests")
    page = page_of(floor, exam, "--reference", requests)
    assert "no honest out-of-sample value: there are 1 evaluation and 1 dep" in page
    assert "no number is given" in page
    assert "14 evaluation from 1 source, 14 deployment from 1 source" in page
    assert "nan" not in page
    record = output_of(floor, exam, "--reference", requests)
    assert {f["auroc"]["value"] for f in record["floors"]} == {None}


def test_a_view_changes_what_is_read(tmp_path: Path) -> None:
    tests, uses = (
        chat_file(
            tmp_path / f"{name}.jsonl",
            *(
                chat(f"number {i % 5}", reply, source=f"{name}{i % 3}")
                for i in range(15)
            ),
        )
        for name, reply in (("a", "the answer is B"), ("b", "sure, happy to help"))
    )
    both = (tests, "--reference", uses, "--permutations", 0)
    assert output_of(floor, *both)["floors"][0]["auroc"]["value"] == 1.0
    blind = output_of(floor, *both, "--view", "prompt")
    assert blind["floors"][0]["auroc"]["value"] == 0.5
    assert blind["view"] == "prompt"


def test_a_sample_is_drawn_of_either(tmp_path: Path) -> None:
    tests = chats(tmp_path / "tests.jsonl", "solve")
    uses = chats(tmp_path / "uses.jsonl", "mail")
    record = output_of(
        floor, tests, "--reference", uses, "--sample", 8, "--permutations", 0
    )
    assert (record["evaluation"], record["deployment"]) == (8, 8)


def test_bad_input_is_one_line(tmp_path: Path) -> None:
    tests = chats(tmp_path / "tests.jsonl", "solve")
    assert "no deployment transcript among 16" in failure_of(floor, tests)
    assert "missing.jsonl: no such file" in failure_of(
        floor, tmp_path / "missing.jsonl"
    )
    said = failure_of(floor, tests, "--reference", tests, "-o", tmp_path / "x.csv")
    assert "written to a .json file" in said
    assert "--folds" in refused(floor, tests, "--folds", 1)


def test_a_reference_without_a_transcript_is_not_passed_over(tmp_path: Path) -> None:
    uses = chats(tmp_path / "uses.jsonl", "mail", label="deployment")
    tests = chats(tmp_path / "tests.jsonl", "solve")
    empty = tmp_path / "empty.jsonl"
    empty.write_text("")
    said = failure_of(floor, tests, uses, "--reference", empty)
    assert f"{empty}: holds no transcript" in said
    assert page_of(floor, tests, uses, "--permutations", 0)


def test_many_transcripts_are_said_to_take_long(
    capsys: pytest.CaptureFixture[str],
) -> None:
    one = transcript("hi", "unknown", "app")
    made = list(_labelled([[one] * (MANY - 1)]))  # type: ignore[list-item]
    assert {t.origin.label for t in made} == {"evaluation"}
    assert capsys.readouterr().err == ""
    list(_labelled([[one] * 1000, [one] * 1000]))  # type: ignore[list-item]
    assert capsys.readouterr().err.count("--sample 500 does for a floor") == 1


def test_a_real_folder_of_logs_against_itself_gives_nothing(tmp_path: Path) -> None:
    if not REAL_LOGS.exists():
        pytest.skip(f"{REAL_LOGS} is not on this machine")
    log = REAL_LOGS / "inspect_scout_security-guide.eval"
    other = REAL_LOGS / "inspect_scout_theory-of-mind.eval"
    record = output_of(
        floor, log, other, "--reference", log, "--reference", other, "--permutations", 9
    )
    # every transcript stands on both sides: nothing can tell them apart
    assert record["folds"] == 2
    for each in record["floors"]:
        assert each["auroc"]["value"] == pytest.approx(0.5, abs=0.05)


def test_published_transcripts_of_28_sources(tmp_path: Path) -> None:
    # Adapted from Needham et al. (2025): 22 of 18 evaluations, 18 of 10 kinds of use.
    tests, uses = (
        needham_chats(tmp_path / f"{name}.jsonl", label)
        for name, label in (("tests", True), ("uses", False))
    )
    record = output_of(floor, tests, "--reference", uses, "--permutations", 19)
    found = {f["kind"]: f["auroc"]["value"] for f in record["floors"]}
    expected = {"words": 0.69, "characters": 0.76, "length": 0.77}
    assert found == pytest.approx(expected, abs=0.05)
    assert {f["auroc"]["unit"] for f in record["floors"]} == {"source"}
    assert (record["evaluation"], record["deployment"]) == (22, 18)
    assert len(record["sources"]["evaluation"]) == 18
