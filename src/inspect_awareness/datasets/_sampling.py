"""A seeded draw that keeps every source's share."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

import numpy as np

from inspect_awareness.errors import InputError

T = TypeVar("T")


def stratified(
    items: Sequence[T],
    n: int,
    *,
    key: Callable[[T], Hashable],
    rng: np.random.Generator,
) -> list[T]:
    """Draw `n` items without replacement, each stratum in proportion to its size.

    Shares are rounded by largest remainder; every stratum keeps at least one item as
    long as `n` allows it. The order of `items` is kept.

    Args:
        items: What to draw from.
        n: How many to draw; all are returned when there are no more than `n`.
        key: The stratum of an item.
        rng: Source of randomness.
    """
    if n < 1:
        raise InputError(f"a sample of {n} was asked for; it must be 1 or more")
    if n >= len(items):
        return list(items)
    strata: defaultdict[Hashable, list[int]] = defaultdict(list)
    for index, item in enumerate(items):
        strata[key(item)].append(index)
    sizes = np.array([len(members) for members in strata.values()])
    drawn: list[int] = []
    for members, take in zip(strata.values(), _shares(sizes, n), strict=True):
        drawn.extend(rng.choice(members, size=take, replace=False).tolist())
    return [items[i] for i in sorted(drawn)]


def _shares(sizes: np.ndarray, n: int) -> list[int]:
    """Largest remainder: floor(n size / total), the rest to the largest fractions."""
    exact = n * sizes / sizes.sum()
    take = np.floor(exact).astype(int)
    # an empty stratum counts as the largest remainder: no source should vanish
    order = np.argsort(-np.where(take == 0, 2.0, exact - take), kind="stable")
    for index in order[: n - take.sum()]:
        take[index] += 1
    return [int(t) for t in take]
