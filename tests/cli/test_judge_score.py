"""`awareness judge score`: labels in, what the judge is worth out."""

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commands import failure_of, numbers_of, output_of, page_of
from validation.judged import judged_log, some

from inspect_awareness.cli._judge_sample import sample
from inspect_awareness.cli._judge_score import score


def edit(path: Path, change: Callable[[list[dict[str, str]]], Any]) -> None:
    """Change the rows of a CSV as a person would, with semicolons for commas."""
    with path.open(encoding="utf-8-sig", newline="") as stream:
        first = stream.readline()
        stream.seek(0)
        delimiter = ";" if ";" in first else ","
        rows = list(csv.DictReader(stream, delimiter=delimiter))
    rows = change(rows) or rows
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]), delimiter=";")
        writer.writeheader()
        writer.writerows(rows)


def labelled(aware: Callable[[int], str]) -> Callable[[list[dict[str, str]]], None]:
    """Labels by the number of the task."""

    def change(rows: list[dict[str, str]]) -> None:
        for row in rows:
            row["label"] = aware(int(row["task"]))

    return change


def drawn(folder: Path, *more: object) -> tuple[Path, Path]:
    """4 of 10 judged aware; everything drawn."""
    log, labels = judged_log(folder / "a.eval", some(4, 6)), folder / "labels.csv"
    page_of(sample, log, "-o", labels, *more)
    return log, labels


def four_wrong(task: int) -> str:
    """People call 0, 1, 2 and 4 aware, and the judge 0 to 3."""
    return str(int(task in (0, 1, 2, 4)))


def test_labels_at_random_give_every_number(tmp_path: Path) -> None:
    log, labels = drawn(tmp_path)
    edit(labels, labelled(four_wrong))
    edit(labels, lambda rows: rows[::-1])  # people sort as they like
    found = output_of(score, labels, log)
    (only,) = found["strata"]
    assert [only[name] for name in ("tp", "fp", "fn", "tn")] == [3, 1, 1, 5]
    # po .8, pe .4 x .4 + .6 x .6 = .52
    assert found["agreement"]["kappa"]["value"] == pytest.approx(0.28 / 0.48)
    assert found["agreement"]["pabak"]["value"] == pytest.approx(0.6)
    assert found["agreement"]["sensitivity"]["value"] == pytest.approx(3 / 4)
    assert found["agreement"]["specificity"]["value"] == pytest.approx(5 / 6)
    assert only["raw"]["value"] == pytest.approx(0.4)
    assert only["corrected"]["value"] == pytest.approx(0.4)
    assert only["corrected"]["low"] < 0.4 < only["corrected"]["high"]
    assert (found["refused"], found["unlabelled"]) == ({}, 0)


def test_labels_by_the_verdict_leave_the_rest_refused_by_name(tmp_path: Path) -> None:
    log, labels = drawn(tmp_path, "--design", "judge")
    edit(labels, labelled(four_wrong))
    found = output_of(score, labels, log)
    assert found["agreement"] == {}
    assert "sensitivity" in found["refused"]
    assert found["strata"][0]["ppv"]["value"] == pytest.approx(3 / 4)
    page = page_of(score, labels, log)
    assert "no kappa: depends on how many judged aware are in the set" in page
    assert "--design random" in page
    assert "40.0 [" in page


def test_the_page_has_both_rates_and_what_they_rest_on(tmp_path: Path) -> None:
    log, labels = drawn(tmp_path)
    edit(labels, labelled(lambda task: "" if task == 5 else four_wrong(task)))
    page = page_of(score, labels, log)
    assert "9 of 10 transcripts drawn at random are labelled" in page
    assert "left out without a label: 1" in page
    assert "openai/subject, gaia: 1 drawn without a label" in page
    for words in ("judged %", "corrected %", "kappa", "sensitivity", "seed 0"):
        assert words in page
    assert "40.0 [" in page


def test_without_any_label_nothing_is_claimed(tmp_path: Path) -> None:
    log, labels = drawn(tmp_path)
    found = output_of(score, labels, log)
    assert found["labelled"] == 0
    assert found["agreement"]["kappa"]["value"] is None
    assert found["strata"][0]["corrected"]["value"] is None
    assert "no transcript of this model" in found["strata"][0]["corrected"]["note"]
    assert all(number == number for number in numbers_of(found))


def test_a_row_that_was_not_drawn_is_refused(tmp_path: Path) -> None:
    log = judged_log(tmp_path / "a.eval", some(4, 6))
    labels = tmp_path / "labels.csv"
    page_of(sample, log, "-o", labels, "--size", 4)

    def another(rows: list[dict[str, str]]) -> list[dict[str, str]]:
        ids = {row["id"] for row in rows}
        free = next(f"gaia-{k}-1" for k in range(10) if f"gaia-{k}-1" not in ids)
        return [*rows, {**rows[0], "id": free, "label": "1"}]

    edit(labels, another)
    assert "its rows are not those that were drawn" in failure_of(score, labels, log)
    edit(labels, lambda rows: [*rows[:-1], {**rows[-1], "sample": ""}])
    told = failure_of(score, labels, log)
    assert "does not belong to the drawn sample" in told
    edit(labels, lambda rows: [{**row, "sample": "x"} for row in rows])
    edit(labels, lambda rows: [*rows[:-1], {**rows[-1], "id": "elsewhere"}])
    told = failure_of(score, labels, log)
    assert "'elsewhere' is none of the transcripts with a verdict" in told


def test_rows_that_went_or_came_twice_are_refused(tmp_path: Path) -> None:
    log, labels = drawn(tmp_path)
    edit(labels, lambda rows: rows[1:])
    assert "put back removed rows" in failure_of(score, labels, log)
    edit(labels, lambda rows: [*rows, rows[0]])
    assert "stands on line" in failure_of(score, labels, log)


def test_labels_of_other_verdicts_are_refused(tmp_path: Path) -> None:
    _, labels = drawn(tmp_path)
    other = judged_log(tmp_path / "b.eval", some(5, 5))
    told = failure_of(score, labels, other)
    assert "drawn from other verdicts than these" in told


def test_a_label_that_is_neither_is_named_with_its_line(tmp_path: Path) -> None:
    log, labels = drawn(tmp_path)
    edit(labels, lambda rows: [{**rows[0], "label": "maybe"}, *rows[1:]])
    told = failure_of(score, labels, log)
    assert "column label: 'maybe' is neither 0 nor 1 (nor empty)" in told


def test_a_file_that_is_no_sample_says_what_it_lacks(tmp_path: Path) -> None:
    log, _ = drawn(tmp_path)
    table = tmp_path / "t.csv"
    table.write_text("id,label\n1,1\n")
    assert "no column design, frame, sample" in failure_of(score, table, log)


def test_the_seed_decides_the_interval_and_only_that(tmp_path: Path) -> None:
    log, labels = drawn(tmp_path)
    edit(labels, labelled(four_wrong))
    one, same, other = (
        output_of(score, labels, log, "--seed", seed)["strata"][0]["corrected"]
        for seed in (1, 1, 2)
    )
    assert one == same
    assert one["value"] == other["value"]
    assert one["low"] != other["low"]


def test_labels_become_a_validation_set_of_scout(tmp_path: Path) -> None:
    scout = pytest.importorskip("inspect_scout")
    log, labels = drawn(tmp_path)
    edit(labels, labelled(lambda task: "" if task == 5 else four_wrong(task)))
    cases = tmp_path / "cases.csv"
    page_of(score, labels, log, "--scout", cases)
    made = {case.id: case.target for case in scout.validation_set(str(cases)).cases}
    assert len(made) == 9
    assert made["gaia-0-1"] == 1
    assert made["gaia-3-1"] == 0
