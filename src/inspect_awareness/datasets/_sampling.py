"""A seeded draw that keeps every source's share."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

from inspect_awareness.errors import InputError

T = TypeVar("T")


def stratified(
    items: Sequence[T],
    n: int,
    *,
    key: Callable[[T], Hashable],
    seed: int,
) -> list[T]:
    """Draw `n` items without replacement, each stratum in proportion to its size.

    Shares are rounded by largest remainder, and each stratum keeps at least one item;
    where `n` is less than their number, the largest strata do. The order of `items` is
    kept.

    Args:
        items: What to draw from.
        n: How many to draw; all are returned when there are no more than `n`.
        key: The stratum of an item.
        seed: Seed of the draw.
    """
    # numpy costs every Inspect command time if it is imported with the package
    import numpy as np

    if n < 1:
        raise InputError(f"a sample of {n} was asked for; it must be 1 or more")
    if n >= len(items):
        return list(items)
    strata: defaultdict[Hashable, list[int]] = defaultdict(list)
    for index, item in enumerate(items):
        strata[key(item)].append(index)
    rng = np.random.default_rng(seed)
    takes = _takes([len(members) for members in strata.values()], n)
    drawn: list[int] = []
    for members, take in zip(strata.values(), takes, strict=True):
        drawn.extend(rng.choice(members, size=take, replace=False).tolist())
    return [items[i] for i in sorted(drawn)]


def _takes(sizes: Sequence[int], n: int) -> list[int]:
    """max(1, floor(n size / total)), then up or down where the share is missed most."""
    total = sum(sizes)
    exact = [n * size / total for size in sizes]
    if n <= len(sizes):
        largest = sorted(range(len(sizes)), key=lambda i: -sizes[i])[:n]
        return [int(i in largest) for i in range(len(sizes))]
    take = [max(1, int(share)) for share in exact]
    while sum(take) < n:
        take[max(range(len(take)), key=lambda i: exact[i] - take[i])] += 1
    while sum(take) > n:
        several = [i for i in range(len(take)) if take[i] > 1]
        take[max(several, key=lambda i: take[i] - exact[i])] -= 1
    return take
