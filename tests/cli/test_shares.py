"""`awareness shares`: where awareness varies."""

from pathlib import Path

import pytest
from commands import HEADER, csv_file, failure_of, output_of, page_of

from inspect_awareness.cli._shares import shares


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
    note = found["shares"]["model"]["note"]
    assert note == "all rates are identical: there is no variation to share out"
    page = page_of(shares, "--table", path)
    assert note in page
    assert "does not respond" not in page


def test_shares_names_a_missing_column(tmp_path: Path) -> None:
    path = csv_file(tmp_path, "model,task,aware", "m,1,0")
    assert "no column benchmark; present: model, task" in failure_of(
        shares, "--table", path
    )


@pytest.mark.parametrize(
    ("rows", "undefined"),
    [
        (("m,b,1,0", "m,b,2,1", "m,c,1,0", "m,c,2,0"), ["model", "model:task"]),
        (("m,b,1,0", "m,b,2,1", "n,b,1,1", "n,b,2,1"), ["benchmark"]),
        (("m,b,1,1",), ["model", "benchmark", "task"]),
        (("m,b,1,",), ["model", "benchmark", "task"]),
    ],
)
def test_shares_without_levels_to_compare_are_null_with_a_reason(
    tmp_path: Path, rows: tuple[str, ...], undefined: list[str]
) -> None:
    path = csv_file(tmp_path, HEADER, *rows)
    found = output_of(shares, "--table", path)
    for name in undefined:
        assert found["shares"][name]["value"] is None
        assert found["shares"][name]["note"]
    page = page_of(shares, "--table", path)
    assert "nan" not in page
    assert "undefined" in page


def test_shares_count_what_is_not_known(tmp_path: Path) -> None:
    path = csv_file(tmp_path, HEADER, *share_rows(), "m,x,0,", "n,x,0,NA")
    assert output_of(shares, "--table", path)["missing"] == 2
    assert "samples of unknown awareness: 2" in page_of(shares, "--table", path)
