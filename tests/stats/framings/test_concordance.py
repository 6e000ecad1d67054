"""Kendall's W."""

from itertools import permutations, product
from math import isnan

import numpy as np
import pytest
from scipy.stats import friedmanchisquare, spearmanr
from studies import result

from inspect_awareness.stats import Concordance, kendall_w


def w_of(values: object, *, draws: int = 200, seed: int = 0) -> Concordance:
    return kendall_w(np.array(values), rng=np.random.default_rng(seed), draws=draws)


def test_w_by_hand() -> None:
    # Ranks 1 2 3, 1 2 3, 2 1 3: sums 4 5 9, mean 6, S = 4 + 1 + 9 = 14;
    # W = 12 x 14 / (9 x 24) = 7/9.
    found = w_of([[0.1, 0.2, 0.3], [1, 5, 9], [20, 10, 30]])
    assert found.w == pytest.approx(7 / 9)
    assert found.uncorrected == found.w
    assert found.chi_square == pytest.approx(3 * 2 * 7 / 9)


def test_ties_of_three_judges_over_ten_objects() -> None:
    # Siegel and Castellan: W .7960 as it stands, .8277 corrected for ties.
    found = w_of(
        [
            [1, 4.5, 2, 4.5, 3, 7.5, 6, 9, 7.5, 10],
            [2.5, 1, 2.5, 4.5, 4.5, 8, 9, 6.5, 10, 6.5],
            [2, 1, 4.5, 4.5, 4.5, 4.5, 8, 8, 8, 10],
        ]
    )
    assert found.uncorrected == pytest.approx(0.7960, abs=5e-5)
    assert found.w == pytest.approx(0.8277, abs=5e-5)


def test_four_models_under_36_wrappers() -> None:
    # Third source paper: W .065741, chi-square p .06878, permutation p .0693.
    matrix = np.array(result("wrapper_curves.json")["matrix"]).T
    found = w_of(matrix, draws=20_000)
    assert (found.raters, found.objects) == (36, 4)
    assert found.w == pytest.approx(0.06574074, abs=1e-8)
    assert found.p_chi_square == pytest.approx(0.06877782, abs=1e-8)
    assert found.p == pytest.approx(0.0693, abs=0.006)
    assert found.expected == pytest.approx(1 / 36)
    assert found.mean_spearman == pytest.approx(0.0390, abs=5e-5)


def test_21_of_36_wrappers_order_the_models_by_size() -> None:
    known = result("wrapper_curves.json")
    sizes = np.log10(known["params_b"])
    found = [np.corrcoef(row, sizes)[0, 1] for row in np.array(known["matrix"]).T]
    assert sum(r > 0 for r in found) == 21


def test_w_is_friedmans_statistic_with_ties() -> None:
    values = np.random.default_rng(1).integers(0, 5, size=(7, 6))
    found = w_of(values)
    q = friedmanchisquare(*values.T.astype(float)).statistic
    assert found.w == pytest.approx(q / (7 * 5))


def test_mean_spearman_is_the_mean_over_pairs() -> None:
    values = np.random.default_rng(2).normal(size=(5, 8))
    pairs = [
        spearmanr(values[a], values[b]).statistic for a in range(5) for b in range(a)
    ]
    assert w_of(values).mean_spearman == pytest.approx(np.mean(pairs))


def test_the_permutation_p_is_that_of_all_permutations() -> None:
    # 3 raters x 3 objects: 6^3 orders, each as likely.
    values = [[1, 2, 3], [1, 2, 3], [2, 1, 3]]
    every = product(permutations([1, 2, 3]), repeat=3)
    reached = [
        sum((sum(c) - 6) ** 2 for c in zip(*o, strict=True)) >= 14 for o in every
    ]
    exact = sum(reached) / len(reached)
    assert w_of(values, draws=20_000).p == pytest.approx(exact, abs=0.012)


def test_agreement_and_reversal() -> None:
    assert w_of([[1, 2, 3, 4]] * 6).w == 1
    assert w_of([[1, 2, 3, 4], [4, 3, 2, 1]]).w == 0
    assert w_of([[1, 2, 3, 4]] * 6, draws=999).p == pytest.approx(1 / 1000)


def test_chance_alone_gives_one_over_m_and_a_uniform_p() -> None:
    # The negative control: 200 matrices of noise.
    noise = np.random.default_rng(3).normal(size=(200, 6, 5))
    found = [w_of(each, draws=199, seed=k) for k, each in enumerate(noise)]
    assert np.mean([f.w for f in found]) == pytest.approx(1 / 6, abs=0.03)
    assert np.mean([f.p <= 0.05 for f in found]) == pytest.approx(0.05, abs=0.05)


def test_only_the_order_within_a_rater_matters() -> None:
    values = np.random.default_rng(4).normal(size=(4, 5))
    assert w_of(values).w == pytest.approx(
        w_of(np.exp(values) + np.array([[9], [0], [1], [2]])).w
    )


def test_raters_who_tie_everything_have_no_order_to_agree_on() -> None:
    found = w_of(np.ones((3, 4)))
    assert isnan(found.w)
    assert isnan(found.p)
    assert "ties every object" in found.note


def test_one_rater_who_ties_everything_only_dilutes() -> None:
    found = w_of([[1, 2, 3], [1, 2, 3], [7, 7, 7]])
    assert 0 < found.w < 1


def test_bad_matrices_are_refused() -> None:
    with pytest.raises(ValueError, match=r"got shape \(1, 3\)"):
        w_of([[1, 2, 3]])
    with pytest.raises(ValueError, match=r"got shape \(3,\)"):
        w_of([1, 2, 3])
    with pytest.raises(ValueError, match="1 of 4 values are NaN"):
        w_of([[1, float("nan")], [1, 2]])
