"""Floors: found where surface form gives the label away, absent where it does not."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from surface.transcripts import matched_pairs, swapped, transcript, written

from inspect_awareness.errors import InputError
from inspect_awareness.stats import clustered_auroc
from inspect_awareness.surface import (
    SurfaceFloors,
    floors_record,
    surface_floors,
    write_floors,
)


def areas(found: SurfaceFloors) -> dict[str, float]:
    return {floor.kind: floor.auroc.value for floor in found.floors}


def test_a_word_that_gives_the_label_away_is_found_on_other_sources() -> None:
    found = surface_floors(written(sources=14, marks=("exam", "mail")), permutations=99)
    words, characters, length = found.floors
    assert (words.kind, characters.kind, length.kind) == (
        "words", "characters", "length",
    )  # fmt: skip
    assert words.auroc.value == 1.0
    assert characters.auroc.value > 0.95
    assert words.permutation_p <= 0.05
    assert found.best is words
    # both marks have four letters: length knows nothing
    assert 0.2 < length.auroc.value < 0.8
    assert length.permutation_p > 0.05


def test_length_alone_is_found() -> None:
    long = written(sources=14, marks=("", "the of and " * 9))
    found = surface_floors(long, permutations=99)
    assert areas(found)["length"] == 1.0
    assert found.floors[2].permutation_p <= 0.05


def test_capitals_are_no_words_but_characters() -> None:
    found = surface_floors(written(marks=("PLEASE", "please")), permutations=0)
    assert areas(found)["characters"] > 0.95
    assert 0.2 < areas(found)["words"] < 0.8


def test_what_only_marks_a_source_is_worth_nothing_elsewhere() -> None:
    # Within a source its own words tell all; a source that is held out is new.
    found = surface_floors(written(habit=True), permutations=99)
    for floor in found.floors:
        assert 0.1 < floor.auroc.value < 0.9
        assert floor.permutation_p > 0.05


def test_noise_has_a_level_p() -> None:
    ps = []
    for seed in range(24):
        made = surface_floors(
            written(sources=12, each=3, seed=seed, habit=True),
            seed=seed,
            permutations=19,
        )
        ps.append([floor.permutation_p for floor in made.floors])
    # 72 tests at 5 %; those of one data set move together
    assert 0.0 <= np.mean(np.array(ps) <= 0.05) <= 0.15


def test_exchanged_labels_give_the_same_floor() -> None:
    data = written(marks=("exam today", "mail"))
    one = surface_floors(data, permutations=0)
    other = surface_floors(swapped(data), permutations=0)
    # folds are dealt in the order of evaluation and deployment
    assert areas(one)["words"] == areas(other)["words"] == 1.0


def test_the_same_seed_gives_the_same_numbers() -> None:
    data = written(marks=("exam", "mail"), each=3)
    one, again = (surface_floors(data, seed=5, permutations=19) for _ in range(2))
    assert one == again
    assert one.seed == 5


def test_the_ladder_chooses_the_unit() -> None:
    few = surface_floors(written(sources=8), permutations=0)
    assert {f.auroc.unit for f in few.floors} == {"task"}
    assert all("conditional on these 8 sources" in f.auroc.note for f in few.floors)
    many = surface_floors(written(sources=16, each=3), permutations=0)
    assert {(f.auroc.unit, f.auroc.clusters, f.auroc.n) for f in many.floors} == {
        ("source", 16, 48)
    }


@pytest.mark.parametrize(("one", "other"), [(1, 1), (3, 1), (1, 4)])
def test_one_source_a_class_gives_no_number(one: int, other: int) -> None:
    data = [
        *(transcript(f"exam {i}", "evaluation", f"e{i % one}") for i in range(12)),
        *(transcript(f"mail {i}", "deployment", f"d{i % other}") for i in range(12)),
    ]
    found = surface_floors(data)
    assert found.folds == 0
    assert found.best is None
    for floor in found.floors:
        assert np.isnan([floor.auroc.value, floor.auroc.low, floor.permutation_p]).all()
        assert "no honest out-of-sample value" in floor.auroc.note
        assert "no number is given" in floor.auroc.note
    record = floors_record(found)
    assert record["floors"][0]["auroc"]["value"] is None
    assert json.dumps(record, allow_nan=False)


def test_few_sources_say_what_p_can_reach() -> None:
    data = written(sources=4, marks=("exam", "mail"))
    found = surface_floors(data, permutations=199)
    assert found.note == "2 folds instead of 5: no more can hold sources of both labels"
    # Two folds with a source of each label: 2 x 2 labelings. One is the data's, one has
    # all labels exchanged, and a classifier learns it as well.
    words = found.floors[0]
    assert "in 4 ways only, within folds: no p below 0.50" in words.note
    assert words.permutation_p == pytest.approx(0.5, abs=0.12)


def test_sources_of_both_labels_are_held_out_whole() -> None:
    # The label shows in one source by a word that means nothing in the others.
    rng = np.random.default_rng(0)
    data = []
    for number in range(60):
        source, side = number % 3, number % 2
        text = f"{rng.integers(99)} word{source}{'xy'[side]}"
        label: Any = ("evaluation", "deployment")[side]
        data.append(transcript(text, label, f"s{source}", item=str(number)))
    found = surface_floors(data, permutations=0)
    assert found.folds == 3
    assert 0.2 < areas(found)["words"] < 0.8


def test_labels_and_numbers_are_checked() -> None:
    data = written()
    with pytest.raises(InputError, match="no deployment transcript among 30"):
        surface_floors([t for t in data if t.origin.label == "evaluation"])
    with pytest.raises(InputError, match="1 transcripts are labelled neither"):
        surface_floors([*data, data[0].relabelled(label="unknown")])
    with pytest.raises(InputError, match="no evaluation transcript among 0"):
        surface_floors([])
    with pytest.raises(InputError, match="1 folds and 5 permutations"):
        surface_floors(data, folds=1, permutations=5)


def test_a_transcript_with_both_labels_is_pointed_out() -> None:
    data = written(each=1)
    again = data[1].relabelled(
        label="deployment" if data[1].origin.label == "evaluation" else "evaluation"
    )
    said = "1 transcripts are given as evaluation and as deployment"
    assert said in surface_floors([*data, again], permutations=0).note
    # another transcript may have the same id, as in two chat files
    other = replace(again, messages=data[2].messages)
    assert said not in surface_floors([*data, other], permutations=0).note


def test_silent_transcripts_are_even() -> None:
    data = [replace(t, messages=()) for t in written()]
    found = surface_floors(data, permutations=9)
    for floor in found.floors:
        assert floor.auroc.value == 0.5
        assert not floor.auroc.has_interval
        assert floor.permutation_p == 1.0


def test_the_record_is_what_a_report_reads(tmp_path: Path) -> None:
    found = surface_floors(written(each=2), permutations=9)
    write_floors(found, tmp_path / "floor.json")
    record = json.loads((tmp_path / "floor.json").read_text(encoding="utf-8"))
    assert record == floors_record(found)
    assert record["schema_version"] == 1
    assert [f["kind"] for f in record["floors"]] == ["words", "characters", "length"]
    assert set(record["floors"][0]) == {"kind", "auroc", "permutation_p", "note"}
    assert set(record["floors"][0]["auroc"]) == {
        "value", "low", "high", "n", "unit", "clusters", "note",
    }  # fmt: skip
    assert (record["evaluation"], record["deployment"]) == (10, 10)
    assert record["sources"]["evaluation"] == dict.fromkeys(
        ["s0", "s2", "s4", "s6", "s8"], 2
    )
    with pytest.raises(InputError, match=r"written to a \.json file"):
        write_floors(found, tmp_path / "floor.csv")
    with pytest.raises(InputError, match="cannot be written"):
        write_floors(found, tmp_path / "nowhere" / "floor.json")


def test_matched_pairs_are_told_apart_by_their_words_alone() -> None:
    # Pairs of a test and a deployment prompt on one subject. Each of three sets, and of
    # five benchmarks in one of them, is a source of both labels.
    names = ("memorization", "synthetic_input", "task_formatting")
    data = matched_pairs(names)[::3]
    found = surface_floors(data, permutations=19)
    assert sum(found.sources["evaluation"].values()) == 150
    assert len(found.sources["evaluation"]) == 7
    assert areas(found)["words"] > 0.95
    assert areas(found)["characters"] > 0.95
    assert areas(found)["length"] > 0.75
    assert found.floors[0].permutation_p == 0.05


def test_the_interval_is_that_of_the_ladder() -> None:
    # Only one text of each class is told apart by its word; two pairs of 4 x 4 sources.
    data = written(sources=16, each=1, marks=("exam", "mail"))
    found = surface_floors(data, permutations=0).floors[0]
    assert found.auroc.value == 1.0
    perfect = clustered_auroc([1.0] * 8, [0.0] * 8, range(8), range(8, 16))
    assert found.auroc.low == pytest.approx(perfect.low)
