"""The awareness tax at equal covariates."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from inspect_awareness.stats.tax import adjusted_tax, awareness_tax

Floats = npt.NDArray[np.float64]

TINY: dict[str, Any] = {
    "outcome": [1, 2, 5, 3, 4, 4],
    "aware": [0, 0, 1, 0, 1, 1],
    "tasks": [1, 1, 1, 2, 2, 2],
}
LENGTH = [0, 1, 3, 1, 0, 1]


def samples(seed: int, *, effect: float = 0.5, slope: float = 0.0) -> dict[str, Any]:
    """9 tasks of 3 to 11 samples by two models; awareness goes with length."""
    rng = np.random.default_rng(seed)
    size = rng.integers(3, 12, 9)
    tasks = np.repeat(np.arange(9), size)
    models = rng.integers(0, 2, tasks.size)
    length = rng.normal(size=tasks.size) + tasks
    aware = (rng.normal(size=tasks.size) + length - tasks > 0).astype(float)
    noise = rng.normal(size=9)[tasks] + rng.normal(size=tasks.size)
    outcome = effect * aware + slope * length + noise
    return {
        "outcome": outcome,
        "aware": aware,
        "tasks": tasks,
        "models": models,
        "covariates": {"length": length, "turns": rng.poisson(3, tasks.size) * 1.0},
    }


def design(of: dict[str, Any]) -> tuple[Floats, Floats, npt.NDArray[np.int64]]:
    """Awareness, covariates and a dummy for each pair of model and task."""
    tasks, models = np.asarray(of["tasks"]), np.asarray(of["models"])
    pair = np.unique(tasks * 2 + models, return_inverse=True)[1]
    columns = [of["aware"], *of["covariates"].values()]
    x = np.column_stack([*columns, np.eye(pair.max() + 1)[pair]])
    return x, np.asarray(of["outcome"], dtype=float), tasks


def dense(x: Floats, y: Floats, clusters: npt.NDArray[Any], k: int) -> list[float]:
    """Coefficient, CR2 standard error and Bell-McCaffrey's degrees of freedom, from
    n x n matrices as Pustejovsky and Tipton write them, dummies and all."""
    m = np.linalg.inv(x.T @ x)
    hat = np.eye(y.size) - x @ m @ x.T
    e = hat @ y
    total, vectors = 0.0, []
    for c in np.unique(clusters):
        own = np.flatnonzero(clusters == c)
        w, v = np.linalg.eigh(hat[np.ix_(own, own)])
        power = np.array([1 / np.sqrt(each) if each > 1e-9 else 0.0 for each in w])
        loading = (v * power) @ v.T @ x[own] @ m[:, k]
        total += float(loading @ e[own]) ** 2
        vectors.append(hat[:, own] @ loading)
    p = np.array([[a @ b for b in vectors] for a in vectors])
    b = m @ x.T @ y
    return [b[k], np.sqrt(total), np.trace(p) ** 2 / np.sum(p**2)]


def test_a_covariate_changes_the_difference_as_counted_by_hand() -> None:
    # Centred: Sxx 4/3, Sxz 4/3, Szz 16/3, Sxy 3, Szy 6, so
    # b = (3 x 16/3 - 4/3 x 6) / (4/3 x 16/3 - 16/9) = 8 / (16/3), c = (8 - 4) / (16/3).
    found = adjusted_tax(**TINY, covariates={"length": LENGTH})
    assert found.within.value == pytest.approx(1.5)
    assert found.covariates["length"].value == pytest.approx(0.75)
    # (2/3 x 3.5 + 2/3 x 1) / (4/3)
    assert found.unadjusted.value == pytest.approx(2.25)


@pytest.mark.parametrize("seed", range(4))
def test_it_is_the_regression_with_a_dummy_for_each_pair(seed: int) -> None:
    of = samples(seed)
    x, y, _ = design(of)
    b = np.linalg.lstsq(x, y)[0]
    found = adjusted_tax(**of)
    slopes = [each.value for each in found.covariates.values()]
    assert [found.within.value, *slopes] == pytest.approx(b[:3])


def test_statsmodels_gives_the_same_coefficients() -> None:
    sm = pytest.importorskip("statsmodels.api", reason="statsmodels is not installed")
    of = samples(9)
    x, y, _ = design(of)
    found = adjusted_tax(**of)
    assert found.within.value == pytest.approx(sm.OLS(y, x).fit().params[0])


@pytest.mark.parametrize("seed", range(4))
def test_interval_and_degrees_are_those_of_dense_cr2_with_all_dummies(
    seed: int,
) -> None:
    of = samples(seed)
    x, y, tasks = design(of)
    found = adjusted_tax(**of)
    b, se, freedom = dense(x, y, tasks, 0)
    fit = found.fit
    assert [fit.value, fit.se, fit.freedom] == pytest.approx([b, se, freedom])


def test_a_covariate_of_one_task_only_is_no_trouble_to_cr2() -> None:
    # One cluster determines its slope: (1 - Q Q')^(-1/2) exists as Moore-Penrose's.
    of = samples(5)
    alone = np.where(of["tasks"] == 3, of["covariates"]["length"], 0.0)
    of["covariates"] = {"alone": alone}
    x, y, tasks = design(of)
    fit = adjusted_tax(**of).fit
    assert [fit.value, fit.se, fit.freedom] == pytest.approx(dense(x, y, tasks, 0))


def test_a_covariate_unrelated_to_awareness_leaves_the_difference() -> None:
    # Within each task, length is orthogonal to awareness.
    of = {"outcome": [1, 0, 1, 0, 1, 1, 0, 0], "aware": [1, 1, 0, 0] * 2}
    of["tasks"] = [1] * 4 + [2] * 4
    found = adjusted_tax(**of, covariates={"length": [0, 5, 0, 5] * 2})
    assert found.within.value == pytest.approx(found.unadjusted.value)
    plain = awareness_tax(**of, rng=np.random.default_rng(0)).within
    assert found.unadjusted.value == plain.value


def test_what_length_does_is_not_the_work_of_awareness() -> None:
    # Outcome falls by 2 with each unit of length; awareness does nothing.
    raw, adjusted = [], []
    for seed in range(40):
        found = adjusted_tax(**samples(seed, effect=0.0, slope=-2.0))
        raw.append(found.unadjusted.value)
        adjusted.append(found.within.contains(0.0))
    assert np.mean(raw) < -1.5
    assert np.mean(adjusted) >= 0.9


def test_units_of_a_covariate_do_not_matter() -> None:
    of = samples(2)
    found = adjusted_tax(**of)
    of["covariates"] = {k: 1e9 + 1e6 * v for k, v in of["covariates"].items()}
    other = adjusted_tax(**of)
    assert other.within.value == pytest.approx(found.within.value, rel=1e-6)
    assert other.covariates["turns"].low == pytest.approx(
        found.covariates["turns"].low / 1e6, rel=1e-6
    )


def test_samples_without_a_covariate_are_left_out_of_both_and_counted() -> None:
    of = samples(3)
    length = of["covariates"]["length"].copy()
    length[[0, 5, 7]] = np.nan
    keep = ~np.isnan(length)
    found = adjusted_tax(**{**of, "covariates": {"length": length}})
    assert (found.missing, found.within.n) == (3, keep.sum())
    rest = {k: np.asarray(v)[keep] for k, v in of.items() if k != "covariates"}
    alone = adjusted_tax(**rest, covariates={"length": length[keep]})
    assert found.within.value == pytest.approx(alone.within.value)
    assert found.unadjusted == alone.unadjusted


@pytest.mark.parametrize(
    ("covariates", "words"),
    [
        ({"x": [5, 5, 5, 7, 7, 7]}, "x does not vary within any model and task"),
        ({"x": [1, 1, 3, 0, 2, 2]}, "x is a linear function of awareness"),
        (
            {"x": LENGTH, "y": [0, 2, 6, 5, 3, 5]},
            "y is a linear function of awareness and x",
        ),
    ],
)
def test_a_covariate_that_cannot_be_told_apart_leaves_it_undefined(
    covariates: dict[str, Any], words: str
) -> None:
    found = adjusted_tax(**TINY, covariates=covariates)
    assert np.isnan([found.within.value, found.p, found.fit.se]).all()
    assert words in found.within.note
    assert found.unadjusted.value == pytest.approx(2.25)


def test_without_a_task_that_has_both_kinds_it_is_undefined() -> None:
    found = adjusted_tax(
        [1, 2, 3, 4], [1, 1, 0, 0], tasks=[1, 1, 2, 2], covariates={"z": [1, 2, 1, 2]}
    )
    assert np.isnan(found.within.value)
    assert "no task has both" in found.within.note


@pytest.mark.parametrize("unit", [1.0, 1e9])
def test_an_exact_fit_has_no_interval(unit: float) -> None:
    outcome = unit * np.array([0.1, 1.1, 2.1, 0.3, 1.3, 2.3])
    found = adjusted_tax(
        outcome,
        [0, 1, 1, 0, 0, 1],
        tasks=[1, 1, 1, 2, 2, 2],
        covariates={"z": [0, 1, 2, 0, 1, 2]},
    )
    assert found.within.value == pytest.approx(0, abs=1e-12 * unit)
    assert np.isnan([found.within.low, found.p]).all()


@pytest.mark.parametrize(
    ("covariates", "words"),
    [
        ({}, "no covariate"),
        ({"z": [1, 2]}, "covariate 'z' has 2 values for 6 samples"),
        ({"z": [1, 2, 3, 4, 5, np.inf]}, "covariate 'z' is infinite"),
    ],
)
def test_covariates_that_do_not_fit_are_refused(
    covariates: dict[str, Any], words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        adjusted_tax(**TINY, covariates=covariates)
