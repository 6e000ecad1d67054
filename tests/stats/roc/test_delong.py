"""DeLong's intervals and test."""

import csv

import numpy as np
import pytest
from studies import REFERENCE

from inspect_awareness.stats import clustered_auroc, delong_auroc, delong_difference

SCORES = [0.9, 0.8, 0.7, 0.55, 0.3, 0.7, 0.6, 0.4, 0.3, 0.2, 0.1, 0.05]
LABELS = [1] * 5 + [0] * 7


def test_both_scales_give_the_published_ends() -> None:
    # statistics of 5 and 7 scores by pROC 1.18: variance .01554421769.
    wald = delong_auroc(SCORES, LABELS, scale="identity")
    assert wald.value == pytest.approx(0.8285714286, abs=1e-10)
    assert (wald.low, wald.high) == pytest.approx((0.58421, 1.07293), abs=1e-5)
    logit = delong_auroc(SCORES, LABELS)
    assert (logit.low, logit.high) == pytest.approx((0.46386, 0.96429), abs=1e-5)


def asah() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Outcome (poor is 1), s100b and ndka of pROC's aneurysm data."""
    path = REFERENCE / "asah.csv"
    if not path.exists():
        pytest.skip("the reference tables are not beside this checkout")
    with path.open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    outcome = np.array([row["outcome"] == "Poor" for row in rows])
    s100b, ndka = (
        np.array([float(row[name]) for row in rows]) for name in ("s100b", "ndka")
    )
    return outcome, s100b, ndka


def test_the_aneurysm_data_give_what_proc_publishes() -> None:
    # Turck et al. (2010), with pROC: AUROC .7313686, 95 % .6301182 to .8326189;
    # s100b against ndka Z = 1.3908, p = .1643.
    outcome, s100b, ndka = asah()
    found = delong_auroc(s100b, outcome, scale="identity")
    assert found.value == pytest.approx(0.7313686, abs=1e-7)
    assert (found.low, found.high) == pytest.approx((0.6301182, 0.8326189), abs=1e-7)
    paired = delong_difference(s100b, ndka, outcome)
    assert paired.z == pytest.approx(1.3908, abs=1e-4)
    assert paired.p == pytest.approx(0.1643, abs=1e-4)
    assert paired.difference.value == pytest.approx(paired.first - paired.second)


def test_independent_items_are_clusters_of_one() -> None:
    # The same variance, with z instead of Satterthwaite's t: a little narrower.
    x, y = SCORES[:5], SCORES[5:]
    clustered = clustered_auroc(x, y, range(5), range(5, 12))
    plain = delong_auroc(SCORES, LABELS)
    assert clustered.low < plain.low < plain.value < plain.high < clustered.high


def test_where_the_variance_says_nothing_the_interval_is_newcombes_or_none() -> None:
    apart = delong_auroc([3, 4, 5, 1, 2, 0], [1, 1, 1, 0, 0, 0])
    assert (apart.value, apart.high) == (1.0, 1.0)
    assert 0.4 < apart.low < 0.7
    assert "Newcombe" in apart.method
    flat = delong_auroc([1, 1, 1, 1], [1, 1, 0, 0])
    assert flat.value == 0.5
    assert not flat.has_interval
    assert "does not respond" in flat.note
    assert not delong_auroc([3, 1, 2], [1, 0, 0]).has_interval
    assert np.isnan(delong_auroc([3, 1], [0, 0]).value)


def test_two_instruments_that_place_items_alike_have_a_difference_without_test() -> (
    None
):
    found = delong_difference(SCORES, [2 * s + 1 for s in SCORES], LABELS)
    assert found.difference.value == 0.0
    assert np.isnan(found.p)
    assert "alike" in found.difference.note
    with pytest.raises(ValueError, match="12 first and 3 second"):
        delong_difference(SCORES, [1, 2, 3], LABELS)
    assert np.isnan(delong_difference([1, 2], [2, 1], [1, 0]).z)
