"""Checked vectors: what every statistic of the package starts from."""

from collections.abc import Hashable, Sequence

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
"""A vector of numbers."""

Ids = npt.NDArray[np.int64]
"""A vector of integer ids, such as the cluster of each value."""


def finite_vector(values: npt.ArrayLike, name: str) -> Floats:
    """The values as a vector of floats.

    Raises:
        ValueError: It has more than one dimension, or a value is NaN or infinite.
    """
    vector = np.asarray(values, dtype=np.float64)
    if vector.ndim != 1:
        raise ValueError(f"{name} must be a vector, got {vector.ndim} dimensions")
    if not np.isfinite(vector).all():
        bad = int((~np.isfinite(vector)).sum())
        raise ValueError(
            f"{name} holds {bad} NaN or infinite of {vector.size} values: leave "
            "missing values out and report how many there were"
        )
    return vector


def codes(ids: Sequence[Hashable] | npt.NDArray[np.generic]) -> Ids:
    """Ids as integers 0, 1, ... in order of first appearance.

    Example:
        >>> codes(["b", "a", "b"]).tolist()
        [0, 1, 0]
    """
    seen: dict[Hashable, int] = {}
    return np.array([seen.setdefault(i, len(seen)) for i in _list(ids)], dtype=np.int64)


def matching_ids(
    ids: Sequence[Hashable] | npt.NDArray[np.generic], size: int, name: str
) -> Ids:
    """Ids as integers, one for each of `size` values.

    Raises:
        ValueError: There are more or fewer ids than values.
    """
    if len(ids) != size:
        raise ValueError(f"{len(ids)} {name} for {size} values: one each is needed")
    return codes(ids)


def _list(
    ids: Sequence[Hashable] | npt.NDArray[np.generic],
) -> Sequence[Hashable]:
    """Python values, which hash faster than numpy's."""
    return ids.tolist() if isinstance(ids, np.ndarray) else ids
