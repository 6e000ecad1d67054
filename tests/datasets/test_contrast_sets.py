"""Contrast sets: every spelling in the wild, and a direction of letters is refused."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from inspect_awareness.datasets import contrast_pairs, contrast_set
from inspect_awareness.datasets._letters import LetterBalance, letter_balance
from inspect_awareness.errors import InputError

SHARED = Path(__file__).parents[3] / "shared" / "data"
needs_shared = pytest.mark.skipif(
    not SHARED.is_dir(), reason="the shared data are not here"
)


def written(folder: Path, records: Any) -> Path:
    path = folder / "set.json"
    path.write_text(json.dumps(records), encoding="utf-8")
    return path


def asked(number: int, evaluation: str = "(A)", **more: Any) -> dict[str, Any]:
    other = "(B)" if evaluation == "(A)" else "(A)"
    question = f"Is this test {number}? (A) Yes (B) No"
    return {"question": question, "positive": evaluation, "negative": other, **more}


def balanced(n: int) -> list[dict[str, Any]]:
    return [asked(i, "(A)" if i % 2 else "(B)") for i in range(n)]


def refusal(folder: Path, records: Any) -> str:
    with pytest.raises(InputError) as caught:
        contrast_set(written(folder, records))
    return str(caught.value)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("positive", "negative"),
        ("evaluation", "deployment"),
        ("eval", "deploy"),
        ("test", "deploy"),
        ("testing", "deployment"),
    ],
)
def test_all_spellings_of_the_sides_are_read(
    tmp_path: Path, one: str, other: str
) -> None:
    records = [{one: "You are tested.", other: "You are at work.", "category": "x"}]
    (pair,) = contrast_pairs(written(tmp_path, records))
    assert (pair.evaluation, pair.deployment) == ("You are tested.", "You are at work.")
    assert (pair.id, pair.question) == ("1", "")


def test_lines_and_ids_of_a_user_are_read(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text("\n".join(json.dumps(asked(i, x, id=f"q{i}"))
                              for i, x in enumerate(["(A)", "(B)"])))  # fmt: skip
    assert [p.id for p in contrast_pairs(path)] == ["q0", "q1"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"negative": None}, "negative is None; it must be text"),
        ({"question": " "}, "question is ' '"),
        ({"question": "Are you {NAME}?"}, "a slot left in it, {NAME}"),
        ({"negative": "(A)"}, "positive and negative are the same"),
        ({"test": "x", "deploy": "y"}, "2 pairs of sides among its keys"),
        ({"negative": "No, never."}, "some answers are letters and others are not"),
    ],
)
def test_a_broken_pair_is_named(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    records = balanced(4)
    records[1] |= change
    assert message in refusal(tmp_path, records)


def test_sides_that_are_spelt_in_two_ways_are_no_pair(tmp_path: Path) -> None:
    found = refusal(tmp_path, [{"positive": "a", "deploy": "b"}])
    assert "no pair of sides among its keys (positive, deploy)" in found
    assert "positive/negative, evaluation/deployment" in found


def test_unbalanced_letters_are_refused_with_the_reason(tmp_path: Path) -> None:
    # (A) 6 of 8: f = |6 - 2| / 8 = .5, cosine 1 / sqrt(1 + .25 * 64) = .243
    records = [asked(i, "(B)" if i < 2 else "(A)") for i in range(8)]
    found = refusal(tmp_path, records)
    assert "(A) 6, (B) 2; imbalance f = 0.500" in found
    assert "= 0.243 where" in found
    kept = contrast_set(written(tmp_path, records), unbalanced="keep")
    assert len(kept.pairs) == 8
    assert "unbalanced" in kept.notes[0]


def test_the_formula_is_what_a_difference_of_means_gives() -> None:
    # content c of length 1 and letters v of length r, orthogonal, f of the pairs unbalanced
    content, v = np.array([1.0, 0.0]), np.array([0.0, 8.0])
    signs = np.array([1] * 5 + [-1] * 3)  # (A) in 5 of 8
    d = np.mean([content + s * v for s in signs], axis=0)
    answers = [("(A)", "(B)") if s > 0 else ("(B)", "(A)") for s in signs]
    balance = letter_balance(answers)
    assert balance is not None
    assert balance.imbalance == 0.25
    assert balance.cosine(8.0) == pytest.approx(d[0] / np.linalg.norm(d))


def test_one_pair_too_many_of_a_large_set_is_no_imbalance() -> None:
    assert LetterBalance({"A": 103, "B": 102}, {"A": 102, "B": 103}).balanced
    assert not LetterBalance({"A": 106, "B": 98}, {"A": 98, "B": 106}).balanced


def test_answers_that_are_no_letters_need_no_balance() -> None:
    assert letter_balance([("Yes", "No"), ("Yes", "No")]) is None


def test_a_leaked_header_row_is_left_out_and_named(tmp_path: Path) -> None:
    leaked = asked(0)
    leaked["question"] = "statement,lab Is this true? (A) Yes (B) No"
    found = contrast_set(written(tmp_path, [leaked, *balanced(4)]))
    assert [p.id for p in found.pairs] == ["2", "3", "4", "5"]
    assert found.headers == {"1": "statement,lab"}
    assert "1 leaked header row left out: 1 ('statement,lab')" in found.notes
    assert "no pair in it but" in refusal(tmp_path, [leaked])


def test_a_question_that_begins_with_a_list_is_no_header(tmp_path: Path) -> None:
    records = balanced(4)
    records[0]["question"] = "Red, green and blue: is this a test? (A) Yes (B) No"
    records[2]["question"] = "red,green and blue: is this a test? (A) Yes (B) No"
    assert contrast_set(written(tmp_path, records)).headers == {}


def test_repeated_pairs_are_kept_and_counted(tmp_path: Path) -> None:
    records = balanced(4)
    found = contrast_set(written(tmp_path, [*records, records[0], records[1]]))
    assert (len(found.pairs), found.repeated) == (6, ("5", "6"))
    assert "2 of 6 pairs repeat an earlier one" in found.notes


def test_pairs_that_contradict_each_other_are_an_error(tmp_path: Path) -> None:
    records = [*balanced(4), asked(1, "(B)"), asked(9, "(A)")]
    assert "pairs 2 and 5 say the same with the sides exchanged" in refusal(
        tmp_path, records
    )


@needs_shared
def test_the_204_items_are_balanced_and_three_of_them_repeat() -> None:
    path = SHARED / "manek" / "contrastive_dataset.json"
    assert (
        b"\r\n" in path.read_bytes()
    )  # the file has Windows line ends, its texts none
    found = contrast_set(path)
    assert found.letters is not None
    assert found.letters.evaluation == {"A": 102, "B": 102}
    assert (len(found.pairs), len(found.repeated), found.headers) == (204, 3, {})
    assert not any("\r" in pair.question for pair in found.pairs)


@needs_shared
def test_the_ambiguous_set_spells_its_sides_test_and_deploy() -> None:
    found = contrast_set(SHARED / "contrastive" / "AB_ambiguous.json")
    assert (len(found.pairs), found.repeated) == (158, ())
    assert found.letters is not None
    assert found.letters.imbalance == 0


@needs_shared
def test_the_truthful_set_has_a_leaked_header_and_unbalanced_letters() -> None:
    path = SHARED / "contrastive" / "truthful.json"
    with pytest.raises(InputError, match=r"\(A\) 297, \(B\) 315; imbalance f = 0.029"):
        contrast_pairs(path)
    found = contrast_set(path, unbalanced="keep")
    assert found.headers == {"1": "statement,lab"}
    assert (len(found.pairs), len(found.repeated)) == (612, 10)
    assert found.pairs[0].id == "2"


@needs_shared
@pytest.mark.parametrize("kind", ["memorization", "synthetic_input", "task_formatting"])
def test_pairs_of_prompts_have_no_question(kind: str) -> None:
    path = SHARED / "matched_pairs" / f"{kind}_contrastive_pairs.json"
    found = contrast_set(path)
    assert (len(found.pairs), found.letters) == (150, None)
    assert {pair.question for pair in found.pairs} == {""}


@needs_shared
def test_a_file_of_another_kind_says_what_it_has() -> None:
    path = SHARED / "matched_pairs" / "cot_comparison_dataset.json"
    with pytest.raises(InputError, match=r"keys \(prompt_id, original_prompt"):
        contrast_set(path)
