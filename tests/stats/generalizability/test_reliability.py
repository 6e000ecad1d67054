"""Generalizability and dependability coefficients, and how many levels are needed."""

from math import inf, isnan

import numpy as np
import pytest
from studies import (
    BRENNAN_1,
    BRENNAN_3,
    BRENNAN_4,
    GLESER,
    SHROUT_FLEISS,
    result,
)

from inspect_awareness.stats import (
    Components,
    arms_bias,
    d_study,
    flat_arms,
    levels_needed,
    stated_components,
    variance_components,
)

# Third source paper, 4 models x 36 wrappers (t) x 4 blocks of items (h).
PAPER = stated_components(
    {
        "m:t:h": 0.0005979452804232806,
        "m:t": 0.0008932182380952381,
        "m:h": 6.672120105820134e-05,
        "t:h": 0.00012717739682539678,
        "m": 1.9625465608465313e-05,
        "t": 0.00013341181481481463,
        "h": 0.0004965890846560846,
    },
    {"m": 4, "t": 36, "h": 4},
)


def coefficients(
    found: Components, object_: str, sizes: dict[str, float] | None = None, **more: str
) -> tuple[float, float]:
    study = d_study(found, object_, sizes, fixed=[*more.values()])
    return float(study.g_coefficient), float(study.phi)


def test_a_coefficient_by_hand() -> None:
    # Model 2, wrapper 1, residual 6, over 3 wrappers: relative error 6 / 3 = 2,
    # absolute (1 + 6) / 3 = 7 / 3; 2 / 4 = .5 and 2 / (2 + 7 / 3) = 6 / 13.
    known = stated_components({"m": 2, "w": 1, "m:w": 6}, {"m": 4, "w": 9})
    assert coefficients(known, "m", {"w": 3}) == pytest.approx((0.5, 6 / 13))


def test_brennan_set_1() -> None:
    # Brennan (2001), tables 3.1 and 3.2, from exact components.
    found = variance_components(BRENNAN_1, ["p", "i"])
    assert coefficients(found, "p") == pytest.approx((0.844, 0.773), abs=5e-4)
    published = {5: (0.694, 0.587), 10: (0.819, 0.739), 20: (0.901, 0.850)}
    for n, wanted in published.items():
        assert coefficients(found, "p", {"i": n}) == pytest.approx(wanted, abs=1e-3)


def test_brennan_set_2_has_one_coefficient_since_items_are_within_persons() -> None:
    found = variance_components(BRENNAN_3.reshape(10, 8), ["p", "i"], nested={"i": "p"})
    assert coefficients(found, "p") == pytest.approx((0.7070, 0.7070), abs=5e-5)


def test_brennan_set_3_random_and_with_items_fixed() -> None:
    found = variance_components(BRENNAN_3, ["p", "i", "o"])
    assert coefficients(found, "p") == pytest.approx((0.6399, 0.5541), abs=5e-5)
    fixed = coefficients(found, "p", items="i")
    assert fixed == pytest.approx((0.8063, 0.7851), abs=5e-5)


def test_brennan_set_4_random_and_with_tasks_fixed() -> None:
    # Tasks fixed: universe p + pt / 3 = .659671, relative 2.380247 / 12 = .198354,
    # absolute + .647531 / 12: .7688 and .7233.
    found = variance_components(BRENNAN_4, ["p", "t", "r"], nested={"r": "t"})
    assert coefficients(found, "p") == pytest.approx((0.5514, 0.4637), abs=5e-5)
    fixed = coefficients(found, "p", tasks="t")
    assert fixed == pytest.approx((0.7688, 0.7233), abs=5e-5)


def test_gleser_with_the_negative_component_as_0() -> None:
    found = variance_components(GLESER, ["P", "I", "J"])
    assert coefficients(found, "P") == pytest.approx((0.6566, 0.5838), abs=5e-5)


def test_shrout_fleiss_intraclass_correlations() -> None:
    # ICC(3,4) = .9093, ICC(2,4) = .6201, ICC(3,1) = .7148, ICC(2,1) = .2898.
    found = variance_components(SHROUT_FLEISS, ["target", "judge"])
    assert coefficients(found, "target") == pytest.approx((0.9093, 0.6201), abs=5e-5)
    one = coefficients(found, "target", {"judge": 1})
    assert one == pytest.approx((0.7148, 0.2898), abs=5e-5)


def test_shrout_fleiss_one_way_is_judges_within_targets() -> None:
    # ICC(1,1) = .1657, ICC(1,4) = .4428.
    found = variance_components(
        SHROUT_FLEISS, ["target", "judge"], nested={"judge": "target"}
    )
    one, four = (
        coefficients(found, "target", {"judge": 1}),
        coefficients(found, "target"),
    )
    assert one[0] == pytest.approx(0.1657, abs=5e-5)
    assert four[0] == pytest.approx(0.4428, abs=5e-5)


def test_the_published_coefficients_are_for_one_wrapper_and_all_four_blocks() -> None:
    # E rho^2 .018188 and Phi .014342 come out at k = 1 and n = 4, not at n = 1.
    assert coefficients(PAPER, "m", {"t": 1, "h": 4}) == pytest.approx(
        (0.018188394652577974, 0.014342286892404427), rel=1e-12
    )
    assert coefficients(PAPER, "m", {"t": 1, "h": 1})[0] < 0.013


def test_the_published_limits() -> None:
    many_wrappers = coefficients(PAPER, "m", {"t": inf, "h": 4})[0]
    many_items = coefficients(PAPER, "m", {"t": 1, "h": inf})[0]
    assert many_wrappers == pytest.approx(0.5405605731361802, rel=1e-12)
    assert many_items == pytest.approx(0.021499261624786832, rel=1e-12)


def test_the_two_way_coefficient_of_four_models_and_36_wrappers() -> None:
    matrix = result("wrapper_curves.json")["matrix"]
    found = variance_components(matrix, ["model", "wrapper"])
    one = coefficients(found, "model", {"wrapper": 1})[0]
    assert one == pytest.approx(0.0338, abs=5e-5)


def test_no_number_of_wrappers_suffices_for_the_published_design() -> None:
    # The limit for ever more wrappers is .5406, so .8 cannot be reached; more items
    # alone stop at .0215.
    found = levels_needed(PAPER, "m", "t", sizes={"h": 4})
    assert (found.k, found.reachable) == (inf, False)
    assert found.limit == pytest.approx(0.54056, abs=1e-5)
    assert not levels_needed(PAPER, "m", "h", sizes={"t": 1}).reachable


def test_with_27_blocks_the_published_design_needs_376_wrappers() -> None:
    # The source's plan for .80 is 376 wrappers and 27 blocks; 375 fall short.
    found = levels_needed(PAPER, "m", "t", sizes={"h": 27})
    assert found.k == 376
    assert coefficients(PAPER, "m", {"t": 376, "h": 27})[0] >= 0.8
    assert coefficients(PAPER, "m", {"t": 375, "h": 27})[0] < 0.8


def test_the_number_needed_by_hand() -> None:
    # Universe 1, error 8 / k: 1 / (1 + 8 / k) >= .8 from k = 32 on, exactly.
    # Phi: error (1 + 8) / k, so k = 36.
    known = stated_components({"m": 1, "w": 1, "m:w": 8}, {"m": 4, "w": 9})
    assert levels_needed(known, "m", "w").k == 32
    assert levels_needed(known, "m", "w", kind="phi").k == 36
    assert levels_needed(known, "m", "w").limit == 1


def test_without_any_model_variance_no_number_suffices() -> None:
    known = stated_components({"m": 0, "w": 1, "m:w": 8}, {"m": 4, "w": 9})
    assert levels_needed(known, "m", "w").k == inf
    assert levels_needed(known, "m", "w").limit == 0


def test_where_nothing_varies_everything_is_undefined() -> None:
    found = variance_components(np.ones((3, 4)), ["m", "w"])
    assert all(isnan(c) for c in coefficients(found, "m"))
    assert isnan(levels_needed(found, "m", "w").k)


def test_more_levels_never_hurt() -> None:
    sizes = [1, 2, 5, 20, 100, inf]
    found = [coefficients(PAPER, "m", {"t": k, "h": 4}) for k in sizes]
    assert found == sorted(found)


def test_a_negative_component_counts_as_0() -> None:
    known = stated_components({"m": 1, "w": -5, "m:w": 1}, {"m": 4, "w": 9})
    assert coefficients(known, "m", {"w": 1}) == (0.5, 0.5)


def test_models_nested_in_families_are_compared_within_their_family() -> None:
    # Third source paper, REML over 7 models: within-family .23205 at k = 1, n = 4.
    # The family itself is no variance between models of a family; its interaction
    # with wrappers counts in the absolute error only.
    known = stated_components(
        {
            "family": 1.1800265660228294e-08,
            "family:model": 0.0003209803743632752,
            "t": 0.00011661860706852151,
            "h": 0.0007429740466196569,
            "family:t": 0.0003468785180860437,
            "family:h": 0,
            "family:model:t": 0.0007793737621947626,
            "family:model:h": 0.00038272897779888563,
            "t:h": 0.00029329986442439145,
            "family:t:h": 0,
            "family:model:t:h": 0.0007488716208357704,
        },
        {"family": 3, "model": 3, "t": 36, "h": 4},
        nested={"model": "family"},
    )
    g, phi = coefficients(known, "model", {"t": 1})
    assert g == pytest.approx(0.23204726532326833, rel=1e-9)
    assert phi < g


def test_many_data_sets_have_many_coefficients() -> None:
    draws = np.random.default_rng(1).normal(size=(7, 4, 5))
    found = variance_components(draws, ["m", "w"])
    assert d_study(found, "m", {"w": 2}).g_coefficient.shape == (7,)
    with pytest.raises(ValueError, match="one data set"):
        levels_needed(found, "m", "w")


def test_bad_questions_are_refused() -> None:
    with pytest.raises(ValueError, match="no facet 'x'; the facets are m, t, h"):
        d_study(PAPER, "x")
    with pytest.raises(ValueError, match="no facet 'x'"):
        d_study(PAPER, "m", {"x": 3})
    with pytest.raises(ValueError, match="'m' is the object"):
        d_study(PAPER, "m", {"m": 3})
    with pytest.raises(ValueError, match="must be 1 or more, got 0"):
        d_study(PAPER, "m", {"t": 0})
    with pytest.raises(ValueError, match="fixed at its 4 levels, got 9"):
        d_study(PAPER, "m", {"h": 9}, fixed=["h"])
    with pytest.raises(ValueError, match="cannot be raised"):
        levels_needed(PAPER, "m", "h", fixed=["h"])
    with pytest.raises(ValueError, match="between 0 and 1, got 1"):
        levels_needed(PAPER, "m", "h", target=1)


# Third source paper, 7 models x 6 evaluation x 6 deployment framings x 4 blocks.
ARMS = {
    "m:a:b:h": 0.0003356991936507936,
    "m:a:b": 0.00024410303703703692,
    "m:a:h": 0.00022226638306878314,
    "m:b:h": 0.00010649442539682526,
    "a:b:h": 9.207726137566146e-05,
    "m:a": 0.00045658787301587324,
    "m:b": 6.185685714285704e-05,
    "m:h": 0.00015390841058201047,
    "a:b": 3.9213682539682446e-05,
    "a:h": 0.00042125456931216943,
    "b:h": 6.073543703703735e-05,
    "m": 5.097768253968255e-05,
    "a": 0.00015305066666666646,
    "b": 2.4818042328042647e-05,
    "h": 0.0003420328380952362,
}


def test_crossed_arms_as_one_flat_facet_look_twice_as_reliable() -> None:
    # Published: full design .25659 crossed, .62938 flat; one wrapper .05007 and .12282.
    crossed = stated_components(ARMS, {"m": 7, "a": 6, "b": 6, "h": 4})
    flat = flat_arms(crossed, ("a", "b"), "wrapper")
    assert flat.levels == (7, 4, 36)
    assert coefficients(crossed, "m")[0] == pytest.approx(0.25659154995339, rel=1e-9)
    assert coefficients(flat, "m")[0] == pytest.approx(0.6293836375863, rel=1e-9)
    one = coefficients(crossed, "m", {"a": 1, "b": 1})[0]
    assert one == pytest.approx(0.05007052711543, rel=1e-9)
    one = coefficients(flat, "m", {"wrapper": 1})[0]
    assert one == pytest.approx(0.12281608843900, rel=1e-9)


def test_flat_components_from_crossed_ones_are_those_of_the_flat_data() -> None:
    values = np.random.default_rng(5).normal(size=(3, 5, 4, 8, 2))
    crossed = variance_components(values, ["m", "a", "b", "h"])
    flat = flat_arms(crossed, ("a", "b"), "w")
    again = np.moveaxis(values.reshape(3, 5, 32, 2), 2, 3)
    found = variance_components(again, ["m", "h", "w"])
    assert flat.raw == pytest.approx(found.raw, abs=1e-12)
    assert flat.mean_squares == pytest.approx(found.mean_squares, abs=1e-12)
    assert flat.design.names == found.design.names


def test_the_exact_identity_of_flat_and_crossed_arms() -> None:
    # s_mt = s_ma (n_a - 1) n_b / df + s_mb (n_b - 1) n_a / df + s_mab, df = n_a n_b - 1,
    # and s_m is larger by c_a s_ma + c_b s_mb: 1/7 both for 6 x 6, 7/31 and 3/31 for 4 x 8.
    values = np.random.default_rng(6).normal(size=(5, 4, 8))
    crossed = variance_components(values, ["m", "a", "b"])
    flat = flat_arms(crossed, ("a", "b"), "w")
    ma, mb, mab = (float(crossed.of(e)) for e in ("m:a", "m:b", "m:a:b"))
    assert float(flat.of("m:w")) == pytest.approx(
        ma * 3 * 8 / 31 + mb * 7 * 4 / 31 + mab, abs=1e-12
    )
    bias = arms_bias(4, 8)
    assert (bias.first, bias.second) == pytest.approx((7 / 31, 3 / 31))
    gap = float(flat.of("m") - crossed.of("m"))
    assert gap == pytest.approx(bias.first * ma + bias.second * mb, abs=1e-12)
    assert (arms_bias(6, 6).first, arms_bias(6, 6).second) == pytest.approx(
        (1 / 7,) * 2
    )


def test_arms_that_cannot_be_made_flat_are_refused() -> None:
    nested = variance_components(BRENNAN_4, ["p", "t", "r"], nested={"r": "t"})
    with pytest.raises(ValueError, match="must be crossed"):
        flat_arms(nested, ("t", "r"), "w")
    with pytest.raises(ValueError, match="two different facets"):
        flat_arms(PAPER, ("t", "t"), "w")
    with pytest.raises(ValueError, match="2 or more levels in each arm"):
        arms_bias(1, 6)
