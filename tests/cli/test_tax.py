"""`awareness tax`: outcomes of aware and unaware samples."""

from pathlib import Path

import pytest
from commands import csv_file, failure_of, output_of, page_of

from inspect_awareness.cli._tax import tax

TAX = (
    "model,benchmark,task,aware,outcome",
    "m,b,1,1,1", "m,b,1,0,0", "m,b,1,0,0", "m,b,2,1,1", "m,b,2,0,1", "m,b,3,1,0",
    "m,b,3,0,0",
)  # fmt: skip
"""D = 1 0 0 with weights 2/3 1/2 1/2."""


def test_tax_prints_the_differences_and_the_actors(tmp_path: Path) -> None:
    found = output_of(tax, "--table", csv_file(tmp_path, *TAX))
    assert set(found) >= {
        "within", "pooled", "between", "paper_mean", "informative_tasks", "mde",
        "simpson", "actors",
    }  # fmt: skip
    assert found["within"]["value"] == pytest.approx(0.4)
    assert found["within"]["low"] < 0.4 < found["within"]["high"]
    assert 0 < found["within"]["p"] <= 1
    assert found["paper_mean"]["value"] == pytest.approx(1 / 3)
    assert found["pooled"]["value"] == pytest.approx(2 / 3 - 1 / 4)
    assert (found["informative_tasks"], found["simpson"]) == (3, False)
    # Task 1 deviates (1 against 0 0), tasks 2 and 3 do not.
    of_actors = {name: found["actors"]["m"][name]["value"] for name in (
        "naive", "strategically_aware", "robustly_aligned", "undetermined")}  # fmt: skip
    assert list(of_actors.values()) == pytest.approx([4 / 7, 1 / 7, 2 / 7, 0])
    assert "equivalence" not in found


def test_tax_of_several_models_shows_each(tmp_path: Path) -> None:
    lines = (*TAX, *(line.replace("m,", "n,", 1) for line in TAX[1:]))
    path = csv_file(tmp_path, *lines)
    found = output_of(tax, "--table", path, "--margin", "0.5")
    assert found["models"]["n"]["value"] == pytest.approx(0.4)
    assert (found["informative_tasks"], set(found["actors"])) == (6, {"m", "n"})
    assert found["equivalence"]["margin"] == 0.5


def test_tax_without_a_task_that_has_both_kinds_is_null_with_a_reason(
    tmp_path: Path,
) -> None:
    path = csv_file(tmp_path, TAX[0], "m,b,1,1,1", "m,b,2,0,", "m,b,2,0,1")
    found = output_of(tax, "--table", path)
    assert (found["within"]["value"], found["within"]["p"]) == (None, None)
    assert "no task has both" in found["within"]["note"]
    assert (found["mde"], found["missing"]["outcome"]) == (None, 1)


def test_tax_as_a_page_says_what_it_is_not(tmp_path: Path) -> None:
    page = page_of(tax, "--table", csv_file(tmp_path, *TAX), "--margin", "0.1")
    assert "+0.400" in page
    assert "3 of 3 model-task pairs" in page
    assert "not shown to be caused" in page
    assert "is not shown to be smaller than 0.1" in page
    assert "strategically aware" in page


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (
            ("model,benchmark,task,aware", "m,b,1,0"),
            "no column outcome; present: model",
        ),
        ((*TAX, "m,b,1,0,good"), "line 9, column outcome: 'good' is not a number"),
        ((*TAX, "m,b,1,2,1"), "line 9, column aware: '2' is neither 0 nor 1"),
    ],
)
def test_tax_names_what_is_wrong(
    tmp_path: Path, lines: tuple[str, ...], words: str
) -> None:
    assert words in failure_of(tax, "--table", csv_file(tmp_path, *lines))


COVARIATE = (
    "model,benchmark,task,aware,outcome,length",
    "m,b,1,0,1,0", "m,b,1,0,2,1", "m,b,1,1,5,3", "m,b,2,0,3,1", "m,b,2,1,4,0",
    "m,b,2,1,4,1",
)  # fmt: skip
"""Within tasks +2.25; at equal length +1.5, and +.75 for one more of length."""


def test_tax_at_equal_covariates(tmp_path: Path) -> None:
    path = csv_file(tmp_path, *COVARIATE)
    found = output_of(tax, "--table", path, "--covariate", "length")
    assert found["within"]["value"] == pytest.approx(2.25)
    adjusted = found["adjusted"]
    assert adjusted["value"] == pytest.approx(1.5)
    assert adjusted["covariates"]["length"]["value"] == pytest.approx(0.75)
    assert (adjusted["n"], adjusted["tasks"], adjusted["missing"]) == (6, 2, 0)
    assert "adjusted" not in output_of(tax, "--table", path)
    page = page_of(tax, "--table", path, "--covariate", "length")
    assert "within tasks, equal length" in page
    assert "one more of length goes with +0.75" in page
    assert "takes that part of the effect away" in page


def test_tax_counts_samples_without_a_covariate(tmp_path: Path) -> None:
    path = csv_file(tmp_path, *COVARIATE, "m,b,1,1,9,", "m,b,2,0,9,NA")
    found = output_of(tax, "--table", path, "--covariate", "length")
    assert found["adjusted"]["missing"] == 2
    assert found["adjusted"]["unadjusted"]["value"] == pytest.approx(2.25)
    page = page_of(tax, "--table", path, "--covariate", "length")
    assert (
        "left out of the adjusted tax: 2 samples; the others unadjusted: +2.25" in page
    )


def test_tax_of_each_model_is_adjusted_too(tmp_path: Path) -> None:
    lines = (*COVARIATE, *(line.replace("m,", "n,", 1) for line in COVARIATE[1:]))
    path = csv_file(tmp_path, *lines)
    found = output_of(tax, "--table", path, "--covariate", "length")
    assert found["models"]["n"]["adjusted"]["value"] == pytest.approx(1.5)


def test_a_covariate_that_never_varies_is_undefined_with_a_reason(
    tmp_path: Path,
) -> None:
    lines = [f"{line},7" for line in TAX[1:]]
    path = csv_file(tmp_path, f"{TAX[0]},length", *lines)
    words = ("--table", path, "--covariate", "length")
    adjusted = output_of(tax, *words)["adjusted"]
    assert (adjusted["value"], adjusted["p"]) == (None, None)
    assert "length does not vary within any model and task" in adjusted["note"]
    assert "adjusted: length does not vary" in page_of(tax, *words)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("--covariate", "aware"),
            "--covariate aware: this column is in the comparison",
        ),
        (("--covariate", "x"), "no column x; present: model, benchmark, task"),
        (("--covariate", "length", "--covariate", "length"), "length is named twice"),
        (("--margin", "inf"), "--margin must be a finite number above 0"),
        (("--margin", "nan"), "--margin must be a finite number above 0"),
    ],
)
def test_tax_refuses_what_it_cannot_do(
    tmp_path: Path, words: tuple[str, ...], message: str
) -> None:
    path = csv_file(tmp_path, *COVARIATE)
    assert message in failure_of(tax, "--table", path, *words)


@pytest.mark.parametrize(
    ("rows", "note"),
    [
        (("m,b,1,1,1", "m,b,2,1,0", "m,b,3,1,0"), "no unaware sample"),
        (("m,b,1,0,1", "m,b,2,0,0", "m,b,3,0,0"), "no aware sample"),
        (("m,b,1,1,1",), "no unaware sample"),
        (("m,b,1,,1",), "no unaware sample"),
        (("m,b,1,1,", "m,b,1,0,NA"), "no unaware sample"),
    ],
)
def test_tax_of_one_kind_only_is_undefined_everywhere(
    tmp_path: Path, rows: tuple[str, ...], note: str
) -> None:
    path = csv_file(tmp_path, TAX[0], *rows)
    found = output_of(tax, "--table", path)
    assert found["within"]["value"] is found["pooled"]["value"] is None
    page = page_of(tax, "--table", path)
    assert "nan" not in page
    assert "within: no task has both" in page
    if note == "no aware sample":
        assert found["pooled"]["note"] == note


def test_outcomes_of_one_value_have_no_tax_and_no_false_certainty(
    tmp_path: Path,
) -> None:
    rows = [f"m,b,{task},{aware},1" for task in range(4) for aware in (0, 1)]
    found = output_of(tax, "--table", csv_file(tmp_path, TAX[0], *rows))
    assert (found["within"]["value"], found["within"]["low"]) == (0, None)
    assert "agree exactly" in found["within"]["note"]
