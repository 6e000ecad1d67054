"""Public sets, as they were published: their counts, labels and quirks."""

import json
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from inspect_awareness.datasets import (
    answered_contrast_items,
    crossed_cells,
    format_context_items,
    matched_pair_items,
    refusal_items,
    sad_oversight_items,
)
from inspect_awareness.datasets.public_sets import oversight_label
from inspect_awareness.datasets.scoring_sets import repeated_texts
from inspect_awareness.errors import InputError

SHARED = Path(__file__).parents[3] / "shared" / "data"
needs_shared = pytest.mark.skipif(
    not SHARED.is_dir(), reason="the shared data are not here"
)


@needs_shared
def test_context_and_format_come_in_four_cells() -> None:
    folder = SHARED / "devbunova_2x2"
    items = format_context_items(folder)
    cells = crossed_cells(items)
    assert (cells.evaluation_test.size, cells.evaluation_free.size) == (1076, 1076)
    assert (cells.deployment_test.size, cells.deployment_free.size) == (835, 1076)
    sources = Counter(i.source for i in items if i.id.startswith("bench_eval/"))
    assert sources == {"arc": 383, "mmlu": 361, "gsm8k": 332}
    # most questions of the benchmark have no id of their own
    ids = pq.read_table(folder / "bench_eval.parquet", columns=["id"])["id"].to_pylist()
    assert ids.count("") == 693
    assert len({i.id for i in items}) == len(items) == 4063
    assert len(repeated_texts(items)) == 110


def test_a_parquet_file_without_its_column_says_what_it_has(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"bench_eval\.parquet: no such file"):
        format_context_items(tmp_path)
    pq.write_table(pa.table({"id": ["1"]}), tmp_path / "bench_eval.parquet")
    with pytest.raises(
        InputError, match="no column formatted_prompt, source; it has id"
    ):
        format_context_items(tmp_path)
    (tmp_path / "bench_eval.parquet").write_bytes(b"no parquet")
    with pytest.raises(InputError, match="cannot be read as Parquet"):
        format_context_items(tmp_path)


@needs_shared
def test_matched_pairs_are_two_items_of_one_source() -> None:
    path = SHARED / "matched_pairs" / "memorization_contrastive_pairs.json"
    items = matched_pair_items(path)
    assert Counter(i.label for i in items) == {"evaluation": 150, "deployment": 150}
    assert set(Counter(i.source for i in items).values()) == {2}
    assert items[0].text.startswith("Natalia sold clips")
    assert items[0].label == "evaluation"


@needs_shared
def test_one_published_prompt_stands_in_several_pairs() -> None:
    path = SHARED / "matched_pairs" / "synthetic_input_contrastive_pairs.json"
    texts = [i.text for i in matched_pair_items(path) if i.positive]
    assert (len(texts), len(set(texts))) == (150, 131)


@needs_shared
def test_contrast_items_are_questions_with_either_answer() -> None:
    items = answered_contrast_items(SHARED / "manek" / "contrastive_dataset.json")
    assert len(items) == 408
    yes, no = items[:2]
    assert yes.text.endswith("(A) Yes\n(B) No\n\nAnswer: (A)")
    assert no.text.endswith("(A) Yes\n(B) No\n\nAnswer: (B)")
    assert (yes.label, no.label) == ("evaluation", "deployment")


def test_the_two_kinds_of_pairs_are_told_apart(tmp_path: Path) -> None:
    prompts, asked = tmp_path / "prompts.json", tmp_path / "asked.json"
    prompts.write_text(json.dumps([{"test": "a", "deploy": "b"}]))
    record = {"question": "q", "positive": "yes", "negative": "no"}
    asked.write_text(json.dumps([record]))
    assert [i.text for i in matched_pair_items(prompts)] == ["a", "b"]
    assert [i.text for i in answered_contrast_items(asked, answer=" ")] == [
        "q yes",
        "q no",
    ]
    with pytest.raises(InputError, match="read such a set with matched_pair_items"):
        answered_contrast_items(prompts)
    with pytest.raises(InputError, match="read such a set with answered_contrast"):
        matched_pair_items(asked)


@needs_shared
@pytest.mark.parametrize(
    ("split", "harmful", "harmless"),
    [("train", 260, 18793), ("val", 39, 6264), ("test", 572, 6266)],
)
def test_instructions_are_many_more_harmless_than_harmful(
    split: str, harmful: int, harmless: int
) -> None:
    items = refusal_items(SHARED / "refusal_direction" / "splits", split)
    assert Counter(i.label for i in items) == {"harmful": harmful, "harmless": harmless}


@needs_shared
def test_ten_harmful_instructions_of_the_test_split_are_there_twice() -> None:
    folder = SHARED / "refusal_direction" / "splits"
    assert len(repeated_texts(refusal_items(folder, "test"))) == 10
    few = refusal_items(folder, "test", per_class=100)
    assert Counter(i.label for i in few) == {"harmful": 100, "harmless": 100}
    assert {i.source for i in few if not i.positive} == {"harmless"}


def test_a_split_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"harmful_dev\.json: cannot be read"):
        refusal_items(tmp_path, "dev")


def test_right_answers_about_oversight_become_labels() -> None:
    assert oversight_label("Yes", "1") == "evaluation"
    assert oversight_label("(No), it is not.", "1") == "deployment"
    with pytest.raises(InputError, match="SAD sample 7: the right answer 'Maybe'"):
        oversight_label("Maybe", "7")


def test_sad_says_what_is_missing() -> None:
    if find_spec("inspect_evals") is not None:
        pytest.skip("inspect_evals is installed")
    with pytest.raises(InputError, match="pip install inspect-evals"):
        sad_oversight_items()


def test_sad_has_both_labels_where_inspect_evals_can_load_it() -> None:
    pytest.importorskip("inspect_evals", reason="inspect_evals is not installed")
    try:
        items = sad_oversight_items()
    except InputError as ex:
        pytest.skip(str(ex))
    assert Counter(i.label for i in items) == {"evaluation": 200, "deployment": 200}
