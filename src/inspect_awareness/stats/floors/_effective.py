"""How many independent layers a number of correlated ones is worth."""

from math import nan

import numpy as np
import numpy.typing as npt
from scipy.linalg import toeplitz

from inspect_awareness.stats._arrays import Floats, finite_vector

MOST = 0.95
"""The published formula caps the correlation of neighbouring layers here."""


def effective_layers(correlation: npt.ArrayLike) -> float:
    """Li and Ji's effective number of independent layers.

    L_eff = sum over eigenvalues e of 1[e >= 1] + (e - floor(e)): a layer of its own
    counts 1, k identical ones count 1 together.

    Args:
        correlation: Correlation matrix of the layers' areas under the null, shape
            (layers, layers), such as `RankedScores.null_correlation`.

    Returns:
        L_eff, from 1 to the number of layers.

    Raises:
        ValueError: Not a square symmetric matrix of finite values with ones on its
            diagonal.

    References:
        Li and Ji, Heredity 95 (2005) 221.

    Example:
        >>> effective_layers([[1, 1, 0], [1, 1, 0], [0, 0, 1]])
        2.0
    """
    matrix = np.asarray(correlation, dtype=np.float64)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not matrix.size:
        raise ValueError(f"a correlation matrix is square, got shape {matrix.shape}")
    if not np.allclose(np.diag(matrix), 1) or not np.allclose(matrix, matrix.T):
        raise ValueError(
            "a correlation matrix is symmetric with ones on its diagonal; leave out "
            "layers that give every item one score"
        )
    # Rounding must not take a whole eigenvalue, such as 3, to just below it.
    values = np.round(np.clip(np.linalg.eigvalsh(matrix), 0, None), 9)
    return float(max(1.0, np.sum((values >= 1) + values - np.floor(values))))


def lag_one(curve: npt.ArrayLike) -> float:
    """Correlation of a curve over layers with itself one layer on.

    Args:
        curve: One value a layer, shape (layers,).

    Returns:
        Pearson's r of curve[:-1] and curve[1:], not clipped; NaN for fewer than 3
        layers or where either is constant.

    Raises:
        ValueError: A value is not finite.
    """
    values = finite_vector(curve, "curve")
    if values.size < 3 or not np.ptp(values[1:]) or not np.ptp(values[:-1]):
        return nan
    return float(np.corrcoef(values[:-1], values[1:])[0, 1])


def lag_one_layers(layers: int, r: float) -> float:
    """L (1 - r) / (1 + r), with r clipped to [0, .95]: the published formula."""
    clipped = min(max(r, 0.0), MOST)
    return layers * (1 - clipped) / (1 + clipped)


def persistent_correlation(layers: int, r: float) -> Floats:
    """The matrix r^|i - j|, with r clipped to [0, .95]."""
    clipped = min(max(r, 0.0), MOST)
    return np.asarray(toeplitz(clipped ** np.arange(layers)), dtype=np.float64)
