"""`awareness judge sample`: what people get to label."""

import csv
from pathlib import Path

import pytest
from commands import failure_of, page_of
from validation.judged import Judged, judged_log, some

from inspect_awareness.cli._judge_sample import sample
from inspect_awareness.validation._write import LONGEST


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as stream:
        return list(csv.DictReader(stream))


def test_a_row_has_the_judged_text_and_no_verdict(tmp_path: Path) -> None:
    log, out = judged_log(tmp_path / "a.eval", some(2, 6)), tmp_path / "labels.csv"
    page = page_of(sample, log, "-o", out, "--size", 4)
    assert "4 of 8 transcripts with a verdict of mockllm/judge, drawn at random" in page
    rows = rows_of(out)
    assert list(rows[0]) == [
        "label", "id", "model", "benchmark", "task", "text", "design", "weight",
        "frame", "sample",
    ]  # fmt: skip
    assert len(rows) == 4
    for row in rows:
        assert row["label"] == ""
        assert row["text"] == (
            f"[turn 1, reasoning]\nThis is thought number {row['task']}."
        )
        assert (row["id"], row["weight"]) == (f"gaia-{row['task']}-1", "2")
    assert {row["model"] for row in rows} == {"openai/subject"}


def test_the_verdict_is_shown_on_request_only(tmp_path: Path) -> None:
    log, out = judged_log(tmp_path / "a.eval", some(3, 9)), tmp_path / "labels.csv"
    page_of(sample, log, "-o", out, "--design", "judge", "--size", 4, "--show-verdict")
    verdicts = {row["task"]: row["verdict"] for row in rows_of(out)}
    assert sorted(verdicts.values()) == ["0", "0", "1", "1"]
    assert all((int(task) < 3) == (said == "1") for task, said in verdicts.items())


def test_quotes_alone_give_the_verdict_away(tmp_path: Path) -> None:
    log, out = judged_log(tmp_path / "a.eval", some(1, 1)), tmp_path / "labels.csv"
    told = failure_of(sample, log, "-o", out, "--text", "evidence")
    assert "gives its verdicts away: add --show-verdict" in told
    page_of(sample, log, "-o", out, "--text", "evidence", "--show-verdict")
    texts = {row["verdict"]: row["text"] for row in rows_of(out)}
    assert texts["1"] == "[turn 1, reasoning]\nThis is thought number 0."


def test_a_file_of_labels_is_never_replaced(tmp_path: Path) -> None:
    log, out = judged_log(tmp_path / "a.eval", some(1, 1)), tmp_path / "labels.csv"
    out.write_text("hours of work")
    assert "exists, and may hold labels" in failure_of(sample, log, "-o", out)
    assert out.read_text() == "hours of work"


def test_a_text_that_no_cell_holds_is_written_to_a_file(tmp_path: Path) -> None:
    long = Judged(thought="word " * (LONGEST // 5))
    log, out = judged_log(tmp_path / "a.eval", [long]), tmp_path / "labels.csv"
    told = failure_of(sample, log, "-o", out)
    assert "1 of 1 texts are longer than the 32,000 characters" in told
    assert not out.exists()
    folder = tmp_path / "texts"
    page_of(sample, log, "-o", out, "--texts", folder)
    (row,) = rows_of(out)
    assert row["text"] == str(folder / "001.txt")
    assert (folder / "001.txt").read_text().endswith(long.thought)


def test_a_spreadsheet_takes_no_cell_for_a_formula(tmp_path: Path) -> None:
    hostile = Judged(task="=1+1", thought='=HYPERLINK("http://x")')
    log = judged_log(tmp_path / "a.eval", [hostile], "=cmd", "+model")
    out = tmp_path / "labels.csv"
    page_of(sample, log, "-o", out)
    (row,) = rows_of(out)
    assert not any(value[:1] in "=+-@" for value in row.values() if value)


def test_few_judged_aware_are_said_to_be_few(tmp_path: Path) -> None:
    log = judged_log(tmp_path / "a.eval", some(1, 9))
    few = page_of(sample, log, "-o", tmp_path / "a.csv")
    assert "fewer than 10 of them are judged aware: --design judge" in few
    assert "that is all there are" in few
    by_judge = page_of(sample, log, "-o", tmp_path / "b.csv", "--design", "judge")
    assert "fewer than" not in by_judge


def test_what_has_no_verdict_is_not_drawn_and_said(tmp_path: Path) -> None:
    log = judged_log(tmp_path / "a.eval", some(1, 1, missing=3))
    page = page_of(sample, log, "-o", tmp_path / "labels.csv")
    assert "no verdict, so not drawn: refusal 3" in page


def test_a_log_that_changed_since_is_not_shown(tmp_path: Path) -> None:
    from inspect_ai.log import read_eval_log, write_eval_log
    from scorers.verdicts.said import thoughts

    path = judged_log(tmp_path / "a.eval", [Judged(True)])
    log = read_eval_log(str(path))
    assert log.samples
    log.samples[0].messages = thoughts("Another thought altogether.")
    write_eval_log(log, str(path))
    out = tmp_path / "labels.csv"
    told = failure_of(sample, path, "-o", out)
    assert "sample 1 is not the text that was judged" in told
    page_of(sample, path, "-o", out, "--text", "none")
    assert "text" not in rows_of(out)[0]


def test_scout_reads_the_validation_set_once_it_is_filled_in(tmp_path: Path) -> None:
    scout = pytest.importorskip("inspect_scout")
    log, cases = judged_log(tmp_path / "a.eval", some(1, 2)), tmp_path / "cases.csv"
    page_of(sample, log, "-o", tmp_path / "labels.csv", "--scout", cases)
    rows = rows_of(cases)
    assert [set(row) for row in rows] == [{"id", "target"}] * 3
    assert {row["target"] for row in rows} == {""}
    filled = cases.read_text(encoding="utf-8-sig").replace(",\n", ",1\n")
    cases.write_text(filled)
    made = scout.validation_set(str(cases)).cases
    assert sorted(case.id for case in made) == ["gaia-0-1", "gaia-1-1", "gaia-2-1"]
    assert {case.target for case in made} == {1}
