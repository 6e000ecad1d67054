"""The stratified draw."""

from collections import Counter

import numpy as np
import pytest

from inspect_awareness.datasets._sampling import stratified
from inspect_awareness.errors import InputError


def test_shares_are_kept_by_largest_remainder() -> None:
    items = ["a"] * 50 + ["b"] * 30 + ["c"] * 20
    rng = np.random.default_rng(0)
    drawn = stratified(items, 11, key=str, rng=rng)
    # 5.5, 3.3, 2.2: the one left over goes to the largest fraction
    assert Counter(drawn) == {"a": 6, "b": 3, "c": 2}


def test_nothing_is_drawn_twice_and_order_is_kept() -> None:
    rng = np.random.default_rng(1)
    drawn = stratified(range(100), 30, key=lambda i: i % 3, rng=rng)
    assert drawn == sorted(set(drawn))
    assert len(drawn) == 30


def test_asking_for_more_than_there_is_gives_all() -> None:
    rng = np.random.default_rng(1)
    assert stratified([1, 2], 5, key=str, rng=rng) == [1, 2]


def test_a_draw_of_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="must be 1 or more"):
        stratified([1], 0, key=str, rng=np.random.default_rng(0))
