"""Fiducial intervals of components, coefficients and numbers of levels."""

from math import inf, isnan
from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2, f
from studies import BRENNAN_4, SHROUT_FLEISS

from inspect_awareness.stats import (
    component_estimates,
    d_study,
    fiducial,
    levels_needed,
    levels_needed_estimate,
    reliability,
    stated_components,
    tabulated_components,
    variance_components,
)


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def studies(
    count: int, *, model: float, seed: int, shape: tuple[int, int] = (4, 36)
) -> Any:
    """Models x wrappers with a model component and 1 for the rest."""
    draw = np.random.default_rng(seed)
    return (
        np.sqrt(model) * draw.normal(size=(count, shape[0], 1))
        + draw.normal(size=(count, 1, shape[1]))
        + draw.normal(size=(count, *shape))
    )


def test_one_coefficient_has_its_exact_f_interval() -> None:
    # Shrout and Fleiss (1979): ICC(3,1) from F = 11.2417 / 1.0194 on 5 and 15 df,
    # FL = F / F(.975; 5, 15), FU = F x F(.975; 15, 5), ends (F - 1) / (F + k - 1).
    found = variance_components(SHROUT_FLEISS, ["target", "judge"])
    one = reliability(fiducial(found, rng=rng(), draws=200_000), "target", {"judge": 1})
    ratio = 11.2417 / 1.0194
    low, high = ratio / f.ppf(0.975, 5, 15), ratio * f.ppf(0.975, 15, 5)
    g = one.g_coefficient
    assert g.value == pytest.approx(0.7148, abs=5e-5)
    assert g.low == pytest.approx((low - 1) / (low + 3), abs=0.004)
    assert g.high == pytest.approx((high - 1) / (high + 3), abs=0.002)
    assert (g.n, g.clusters, g.unit) == (24, 6, "target")
    assert "only 6 objects" in g.note


def test_the_residual_has_its_exact_chi_square_interval() -> None:
    found = variance_components(SHROUT_FLEISS, ["target", "judge"])
    spread = component_estimates(fiducial(found, rng=rng(), draws=200_000))[
        "target:judge"
    ]
    sums = 1.0194 * 15
    assert spread.low == pytest.approx(sums / chi2.ppf(0.975, 15), rel=0.01)
    assert spread.high == pytest.approx(sums / chi2.ppf(0.025, 15), rel=0.01)


def test_coverage_at_a_real_model_component_is_nominal() -> None:
    # 4 models x 36 wrappers, model .4 of all: true E rho^2 = .4 / 1.4 at one wrapper
    # if wrappers interact with 1. 400 studies: 95 % +- 3.3 points at three sigma.
    truth, hits = 1 / (1 + 1 / 0.4), 0
    values = studies(400, model=0.4, seed=1)
    for k, each in enumerate(values):
        found = variance_components(each, ["model", "wrapper"])
        one = reliability(
            fiducial(found, rng=rng(k), draws=1000), "model", {"wrapper": 1}
        )
        hits += one.g_coefficient.contains(truth)
    assert 0.917 < hits / 400 < 0.983


def test_resampling_wrappers_with_models_fixed_covers_far_less() -> None:
    # The peer's interval on the same studies: a bootstrap over wrappers alone.
    truth, hits = 1 / (1 + 1 / 0.4), 0
    draw = rng(2)
    for each in studies(150, model=0.4, seed=3):
        resampled = each[:, draw.integers(36, size=(200, 36))].transpose(1, 0, 2)
        found = variance_components(resampled, ["model", "wrapper"])
        spread = d_study(found, "model", {"wrapper": 1}).g_coefficient
        low, high = np.quantile(spread, [0.025, 0.975])
        hits += bool(low <= truth <= high)
    assert hits / 150 < 0.8


def test_without_a_model_component_the_interval_reaches_0() -> None:
    # The negative control.
    values = studies(40, model=0, seed=4)
    lows = [
        reliability(
            fiducial(variance_components(each, ["model", "wrapper"]), rng=rng(k)),
            "model",
        ).g_coefficient.low
        for k, each in enumerate(values)
    ]
    assert np.mean(np.array(lows) == 0) > 0.9


def test_how_many_are_needed_has_an_interval_that_may_be_open() -> None:
    found = variance_components(BRENNAN_4, ["p", "t", "r"], nested={"r": "t"})
    tasks = levels_needed(found, "p", "t", target=0.85)
    known = fiducial(found, rng=rng())
    spread = levels_needed_estimate(known, "p", tasks)
    assert spread.value == tasks.k == 14
    assert spread.low < 14 < spread.high == inf
    raters = levels_needed(found, "p", "r", target=0.85)
    assert levels_needed_estimate(known, "p", raters).value == inf


def test_the_number_needed_follows_the_coefficient() -> None:
    # With one facet k = (1 - g) / g x target / (1 - target): ends swap and agree.
    found = variance_components(SHROUT_FLEISS, ["target", "judge"])
    known = fiducial(found, rng=rng(5))
    one = reliability(known, "target", {"judge": 1}).g_coefficient
    wanted = levels_needed(found, "target", "judge")
    spread = levels_needed_estimate(known, "target", wanted)
    assert spread.low == max(1, np.ceil(4 * (1 - one.high) / one.high))
    assert spread.high == np.ceil(4 * (1 - one.low) / one.low)


def test_the_same_seed_gives_the_same_interval_and_others_nearly() -> None:
    found = variance_components(SHROUT_FLEISS, ["target", "judge"])
    one = reliability(fiducial(found, rng=rng(1)), "target").phi
    assert reliability(fiducial(found, rng=rng(1)), "target").phi == one
    other = reliability(fiducial(found, rng=rng(2)), "target").phi
    assert other.low == pytest.approx(one.low, abs=0.02)


def test_stated_components_have_a_value_and_no_interval() -> None:
    stated = stated_components({"m": 1, "w": 1, "m:w": 8}, {"m": 4, "w": 9})
    known = fiducial(stated, rng=rng())
    g = reliability(known, "m", {"w": 8}).g_coefficient
    assert g.value == 0.5
    assert not g.has_interval
    assert "stated" in g.note
    assert isnan(
        levels_needed_estimate(known, "m", levels_needed(stated, "m", "w")).low
    )


def long(values: Any, kept: Any) -> tuple[Any, dict[str, Any]]:
    """Some cells of a models x wrappers table in long form."""
    models, wrappers = np.nonzero(kept)
    return values[kept], {"model": models, "wrapper": wrappers}


def test_one_missing_cell_hardly_changes_an_interval() -> None:
    kept = np.ones((6, 4), dtype=bool)
    whole = tabulated_components(*long(SHROUT_FLEISS, kept))
    kept[2, 1] = False
    short = tabulated_components(*long(SHROUT_FLEISS, kept))
    assert (short.method, short.missing) == ("REML", 1)
    one = reliability(fiducial(whole, rng=rng()), "model").g_coefficient
    two = reliability(fiducial(short, rng=rng()), "model").g_coefficient
    assert two.has_interval
    assert "missing cells drawn" in two.method
    assert (two.low, two.high) == pytest.approx((one.low, one.high), abs=0.05)


def test_missing_cells_cost_width() -> None:
    draw = rng(7)
    values = studies(1, model=0.5, seed=7, shape=(8, 10))[0]
    widths = []
    for share in (0.05, 0.6):
        found = tabulated_components(*long(values, draw.random((8, 10)) > share))
        one = component_estimates(fiducial(found, rng=rng()))["model:wrapper"]
        widths.append(one.high / one.low)
    assert widths[1] > 1.5 * widths[0]


def test_coverage_with_a_fifth_of_the_cells_missing_is_nominal() -> None:
    # 6 models x 10 wrappers; true E rho^2 at one wrapper .5 / 1.5. 40 studies:
    # 95 % +- 10 points at three sigma.
    draw, hits = rng(8), 0
    for k, each in enumerate(studies(40, model=0.5, seed=9, shape=(6, 10))):
        found = tabulated_components(*long(each, draw.random((6, 10)) > 0.2))
        known = fiducial(found, rng=rng(k), draws=1000)
        hits += reliability(known, "model", {"wrapper": 1}).g_coefficient.contains(
            1 / 3
        )
    assert 0.85 <= hits / 40 <= 1


def test_unequal_families_have_an_interval() -> None:
    # 3, 1 and 2 models in a family: the design has 9 places, of which 3 are empty.
    family = np.array([0, 0, 0, 1, 2, 2])
    values = studies(1, model=4, seed=10, shape=(6, 8))[0]
    model, wrapper = np.indices(values.shape).reshape(2, -1)
    labels = {"family": family[model], "model": model, "wrapper": wrapper}
    found = tabulated_components(values.ravel(), labels, nested={"model": "family"})
    g = reliability(fiducial(found, rng=rng()), "model").g_coefficient
    assert g.low < g.value < g.high
    assert g.clusters == 6


def test_complete_facets_change_the_speed_and_not_the_answer() -> None:
    # Whole rows are missing, so that wrappers are split into contrasts; with one more
    # cell missing they are not. The intervals of the residual nearly agree.
    values = studies(1, model=1, seed=11, shape=(9, 8))[0]
    kept = np.ones((9, 8), dtype=bool)
    family = np.array([0, 0, 0, 1, 1, 1, 2, 2, 2])
    kept[[4, 5, 8]] = False
    ends = []
    for _ in range(2):
        found_values, labels = long(values, kept)
        labels["family"] = family[labels["model"]]
        found = tabulated_components(found_values, labels, nested={"model": "family"})
        known = fiducial(found, rng=rng(), draws=10_000)
        one = component_estimates(known)["model:wrapper:family"]
        ends.append((one.low, one.high))
        kept[0, 0] = False
    assert ends[1] == pytest.approx(ends[0], rel=0.2)


def test_a_model_without_some_effects_has_no_interval() -> None:
    kept = np.ones((6, 4), dtype=bool)
    values, labels = long(SHROUT_FLEISS, kept)
    found = tabulated_components(values, labels, method="reml", effects=["model"])
    assert found.design.names == ("model", "model:wrapper")
    g = reliability(fiducial(found, rng=rng()), "model").g_coefficient
    assert not g.has_interval
    assert "without some effects" in g.note


def test_identical_values_have_no_coefficient() -> None:
    found = variance_components(np.ones((3, 4)), ["m", "w"])
    g = reliability(fiducial(found, rng=rng()), "m").g_coefficient
    assert isnan(g.value)
    assert not g.has_interval
    assert "identical" in g.note


def test_estimates_are_for_one_data_set() -> None:
    found = variance_components(studies(3, model=1, seed=6), ["m", "w"])
    with pytest.raises(ValueError, match=r"3,.*an estimate is for one"):
        fiducial(found, rng=rng())


def test_an_exact_sum_of_effects_has_no_interval() -> None:
    values = np.add.outer([1.0, 2.0, 4.0], [0.0, 1.0, 5.0])
    known = fiducial(variance_components(values, ["m", "t"]), rng=rng())
    found = reliability(known, "m")
    assert found.g_coefficient.value == 1
    assert np.isnan(found.g_coefficient.low)
    assert "the residual is 0" in found.g_coefficient.note


def test_a_large_table_with_gaps_gives_up_on_intervals_and_says_so() -> None:
    draw = rng()
    model, task = np.divmod(np.arange(3_000), 1_000)
    kept = draw.random(3_000) < 0.5
    labels = {"model": model[kept], "task": task[kept]}
    found = tabulated_components(draw.normal(size=int(kept.sum())), labels)
    known = fiducial(found, rng=draw)
    assert known.method == "none"
    assert "more than 400 cells" in known.note
