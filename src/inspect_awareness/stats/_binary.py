"""Vectors of 0 and 1 in which some values are not known."""

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats._arrays import Floats


def binary_or_nan(values: npt.ArrayLike, name: str) -> Floats:
    """A vector of 0, 1 and NaN, NaN being a value that is not known.

    Raises:
        ValueError: It has more than one dimension, or holds another number.
    """
    vector = np.asarray(values, dtype=np.float64)
    if vector.ndim != 1:
        raise ValueError(f"{name} must be a vector, got {vector.ndim} dimensions")
    known = (vector == 0) | (vector == 1) | np.isnan(vector)
    if not known.all():
        raise ValueError(
            f"{name} must be 0, 1 or NaN (not known), got {vector[~known][0]:g}"
        )
    return vector
