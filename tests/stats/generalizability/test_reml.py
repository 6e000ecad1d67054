"""Variance components of long tables: REML and Henderson's first method."""

from typing import Any

import numpy as np
import pytest
from studies import (
    BRENNAN_4,
    GLESER,
    booklets,
    columns,
    gaps,
    reference,
)

from inspect_awareness.stats import (
    Components,
    tabulated_components,
    variance_components,
)
from inspect_awareness.stats.generalizability._cells import cells_of
from inspect_awareness.stats.generalizability._designs import design_of
from inspect_awareness.stats.generalizability._strata import strata_fit, strata_of
from inspect_awareness.stats.generalizability._tabulated import general_fit

PAPER_EFFECTS = [
    *("fam", "fam:model", "t", "h", "fam:t"),
    *("fam:model:t", "fam:model:h", "t:h"),
]


def by_name(found: Components) -> dict[str, float]:
    return dict(zip(found.design.names, found.raw.tolist(), strict=True))


def long(values: Any, *facets: str) -> tuple[list[float], dict[str, list[int]]]:
    """An array as a long table."""
    places = list(np.ndindex(np.shape(values)))
    labels = {f: [p[axis] for p in places] for axis, f in enumerate(facets)}
    return [float(values[p]) for p in places], labels


def test_dyestuff_as_lme4() -> None:
    # lme4: 1764.05, 2451.25, REMLcrit 319.6543.
    values, labels = columns(reference("dyestuff.csv"), "Yield", "Batch")
    found = tabulated_components(values, labels, method="reml", repeats=True)
    wanted = {"Batch": 1764.05, "Batch:repeat": 2451.25}
    assert by_name(found) == pytest.approx(wanted, rel=1e-5)
    assert found.criterion == pytest.approx(319.6543, abs=5e-5)


def test_dyestuff2_is_at_the_boundary_exactly() -> None:
    # lme4: 0, 13.80631, REMLcrit 161.8283. The unbiased estimate is negative.
    values, labels = columns(reference("dyestuff2.csv"), "Yield", "Batch")
    found = tabulated_components(values, labels, method="reml", repeats=True)
    assert found.raw[0] == 0
    assert found.raw[1] == pytest.approx(13.80631, rel=1e-6)
    assert found.criterion == pytest.approx(161.8283, abs=5e-5)
    anova = tabulated_components(values, labels, method="anova", repeats=True)
    assert anova.raw[0] < 0


def test_pastes_as_lme4() -> None:
    # Casks within batches, two assays each: 8.433668, 1.657308, .678000, 246.9907.
    values, labels = columns(reference("pastes.csv"), "strength", "batch", "cask")
    found = tabulated_components(
        values, labels, nested={"cask": "batch"}, method="reml", repeats=True
    )
    assert by_name(found) == pytest.approx(
        {"batch": 1.657308, "batch:cask": 8.433668, "batch:cask:repeat": 0.678},
        rel=1e-5,
    )
    assert found.criterion == pytest.approx(246.9907, abs=5e-5)


def test_penicillin_as_lme4() -> None:
    # lme4 .716905, 3.731132, .302415 to its tolerance; REMLcrit 330.8606. The table is
    # complete, so that the maximum is the ANOVA solution exactly.
    values, labels = columns(reference("penicillin.csv"), "diameter", "plate", "sample")
    found = tabulated_components(values, labels, method="reml")
    wanted = {"plate": 0.716905, "sample": 3.731132, "plate:sample": 0.302415}
    assert by_name(found) == pytest.approx(wanted, rel=1e-4)
    assert found.criterion == pytest.approx(330.8606, abs=5e-5)
    anova = tabulated_components(values, labels, method="anova")
    assert by_name(found) == pytest.approx(by_name(anova), rel=1e-5)


def test_gleser_by_reml_has_no_judge_component() -> None:
    # lme4: .424336 .468682 0 .426391 .180613 .017426 .622976, crit 446.956.
    found = tabulated_components(*long(GLESER, "P", "I", "J"), method="reml")
    wanted = [0.424336, 0.468682, 0, 0.426391, 0.180613, 0.017426, 0.622976]
    assert found.raw.tolist() == pytest.approx(wanted, abs=5e-6)
    assert found.raw[2] == 0
    assert found.criterion == pytest.approx(446.956, abs=5e-4)


def test_brennan_set_4_by_reml_is_anova_where_no_component_is_negative() -> None:
    values, labels = long(BRENNAN_4, "p", "t", "r")
    nested = {"r": "t"}
    reml = tabulated_components(values, labels, nested=nested, method="reml")
    anova = tabulated_components(values, labels, nested=nested)
    assert anova.method == "ANOVA"
    assert by_name(reml) == pytest.approx(by_name(anova), rel=1e-5)


def test_booklets_of_unequal_length() -> None:
    # Brennan (2001), section 7.2, Henderson I: p 1.2014, h 2.9161, i:h .2946,
    # ph .9914, residual .8429. lme4 REML: 1.01781 3.63727 .29666 1.02101 .83770,
    # crit 225.463.
    values, labels = booklets()
    names = ["person", "booklet", "booklet:item", "person:booklet"]
    more: dict[str, Any] = {"nested": {"item": "booklet"}}
    found = tabulated_components(values, labels, method="henderson", **more)
    wanted = [1.2014, 2.9161, 0.2946, 0.9914]
    assert [by_name(found)[n] for n in names] == pytest.approx(wanted, abs=5e-5)
    reml = tabulated_components(values, labels, **more)
    wanted = [1.01781, 3.63727, 0.29666, 1.02101]
    assert [by_name(reml)[n] for n in names] == pytest.approx(wanted, rel=2e-4)
    assert reml.raw[-1] == pytest.approx(0.83770, abs=2e-5)
    assert reml.criterion == pytest.approx(225.463, abs=5e-4)
    assert reml.missing == 0


def test_missing_answers() -> None:
    # Brennan (2001), section 7.1.4: .0473, .0117, .1840 from 59 of 72 answers.
    found = tabulated_components(*gaps(), method="henderson")
    assert found.raw.tolist() == pytest.approx([0.0473, 0.0117, 0.1840], abs=5e-5)
    assert (found.n, found.missing) == (59, 13)


def test_seven_models_in_three_families_as_lme4() -> None:
    # lme4 on fam.csv, families of 4, 1 and 2 models: REMLcrit -3238.827574.
    values, labels = columns(reference("fam.csv"), "y", "fam", "model", "t", "h")
    found = tabulated_components(
        values,
        labels,
        nested={"model": "fam"},
        method="reml",
        effects=PAPER_EFFECTS,
    )
    assert found.criterion == pytest.approx(-3238.827574, abs=2e-6)
    assert by_name(found) == pytest.approx(
        {
            "fam": 6.0013e-5,
            "t": 9.5115e-4,
            "h": 3.2502e-4,
            "fam:model": 3.9534e-5,
            "fam:t": 2.0018e-4,
            "t:h": 1.4367e-4,
            "fam:model:t": 1.12594e-3,
            "fam:model:h": 1.3712e-4,
            "fam:model:t:h": 1.34226e-3,
        },
        rel=1e-4,
    )


def unbalanced(seed: int) -> tuple[Any, dict[str, Any]]:
    """Families of 3, 1 and 2 models x 6 wrappers x 3 blocks."""
    rng = np.random.default_rng(seed)
    family = np.array([0, 0, 0, 1, 2, 2])
    y = (
        rng.normal(size=3)[family][:, None, None]
        + rng.normal(size=(6, 1, 1))
        + rng.normal(size=(1, 6, 1))
        + rng.normal(size=(6, 6, 1))
        + rng.normal(size=(6, 6, 3))
    )
    values, labels = long(y, "model", "wrapper", "block")
    return values, {"family": family[labels["model"]], **labels}


def test_the_strata_form_is_the_general_form() -> None:
    values, labels = unbalanced(1)
    design = design_of(list(labels), {"model": "family"})
    cells = cells_of(values, labels, design)
    y = cells.values - cells.values.mean()
    start = np.ones(len(design.effects) - 1)
    strata = strata_of(cells, y)
    assert strata is not None
    assert strata.kernels.shape == (len(design.effects), 6, 6)
    fast, slow = strata_fit(strata, start), general_fit(cells, y, start)
    assert fast.criterion == pytest.approx(slow.criterion, abs=1e-6)
    assert fast.ratios == pytest.approx(slow.ratios, rel=1e-3, abs=1e-4)


def test_an_incomplete_table_has_no_strata() -> None:
    values, labels = unbalanced(2)
    short = {facet: list(ids)[1:] for facet, ids in labels.items()}
    design = design_of(list(labels), {"model": "family"})
    cells = cells_of(values[1:], short, design)
    assert strata_of(cells, cells.values) is None


def test_reml_is_a_maximum_and_matches_the_density_of_the_data() -> None:
    # The definition, with the full matrix V: log|V| + log|X'V^-1 X| + y'Py + (n-1) log 2pi.
    values, labels = gaps()
    found = tabulated_components(values, labels)
    ids = [np.array(labels[f]) for f in ("person", "item")]
    shared = [np.equal.outer(i, i).astype(float) for i in ids] + [np.eye(len(values))]

    def criterion(components: Any) -> float:
        v = sum(c * k for c, k in zip(components, shared, strict=True))
        inverse, one = np.linalg.inv(v), np.ones(len(values))
        total = one @ inverse @ one
        p = inverse - np.outer(inverse @ one, one @ inverse) / total
        y = np.array(values)
        logs = np.linalg.slogdet(v)[1] + np.log(total)
        return float(logs + y @ p @ y + (y.size - 1) * np.log(2 * np.pi))

    assert found.criterion == pytest.approx(criterion(found.raw), abs=1e-8)
    for place in range(3):
        for factor in (0.98, 1.02):
            other = found.raw.copy()
            other[place] *= factor
            assert criterion(other) > found.criterion


def test_units_change_components_and_nothing_else() -> None:
    values, labels = gaps()
    one = tabulated_components(values, labels)
    small = tabulated_components([1000 + v / 100 for v in values], labels)
    assert (small.raw * 1e4).tolist() == pytest.approx(one.raw.tolist(), rel=1e-4)


def test_the_order_of_rows_does_not_matter() -> None:
    values, labels = booklets()
    order = np.random.default_rng(3).permutation(len(values))
    mixed = {facet: [ids[k] for k in order] for facet, ids in labels.items()}
    nested = {"item": "booklet"}
    found = tabulated_components([values[k] for k in order], mixed, nested=nested)
    assert by_name(found) == pytest.approx(
        by_name(tabulated_components(values, labels, nested=nested)), rel=1e-3
    )


def test_labels_of_a_nested_facet_may_be_unique_or_start_again() -> None:
    values, labels = booklets()
    pairs = zip(labels["booklet"], labels["item"], strict=True)
    unique = {**labels, "item": [f"{b}.{i}" for b, i in pairs]}
    nested = {"item": "booklet"}
    assert by_name(tabulated_components(values, unique, nested=nested)) == by_name(
        tabulated_components(values, labels, nested=nested)
    )


def test_henderson_and_anova_agree_on_a_complete_table() -> None:
    values = np.random.default_rng(4).normal(size=(4, 3, 5))
    long_form = long(values, "a", "b", "c")
    found = tabulated_components(*long_form, nested={"c": "b"}, method="henderson")
    anova = variance_components(values, ["a", "b", "c"], nested={"c": "b"})
    assert found.raw == pytest.approx(anova.raw)


def test_noise_alone_has_components_near_0() -> None:
    # The negative control: 10 x 10 cells of noise, a tenth of them missing.
    rng = np.random.default_rng(5)
    values, labels = long(rng.normal(size=(10, 10)), "model", "wrapper")
    kept = sorted(rng.permutation(100)[:90])
    short = {facet: [ids[k] for k in kept] for facet, ids in labels.items()}
    found = tabulated_components([values[k] for k in kept], short)
    assert found.of("model") < 0.2
    assert found.of("model:wrapper") == pytest.approx(1, abs=0.3)


def test_identical_values_have_no_components() -> None:
    found = tabulated_components([0.1] * 5, {"a": "xxyyz", "b": "12121"})
    assert found.raw.tolist() == [0, 0, 0]
    assert "identical" in found.note


def test_an_exact_sum_of_effects_has_no_likelihood() -> None:
    rows = [(a, b) for a in range(5) for b in range(5)][1:]
    values = [a**2 + 3.0 * b for a, b in rows]
    labels = {"a": [a for a, _ in rows], "b": [b for _, b in rows]}
    with pytest.raises(ValueError, match="the residual is 0"):
        tabulated_components(values, labels)
    assert tabulated_components(values, labels, method="henderson").of("a") > 0


def test_anova_of_an_incomplete_table_is_refused_with_what_to_do() -> None:
    with pytest.raises(ValueError, match=r"13 of 72 cells .* have no value.*REML"):
        tabulated_components(*gaps(), method="anova")


def test_duplicated_cells_are_named() -> None:
    labels = {"model": ["a", "a", "b", "a"], "wrapper": ["x", "y", "x", "y"]}
    wanted = r"1 values too many: the cell model 'a', wrapper 'y' has 2"
    with pytest.raises(ValueError, match=wanted):
        tabulated_components([1, 2, 3, 4], labels)


def test_effects_that_are_the_same_groups_are_named() -> None:
    # Models of one family each, entered as if crossed with families.
    labels = {"family": "aaaabbbb", "model": "uuvvwwxx", "wrapper": "12121212"}
    wanted = r"'model' and 'family:model' are the same groups.*'model' looks nested"
    with pytest.raises(ValueError, match=wanted):
        tabulated_components([1, 2, 4, 3, 6, 5, 7, 9], labels, method="reml")


def test_one_model_in_each_family_cannot_be_told_from_it() -> None:
    labels = {"family": "aabbcc", "model": "uuvvww", "wrapper": "121212"}
    with pytest.raises(ValueError, match="'model' has 1 level within each family"):
        tabulated_components([1, 2, 4, 3, 6, 5], labels, nested={"model": "family"})


def test_bad_tables_are_refused() -> None:
    with pytest.raises(ValueError, match="values holds 1 NaN"):
        tabulated_components([1, float("nan")], {"a": "xy"})
    with pytest.raises(ValueError, match="1 labels of 'a' for 2 values"):
        tabulated_components([1, 2], {"a": "x"})
    with pytest.raises(ValueError, match="facet 'a' has 1 level"):
        tabulated_components([1, 2], {"a": "xx", "b": "12"})
    with pytest.raises(ValueError, match="no value"):
        tabulated_components([], {"a": ""})
    with pytest.raises(ValueError, match="no effect 'c'"):
        tabulated_components(
            [1, 2, 3, 5], {"a": "xxyy", "b": "1212"}, method="reml", effects=["c"]
        )
    with pytest.raises(ValueError, match="ANOVA takes all effects"):
        tabulated_components(
            [1, 2, 3, 5], {"a": "xxyy", "b": "1212"}, method="anova", effects=["a"]
        )


def test_more_levels_than_a_matrix_can_hold_are_refused_with_a_way_out() -> None:
    rng = np.random.default_rng(0)
    cells = np.flatnonzero(rng.random(20 * 200 * 5) < 0.9)
    places = np.unravel_index(cells, (20, 200, 5))
    labels = dict(zip(["model", "item", "draw"], places, strict=True))
    found = tabulated_components(
        rng.normal(size=cells.size), labels, method="henderson"
    )
    assert found.method == "Henderson I"
    places = np.unravel_index(np.sort(rng.permutation(240_000)[:20_000]), (60, 400, 10))
    labels = dict(zip(["model", "item", "draw"], places, strict=True))
    with pytest.raises(ValueError, match="3000 at most: use the method henderson"):
        tabulated_components(rng.normal(size=20_000), labels)


def test_levels_that_cannot_be_numbered_are_refused() -> None:
    ids = np.arange(20_000)
    labels = {name: ids[::-1] if name == "e" else ids for name in "abcde"}
    with pytest.raises(ValueError, match="a 20000, b 20000"):
        tabulated_components(ids.astype(float), labels)
