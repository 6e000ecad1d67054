"""Variance components of balanced designs."""

from math import nan

import numpy as np
import pytest
from studies import (
    BRENNAN_1,
    BRENNAN_3,
    BRENNAN_4,
    GLESER,
    SHROUT_FLEISS,
    digits,
    result,
)

from inspect_awareness.stats import (
    Components,
    design_of,
    stated_components,
    variance_components,
)


def by_name(found: Components) -> dict[str, float]:
    return dict(zip(found.design.names, found.raw.tolist(), strict=True))


def test_two_by_two_by_hand() -> None:
    # Cells 0 2 / 4 8: mean 3.5; row means 1, 6; column means 2, 5.
    # SS rows 2 (2.5^2 + 2.5^2) = 25, SS columns 2 (1.5^2 + 1.5^2) = 9;
    # total 12.25 + 2.25 + .25 + 20.25 = 35, so SS residual = 1; each on 1 df.
    # residual 1, row (25 - 1) / 2 = 12, column (9 - 1) / 2 = 4.
    found = variance_components([[0, 2], [4, 8]], ["row", "column"])
    assert found.mean_squares.tolist() == pytest.approx([25, 9, 1])
    assert by_name(found) == pytest.approx({"row": 12, "column": 4, "row:column": 1})
    assert found.share.tolist() == pytest.approx([12 / 17, 4 / 17, 1 / 17])


def test_brennan_set_1_persons_by_items() -> None:
    # Brennan (2001), table 3.1: SS 7.34, 9.69, 12.56; .0574, .0754, .1269.
    found = variance_components(BRENNAN_1, ["p", "i"])
    sums = found.mean_squares * found.degrees
    assert found.degrees.tolist() == [9, 11, 99]
    assert sums.tolist() == pytest.approx([7.3417, 9.6917, 12.5583], abs=1e-4)
    assert by_name(found) == pytest.approx(
        {"p": 0.057407, "i": 0.075421, "p:i": 0.126852}, abs=1e-6
    )


def test_brennan_set_2_items_nested_in_persons() -> None:
    # Eight items within each person: .610764 and 2.025.
    found = variance_components(BRENNAN_3.reshape(10, 8), ["p", "i"], nested={"i": "p"})
    assert by_name(found) == pytest.approx({"p": 0.610764, "p:i": 2.025}, abs=1e-6)


def test_brennan_set_3_three_crossed_facets() -> None:
    found = variance_components(BRENNAN_3, ["p", "i", "o"])
    assert by_name(found) == pytest.approx(
        {
            "p": 0.552778,
            "i": 0.441667,
            "o": 0.007407,
            "p:i": 0.575,
            "p:o": 0.100926,
            "i:o": 0.156481,
            "p:i:o": 0.935185,
        },
        abs=1e-6,
    )


def test_brennan_set_4_raters_nested_in_tasks() -> None:
    # SS p 92.6667, t 48.2, r:t 79.7, pt 83.1333, pr:t 192.8.
    found = variance_components(BRENNAN_4, ["p", "t", "r"], nested={"r": "t"})
    assert by_name(found) == pytest.approx(
        {
            "p": 0.473148,
            "t": 0.325154,
            "p:t": 0.559568,
            "t:r": 0.647531,
            "p:t:r": 2.380247,
        },
        abs=1e-6,
    )
    sums = found.mean_squares * found.degrees
    wanted = [92.6667, 48.2, 83.1333, 79.7, 192.8]
    assert sums.tolist() == pytest.approx(wanted, abs=1e-4)


def test_gleser_has_a_negative_component_kept_raw_and_set_to_0_beside_it() -> None:
    # psych::Gleser: judges -.014141, which is unresolved at 1 df, not absent.
    found = variance_components(GLESER, ["P", "I", "J"])
    assert by_name(found) == pytest.approx(
        {
            "P": 0.418687,
            "I": 0.467172,
            "J": -0.014141,
            "P:I": 0.427273,
            "P:J": 0.191919,
            "I:J": 0.020455,
            "P:I:J": 0.621212,
        },
        abs=1e-6,
    )
    assert found.unresolved == ("J",)
    assert found.truncated[2] == 0
    assert found.share[2] == 0


def test_shrout_fleiss_mean_squares() -> None:
    # Shrout and Fleiss (1979), table 3: 11.24, 32.49, 1.02.
    found = variance_components(SHROUT_FLEISS, ["target", "judge"])
    assert found.mean_squares.tolist() == pytest.approx(
        [11.2417, 32.4861, 1.0194], abs=1e-4
    )


def test_the_two_way_components_of_four_models_and_36_wrappers() -> None:
    # Third source paper, matrix of 4 models x 36 wrappers: s_m 5.967e-5.
    matrix = result("wrapper_curves.json")["matrix"]
    found = variance_components(matrix, ["model", "wrapper"])
    assert float(found.of("model")) == pytest.approx(5.967e-5, abs=5e-9)


def test_many_data_sets_give_what_each_gives_alone() -> None:
    draws = np.random.default_rng(1).normal(size=(3, 5, 4, 6, 2))
    nested = {"c": "b"}
    together = variance_components(draws, ["a", "b", "c"], nested=nested)
    assert together.raw.shape == (3, 5, 5)
    for place in np.ndindex(3, 5):
        alone = variance_components(draws[place], ["a", "b", "c"], nested=nested)
        assert together.raw[place].tolist() == pytest.approx(alone.raw.tolist())


def test_sums_of_squares_add_up_to_the_total() -> None:
    draws = np.random.default_rng(2).normal(size=(3, 4, 2, 5))
    found = variance_components(draws, ["a", "b", "c", "d"], nested={"d": ["a", "b"]})
    sums = found.mean_squares * found.degrees
    assert sums.sum() == pytest.approx(((draws - draws.mean()) ** 2).sum())
    assert found.degrees.sum() == draws.size - 1


def test_a_far_origin_costs_no_digits() -> None:
    near = variance_components(BRENNAN_3, ["p", "i", "o"])
    far = variance_components(BRENNAN_3 + 2.0**30, ["p", "i", "o"])
    assert far.raw.tolist() == pytest.approx(near.raw.tolist(), rel=1e-6)


def test_small_scores_are_not_rounded_away() -> None:
    # A peer rounds to 4 digits inside, so scores of the size of an AUROC become 0.
    whole = variance_components(GLESER, ["P", "I", "J"])
    small = variance_components(GLESER / 1000, ["P", "I", "J"])
    scaled = (small.raw * 1e6).tolist()
    assert scaled == pytest.approx(whole.raw.tolist(), rel=1e-9)


def test_components_of_simulated_data_average_to_the_truth() -> None:
    # 2,000 studies: model 1, wrapper 4, residual 9; the mean of unbiased estimates.
    rng = np.random.default_rng(3)
    model = rng.normal(size=(2000, 6, 1))
    wrapper = 2 * rng.normal(size=(2000, 1, 8))
    residual = 3 * rng.normal(size=(2000, 6, 8))
    found = variance_components(model + wrapper + residual, ["model", "wrapper"])
    means = found.raw.mean(axis=0)
    errors = found.raw.std(axis=0) / np.sqrt(2000)
    assert np.all(np.abs(means - [1, 4, 9]) < 4 * errors)


def test_noise_alone_has_no_model_component_on_average() -> None:
    # The negative control: raw estimates scatter around 0, half of them below.
    noise = np.random.default_rng(4).normal(size=(2000, 4, 36))
    raw = variance_components(noise, ["model", "wrapper"]).of("model")
    assert abs(raw.mean()) < 4 * raw.std() / np.sqrt(2000)
    assert 0.4 < (raw < 0).mean() < 0.7


def test_identical_values_have_no_shares_and_say_so() -> None:
    found = variance_components(np.full((4, 5), 0.1), ["model", "wrapper"])
    assert found.raw.tolist() == [0, 0, 0]
    assert np.isnan(found.share).all()
    assert "identical" in found.note


def test_a_facet_with_one_level_is_named() -> None:
    with pytest.raises(ValueError, match=r"'wrapper' has 1 level.*leave it out"):
        variance_components([[1.0], [2.0]], ["model", "wrapper"])


def test_nan_is_refused_with_the_count_and_what_to_do() -> None:
    with pytest.raises(ValueError, match=r"1 of 4 values are NaN.*REML"):
        variance_components([[1, nan], [2, 3]], ["model", "wrapper"])


def test_too_few_axes_are_refused() -> None:
    with pytest.raises(ValueError, match="2 facets need 2 axes, got 1"):
        variance_components([1, 2, 3], ["model", "wrapper"])


def test_stated_components_need_every_effect() -> None:
    with pytest.raises(ValueError, match="no finite component is stated for a:b"):
        stated_components({"a": 1, "b": 2}, {"a": 3, "b": 3})
    with pytest.raises(ValueError, match="no effect 'c'"):
        stated_components({"c": 1}, {"a": 3, "b": 3})


def test_effects_are_the_sets_closed_under_nesting() -> None:
    # c within b: b:c without a, a:b:c; never c or a:c.
    found = design_of(["a", "b", "c"], {"c": "b"})
    assert found.names == ("a", "b", "a:b", "b:c", "a:b:c")
    assert found.degrees([4, 3, 2]).tolist() == [3, 2, 6, 3, 9]


def test_nesting_is_passed_on() -> None:
    # d within c within b: d is within b too.
    found = design_of(["b", "c", "d"], {"d": "c", "c": "b"})
    assert found.names == ("b", "b:c", "b:c:d")


def test_bad_designs_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one facet"):
        design_of([])
    with pytest.raises(ValueError, match="named twice"):
        design_of(["a", "a"])
    with pytest.raises(ValueError, match="without ':'"):
        design_of(["a:b", "c"])
    with pytest.raises(ValueError, match="nested facet 'x' is not among"):
        design_of(["a", "b"], {"x": "a"})
    with pytest.raises(ValueError, match="nested in itself"):
        design_of(["a", "b"], {"a": "b", "b": "a"})


def test_digits_reads_a_matrix() -> None:
    assert digits("12 34").tolist() == [[1, 2], [3, 4]]
