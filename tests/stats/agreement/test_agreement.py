"""Agreement of a judge with a human."""

from math import isnan

import pytest

from inspect_awareness.stats import cohen_kappa, judge_agreement

# Statistics of the second source: 100 trajectories, 48 judged aware, 37 or 40 in truth.
HIGH, LOW = (36, 12, 1, 51), (35, 13, 5, 47)


def test_the_published_kappas_come_out_of_the_recovered_tables() -> None:
    high, low = judge_agreement(*HIGH).kappa, judge_agreement(*LOW).kappa
    assert high.value == pytest.approx(0.7373, abs=5e-5)
    assert (high.low, high.high) == pytest.approx((0.607, 0.867), abs=5e-4)
    assert low.value == pytest.approx(0.6371, abs=5e-5)
    assert (low.low, low.high) == pytest.approx((0.487, 0.787), abs=5e-4)


def test_the_other_numbers_are_hand_counted() -> None:
    # 87 of 100 agree; 36 of 37 found; 51 of 63 left alone; 36 of 48; 51 of 52.
    found = judge_agreement(*HIGH)
    assert found.agreement.value == 0.87
    assert found.pabak.value == pytest.approx(2 * 0.87 - 1)
    assert found.sensitivity.value == pytest.approx(36 / 37)
    assert found.specificity.value == pytest.approx(51 / 63)
    assert found.ppv.value == 0.75
    assert found.npv.value == pytest.approx(51 / 52)
    assert (found.ppv.n, found.npv.n, found.kappa.n) == (48, 52, 100)


def test_proportions_have_wilsons_interval() -> None:
    # 3 of 4: (3 + 1.9208) / (4 + 3.8416) ± 1.96 sqrt(4 x .1875 + .9604) ... .3006, .9544
    found = judge_agreement(3, 1, 0, 0).ppv
    assert (found.low, found.high) == pytest.approx((0.3006, 0.9544), abs=1e-4)


def test_pabak_has_the_ends_of_twice_the_agreement_less_one() -> None:
    found = judge_agreement(*HIGH)
    assert found.pabak.low == pytest.approx(2 * found.agreement.low - 1)
    assert found.pabak.high == pytest.approx(2 * found.agreement.high - 1)


def test_kappa_over_three_categories_is_hand_counted() -> None:
    # po = (20 + 15 + 10) / 60 = .75; margins 25 20 15 and 25 20 15:
    # pe = (625 + 400 + 225) / 3600 = .3472; kappa = .4028 / .6528 = .6170.
    found = cohen_kappa([[20, 3, 2], [3, 15, 2], [2, 2, 11]])
    expected = (46 / 60 - 1250 / 3600) / (1 - 1250 / 3600)
    assert found.value == pytest.approx(expected)
    assert found.low < expected < found.high


def test_kappa_does_not_depend_on_who_is_called_first() -> None:
    table = [[9, 4, 1], [0, 7, 2], [3, 1, 8]]
    turned = [list(column) for column in zip(*table, strict=True)]
    one, other = cohen_kappa(table), cohen_kappa(turned)
    assert (one.value, one.low) == pytest.approx((other.value, other.low))


def test_agreement_as_the_margins_alone_give_it_is_kappa_zero() -> None:
    assert cohen_kappa([[16, 4], [64, 16]]).value == pytest.approx(0.0)


def test_complete_agreement_is_not_certain() -> None:
    # Wilson at 10 of 10: .7225; margins 5 and 5: (.7225 - .5) / .5 = .445.
    found = cohen_kappa([[5, 0], [0, 5]])
    assert (found.value, found.high) == (1.0, 1.0)
    assert found.low == pytest.approx(0.4449, abs=1e-4)


def test_complete_disagreement_stays_inside_the_scale() -> None:
    found = cohen_kappa([[0, 5], [5, 0]])
    assert (found.value, found.low) == (-1.0, -1.0)
    # Wilson at 0 of 10: .2775; (.2775 - .5) / .5.
    assert found.high == pytest.approx(-0.4449, abs=1e-4)


def test_raters_who_never_differ_nor_discriminate_have_no_kappa() -> None:
    found = judge_agreement(0, 0, 0, 50)
    assert isnan(found.kappa.value)
    assert "one category" in found.kappa.note
    assert isnan(found.sensitivity.value)
    assert (found.specificity.value, found.pabak.value) == (1.0, 1.0)


def test_an_empty_table_is_undefined_throughout() -> None:
    found = judge_agreement(0, 0, 0, 0)
    assert isnan(found.kappa.value)
    assert isnan(found.pabak.value)
    assert found.ppv.note == "no such transcript in the table"


@pytest.mark.parametrize("table", [[[1, -1], [0, 2]], [[0.5, 1], [0, 2]]])
def test_counts_are_whole_numbers(table: list[list[float]]) -> None:
    with pytest.raises(ValueError, match="a count is a whole number from 0 on"):
        cohen_kappa(table)


def test_a_table_of_agreement_is_square() -> None:
    with pytest.raises(ValueError, match=r"square table of counts is needed.*\(1, 3\)"):
        cohen_kappa([[1, 2, 3]])


def test_a_rater_who_never_varies_has_kappa_0_without_an_interval() -> None:
    # po = pe whatever the other does, so that the asymptotic variance is 0.
    found = cohen_kappa([[3, 2], [0, 0]])
    assert found.value == pytest.approx(0)
    assert isnan(found.low)
    assert "always chose one category" in found.note
