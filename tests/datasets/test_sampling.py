"""The stratified draw."""

from collections import Counter

import pytest

from inspect_awareness.datasets._sampling import stratified
from inspect_awareness.errors import InputError


def test_shares_are_kept_by_largest_remainder() -> None:
    items = ["a"] * 50 + ["b"] * 30 + ["c"] * 20

    drawn = stratified(items, 11, key=str, seed=1)
    # 5.5, 3.3, 2.2: the one left over goes to the largest fraction
    assert Counter(drawn) == {"a": 6, "b": 3, "c": 2}


def test_no_source_vanishes_as_long_as_there_is_room() -> None:
    items = ["big"] * 97 + ["x", "y", "z"]
    assert Counter(stratified(items, 10, key=str, seed=0)) == {
        "big": 7, "x": 1, "y": 1, "z": 1,
    }  # fmt: skip
    even = [str(i % 10) for i in range(100)]
    assert len(set(stratified(even, 12, key=str, seed=0))) == 10
    assert len(set(stratified(even, 4, key=str, seed=0))) == 4


def test_nothing_is_drawn_twice_and_order_is_kept() -> None:

    drawn = stratified(range(100), 30, key=lambda i: i % 3, seed=1)
    assert drawn == sorted(set(drawn))
    assert len(drawn) == 30


def test_asking_for_more_than_there_is_gives_all() -> None:

    assert stratified([1, 2], 5, key=str, seed=1) == [1, 2]


def test_a_draw_of_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="must be 1 or more"):
        stratified([1], 0, key=str, seed=0)
