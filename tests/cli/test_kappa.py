"""`awareness kappa`: agreement from four counts or a table of ratings."""

from pathlib import Path

import pytest
from commands import csv_file, failure_of, output_of, page_of, refused, run

from inspect_awareness.cli._kappa import kappa


def test_kappa_from_four_counts() -> None:
    found = output_of(kappa, 36, 12, 1, 51)
    assert found["kappa"] == pytest.approx(0.7373, abs=5e-5)
    assert (found["low"], found["high"]) == pytest.approx((0.607, 0.867), abs=5e-4)
    assert found["pabak"] == pytest.approx(0.74)
    assert found["sensitivity"] == pytest.approx(36 / 37)
    assert found["specificity"] == pytest.approx(51 / 63)
    assert (found["ppv"], found["npv"]) == pytest.approx((36 / 48, 51 / 52))
    assert found["intervals"]["ppv"][0] < 0.75 < found["intervals"]["ppv"][1]


def test_kappa_of_raters_in_one_category_is_null_with_a_reason() -> None:
    found = output_of(kappa, 0, 0, 0, 9)
    assert (found["kappa"], found["low"], found["sensitivity"]) == (None, None, None)
    assert "one category" in found["notes"]["kappa"]


def test_kappa_as_a_page_says_what_carries_over() -> None:
    page = page_of(kappa, 36, 12, 1, 51)
    assert "0.737" in page
    assert "[0.607, 0.867]" in page
    assert "drawn at random or by the judge's label" in page


def test_kappa_takes_counts() -> None:
    assert run(kappa, 1, 2, 3).exit_code == 2
    assert run(kappa, 1, 2, 3, "x").exit_code == 2


# Three raters on four items; items 1, 2: all agree.
RATED = (
    "item,a,b,c",
    "1,yes,yes,yes",
    "2,no,no,no",
    "3,yes,no,yes",
    "4,no,no,yes",
)


def test_kappa_of_a_table_of_ratings(tmp_path: Path) -> None:
    # Fleiss: P = (1 + 1 + 1/3 + 1/3) / 4 = 2/3, both categories 6 of 12, Pe = 1/2:
    # kappa 1/3. Alpha: 1 - 11 Do / De with Do = 2 x 2 x 2/2 = 4, De = 72: 7/18.
    # a and b: 3 of 4 alike, margins 1/2 and 1/4: pe = 1/2, kappa 1/2.
    path = csv_file(tmp_path, *RATED)
    found = output_of(kappa, "--table", path, "--raters", "a,b,c")
    assert found["fleiss"]["value"] == pytest.approx(1 / 3)
    assert found["alpha"]["value"] == pytest.approx(7 / 18)
    assert found["pairs"][0]["raters"] == ["a", "b"]
    assert found["pairs"][0]["value"] == pytest.approx(0.5)
    assert (found["raters"], found["items"]) == ({"a": 4, "b": 4, "c": 4}, 4)
    assert found["categories"] == {"no": 6, "yes": 6}


def test_kappa_of_ratings_of_which_some_lack(tmp_path: Path) -> None:
    path = csv_file(tmp_path, *RATED, "5,yes,,NA", "6,no,no,")
    words = ("--table", path, "--raters", "a,b,c")
    found = output_of(kappa, *words)
    assert (found["items_with_one_rating_or_none"], found["alpha"]["n"]) == (1, 14)
    assert found["fleiss"]["value"] is None
    assert "different numbers of ratings" in found["fleiss"]["note"]
    page = page_of(kappa, *words)
    assert "items with fewer than two ratings are left out: 1" in page
    assert "categories: no 8, yes 7" in page


def test_kappa_of_ranks_and_of_numbers(tmp_path: Path) -> None:
    path = csv_file(tmp_path, "x,y", "1,1", "2,2.0", "3,3", "10,9")
    words = ("--table", path, "--raters", "x,y", "--metric")
    # 2 and 2.0 are one category; 9 and 10 are near as numbers, unlike as categories.
    by = {m: output_of(kappa, *words, m) for m in ("nominal", "ordinal", "interval")}
    assert by["nominal"]["categories"] == {"1": 2, "2": 2, "3": 2, "9": 1, "10": 1}
    values = [by[m]["alpha"]["value"] for m in ("nominal", "ordinal", "interval")]
    assert values == sorted(values)
    assert values[2] > 0.98
    assert (by["interval"]["fleiss"], by["interval"]["pairs"]) == (None, [])


def test_kappa_of_a_rater_who_never_varies_has_no_interval(tmp_path: Path) -> None:
    path = csv_file(tmp_path, "a,b", "1,1", "0,1", "1,1", "0,1")
    pair = output_of(kappa, "--table", path, "--raters", "a,b")["pairs"][0]
    assert (pair["value"], pair["low"]) == (0, None)
    assert "always chose one category" in pair["note"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "which columns? present: item, a, b, c"),
        (("--raters", "a"), "--raters a: two are needed"),
        (("--raters", "a,a"), "--raters a,a: a is named twice"),
        (("--raters", "a,d"), "no column d; present: item, a, b, c"),
        (("--raters", "a,b", "--metric", "interval"), "line 2, column a: 'yes' is not"),
        (("--raters", "a,b", "--metric", "ordinal"), "line 2, column a: 'yes' is not"),
    ],
)
def test_kappa_names_what_is_wrong_with_a_table(
    tmp_path: Path, words: tuple[str, ...], message: str
) -> None:
    path = csv_file(tmp_path, *RATED)
    assert message in failure_of(kappa, "--table", path, *words)


def test_free_text_is_no_rating(tmp_path: Path) -> None:
    path = csv_file(tmp_path, "a,b", *(f"word {k},word {k}" for k in range(101)))
    words = ("--table", path, "--raters", "a,b")
    assert "101 different ratings, 100 at most" in failure_of(kappa, *words)


def test_kappa_takes_counts_or_a_table_not_both(tmp_path: Path) -> None:
    path = csv_file(tmp_path, *RATED)
    assert "not both" in refused(kappa, 1, 2, 3, 4, "--table", path)
    assert "four counts TP FP FN TN" in refused(kappa)


def test_counts_beyond_counting_are_refused() -> None:
    assert "1e15 at most" in failure_of(kappa, 10**24, 1, 1, 1)


def test_few_items_are_called_items(tmp_path: Path) -> None:
    said = page_of(kappa, 3, 1, 1, 2)
    assert "kappa: only 7 items: the interval is approximate" in said
    assert "sensitivity: only 4 items" in said
    path = csv_file(tmp_path, "a,b", "1,1", "0,1", "1,0", "0,0", "1,1")
    tabled = page_of(kappa, "--table", path, "--raters", "a,b")
    assert "only 5 items" in tabled
    for page in (said, tabled):
        assert "cluster" not in page
