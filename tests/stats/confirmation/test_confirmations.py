"""Who confirms whom."""

from math import isnan, nan
from typing import Any

import numpy as np
import pytest

from inspect_awareness.stats import awareness_rate, cohen_kappa, confirmations

METHODS = ["reasoning", "asked"]

# Six items of three tasks. Reasoning detects 1, 2, 3; asked detects 1, 2, 4, 5;
# asked does not know item 6.
DETECTED = [[1, 1], [1, 1], [1, 0], [0, 1], [0, 1], [0, nan]]
TASKS = [1, 1, 2, 2, 3, 3]


def test_the_four_counts_and_both_shares_by_hand() -> None:
    found = confirmations(DETECTED, METHODS, clusters=TASKS)
    forth, back = found.of("reasoning", "asked"), found.of("asked", "reasoning")
    # Known to both: items 1 to 5. Both 1 2; only reasoning 3; only asked 4 5.
    assert (forth.both, forth.only_first, forth.only_second, forth.neither) == (
        2, 1, 2, 0,
    )  # fmt: skip
    assert (back.both, back.only_first, back.only_second, back.neither) == (2, 2, 1, 0)
    assert forth.share.value == pytest.approx(2 / 3)
    assert back.share.value == pytest.approx(2 / 4)
    assert forth.by_chance == pytest.approx(4 / 5)
    assert back.by_chance == pytest.approx(3 / 5)


def test_a_share_is_the_awareness_rate_of_the_second_among_the_firsts() -> None:
    rng = np.random.default_rng(0)
    x, tasks = rng.integers(0, 2, (60, 2)), np.repeat(range(12), 5)
    found = confirmations(x, METHODS, clusters=tasks).of(*METHODS)
    hits = x[:, 0] == 1
    assert found.share == awareness_rate(x[hits, 1], tasks[hits])


def test_kappa_is_symmetric_and_of_the_items_known_to_both() -> None:
    found = confirmations(DETECTED, METHODS, clusters=range(6))
    forth, back = found.of("reasoning", "asked"), found.of("asked", "reasoning")
    # po = 2/5, pe = (3 x 4 + 2 x 1) / 25 = .56: kappa = -.16 / .44.
    assert forth.kappa.value == pytest.approx(-0.16 / 0.44)
    assert forth.kappa == back.kappa  # one and the same record
    plain = cohen_kappa([[2, 1], [2, 0]])
    assert (forth.kappa.low, forth.kappa.high) == pytest.approx((plain.low, plain.high))
    assert (forth.kappa.n, forth.kappa.clusters, forth.kappa.unit) == (5, 5, "task")


def test_repeats_of_a_task_do_not_narrow_kappa_or_the_share() -> None:
    rng = np.random.default_rng(1)
    first = rng.integers(0, 2, 40)
    second = np.where(rng.random(40) < 0.8, first, 1 - first)
    once = np.stack([first, second], axis=1)
    widths = []
    for k in (1, 10):
        found = confirmations(
            np.tile(once, (k, 1)), METHODS, clusters=np.tile(np.arange(40), k)
        ).of(*METHODS)
        widths.append(
            [found.share.high - found.share.low, found.kappa.high - found.kappa.low]
        )
    assert widths[1] == pytest.approx(widths[0], rel=0.1)
    # Negative control: as 400 items of their own they would be three times as sure.
    alone = confirmations(np.tile(once, (10, 1)), METHODS, clusters=range(400))
    kappa = alone.of(*METHODS).kappa
    assert kappa.high - kappa.low < 0.4 * widths[0][1]


def test_what_is_unrelated_is_confirmed_by_chance_alone() -> None:
    rng = np.random.default_rng(2)
    x = rng.random((2000, 2)) < [0.1, 0.9]
    found = confirmations(x, METHODS, clusters=range(2000))
    forth, back = found.of(*METHODS), found.of(*METHODS[::-1])
    # Nine in ten are "confirmed" by a method that detects nine in ten of anything.
    assert forth.share.value > 0.85
    assert forth.share.contains(forth.by_chance)
    assert back.share.contains(back.by_chance)
    assert forth.kappa.contains(0.0)


def test_nested_detections_are_confirmed_one_way_only() -> None:
    x = [[1, 1]] * 3 + [[0, 1]] * 27 + [[0, 0]] * 10
    found = confirmations(x, METHODS, clusters=range(40))
    assert found.of("reasoning", "asked").share.value == 1.0
    assert found.of("asked", "reasoning").share.value == pytest.approx(3 / 30)


def test_rates_are_of_known_items_and_of_those_that_all_know() -> None:
    found = confirmations(DETECTED, METHODS, clusters=TASKS)
    reasoning, asked = found.rates
    assert (found.items, found.common) == (6, 5)
    assert reasoning.rate.value == pytest.approx(3 / 6)
    assert reasoning.on_common.value == pytest.approx(3 / 5)
    assert asked.rate.value == asked.on_common.value == pytest.approx(4 / 5)
    assert (reasoning.missing, asked.missing) == (0, 1)


def test_every_ordered_pair_of_three_methods_is_there() -> None:
    x = np.random.default_rng(3).integers(0, 2, (10, 3))
    found = confirmations(x, ["a", "b", "c"], clusters=range(10))
    pairs = [(p.first, p.second) for p in found.pairs]
    assert pairs == [
        ("a", "b"), ("a", "c"), ("b", "a"), ("b", "c"), ("c", "a"), ("c", "b")
    ]  # fmt: skip
    for pair in found.pairs:
        assert pair.both + pair.only_first + pair.only_second + pair.neither == 10
        assert found.of(pair.second, pair.first).both == pair.both
    with pytest.raises(KeyError, match="two different ones of a, b, c"):
        found.of("a", "a")


def test_a_method_that_never_detects_has_nothing_to_confirm() -> None:
    found = confirmations([[0, 1], [0, 1], [0, 0]], METHODS, clusters=range(3))
    share = found.of("reasoning", "asked").share
    assert isnan(share.value)
    assert share.note == "reasoning detects nothing"
    back = found.of("asked", "reasoning")
    assert back.share.value == 0.0
    # One of the two always says no: kappa is 0 without an interval.
    assert back.kappa.value == 0.0
    assert not back.kappa.has_interval


def test_two_constant_methods_have_no_kappa() -> None:
    kappa = confirmations([[1, 1]] * 4, METHODS, clusters=range(4)).of(*METHODS).kappa
    assert isnan(kappa.value)
    assert "one category" in kappa.note


def test_no_common_item_leaves_the_pair_undefined() -> None:
    found = confirmations([[1, nan], [nan, 1]], METHODS, clusters=[1, 2])
    pair = found.of(*METHODS)
    assert isnan(pair.share.value)
    assert isnan(pair.by_chance)
    assert isnan(pair.kappa.value)
    assert pair.share.note == "no item is known to both methods"
    assert found.rates[0].on_common.note == "no item is known to all methods"
    assert found.rates[0].rate.value == 1.0


def test_one_task_has_no_interval() -> None:
    found = confirmations([[1, 1], [1, 0], [0, 0]], METHODS, clusters=[1, 1, 1])
    pair = found.of(*METHODS)
    assert pair.share.value == 0.5
    assert not pair.share.has_interval
    assert not pair.kappa.has_interval
    assert "its spread cannot be seen" in pair.kappa.note


def test_no_item_and_an_unknowing_method_are_undefined() -> None:
    empty = confirmations(np.empty((0, 2)), METHODS, clusters=[])
    assert isnan(empty.of(*METHODS).share.value)
    assert (empty.items, empty.common) == (0, 0)
    blind = confirmations([[1, nan], [0, nan]], METHODS, clusters=[1, 2])
    assert blind.rates[1].rate.note == "asked knows no item"


@pytest.mark.parametrize(
    ("detected", "methods", "clusters", "words"),
    [
        ([1, 0], METHODS, [1, 2], "got 1 dimensions"),
        ([[1, 0]], ["a"], [1], "1 names for 2 methods"),
        ([[1, 0]], ["a", "a"], [1], "method 'a' occurs twice"),
        ([[1, 2]], METHODS, [1], "detected must be 0, 1 or NaN"),
        ([[1, 0]], METHODS, [1, 2], "2 clusters for 1 values"),
    ],
)
def test_bad_input_is_named(
    detected: Any, methods: Any, clusters: Any, words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        confirmations(detected, methods, clusters=clusters)


def test_shares_and_kappa_cover_where_tasks_repeat() -> None:
    # 40 tasks x 5: each task has a propensity; each method sees it at .8, errs at .2.
    rng = np.random.default_rng(4)
    tasks = np.repeat(range(40), 5)

    def draw(count: int) -> Any:
        chance = rng.beta(0.6, 0.9, (count, 1))
        truth = rng.random((count, 5)) < chance
        seen = rng.random((2, count, 5)) < np.where(truth, 0.8, 0.2)
        return seen.reshape(2, -1).T

    many = draw(40_000)
    both, one = (many[:, 0] & many[:, 1]).mean(), many.mean(0)
    share = both / one[0]
    chance = one.prod() + (1 - one).prod()
    kappa = ((many[:, 0] == many[:, 1]).mean() - chance) / (1 - chance)
    hits = np.zeros(2)
    for _ in range(150):
        found = confirmations(draw(40), METHODS, clusters=tasks).of(*METHODS)
        hits += [found.share.contains(share), found.kappa.contains(kappa)]
    assert np.all(hits / 150 >= 0.9)
