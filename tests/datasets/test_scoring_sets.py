"""Scoring sets: label and form are crossed, and form alone gives nothing away."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from overlaps import shared_five_grams

from inspect_awareness.datasets import (
    CrossedCells,
    ScoringItem,
    crossed_cells,
    scoring_set,
    scoring_transcripts,
)
from inspect_awareness.datasets.scoring_sets import repeated_texts
from inspect_awareness.errors import InputError
from inspect_awareness.stats import aurocs
from inspect_awareness.surface import surface_floors

SITUATIONS = scoring_set()
EVALUATION = np.array([item.positive for item in SITUATIONS])


def area(scores: np.ndarray, rows: np.ndarray | slice = slice(None)) -> float:
    return float(aurocs(scores[rows], EVALUATION[rows]))


def written(folder: Path, records: list[dict[str, Any]]) -> Path:
    path = folder / "mine.jsonl"
    path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    return path


def test_label_and_form_are_crossed_with_fifty_items_or_more_a_cell() -> None:
    assert len(SITUATIONS) >= 200
    cells = Counter((i.label, i.format) for i in SITUATIONS)
    assert cells == {
        (label, form): 54
        for label in ("evaluation", "deployment")
        for form in ("free", "test")
    }


def test_every_source_has_as_many_items_in_each_cell() -> None:
    counts = Counter((i.source, i.label, i.format) for i in SITUATIONS)
    assert len({i.source for i in SITUATIONS}) == 18
    assert set(counts.values()) == {3}


def test_no_two_items_are_near_duplicates() -> None:
    assert repeated_texts(SITUATIONS) == {}
    shared = shared_five_grams({i.id: i.text for i in SITUATIONS})
    assert max(shared.values()) <= 2
    # a copy with one word changed would be noticed: 9 of its 14 runs stay
    words = "one two three four five six seven eight nine ten eleven twelve 13 14 15 16 17 18"
    copy = words.replace("nine", "NINETY")
    assert shared_five_grams({"a": words, "b": copy})[("a", "b")] == 9


def test_items_are_messages_of_a_few_sentences() -> None:
    lengths = [len(i.text) for i in SITUATIONS]
    assert min(lengths) > 80
    assert max(lengths) < 450


def test_a_pure_detector_of_the_form_fails_on_the_crossed_cells() -> None:
    cells = crossed_cells(SITUATIONS)
    form = np.array([float(i.format == "test") for i in SITUATIONS])
    assert area(form) == 0.5
    assert area(form, cells.crossed) == 0.0
    assert area(form, cells.aligned) == 1.0


def test_the_form_can_be_seen_in_the_text_alone() -> None:
    # a test has its parts on lines of their own
    assert ["\n" in i.text for i in SITUATIONS] == [
        i.format == "test" for i in SITUATIONS
    ]


def test_surface_form_says_little_and_its_intervals_are_over_sources() -> None:
    floors = surface_floors(scoring_transcripts(SITUATIONS), permutations=0)
    values = {f.kind: f.auroc for f in floors.floors}
    assert {e.unit for e in values.values()} == {"source"}
    assert {e.clusters for e in values.values()} == {18}
    assert abs(values["words"].value - 0.585) < 0.02
    assert abs(values["characters"].value - 0.707) < 0.02
    assert abs(values["length"].value - 0.549) < 0.02


def test_the_floor_notices_a_word_that_gives_the_label_away() -> None:
    marked = [
        ScoringItem(i.id, i.text + " judged" * i.positive, i.label, i.format, i.source)
        for i in SITUATIONS
    ]
    floors = surface_floors(scoring_transcripts(marked), permutations=0)
    assert floors.floors[0].auroc.value > 0.85


def test_cells_hold_the_rows_that_they_name() -> None:
    items = [
        ScoringItem("a", "x", "evaluation", "free", "s"),
        ScoringItem("b", "x", "deployment", "test", "s"),
        ScoringItem("c", "x", "evaluation", "test", "s"),
        ScoringItem("d", "x", "deployment", "free", "s"),
    ]
    cells = crossed_cells(items)
    assert isinstance(cells, CrossedCells)
    assert cells.crossed.tolist() == [0, 1]
    assert cells.aligned.tolist() == [2, 3]
    with pytest.raises(InputError, match="no positive item of format 'test' among 1"):
        crossed_cells(items[:1])
    with pytest.raises(InputError, match="item e: format 'prose'"):
        crossed_cells([*items, ScoringItem("e", "x", "evaluation", "prose", "s")])


def test_refusal_holds_twins_of_mild_requests() -> None:
    items = scoring_set("refusal")
    assert Counter(i.label for i in items) == {"harmful": 64, "harmless": 64}
    assert set(Counter(i.source for i in items).values()) == {2}
    assert max(len(i.text) for i in items) < 90
    assert repeated_texts(items) == {}


def test_every_bundled_item_carries_a_canary() -> None:
    bundled = Path(__file__).parents[2] / "src/inspect_awareness/datasets/bundled"
    for path in [*bundled.glob("scoring/*.jsonl"), *bundled.glob("refusal/*.jsonl")]:
        for line in path.read_text(encoding="utf-8").splitlines():
            assert "not for training" in json.loads(line)["canary"]


def test_a_users_set_needs_no_more_than_text_and_label(tmp_path: Path) -> None:
    records = [
        {"text": "x", "label": "evaluation"},
        {"text": "y", "label": "deployment"},
    ]
    one, two = scoring_set(written(tmp_path, records))
    assert (one.id, one.format, one.source, one.positive) == ("1", "free", "mine", True)
    assert not two.positive


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"label": "eval"}, "label 'eval' is not one of: evaluation, deployment"),
        ({"label": "harmful"}, "labels of two concepts"),
        ({"label": "deployment"}, "only one label"),
        ({"text": ""}, "text is ''"),
        ({"text": "Dear {NAME},"}, "a slot left in it, {NAME}"),
        ({"id": "2"}, "two items have the id '2'"),
        ({"score": 1}, "unknown field score"),
        ({"format": None}, "format is None"),
    ],
)
def test_a_broken_item_is_named(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    records: list[dict[str, Any]] = [
        {"text": "x", "label": "evaluation"},
        {"text": "y", "label": "deployment"},
    ]
    records[0] |= change
    with pytest.raises(InputError) as caught:
        scoring_set(written(tmp_path, records))
    assert message in str(caught.value)


def test_an_unknown_set_names_those_that_are_known() -> None:
    with pytest.raises(InputError, match="neither one of situations, refusal nor a"):
        scoring_set("situation")
