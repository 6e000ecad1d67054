"""Stably aware tasks for people to label, and a judge's cues against them."""

import csv
import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from commands import failure_of, page_of
from scorers.factors.cited import Namer, repeats, says
from validation.judged import Judged, judged_log

from inspect_awareness.cli import main
from inspect_awareness.runs import Target
from inspect_awareness.runs._attributing import attribute_files
from inspect_awareness.runs._cue_plan import plan_attribution
from inspect_awareness.scorers.factors._attributing import attributing

CITED = {"1": "F8", "2": "F2", "3": "F8", "4": "F6", "5": "F2", "6": "F8"}
"""What the subject cites, by task."""


def attributed(folder: Path, transcripts: Sequence[Judged] | None = None) -> Path:
    """A log of stably aware tasks with their cues."""
    aware = [each for t, f in CITED.items() for each in repeats(t, 3, 1, cites=[f])]
    source = judged_log(folder / "a.eval", [*(transcripts or aware)])
    judge, how = Namer().model, attributing(votes=1)
    planned = plan_attribution([str(source)], how, [judge])
    output = folder / "attributed.eval"
    attribute_files(planned, [judge], how, Target(output))
    return output


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as stream:
        return list(csv.DictReader(stream))


def write(path: Path, rows: Sequence[dict[str, str]]) -> Path:
    with path.open("w", encoding="utf-8-sig", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def drawn(folder: Path, *more: object) -> tuple[Path, Path]:
    """An attributed log, and the tasks drawn from it."""
    log, table = attributed(folder), folder / "cues.csv"
    page_of(main, "judge", "sample", log, "--cues", "-o", table, *more)
    return log, table


def labelled(table: Path, label: Callable[[dict[str, str]], str]) -> Path:
    """The same with labels."""
    rows = [{**row, "label": label(row)} for row in rows_of(table)]
    return write(table, rows)


def test_people_see_what_the_judge_saw_and_not_what_it_said(tmp_path: Path) -> None:
    log, table = drawn(tmp_path)
    rows = rows_of(table)
    assert sorted(row["task"] for row in rows) == list(CITED)
    one = next(row for row in rows if row["task"] == "2")
    assert (one["label"], one["aware"], one["of"]) == ("", "3", "4")
    for epoch in (1, 2, 3):
        said = says("F2", f"2/{epoch}")
        assert f"[repeat {epoch}, turn 1, reasoning]\n{said}" in one["text"]
        assert f"[repeat {epoch}, pointed out]\n{said}" in one["text"]
    assert "cue" not in one
    assert "I look at the files" not in one["text"]  # the repeat that is not aware
    shown = tmp_path / "shown.csv"
    page_of(main, "judge", "sample", log, "--cues", "-o", shown, "--show-verdict")
    assert {row["task"]: row["cue"] for row in rows_of(shown)} == CITED


def test_fewer_can_be_drawn_and_texts_go_to_files(tmp_path: Path) -> None:
    log, table = drawn(tmp_path, "--size", 2, "--texts", tmp_path / "texts")
    rows = rows_of(table)
    assert len(rows) == 2
    assert "pointed out" in Path(rows[0]["text"]).read_text(encoding="utf-8")
    bare = tmp_path / "bare.csv"
    page_of(main, "judge", "sample", log, "--cues", "-o", bare, "--text", "none")
    assert "text" not in rows_of(bare)[0]
    quotes = tmp_path / "quotes.csv"
    page_of(main, "judge", "sample", log, "--cues", "-o", quotes, "--text", "evidence")
    assert "turn 1" not in rows_of(quotes)[0]["text"]


def test_kappa_is_that_of_the_nine_classes(tmp_path: Path) -> None:
    log, table = drawn(tmp_path)
    # right on all but task 5, which the judge gives F2 and this person F8
    labelled(table, lambda row: "f8" if row["task"] == "5" else CITED[row["task"]])
    found = json.loads(page_of(main, "judge", "score", table, log, "--json"))
    (pair,) = found["agreement"]["pairs"]
    # judge: 3 F8, 2 F2, 1 F6; person: 4 F8, 1 F2, 1 F6; 5 of 6 alike
    by_chance = (3 * 4 + 2 * 1 + 1 * 1) / 36
    assert pair["value"] == pytest.approx((5 / 6 - by_chance) / (1 - by_chance))
    assert pair["low"] < pair["value"] < pair["high"]
    assert found["labelled"] == {"label": 6}
    assert found["classes"]["F8"] == {"judge": 3, "label": {"named": 4, "both": 3}}
    assert "F1" not in found["classes"]


def test_several_people_are_compared_with_each_other_too(tmp_path: Path) -> None:
    log, table = drawn(tmp_path)
    rows = [
        {**row, "label": CITED[row["task"]], "label_2": "generic"}
        for row in rows_of(table)
    ]
    rows[0]["label_2"] = ""
    write(table, rows)
    found = json.loads(page_of(main, "judge", "score", table, log, "--json"))
    pairs = {tuple(p["raters"]): p for p in found["agreement"]["pairs"]}
    assert list(pairs) == [
        ("judge", "label"), ("judge", "label_2"), ("label", "label_2"),
    ]  # fmt: skip
    assert pairs["judge", "label"]["value"] == 1
    assert pairs["label", "label_2"]["value"] == 0  # never alike, as by chance
    assert pairs["label", "label_2"]["items"] == 5
    assert found["labelled"] == {"label": 6, "label_2": 5}
    page = page_of(main, "judge", "score", table, log)
    assert "Cohen's kappa, judge and label_2" in page
    assert "6 tasks drawn at random, labelled: label 6, label_2 5" in page


def test_edited_files_and_other_cues_are_refused(tmp_path: Path) -> None:
    log, table = drawn(tmp_path)
    rows = rows_of(table)
    score = ("judge", "score", table, log)
    write(table, [{**row, "label": "F9"} for row in rows])
    assert "'F9' is not one of: F1, F2" in failure_of(main, *score)
    write(table, rows[1:])
    assert "its rows are not those that were drawn" in failure_of(main, *score)
    write(table, [{**rows[0], "id": "h0"}, *rows[1:]])
    assert "is none of the" in failure_of(main, *score)
    write(table, [{**row, "min_aware": "x"} for row in rows])
    assert "min_aware 'x' is no whole number" in failure_of(main, *score)
    write(table, rows)
    other = attributed(tmp_path / "other", repeats("1", 3, cites=["F4"]))
    said = failure_of(main, "judge", "score", table, other)
    assert "drawn from other verdicts than these" in said


def test_what_cannot_be_drawn_is_said(tmp_path: Path) -> None:
    log = attributed(tmp_path)
    draw = ("judge", "sample", log, "--cues", "-o", tmp_path / "c.csv")
    many = failure_of(main, *draw, "--min-aware", 4)
    assert "no task has 4 aware repeats or more" in many
    assert "leave --design" in failure_of(main, *draw, "--design", "judge")
    plain = failure_of(
        main, "judge", "sample", tmp_path / "a.eval", "--cues", "-o",
        tmp_path / "c.csv",
    )  # fmt: skip
    assert "awareness judge attribute" in plain
