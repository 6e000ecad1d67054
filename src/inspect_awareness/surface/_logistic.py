"""Logistic regression with a ridge penalty, for many label vectors at once."""

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from inspect_awareness.stats._arrays import Floats

Labels = npt.NDArray[np.bool_]

PENALTY = 10.0
"""C: minimised is C times the sum of log-losses, plus half the squared weights."""

_STEPS = 2_000
_CLOSE = 1e-4


def log_odds(products: Floats, training: Labels, labels: Labels) -> Floats:
    """Log-odds of evaluation for all items, from a fit to those for training.

    Minimises C sum log(1 + exp(-y f)) + |w|^2 / 2 over weights w and an intercept that
    is not penalised, for each label vector. The curvature of the log-loss is at most
    1/4, so that a ridge regression on f + 4 (y - p) bounds it from above at each step
    (Böhning and Lindsay 1988); its matrix is the same for all label vectors and all
    steps, and is decomposed once. Steps are extrapolated (Nesterov 1983). The training
    items' own log-odds of the classes are taken off, as if these were of one size: a
    fold with more evaluations then says nothing about those that it has not seen.

    Args:
        products: Inner products of all n items with the m for training, shape (n, m).
        training: Which items these are, shape (n,).
        labels: A label vector a row, shape (draws, n); only training items' are used.

    Returns:
        Shape (draws, n); 0 where a label vector has one class in training.

    References:
        Böhning and Lindsay, Annals of the Institute of Statistical Mathematics 40
        (1988) 641.
    """
    y = labels[:, training].T.astype(np.float64)
    share = y.mean(axis=0)
    varied = (share > 0) & (share < 1)
    centre = products[training].mean(axis=0)
    centred = products - centre - products.mean(axis=1, keepdims=True) + centre.mean()
    found = np.zeros((labels.shape[0], training.size))
    if varied.any():
        dual, intercept = _fitted(centred[training], y[:, varied])
        odds = np.log(share[varied] / (1 - share[varied]))
        found[varied] = (centred @ dual + intercept - odds).T
    return found


def _fitted(products: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Dual weights C (y - p) and intercepts at the minimum, a column a label vector."""
    values, vectors = np.linalg.eigh(products)
    kept = values > 1e-10 * max(float(values[-1]), 1.0)
    shrunk = values[kept] / (values[kept] + 4 / PENALTY)
    vectors = vectors[:, kept]
    fit = look = np.tile(np.log(y.mean(axis=0) / (1 - y.mean(axis=0))), (len(y), 1))
    speed = 1.0
    for _ in range(_STEPS):
        target = look + 4 * (y - expit(look))
        new = vectors @ (shrunk[:, None] * (vectors.T @ target)) + target.mean(axis=0)
        change = np.abs(new - fit).max()
        faster = (1 + np.sqrt(1 + 4 * speed**2)) / 2
        look = new + (speed - 1) / faster * (new - fit)
        fit, speed = new, faster
        if change < _CLOSE:
            break
    return PENALTY * (y - expit(fit)), fit.mean(axis=0)
