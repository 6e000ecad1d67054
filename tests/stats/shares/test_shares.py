"""Where awareness varies."""

import csv
from math import isnan, nan
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from inspect_awareness.stats import AwarenessShares, awareness_shares, variance_shares
from inspect_awareness.stats.shares._components import solve
from inspect_awareness.stats.shares._squares import EFFECTS, squares

REFERENCE = Path(__file__).parents[4] / "shared" / "reference"

TABLE_5 = [
    [0.5, 79.4, 1.1, 0.3], [0.4, 1.0, 0.5, 5.1], [5.6, 0.6, 4.4, 3.1],
    [4.9, 28.3, 7.0, 0.9], [0.4, 22.4, 0.8, 0.2], [32.4, 0.2, 18.8, 3.8],
    [32.5, 0.3, 25.0, 2.7], [1.3, 0.5, 0.0, 0.0], [0.2, 0.2, 0.0, 0.0],
]  # fmt: skip
"""Table 5 of the second source: rates in % of 9 models on 4 benchmarks."""

TASKS = (342, 234, 176, 176)


def of(rates: Any, benchmarks: Any, samples: Any = 10) -> AwarenessShares:
    rng = np.random.default_rng(0)
    return variance_shares(rates, benchmarks, samples, rng=rng)


def values(found: AwarenessShares) -> list[float]:
    return [found.shares[name].value for name in EFFECTS]


def simulated(
    rng: np.random.Generator, sizes: list[int], models: int, sd: dict[str, float]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """Rates about .5 with these standard deviations of each effect."""
    bench = np.repeat(np.arange(len(sizes)), sizes)
    y = 0.5 + sd["model"] * rng.normal(size=(models, 1))
    y = y + sd["benchmark"] * rng.normal(size=len(sizes))[bench]
    y = y + sd["task"] * rng.normal(size=bench.size)
    y = y + sd["model:benchmark"] * rng.normal(size=(models, len(sizes)))[:, bench]
    return y + sd["model:task"] * rng.normal(size=(models, bench.size)), bench


def test_table_5_of_the_second_source_gives_its_main_effects() -> None:
    # Published with model x benchmark at 42.08 %: model 13.03, benchmark 4.56.
    bench = np.repeat(range(4), TASKS)
    found = of(np.array(TABLE_5)[:, bench] / 100, bench).shares
    scale = 42.08 / found["model:benchmark"].value
    assert scale * found["model"].value == pytest.approx(13.01, abs=0.03)
    assert scale * found["benchmark"].value == pytest.approx(4.54, abs=0.03)
    # Every task of a benchmark at its mean: nothing is left for tasks.
    assert found["task"].value == pytest.approx(0, abs=1e-12)


def test_a_reference_table_of_9_by_928_gives_rs_sums_of_squares() -> None:
    path = REFERENCE / "aw.csv"
    if not path.exists():
        pytest.skip("the reference tables are not on this machine")
    rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    tasks = list(dict.fromkeys((r["bench"], r["task"]) for r in rows))
    place = {task: k for k, task in enumerate(tasks)}
    rates = np.zeros((9, 928))
    for r in rows:
        rates[int(r["model"][1:]), place[r["bench"], r["task"]]] = float(r["y"])
    bench = [b for b, _ in tasks]
    # R 4.2.2, anova(lm(y ~ model * bench + task)); order of EFFECTS.
    published = np.array([14.6095, 1.4527, 9.5606, 18.7280, 52.4113])
    assert values(of(rates, bench)) == pytest.approx(
        published / published.sum(), abs=1e-6
    )


def test_two_models_two_benchmarks_by_hand() -> None:
    # Rows .2 .4 | .6 .8 and .0 .2 | .0 .2: model means .5 .1, g = .3.
    # SS_model = 4 (.2^2 + .2^2) = .32; benchmark means .2 .4: 2 x 4 x .1^2 = .08;
    # tasks .1 .3 | .3 .5: 2 x 4 x .1^2 = .08; cells .3 .7 | .1 .1, each .1 from
    # additive: 2 x 4 x .1^2 = .08; nothing is left. Total .56.
    found = of([[0.2, 0.4, 0.6, 0.8], [0.0, 0.2, 0.0, 0.2]], ["a", "a", "b", "b"])
    assert values(found) == pytest.approx(
        [0.32 / 0.56, 0.08 / 0.56, 0.08 / 0.56, 0.08 / 0.56, 0], abs=1e-12
    )
    assert (found.models, found.benchmarks, found.tasks) == (2, 2, 4)


def test_the_five_shares_add_to_one_whatever_the_sizes() -> None:
    rates = np.random.default_rng(1).uniform(size=(5, 30))
    found = of(rates, np.repeat([0, 1, 2], [3, 20, 7]))
    assert sum(values(found)) == pytest.approx(1, abs=1e-12)
    corrected = sum(each.value for each in found.noise_corrected.values())
    assert corrected == pytest.approx(1, abs=1e-12)


def test_leaving_a_task_out_is_computing_without_it() -> None:
    rates = np.random.default_rng(2).uniform(size=(4, 15))
    bench, n = np.repeat([0, 1], [6, 9]), np.full((4, 15), 8.0)
    found = squares(rates, bench, n).without_each()
    for k in (0, 7, 14):
        keep = np.arange(15) != k
        direct = squares(rates[:, keep], bench[keep], n[:, keep])
        assert found.effects[k] == pytest.approx(direct.effects[0], abs=1e-12)
        assert found.noise[k] == pytest.approx(direct.noise[0], abs=1e-12)
        assert found.total[k] == pytest.approx(direct.total[0], abs=1e-12)


def test_noise_alone_goes_to_effects_by_their_degrees_of_freedom() -> None:
    # All rates .3 in truth, 10 samples: sum over cells of the noise is all there is,
    # and E SS = df x .021 for each effect: 3, 1, 398, 3 and 1194 of 1599.
    rng = np.random.default_rng(3)
    rates = rng.binomial(10, 0.3, (4, 400)) / 10
    found = of(rates, np.repeat([0, 1], 200))
    degrees = {
        "model": 3,
        "benchmark": 1,
        "task": 398,
        "model:benchmark": 3,
        "model:task": 1194,
    }
    for name, df in degrees.items():
        taken = found.shares[name].value - found.noise_corrected[name].value
        assert taken == pytest.approx(
            df / 1599 * found.noise_corrected["noise"].value, rel=0.05
        )
    assert found.noise_corrected["noise"].value == pytest.approx(1, abs=0.12)
    assert (
        found.noise_corrected["model:task"].low
        < 0
        < found.noise_corrected["model:task"].high
    )


def test_the_noise_of_the_second_source_is_8_points_of_model_by_task() -> None:
    # MS(model x benchmark) 6.22 on 24 df is 42.08 %: a total of 354.7. Rates vary
    # within cells by (7.69 + 32.64) % of it over 8352 values, which p (1 - p) is less
    # than at the cells' means: 8.12 and 1.02 points (statistics.md, section 5).
    bench = np.repeat(range(4), TASKS)
    rates = np.array(TABLE_5)[:, bench] / 100
    total = 6.22 * 24 / 0.4208
    at_means = float(np.mean(rates * (1 - rates)))
    less = 1 - (0.0769 + 0.3264) * total / rates.size / at_means
    found = squares(rates, bench, np.full(rates.shape, 10.0)).noise[0]
    points = 100 * less * found / total
    assert points[EFFECTS.index("model:task")] == pytest.approx(8.12, abs=0.03)
    assert points[EFFECTS.index("task")] == pytest.approx(1.02, abs=0.01)


def test_components_solve_the_expected_mean_squares() -> None:
    # Balanced 3 benchmarks x 10 tasks, 4 models; forward with .4 .3 .2 .1 .05.
    s_m, s_b, s_t, s_mb, s_mt = 0.4, 0.3, 0.2, 0.1, 0.05
    mean = np.array(
        [
            s_mt + 10 * s_mb + 30 * s_m,
            s_mt + 4 * s_t + 10 * s_mb + 40 * s_b,
            s_mt + 4 * s_t,
            s_mt + 10 * s_mb,
            s_mt,
        ]
    )
    found = solve(mean[None], 4, np.array([10.0, 10, 10]))[0]
    assert found == pytest.approx([s_m, s_b, s_t, s_mb, s_mt])


def test_components_are_unbiased_with_benchmarks_of_unequal_size() -> None:
    rng = np.random.default_rng(4)
    sd = {"model": 0.02, "benchmark": 0.02, "task": 0.01, "model:benchmark": 0.04,
          "model:task": 0.02}  # fmt: skip
    sizes, found = [60, 10, 5], []
    for _ in range(600):
        y, bench = simulated(rng, sizes, 5, sd)
        whole = squares(y, bench, np.full(y.shape, 10.0))
        mean = whole.effects[0] / whole.freedom
        found.append(solve(mean[None], 5, whole.counts)[0])
    error = np.std(found, axis=0) / np.sqrt(600)
    truth = np.array([sd[name] ** 2 for name in EFFECTS])
    assert np.all(np.abs(np.mean(found, axis=0) - truth) < 3.5 * error)


def test_a_component_below_zero_is_kept_raw_and_shown_as_zero() -> None:
    bench = np.repeat(range(4), TASKS)
    found = of(np.array(TABLE_5)[:, bench] / 100, bench).components["model"]
    assert found.raw < 0
    assert (found.estimate.value, found.share, found.estimate.low) == (0, 0, 0)
    assert found.estimate.high > 0


def test_share_intervals_cover_over_new_tasks() -> None:
    # 3 models on 2 benchmarks, whose cells keep their means; the truth from 40,000.
    rng = np.random.default_rng(5)
    cells = np.array([[0.2, 0.5], [0.3, 0.3], [0.6, 0.4]])

    def draw(each: int) -> AwarenessShares:
        bench = np.repeat([0, 1], each)
        task = 0.1 * rng.uniform(-1, 1, 2 * each)
        own = 0.1 * rng.uniform(-1, 1, (3, 2 * each))
        return of(cells[:, bench] + task + own, bench)

    truth = draw(20_000).shares
    found = [draw(40).shares for _ in range(150)]
    for name in ("model", "task", "model:benchmark", "model:task"):
        hits = np.mean([each[name].contains(truth[name].value) for each in found])
        assert hits >= 0.88, name


def test_a_share_near_zero_is_not_said_to_be_anything_up_to_all() -> None:
    # Two benchmarks that hardly differ: on the logit scale the interval was 0 to 57 %.
    rng = np.random.default_rng(11)
    y, bench = simulated(
        rng, [40, 40], 4,
        {"model": 0.1, "benchmark": 0.0, "task": 0.1, "model:benchmark": 0.0,
         "model:task": 0.1},
    )  # fmt: skip
    found = of(np.clip(y, 0, 1), bench).shares["benchmark"]
    assert found.value < 0.02
    assert 0 <= found.low < found.value < found.high < 0.1


def test_long_rows_are_the_matrix() -> None:
    rng = np.random.default_rng(6)
    aware = rng.integers(0, 2, (3, 8, 5))
    where = [axis.ravel() for axis in np.indices(aware.shape)]
    long = awareness_shares(
        aware.ravel(),
        models=where[0],
        benchmarks=where[1] // 4,
        tasks=where[1],
        rng=np.random.default_rng(0),
    )
    matrix = of(aware.mean(2), np.arange(8) // 4, 5)
    assert values(long) == pytest.approx(values(matrix))
    assert long.noise_corrected["noise"].value == pytest.approx(
        matrix.noise_corrected["noise"].value
    )
    assert long.incomplete == 0


def test_a_task_that_a_model_never_answered_is_left_out_and_counted() -> None:
    rows = [("a", "x", 1, 0), ("a", "x", 1, 1), ("b", "x", 1, 0), ("a", "x", 2, 1),
            ("b", "x", 2, 1), ("a", "x", 3, 1), ("b", "x", 3, nan)]  # fmt: skip
    model, bench, task, aware = zip(*rows, strict=True)
    found = awareness_shares(
        aware, models=model, benchmarks=bench, tasks=task, rng=np.random.default_rng(0)
    )
    assert (found.tasks, found.incomplete) == (2, 1)


def test_one_model_or_one_benchmark_leaves_its_effects_undefined() -> None:
    rates = np.random.default_rng(7).uniform(size=(3, 10))
    one = of(rates, ["x"] * 10)
    assert isnan(one.shares["benchmark"].value)
    assert isnan(one.components["model:benchmark"].raw)
    assert one.shares["model"].value + one.shares["task"].value < 1
    assert one.components["model"].raw == one.components["model"].raw
    alone = of(rates[:1], ["x"] * 5 + ["y"] * 5)
    assert isnan(alone.shares["model"].value)
    assert alone.shares["benchmark"].value + alone.shares[
        "task"
    ].value == pytest.approx(1)


def test_a_benchmark_of_one_task_has_no_interval() -> None:
    found = of(np.random.default_rng(8).uniform(size=(3, 4)), ["x", "x", "x", "y"])
    assert not found.shares["model"].has_interval
    assert "one task" in found.shares["model"].note


def test_single_samples_have_noise_that_nobody_knows() -> None:
    found = of(np.random.default_rng(9).integers(0, 2, (3, 8)), [0] * 4 + [1] * 4, 1)
    assert isnan(found.noise_corrected["model:task"].value)
    assert "one sample" in found.noise_corrected["noise"].note
    assert found.shares["model:task"].value > 0


def test_equal_rates_have_nothing_to_share_out() -> None:
    found = of(np.full((3, 6), 0.2), [0, 0, 0, 1, 1, 1])
    assert all(isnan(each.value) for each in found.shares.values())
    assert "identical" in found.shares["model"].note


def test_no_complete_task_is_undefined() -> None:
    found = awareness_shares(
        [1, 0], models=["a", "b"], benchmarks=["x", "x"], tasks=[1, 2],
        rng=np.random.default_rng(0),
    )  # fmt: skip
    assert isnan(found.shares["model"].value)
    assert (found.tasks, found.incomplete) == (0, 2)
    empty = awareness_shares(
        [], models=[], benchmarks=[], tasks=[], rng=np.random.default_rng(0)
    )
    assert isnan(empty.components["model"].share)


def test_duplicated_rows_change_the_noise_but_no_share() -> None:
    rates = np.random.default_rng(10).uniform(size=(3, 8))
    bench = [0] * 4 + [1] * 4
    assert values(of(rates, bench, 5)) == values(of(rates, bench, 10))


@pytest.mark.parametrize(
    ("rates", "bench", "samples", "words"),
    [
        ([0.1, 0.2], [0, 0], 10, "got 1 dimensions"),
        ([[0.1, nan]], [0, 0], 10, "got nan: leave tasks out"),
        ([[0.1, 1.2]], [0, 0], 10, "got 1.2"),
        ([[0.1, 0.2]], [0], 10, "1 benchmarks for 2 values"),
        ([[0.1, 0.2]], [0, 0], [10, 10, 10], "samples must be a number or"),
        ([[0.1, 0.2]], [0, 0], 0, "one sample at least"),
    ],
)
def test_bad_input_is_named(rates: Any, bench: Any, samples: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        of(rates, bench, samples)
