"""Random subsets of stated sizes, one a row."""

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats._arrays import Ids


def random_places(
    size: int, count: npt.NDArray[np.int64], rng: np.random.Generator
) -> npt.NDArray[np.bool_]:
    """A random `count` of `size` places in each row, shape (rows, size)."""
    order = np.tile(np.arange(size), (count.size, 1))
    return np.asarray(rng.permuted(order, axis=1) < count[:, None])


def random_halves(
    kinds: Ids, ids: Ids, rows: int, rng: np.random.Generator
) -> npt.NDArray[np.bool_]:
    """Which items are in the first half, shape (rows, n).

    Clusters are halved whole, within each kind (such as the labels that they hold); of
    an odd number either half gets one more, by chance.

    Args:
        kinds: The kind of each cluster.
        ids: The cluster of each item, shape (n,).
        rows: How many splits.
        rng: Draws them.
    """
    chosen = np.zeros((rows, kinds.size), dtype=np.bool_)
    for kind in np.unique(kinds):
        members = np.flatnonzero(kinds == kind)
        half = (members.size + rng.integers(0, 2, rows)) // 2
        chosen[:, members] = random_places(members.size, half, rng)
    return chosen[:, ids]
