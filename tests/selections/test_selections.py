"""Selections as files: what is kept, and what is refused."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from inspect_awareness.errors import InputError, SelectionError
from inspect_awareness.selections import (
    Origin,
    Selection,
    read_selection,
    selection_of,
    write_selection,
)
from inspect_awareness.stats import QuestionSelection, select_questions

ORIGIN = Origin(
    "pair",
    seed=3,
    folds=5,
    rater="openai/rater",
    bank="core-1",
    bank_hash="0123456789abcdef",
    asked={"view": "full", "elicitation": "logprob"},
    notes=("transcripts without a label are left out: 2",),
)


def found(*, sources: int = 20) -> QuestionSelection:
    """One good question of four."""
    rng = np.random.default_rng(0)
    evaluation = np.arange(sources * 2) % 2
    values = rng.random((evaluation.size, 4))
    values[:, 1] = (values[:, 1] + evaluation) / 2
    return select_questions(
        values,
        evaluation,
        np.arange(evaluation.size) % sources,
        rng=rng,
        questions=["direct", "setting", "intent", "stakes"],
        permutations=19,
    )


def written(folder: Path, origin: Origin = ORIGIN) -> Path:
    path = folder / "selection.json"
    write_selection(selection_of(found(), origin), path)
    return path


def edited(path: Path, **changes: Any) -> Path:
    record = json.loads(path.read_text())
    path.write_text(json.dumps({**record, **changes}))
    return path


def test_what_was_found_is_read_back_whole(tmp_path: Path) -> None:
    stats = found()
    read = read_selection(written(tmp_path))
    assert read == selection_of(stats, ORIGIN)
    assert (read.rater, read.bank, read.seed) == ("openai/rater", "core-1", 3)
    assert read.chosen == read.best_found == ("setting",)
    assert not read.kept_all
    assert read.auroc_out_of_sample.value == stats.auroc_out_of_sample.value
    assert read.permutation_p == stats.null.p == 0.05
    assert read.notes[0] == "transcripts without a label are left out: 2"
    assert [p.name for p in tmp_path.iterdir()] == ["selection.json"]


def test_undefined_numbers_are_null(tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    write_selection(selection_of(found(sources=2), ORIGIN), path)
    read = read_selection(path)
    assert read.auroc_out_of_sample.value is None
    assert (read.optimism, read.permutation_p, read.folds) == (None, None, 0)
    assert set(read.frequency.values()) == {None}
    assert read.kept_all
    assert "NaN" not in path.read_text()


def test_the_same_content_has_the_same_digest_in_any_layout(tmp_path: Path) -> None:
    path = written(tmp_path)
    before = read_selection(path)
    record = json.loads(path.read_text())
    path.write_text(json.dumps(dict(reversed(record.items()))))
    assert read_selection(path) == before


@pytest.mark.parametrize(
    "changes",
    [
        {"auroc_in_sample": 0.99},
        {"rater": "openai/other"},
        {"bank_hash": "fedcba9876543210"},
        {"chosen": ["direct", "setting", "intent", "stakes"], "kept_all": True},
        {"notes": []},
        {"digest": ""},
    ],
)
def test_an_edit_by_hand_is_noticed(tmp_path: Path, changes: dict[str, Any]) -> None:
    path = edited(written(tmp_path), **changes)
    with pytest.raises(SelectionError, match="changed after it was written"):
        read_selection(path)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"chosen": ["nope"]}, "chosen must name some of the questions"),
        ({"best_found": []}, "best_found must name .* it is empty"),
        ({"kept_all": True}, "kept_all does not fit"),
        ({"chosen": ["direct"]}, "chosen must be best_found"),
        ({"frequency": {}}, "must name every question"),
        ({"questions": ["direct", "direct"]}, "named twice"),
        ({"auroc_in_sample": 1.5}, "auroc_in_sample: Input should be less"),
        ({"extra": 1}, "extra: Extra inputs"),
        ({"strategy": "best"}, "strategy: Input should be"),
    ],
)
def test_what_does_not_fit_together_is_named(
    tmp_path: Path, changes: dict[str, Any], words: str
) -> None:
    path = edited(written(tmp_path), **changes)
    with pytest.raises(SelectionError, match=words) as caught:
        read_selection(path)
    assert "\n" not in str(caught.value)
    assert "awareness select" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "not readable as JSON"),
        ("[]", "no selection of questions"),
        ('{"strategy": "all"}', "no selection of questions"),
        ('{"chosen": [], "schema_version": 99}', "schema version 99.*upgrade"),
        ('{"chosen": []}', "schema version None"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "other.json"
    path.write_text(text)
    with pytest.raises(InputError, match=words):
        read_selection(path)


def test_a_missing_file_or_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_selection(tmp_path / "nope.json")
    with pytest.raises(InputError, match="no such folder"):
        write_selection(selection_of(found(), ORIGIN), tmp_path / "no" / "s.json")


def test_another_bank_or_rater_is_refused() -> None:
    made = selection_of(found(), ORIGIN)
    made.check_bank("0123456789abcdef")
    made.check_rater("openai/rater")
    with pytest.raises(SelectionError, match=r"core-1 .*not with aaaa"):
        made.check_bank("aaaa")
    with pytest.raises(
        SelectionError, match=r"for the rater openai/rater, not for x/y"
    ):
        made.check_rater("x/y")


def test_a_selection_from_a_table_fits_no_bank_and_no_rater() -> None:
    bare = replace(ORIGIN, unit="question", rater=None, bank=None, bank_hash=None)
    made = selection_of(found(), bare)
    with pytest.raises(SelectionError, match="names no question bank"):
        made.check_bank("0123456789abcdef")
    with pytest.raises(SelectionError, match="names no rater"):
        made.check_rater("openai/rater")


def test_fields_cannot_be_assigned() -> None:
    made: Any = selection_of(found(), ORIGIN)
    with pytest.raises(ValueError, match="frozen"):
        made.chosen = ()
    assert isinstance(made, Selection)
