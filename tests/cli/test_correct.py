"""`awareness correct`: a probe's AUROC from a table."""

from pathlib import Path

import numpy as np
import pytest
from commands import failure_of, numbers_of, output_of, page_of, refused

from inspect_awareness.cli._correct import correct
from inspect_awareness.stats import auroc

RNG = np.random.default_rng(0)
LABEL = np.arange(200) % 2
AWARE = RNG.random(200)
SCORE = RNG.normal(size=200) + LABEL


def table(folder: Path, *columns: str, name: str = "scores.csv") -> Path:
    """A row for each of 200 items, with some of the columns."""
    cells = {
        "id": [f"item {k}" for k in range(200)],
        "label": LABEL.tolist(),
        "score": SCORE.tolist(),
        "awareness": AWARE.tolist(),
        "source": [f"bench {k % 3}" for k in range(200)],
    }
    rows = zip(*(cells[column] for column in columns), strict=True)
    lines = [",".join(columns), *(",".join(map(str, row)) for row in rows)]
    path = folder / name
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_the_json_holds_what_the_contract_names(tmp_path: Path) -> None:
    file = table(tmp_path, "id", "label", "score", "awareness")
    found = output_of(correct, file)
    raw, corrected = found["raw"], found["corrected"]
    assert raw["value"] == pytest.approx(auroc(SCORE[LABEL == 1], SCORE[LABEL == 0]))
    assert (raw["n1"], raw["n0"]) == (100, 100)
    assert corrected["n1"] + corrected["n0"] == 50
    assert corrected["newcombe_low"] < corrected["value"] < corrected["newcombe_high"]
    gap = raw["value"] - corrected["value"]
    assert found["difference"]["value"] == pytest.approx(gap)
    assert found["difference"]["low"] < gap < found["difference"]["high"]
    assert len(found["quartiles"]) == 4
    assert found["quartiles"][0] == corrected
    assert {"pooled_within", "weighted", "matched", "curve", "quote"} <= set(found)
    assert 0.3 < found["awareness_vs_label"]["value"] < 0.7
    assert [flag.split(":")[0] for flag in found["flags"]] == ["one_source"]
    assert found["missing"]["rows_left_out"] == 0
    assert all(np.isfinite(each) for each in numbers_of(found))


def test_the_seed_alone_decides_the_resamples(tmp_path: Path) -> None:
    file = table(tmp_path, "label", "score", "awareness")
    first, again = (output_of(correct, file, "--seed", 5) for _ in range(2))
    assert first == again
    other = output_of(correct, file, "--seed", 6)
    assert other["raw"]["low"] != first["raw"]["low"]


def test_awareness_may_stand_in_a_file_of_its_own(tmp_path: Path) -> None:
    whole = table(tmp_path, "id", "label", "score", "awareness", name="whole.csv")
    scores = table(tmp_path, "id", "label", "score")
    awareness = tmp_path / "e.csv"
    order = np.random.default_rng(1).permutation(200)
    rows = [f"item {k},{AWARE[k]}" for k in order[order >= 10]]
    awareness.write_text("\n".join(["id,awareness", *rows, "stray,0.5", ""]))
    found = output_of(correct, scores, "--awareness", awareness)
    assert found["missing"]["awareness"] == 10
    assert found["missing"]["rows_left_out"] == 10
    assert found["missing"]["unused_awareness"] == 1
    full = table(tmp_path, "id", "awareness", name="full.csv")
    joined = output_of(correct, scores, "--awareness", full)
    assert joined == output_of(correct, whole)


def test_a_probe_corrected_by_itself_is_explained(tmp_path: Path) -> None:
    path = tmp_path / "self.csv"
    rows = [f"{y},{e},{e}" for y, e in zip(LABEL, AWARE, strict=True)]
    path.write_text("\n".join(["label,score,awareness", *rows]) + "\n")
    found = output_of(correct, path)
    assert found["self_corrected"]
    assert found["corrected"]["value"] is None
    assert found["difference"]["value"] is None
    page = page_of(correct, path)
    assert "not given" in page
    assert "holding awareness fixed holds the probe fixed" in page
    assert "Quote the raw AUROC" in page


def test_the_page_says_what_limits_the_number(tmp_path: Path) -> None:
    file = table(tmp_path, "label", "score", "awareness", "source")
    page = page_of(correct, file)
    assert "corrected, e < q25" in page
    assert "conditional on these 3 sources" in page
    assert "Quote the corrected AUROC" in page


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["label,score", "1,2"], "no column awareness; present: label, score"),
        (["label,score,awareness", "maybe,1,1"], "'maybe' is neither 0 nor 1"),
        (["label,score,awareness", "1,high,1"], "'high' is not a number"),
        (["label,score,awareness", "1,1,1", "1,2,1"], "2 positive and 0 negative"),
        (["label,score,awareness", "1,,1", "0,2,1"], "0 positive and 1 negative"),
        (["id,label,score,awareness", "a,1,1,1", "a,0,1,1"], "'a' stands in more"),
        (["label,score,awareness"], "a header, but no row"),
    ],
)
def test_bad_tables_are_one_line(tmp_path: Path, lines: list[str], words: str) -> None:
    path = tmp_path / "bad.csv"
    path.write_text("\n".join(lines) + "\n")
    assert words in failure_of(correct, path)


def test_two_files_that_do_not_fit_are_one_line(tmp_path: Path) -> None:
    scores = table(tmp_path, "id", "label", "score")
    other = tmp_path / "e.csv"
    other.write_text("id,awareness\nx,0.1\n")
    assert "no id of" in failure_of(correct, scores, "--awareness", other)
    other.write_text("id,awareness\nitem 1,0.1\nitem 1,0.2\n")
    assert "stands in more than" in failure_of(correct, scores, "--awareness", other)
    both = table(tmp_path, "id", "label", "score", "awareness", name="both.csv")
    assert "both have" in failure_of(correct, both, "--awareness", both)
    nameless = table(tmp_path, "label", "score", name="nameless.csv")
    assert "no column id" in failure_of(correct, nameless, "--awareness", both)
    assert "200" in refused(correct, both, "--draws", 5)
