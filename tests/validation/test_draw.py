"""Samples for people: at random, or by what the judge said."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from inspect_awareness.errors import InputError
from inspect_awareness.validation import Drawn, Frame, draw_sample


def drawn_from(found: Frame, design: str, size: int, seed: int = 0) -> Drawn:
    rng = np.random.default_rng(seed)
    return draw_sample(found, design=design, size=size, rng=rng)


def two_benchmarks() -> Frame:
    """gaia: 3 judged aware and 37 not; hle: 20 and 10, and 5 without a verdict."""
    verdicts = [1] * 3 + [0] * 37 + [1] * 20 + [0] * 10 + [np.nan] * 5
    benchmarks = ("gaia",) * 40 + ("hle",) * 35
    items = tuple(f"t{k}" for k in range(75))
    missing = {"refusal": 5}
    return Frame(
        "judge", "", items, ("m",) * 75, benchmarks, items, np.array(verdicts), missing
    )


def test_by_the_verdict_each_stratum_has_its_half_or_all_there_are() -> None:
    found = two_benchmarks()
    drawn = drawn_from(found, "judge", 40)
    cells = Counter(
        (found.benchmarks[row], found.verdicts[row]) for row in drawn.rows.tolist()
    )
    # 20 each: gaia has only 3 judged aware, so that 17 others fill up
    assert cells == {
        ("gaia", 1): 3, ("gaia", 0): 17, ("hle", 1): 10, ("hle", 0): 10,
    }  # fmt: skip


def test_a_weight_is_how_many_transcripts_one_stands_for() -> None:
    found = two_benchmarks()
    drawn = drawn_from(found, "judge", 40)
    weights = {
        (found.benchmarks[row], found.verdicts[row]): weight
        for row, weight in zip(drawn.rows.tolist(), drawn.weights, strict=True)
    }
    assert weights == {
        ("gaia", 1): 3 / 3, ("gaia", 0): 37 / 17, ("hle", 1): 20 / 10, ("hle", 0): 1,
    }  # fmt: skip
    assert drawn.weights.sum() == pytest.approx(70)
    plain = drawn_from(found, "random", 35)
    assert set(plain.weights) == {70 / 35}


def test_what_a_small_stratum_lacks_goes_to_the_larger_ones() -> None:
    found = two_benchmarks()
    drawn = drawn_from(found, "judge", 66)
    sizes = Counter(found.benchmarks[row] for row in drawn.rows.tolist())
    assert sizes == {"hle": 30, "gaia": 36}


@pytest.mark.parametrize("design", ["random", "judge"])
def test_nothing_without_a_verdict_is_drawn_and_nothing_twice(design: str) -> None:
    found = two_benchmarks()
    drawn = drawn_from(found, design, 1000)
    assert len(set(drawn.items)) == len(drawn.items) == 70
    assert found.known[drawn.rows].all()


@pytest.mark.parametrize("design", ["random", "judge"])
def test_a_seed_draws_the_same_and_another_seed_others(design: str) -> None:
    found = two_benchmarks()
    one, same, other = (drawn_from(found, design, 20, seed) for seed in (1, 1, 2))
    assert one.items == same.items
    assert one.digest == same.digest != other.digest


def test_at_random_each_transcript_is_equally_likely() -> None:
    found = two_benchmarks()
    rng = np.random.default_rng(3)
    often = np.zeros(len(found.items))
    for _ in range(2000):
        rows = draw_sample(found, design="random", size=7, rng=rng).rows
        often[rows] += 1
    # 7 of 70: .1 of 2000 draws, standard deviation sqrt(2000 x .1 x .9) = 13.4
    assert np.abs(often[found.known] - 200).max() < 4 * 13.4


def test_the_order_says_nothing_of_the_verdict() -> None:
    found = two_benchmarks()
    first = [
        found.verdicts[drawn_from(found, "judge", 40, seed).rows[0]]
        for seed in range(200)
    ]
    # 13 of 40 are judged aware: .325, standard deviation .033
    assert np.mean(first) == pytest.approx(0.325, abs=0.13)


def test_draws_that_cannot_be_are_refused() -> None:
    found = two_benchmarks()
    with pytest.raises(InputError, match="'truth' is not one of: random, judge"):
        drawn_from(found, "truth", 10)
    with pytest.raises(InputError, match="size is 0"):
        drawn_from(found, "random", 0)
    with pytest.raises(InputError, match=r"size 3 is too small for 2 models .* 4 or"):
        drawn_from(found, "judge", 3)
    nothing = replace(
        found, verdicts=np.full(len(found.items), np.nan), missing={"refusal": 75}
    )
    with pytest.raises(InputError, match=r"none of 75 .* a verdict \(refusal: 75\)"):
        drawn_from(nothing, "random", 10)
