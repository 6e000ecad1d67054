"""The commands that read rates, agreement, tax and shares from plain tables."""

import json
from pathlib import Path
from typing import Any

import pytest
from click import Command
from click.testing import CliRunner, Result

from inspect_awareness.cli._kappa import kappa
from inspect_awareness.cli._rate import rate
from inspect_awareness.cli._shares import shares
from inspect_awareness.cli._tax import tax


def run(command: Command, *arguments: object) -> Result:
    return CliRunner().invoke(command, [str(a) for a in arguments])


def output_of(command: Command, *arguments: object) -> Any:
    result = run(command, *arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def page_of(command: Command, *arguments: object) -> str:
    result = run(command, *arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def failure_of(command: Command, *arguments: object) -> str:
    result = run(command, *arguments)
    assert result.exit_code == 1, result.output
    assert result.stderr.count("\n") == 1, result.stderr
    return result.stderr


def csv_file(folder: Path, *lines: str) -> Path:
    path = folder / "table.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


HEADER = "model,benchmark,task,aware"
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
    assert "only 3 clusters" in page


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (("model,task,aware", "m,1,0"), "no column benchmark; present: model, task"),
        ((HEADER, "m,b,1,0", "m,b,1,yes"), "line 3, column aware: 'yes' is neither"),
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


def share_rows() -> list[str]:
    """Rates .0 1.0 | .5 .5 of model m and .0 .5 | .0 .0 of model n, two samples each."""
    hits = {"m": (0, 2, 1, 1), "n": (0, 1, 0, 0)}
    return [
        f"{model},{'xxyy'[task]},{task},{int(sample < hits[model][task])}"
        for model in hits
        for task in range(4)
        for sample in range(2)
    ]


def test_shares_prints_shares_components_and_shares_less_noise(tmp_path: Path) -> None:
    # Model means .5 .125: SS_model = 4 x 2 x .1875^2 = .28125; total 1.75 - 8 x
    # .3125^2 = .96875.
    found = output_of(shares, "--table", csv_file(tmp_path, HEADER, *share_rows()))
    effects = ["model", "benchmark", "task", "model:benchmark", "model:task"]
    assert list(found["shares"]) == list(found["components"]) == effects
    assert list(found["noise_corrected"]) == [*effects, "noise"]
    assert found["shares"]["model"]["value"] == pytest.approx(0.28125 / 0.96875)
    assert set(found["components"]["task"]) >= {"raw", "truncated", "share"}
    assert sum(s["value"] for s in found["shares"].values()) == pytest.approx(1)
    assert (found["models"], found["benchmarks"], found["tasks"]) == (2, 2, 4)


def test_shares_as_a_page_counts_what_was_left_out(tmp_path: Path) -> None:
    lines = (HEADER, *share_rows(), "m,x,extra,1")
    page = page_of(shares, "--table", csv_file(tmp_path, *lines))
    assert "29.0" in page
    assert "2 models x 4 tasks in 2 benchmarks" in page
    assert "left out: 1 tasks" in page


def test_shares_of_a_constant_are_null_with_a_reason(tmp_path: Path) -> None:
    path = csv_file(tmp_path, HEADER, "m,b,1,0", "n,b,1,0", "m,b,2,0", "n,b,2,0")
    found = output_of(shares, "--table", path)
    assert found["shares"]["model"]["value"] is None
    assert "identical" in found["shares"]["model"]["note"]
    assert "identical" in page_of(shares, "--table", path)


def test_shares_names_a_missing_column(tmp_path: Path) -> None:
    path = csv_file(tmp_path, "model,task,aware", "m,1,0")
    assert "no column benchmark; present: model, task" in failure_of(
        shares, "--table", path
    )
