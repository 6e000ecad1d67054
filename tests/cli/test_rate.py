"""`awareness rate`: rates from a table, corrected for a judge on request."""

from pathlib import Path

import pytest
from commands import HEADER, csv_file, failure_of, output_of, page_of, refused

from inspect_awareness.cli._rate import rate

RATES = (
    HEADER, "m,b,1,0", "m,b,1,1", "m,b,2,1", "m,b,2,1", "m,b,3,0", "m,b,3,0", "m,c,1,",
)  # fmt: skip
"""Task means .5 1 0 in b; nothing known in c."""


def test_rate_prints_a_row_for_each_model_and_benchmark(tmp_path: Path) -> None:
    first, second = output_of(rate, "--table", csv_file(tmp_path, *RATES))
    assert set(first) >= {
        "model", "benchmark", "value", "low", "high", "n", "tasks", "missing"
    }  # fmt: skip
    assert (first["model"], first["benchmark"], first["value"]) == ("m", "b", 0.5)
    assert (first["n"], first["tasks"], first["missing"]) == (6, 3, 0)
    assert 0 < first["low"] < 0.5 < first["high"] < 1
    assert (second["value"], second["n"], second["missing"]) == (None, 0, 1)


def test_rate_as_a_page_shows_percent_and_what_is_missing(tmp_path: Path) -> None:
    page = page_of(rate, "--table", csv_file(tmp_path, *RATES))
    assert "50.0" in page
    assert "m, c: 1 missing, the rate is 0.0 to 100.0 % with them" in page
    assert "only 3 tasks" in page


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (("model,task,aware", "m,1,0"), "no column benchmark; present: model, task"),
        (
            (HEADER, "m,b,1,0", "m,b,1,maybe"),
            "line 3, column aware: 'maybe' is neither",
        ),
        ((HEADER, "m,b,,0"), "line 2, column task: '' is empty"),
        ((HEADER,), "a header, but no row"),
    ],
)
def test_rate_names_what_is_wrong(
    tmp_path: Path, lines: tuple[str, ...], words: str
) -> None:
    assert words in failure_of(rate, "--table", csv_file(tmp_path, *lines))


def test_a_table_that_is_not_there_is_named(tmp_path: Path) -> None:
    assert "no such file" in failure_of(rate, "--table", tmp_path / "none.csv")


PAIR = (HEADER, "m,b,1,1", "m,b,2,0", "m,b,3,0", "m,b,4,0", "n,b,1,0", "n,b,2,1")
"""Rates .25 and .5."""


def test_rate_corrects_for_a_judge_by_the_labels_it_gave(tmp_path: Path) -> None:
    # PPV 36/48, 1 - NPV 1/52: .25 x .75 + .75 / 52 and .5 x .75 + .5 / 52.
    path = csv_file(tmp_path, *PAIR)
    words = ("--judge", "36,12,1,51", "--validation", "judge")
    first, second = output_of(rate, "--table", path, *words)
    assert first["value"] == 0.25
    assert first["corrected"]["value"] == pytest.approx(0.1875 + 0.75 / 52)
    assert second["corrected"]["value"] == pytest.approx(0.375 + 0.5 / 52)
    assert 0 < first["corrected"]["low"] < first["corrected"]["high"] < 1
    assert "post-stratified" in first["corrected"]["method"]
    assert "validate each" in first["corrected"]["note"]


def test_rate_says_that_one_validation_set_over_strata_may_mislead(
    tmp_path: Path,
) -> None:
    path = csv_file(tmp_path, *PAIR)
    words = ("--table", path, "--judge", "36,12,1,51", "--validation")
    page = page_of(rate, *words, "judge")
    assert "drawn by the judge's label" in page
    assert "its PPV and NPV mislead; validate each" in page
    assert "sensitivity and specificity are the same" in page_of(rate, *words, "truth")
    # One stratum needs no warning.
    path = csv_file(tmp_path, *PAIR[:5])
    assert "mislead" not in page_of(rate, *words, "judge")


def test_rate_takes_a_validation_set_for_each_stratum(tmp_path: Path) -> None:
    sets = tmp_path / "sets.csv"
    sets.write_text("model,benchmark,tp,fp,fn,tn\nn,b,1,1,0,9\nm,b,4,0,1,3\n")
    words = ("--judge", sets, "--validation", "judge")
    first, second = output_of(rate, "--table", csv_file(tmp_path, *PAIR), *words)
    assert first["corrected"]["value"] == pytest.approx(0.25 * 1 + 0.75 * 0.25)
    assert second["corrected"]["value"] == pytest.approx(0.5 * 0.5 + 0.5 * 0)
    assert "mislead" not in first["corrected"]["note"]


def test_rate_leaves_a_stratum_without_a_set_uncorrected(tmp_path: Path) -> None:
    sets = tmp_path / "sets.csv"
    sets.write_text("model,tp,fp,fn,tn\nm,4,0,1,3\n")
    words = ("--judge", sets, "--validation", "judge")
    first, second = output_of(rate, "--table", csv_file(tmp_path, *PAIR), *words)
    assert first["corrected"]["value"] is not None
    assert second["corrected"]["value"] is None
    assert "no transcript of this model" in second["corrected"]["note"]
    assert "undefined" in page_of(rate, "--table", csv_file(tmp_path, *PAIR), *words)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("--judge", "36,12,1,51", "--validation", "judge", "--method"),
            "rogan_gladen does not suit a judge_stratified validation set",
        ),
        (
            ("--judge", "36,12,1,51"),
            "--judge needs --validation random, judge or truth",
        ),
        (("--validation", "judge"), "add --judge TP,FP,FN,TN"),
        (("--judge", "1,2,3", "--validation", "judge"), "write four counts"),
        (("--judge", "1,2,3,-4", "--validation", "judge"), "write four counts"),
        (("--judge", "1,2,3,4.5", "--validation", "judge"), "write four counts"),
        (("--judge", "nowhere.csv", "--validation", "judge"), "no such file"),
    ],
)
def test_rate_refuses_a_correction_that_does_not_fit(
    tmp_path: Path, words: tuple[str, ...], message: str
) -> None:
    more = ("rogan_gladen",) if words[-1] == "--method" else ()
    path = csv_file(tmp_path, *PAIR)
    assert message in failure_of(rate, "--table", path, *words, *more)


def test_rate_knows_three_ways_of_drawing(tmp_path: Path) -> None:
    words = ("--judge", "1,2,3,4", "--validation", "me")
    assert "'random', 'judge', 'truth'" in refused(rate, "--table", "x.csv", *words)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (("tp,fp,fn", "1,1,1"), "no column tn; present: tp, fp, fn"),
        (("tp,fp,fn,tn", "1,1,1,-1"), "line 2, column tn: '-1' is no count"),
        (("tp,fp,fn,tn", "1,1,1,1", "2,2,2,2"), "line 3: a second row of this table"),
        (
            ("model,benchmark,tp,fp,fn,tn", "m,b,1,1,1,1", "m,b,2,2,2,2"),
            "line 3: a second row of this model and benchmark",
        ),
        (
            ("model,tp,fp,fn,tn", "M,1,1,1,1"),
            "no validation set fits: the table has model m, n; the sets are of M",
        ),
    ],
)
def test_rate_names_what_is_wrong_with_validation_sets(
    tmp_path: Path, lines: tuple[str, ...], message: str
) -> None:
    sets = tmp_path / "sets.csv"
    sets.write_text("\n".join(lines) + "\n")
    path = csv_file(tmp_path, *PAIR)
    words = ("--judge", sets, "--validation", "random")
    assert message in failure_of(rate, "--table", path, *words)
