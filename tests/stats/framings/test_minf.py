"""Min F' and the mixed model for framings that are samples."""

from math import isnan, sqrt
from typing import Any

import numpy as np
import pytest
from scipy.stats import f, t
from studies import result

from inspect_awareness.stats import FramingEffect, framing_effect, min_f


def mixed(values: Any, families: Any, **more: Any) -> FramingEffect:
    """The mixed model of a matrix of items by framings."""
    y = np.asarray(values, dtype=float)
    items, framings = np.indices(y.shape)
    return framing_effect(
        y.ravel(),
        items=items.ravel(),
        framings=framings.ravel(),
        families=np.asarray(families)[framings.ravel()],
        reference="n",
        **more,
    )


def simulated(
    rng: np.random.Generator,
    *,
    effect: float = 0.0,
    framing: float = 1.0,
    sizes: tuple[int, int] = (6, 6),
) -> tuple[Any, list[str]]:
    """40 items under framings of two families."""
    families = ["e"] * sizes[0] + ["n"] * sizes[1]
    other = np.array([family == "e" for family in families])
    y = (
        rng.normal(size=(40, 1))
        + framing * rng.normal(size=sum(sizes))
        + effect * other
        + 0.5 * rng.normal(size=(40, 2))[:, other.astype(int)]
        + rng.normal(size=(40, sum(sizes)))
    )
    return y, families


def published() -> tuple[Any, list[str]]:
    """120 items under 6 evaluation and 6 neutral framings; the 13th is deployment."""
    known = result("endpoint_gate_matrix.json")
    short = {"eval": "e", "neutral": "n", "deploy": "d"}
    families = [short[known["families"][name]] for name in known["framings"]]
    kept = [k for k, family in enumerate(families) if family != "d"]
    matrix = np.array(known["matrix_P_gold"])
    assert matrix.shape == (120, 13)
    return matrix[:, kept], [families[k] for k in kept]


def test_min_f_by_hand() -> None:
    # Items' means 2 and 7, 3 and 7; families 2.5 and 7, grand mean 4.75.
    # F1: SS family 2 (2.25^2 + 2.25^2) = 20.25, interaction 4 x .25^2 = .25 on 1 df.
    # F2: framings' means 1.5 3.5 | 5.5 8.5: SS family 4 x 2.25^2 = 20.25,
    # within 2 + 4.5 on 2 df.
    found = min_f([[1, 3, 6, 8], [2, 4, 5, 9]], ["n", "n", "e", "e"])
    one, two = 20.25 / 0.25, 20.25 / (6.5 / 2)
    assert found.by_items.f == pytest.approx(one)
    assert found.by_framings.f == pytest.approx(two)
    assert found.min_f.f == pytest.approx(one * two / (one + two))
    df = (one + two) ** 2 / (one**2 / 2 + two**2 / 1)
    assert found.min_f.df_error == pytest.approx(df)
    assert found.min_f.p == pytest.approx(f.sf(found.min_f.f, 1, df))


def test_the_published_endpoint_is_not_beyond_its_framings() -> None:
    # Third source paper: F1 21.185 (p 1e-5), F2 2.358, min F'(1, 12.3) 2.122, p .170.
    found = min_f(*published())
    assert found.by_items.f == pytest.approx(21.185, abs=5e-4)
    assert found.by_framings.f == pytest.approx(2.358, abs=5e-4)
    assert found.min_f.f == pytest.approx(2.122, abs=5e-4)
    assert found.min_f.df_error == pytest.approx(12.3, abs=0.05)
    assert found.min_f.p == pytest.approx(0.17015, abs=5e-6)
    assert found.framings == (6, 6)


def test_the_mixed_model_of_the_published_endpoint_agrees() -> None:
    # Difference .0486; its quasi-F is a little above min F', its p a little below.
    matrix, families = published()
    found, lower = mixed(matrix, families), min_f(matrix, families)
    assert found.difference.value == pytest.approx(0.048642, abs=1e-6)
    assert (found.difference.value / found.se) ** 2 > lower.min_f.f
    assert 0.12 < found.p < lower.min_f.p
    assert found.difference.contains(0)


def test_a_complete_table_has_the_anova_solution() -> None:
    # Framing: (MS framing - MS e) / items; item x family: (MS if - MS e) / framings;
    # se^2 = 2 (MS framing + MS if - MS e) / (items framings).
    y, families = simulated(np.random.default_rng(1))
    groups = y.reshape(40, 2, 6)
    cell, framing = groups.mean(axis=2), groups.mean(axis=0)
    own = framing.mean(axis=1)
    ms_framing = 40 * ((framing - own[:, None]) ** 2).sum() / 10
    grand = cell - own - cell.mean(axis=1, keepdims=True) + own.mean()
    ms_if = 6 * (grand**2).sum() / 39
    rest = groups - cell[:, :, None] - framing[None] + own[None, :, None]
    ms_e = (rest**2).sum() / (39 * 10)
    found = mixed(y, families)
    assert found.framing == pytest.approx((ms_framing - ms_e) / 40, rel=1e-4)
    assert found.item_family == pytest.approx((ms_if - ms_e) / 6, rel=1e-4)
    assert found.residual == pytest.approx(ms_e, rel=1e-4)
    squared = 2 * (ms_framing + ms_if - ms_e) / 240
    assert found.se == pytest.approx(sqrt(squared), rel=1e-4)
    parts = np.array([ms_framing, ms_if, -ms_e])
    df = parts.sum() ** 2 / (parts**2 / [10, 39, 390]).sum()
    assert found.degrees == pytest.approx(df, rel=0.05)
    half = t.ppf(0.975, found.degrees) * found.se
    assert found.difference.high - found.difference.value == pytest.approx(half)


def test_items_alone_are_fooled_where_framings_differ() -> None:
    # The negative control: no effect of family at all, but framings differ.
    rng = np.random.default_rng(2)
    tables = [simulated(rng) for _ in range(40)]
    found = [min_f(*table) for table in tables]
    assert np.mean([each.by_items.p < 0.05 for each in found]) > 0.5
    assert np.mean([each.min_f.p < 0.05 for each in found]) < 0.12
    assert np.mean([mixed(*table).p < 0.05 for table in tables[:15]]) < 0.3


def test_a_large_effect_is_found_by_all() -> None:
    y, families = simulated(np.random.default_rng(3), effect=6)
    assert min_f(y, families).min_f.p < 1e-4
    found = mixed(y, families)
    assert found.difference.low > 3
    assert found.difference.contains(6)


def test_missing_cells_and_unequal_families() -> None:
    rng = np.random.default_rng(4)
    y, families = simulated(rng, effect=6, sizes=(3, 7))
    assert "differ in size" in min_f(y, families).note
    items, framings = np.indices(y.shape)
    kept = rng.random(y.size) > 0.2
    found = framing_effect(
        y.ravel()[kept],
        items=items.ravel()[kept],
        framings=framings.ravel()[kept],
        families=np.array(families)[framings.ravel()[kept]],
        reference="n",
    )
    assert found.difference.n == kept.sum()
    assert found.difference.value == pytest.approx(6, abs=2)
    assert found.difference.low > 2


def test_the_reference_decides_the_sign() -> None:
    y, families = simulated(np.random.default_rng(5), effect=2)
    swapped = ["n" if family == "e" else "e" for family in families]
    one, two = mixed(y, families), mixed(y, swapped)
    assert one.difference.value == pytest.approx(-two.difference.value)
    assert one.p == pytest.approx(two.p, rel=1e-3)


def test_what_has_no_error_is_undefined_not_certain() -> None:
    # Framings of a family agree exactly: F2 divides by 0.
    found = min_f([[1, 1, 2, 2], [2, 2, 5, 5]], ["n", "n", "e", "e"])
    assert isnan(found.by_framings.f)
    assert isnan(found.min_f.p)
    same = mixed(np.full((3, 4), 0.3), ["n", "n", "e", "e"])
    assert isnan(same.p)
    assert not same.difference.has_interval
    assert "does not respond" in same.difference.note
    exact = mixed([[1, 2, 5, 7], [2, 3, 8, 10], [0, 1, 4, 6]], ["n", "n", "e", "e"])
    assert isnan(exact.p)
    assert "exact sum of effects" in exact.difference.note


def test_equal_families_have_min_f_0() -> None:
    found = min_f([[1, 3, 2, 4], [2, 4, 1, 3]], ["n", "n", "e", "e"])
    assert found.min_f.f == 0
    assert found.min_f.p == 1


def test_bad_tables_are_refused() -> None:
    with pytest.raises(ValueError, match="1 of 4 values are NaN"):
        min_f([[1, 2], [float("nan"), 3]], ["n", "e"])
    with pytest.raises(ValueError, match="2 or more families"):
        min_f([[1, 2], [2, 3]], ["n", "n"])
    with pytest.raises(ValueError, match="every family has one framing"):
        min_f([[1, 2], [2, 3]], ["n", "e"])
    with pytest.raises(ValueError, match="1 families for 2 values"):
        min_f([[1, 2], [2, 3]], ["n"])
    with pytest.raises(ValueError, match="got shape"):
        min_f([1, 2, 3], ["n", "n", "e"])
    with pytest.raises(ValueError, match="got 'a', 'b', 'c'"):
        mixed(np.arange(6.0).reshape(2, 3), ["a", "b", "c"])
    with pytest.raises(ValueError, match="got 1 and 1 framings"):
        mixed(np.arange(4.0).reshape(2, 2), ["n", "e"])
