"""Where awareness varies without some of the models."""

from math import isnan, nan
from typing import Any

import numpy as np
import pytest

from inspect_awareness.stats import (
    SharesWithout,
    awareness_shares,
    shares_without_each,
    variance_shares,
)
from inspect_awareness.stats.shares._squares import EFFECTS, squares

TABLE_5 = [
    [0.5, 79.4, 1.1, 0.3], [0.4, 1.0, 0.5, 5.1], [5.6, 0.6, 4.4, 3.1],
    [4.9, 28.3, 7.0, 0.9], [0.4, 22.4, 0.8, 0.2], [32.4, 0.2, 18.8, 3.8],
    [32.5, 0.3, 25.0, 2.7], [1.3, 0.5, 0.0, 0.0], [0.2, 0.2, 0.0, 0.0],
]  # fmt: skip
"""Table 5 of the second source: rates in % of 9 models on 4 benchmarks."""

BENCH = np.repeat(range(4), (342, 234, 176, 176))


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def rows(models: int, seed: int = 1) -> dict[str, Any]:
    """Models x 8 tasks in 2 benchmarks x 5 samples."""
    aware = np.random.default_rng(seed).integers(0, 2, (models, 8, 5))
    model, task, _ = (axis.ravel() for axis in np.indices(aware.shape))
    names = np.array([f"m{k}" for k in range(models)])[model]
    return {
        "aware": aware.ravel(), "models": names, "benchmarks": task // 4, "tasks": task
    }  # fmt: skip


def without(given: dict[str, Any], **more: Any) -> dict[str, SharesWithout]:
    return dict(shares_without_each(**given, rng=rng(), **more))


def test_the_interaction_is_both_interactions_together() -> None:
    # Rows .2 .4 | .6 .8 and 0 .2 | 0 .2: .08 of .56 is model:benchmark (by hand in
    # test_shares.py), and nothing is left for model:task.
    found = variance_shares(
        [[0.2, 0.4, 0.6, 0.8], [0.0, 0.2, 0.0, 0.2]], ["a", "a", "b", "b"], 5, rng=rng()
    )
    assert found.interaction.value == pytest.approx(0.08 / 0.56)


def test_the_interaction_is_what_the_other_effects_leave() -> None:
    found = awareness_shares(**rows(4), rng=rng())
    rest = sum(found.shares[name].value for name in ("model", "benchmark", "task"))
    assert found.interaction.value == pytest.approx(1 - rest)
    assert found.interaction.low < found.interaction.value < found.interaction.high


def test_with_one_benchmark_it_is_model_by_task_alone() -> None:
    found = variance_shares(
        np.random.default_rng(2).random((3, 9)), [0] * 9, 5, rng=rng()
    )
    assert found.interaction.value == pytest.approx(found.shares["model:task"].value)


def test_leaving_a_model_out_is_computing_without_its_rows() -> None:
    given = rows(4)
    everything = awareness_shares(**given, rng=rng()).interaction.value
    found = without(given)
    assert list(found) == ["m0", "m1", "m2", "m3"]
    for name, record in found.items():
        kept = given["models"] != name
        alone = awareness_shares(
            **{key: column[kept] for key, column in given.items()}, rng=rng()
        )
        assert record.found.shares["model"].value == pytest.approx(
            alone.shares["model"].value
        )
        assert record.change == pytest.approx(alone.interaction.value - everything)
        assert (record.left_out, record.found.models, record.note) == ((name,), 3, "")


def test_models_of_a_group_are_left_out_together() -> None:
    found = without(rows(5), groups={"one provider": ["m0", "m3"], "another": ["m1"]})
    assert list(found) == ["one provider", "another"]
    assert found["one provider"].left_out == ("m0", "m3")
    assert [each.found.models for each in found.values()] == [3, 4]


def test_the_one_model_that_knows_a_benchmark_makes_the_interaction() -> None:
    # Each is aware one time in ten, and m0 always on benchmark 1.
    given = rows(4)
    quiet = np.random.default_rng(3).random(160) < 0.1
    loud = (given["models"] == "m0") & (given["benchmarks"] == 1)
    found = without({**given, "aware": (quiet | loud).astype(float)})
    assert found["m0"].found.shares["model:benchmark"].value < 0.2
    for name in ("m1", "m2", "m3"):
        assert found[name].found.shares["model:benchmark"].value > 0.25


def test_table_5_loses_interaction_without_claude_and_gpt_5() -> None:
    # Published: 74.72 % with all nine and 68.17 % without the first two. The rates of
    # single tasks are not published, so only means of benchmarks are at hand: of the
    # nine, model:benchmark is pinned to its 42.08 %, and model:task (32.64 %) and task
    # (7.69 %) to theirs. For seven, those two are taken as 6/8 of the former and, by
    # the expected mean squares, 924 (s_mt + 7 s_t) of the latter.
    rates = np.array(TABLE_5)[:, BENCH] / 100
    nine, seven = (
        dict(zip(EFFECTS, squares(y, BENCH, np.full(y.shape, 10.0)).effects[0],
                 strict=True))
        for y in (rates, rates[2:])
    )  # fmt: skip
    total = nine["model:benchmark"] / 0.4208
    s_mt = 0.3264 * total / 7392
    s_t = (0.0769 * total / 924 - s_mt) / 9
    model_task, task = 6 * 924 * s_mt, 924 * (s_mt + 7 * s_t)
    interaction = seven["model:benchmark"] + model_task
    share = interaction / (interaction + seven["model"] + seven["benchmark"] + task)
    assert share == pytest.approx(0.6817, abs=0.015)
    assert share < 0.7472 - 0.04


def test_fewer_than_three_models_leave_nothing_to_compare() -> None:
    for record in without(rows(2)).values():
        assert isnan(record.found.interaction.value)
        assert isnan(record.change)
        assert record.note.startswith("fewer than 2 models are left")
    everyone = without(rows(3), groups={"all": ["m0", "m1", "m2"]})["all"]
    assert isnan(everyone.found.interaction.value)
    assert everyone.note.startswith("fewer than 2")
    nobody = {"aware": [], "models": [], "benchmarks": [], "tasks": []}
    assert without(nobody) == {}


def test_tasks_that_only_the_one_left_out_lacks_come_back_and_are_said() -> None:
    given = rows(4)
    gone = (given["models"] == "m2") & (given["tasks"] == 5)
    found = without({**given, "aware": np.where(gone, nan, given["aware"])})
    assert [each.found.tasks for each in found.values()] == [7, 7, 8, 7]
    assert found["m2"].note.startswith("rests on 8 tasks")
    assert found["m1"].note == ""


def test_a_group_of_unknown_models_or_none_is_named() -> None:
    with pytest.raises(
        ValueError, match="group 'x' leaves out 'm9', no model among m0"
    ):
        without(rows(3), groups={"x": ["m9"]})
    with pytest.raises(ValueError, match="group 'x' names no model"):
        without(rows(3), groups={"x": []})
    with pytest.raises(ValueError, match="aware must be 0, 1 or NaN"):
        without({**rows(3), "aware": np.full(120, 0.5)})
