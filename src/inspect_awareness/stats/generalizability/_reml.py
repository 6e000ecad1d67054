"""REML for any crossed, nested, unbalanced or incomplete design."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.linalg import cho_factor, cho_solve, cholesky, solve_triangular
from scipy.linalg.lapack import dpotri
from scipy.sparse import csr_array, hstack

from inspect_awareness.stats._arrays import Floats, Ids
from inspect_awareness.stats.generalizability._reml_core import (
    LEAST_SQUARES,
    Fit,
    least,
    profiled,
)

SMALL = 20_000
"""Up to this many entries a full matrix is faster than a sparse one."""


@dataclass(frozen=True)
class Products:
    """Cross-products of the data; values themselves are not needed any more.

    The factor with most levels is set apart: Z_g'Z_g is diagonal, so it is eliminated
    analytically, and only the other factors' matrix is decomposed.
    """

    counts: Floats
    """n of each level of the large factor."""

    large: Floats | csr_array
    """Z_g'[Z_o X y], shape (levels of g, q + p + 1); sparse unless it is small, since a
    level meets few levels of other factors."""

    other: Floats
    """[Z_o X y]'[Z_o X y]."""

    factor: npt.NDArray[np.int64]
    """Which of the other factors each column of Z_o belongs to."""

    sizes: tuple[int, int, int]
    """n, number of columns of Z_o, number of columns of X."""


def _products(y: Floats, fixed: Floats, factors: Sequence[Ids]) -> Products:
    """Sums over the values that the likelihood needs; the last factor is set apart."""
    others, big = factors[:-1], factors[-1]
    data = np.column_stack([fixed, y])
    levels = int(big.max()) + 1
    met = [
        csr_array((np.ones(y.size), (big, ids)), shape=(levels, int(ids.max()) + 1))
        for ids in others
    ]
    blocks = [[_shared(a, b) for b in others] + [_sums(a, data)] for a in others]
    last = np.concatenate([row[-1] for row in blocks], axis=0).T if others else None
    bottom = data.T @ data if last is None else np.hstack([last, data.T @ data])
    other = np.vstack([np.hstack(row) for row in blocks] + [bottom])
    widths = [int(ids.max()) + 1 for ids in others]
    large = csr_array(hstack([*met, csr_array(_sums(big, data))]))
    return Products(
        np.bincount(big).astype(np.float64),
        large if np.prod(large.shape) > SMALL else large.toarray(),
        other,
        np.repeat(np.arange(len(others)), widths),
        (y.size, sum(widths), fixed.shape[1]),
    )


def _shared(a: Ids, b: Ids) -> Floats:
    """How many values two levels share, shape (levels of a, levels of b)."""
    shape = int(a.max()) + 1, int(b.max()) + 1
    counts = np.bincount(a * shape[1] + b, minlength=shape[0] * shape[1])
    return np.asarray(counts.reshape(shape), dtype=np.float64)


def _sums(ids: Ids, data: Floats) -> Floats:
    """Sums of columns over the values of each level, shape (levels, columns)."""
    sums = [np.bincount(ids, weights=column) for column in data.T]
    return np.asarray(np.stack(sums, axis=1), dtype=np.float64)


@dataclass(frozen=True)
class Pieces:
    """What H^-1 makes of the cross-products, at some ratios."""

    m: Floats
    """[Z_o X y]'H_0^-1 [Z_o X y]."""

    lower: Floats
    """L, with L L' = I + D M D."""

    d: Floats
    """D."""

    c: Floats
    """L^-1 D Z_o'H_0^-1 [Z_o X y]."""

    shrunk: Floats
    """1 / (1 + r n), for each level of the large factor."""

    logs: float
    """log|H|."""

    xy: Floats
    """[X y]'H^-1 [X y]."""

    def beta(self) -> Floats:
        """(X'H^-1 X)^-1 X'H^-1 y."""
        solved = cho_solve(cho_factor(self.xy[:-1, :-1]), self.xy[:-1, -1])
        return np.asarray(solved, dtype=np.float64)


def _weighted(large: Floats | csr_array, weights: Floats) -> Floats:
    """W'Z_g diag(weights) Z_g'W."""
    if isinstance(large, np.ndarray):
        return np.asarray(large.T @ (weights[:, None] * large), dtype=np.float64)
    scaled = large.multiply(weights[:, None])
    return np.asarray((large.T @ scaled).toarray(), dtype=np.float64)


def _pieces(p: Products, ratios: Floats) -> Pieces:
    """Solve with H = I + sum r_k Z_k Z_k' without forming it; the large factor is last.

    H = H_0 + Z_o D^2 Z_o' and H_0 = I + r_g Z_g Z_g':
    W'H_0^-1 W = W'W - W'Z_g diag(r / (1 + r n)) Z_g'W, |H_0| = prod(1 + r n), and
    H^-1 = H_0^-1 - H_0^-1 Z_o D (I + D M D)^-1 D Z_o' H_0^-1 with M = Z_o'H_0^-1 Z_o.
    """
    q = p.sizes[1]
    r = float(ratios[-1])
    shrunk = 1 / (1 + r * p.counts)
    m = p.other - _weighted(p.large, r * shrunk)
    d = np.sqrt(ratios[:-1])[p.factor]
    lower = cholesky(np.eye(q) + d[:, None] * m[:q, :q] * d, lower=True)
    c = solve_triangular(lower, d[:, None] * m[:q], lower=True, check_finite=False)
    head = c[:, q:]
    logs = float(2 * np.log(np.diag(lower)).sum() - np.log(shrunk).sum())
    return Pieces(m, lower, d, c, shrunk, logs, m[q:, q:] - head.T @ head)


def _criterion(p: Products, ratios: Floats) -> tuple[float, Floats, float]:
    """-2 log L_R at ratios (the large factor last), its gradient, and s_e.

    Its slope in r_k is tr(Z_k'P Z_k) - |Z_k'P y|^2 / s_e, with P = H^-1 - H^-1 X
    (X'H^-1 X)^-1 X'H^-1.
    """
    n, q, x = p.sizes
    at = _pieces(p, ratios)
    beta, factored = at.beta(), cho_factor(at.xy[:x, :x])
    quadratic = max(float(at.xy[-1, -1] - at.xy[:x, -1] @ beta), LEAST_SQUARES)
    residual = quadratic / (n - x)
    own, head = at.c[:, :q], at.c[:, q:]
    # tr(B D (I + D M D)^-1 D B') with B = Z_g'H_0^-1 Z_o, by its small side
    square = _weighted(p.large, at.shrunk**2)[:q, :q]
    inverse = np.tril(dpotri(at.lower, lower=1)[0]) if q else at.lower
    inverse = inverse + np.tril(inverse, -1).T
    taken_big = float(np.sum(inverse * (at.d[:, None] * square * at.d)))
    traces = np.concatenate(
        [np.diag(at.m)[:q] - np.einsum("ij,ij->j", own, own), p.counts * at.shrunk]
    )
    # Z'H^-1 [X y], rows Z_o then Z_g
    solved = at.d[:, None] * solve_triangular(at.lower, head, lower=True, trans="T")
    seen = p.large[:, q:] - p.large[:, :q] @ solved
    zxy = np.concatenate([at.m[:q, q:] - own.T @ head, at.shrunk[:, None] * seen])
    zx, zp = zxy[:, :x], zxy[:, -1] - zxy[:, :x] @ beta
    taken = np.einsum("ij,ji->i", zx, cho_solve(factored, zx.T))
    which = np.concatenate([p.factor, np.full(p.counts.size, ratios.size - 1)])
    slope = traces - taken - zp**2 / residual
    gradient = np.bincount(which, weights=slope, minlength=ratios.size)
    gradient[-1] -= taken_big
    logs = at.logs + float(2 * np.log(np.diag(factored[0])).sum())
    value = profiled(n - x, quadratic, logs)
    return value, np.asarray(gradient, dtype=np.float64), residual


@dataclass(frozen=True)
class Weighted:
    """Generalized least squares at given ratios."""

    beta: Floats
    """Fixed effects, shape (p,)."""

    unscaled: Floats
    """(X'H^-1 X)^-1; times the residual variance it is their covariance."""

    criterion: float
    """-2 log L_R with the residual variance profiled out."""

    residual: float
    """The residual variance that it is profiled at."""


class MixedModel:
    """y = X b + sum Z_k u_k + e, held as cross-products."""

    def __init__(self, y: Floats, fixed: Floats, factors: Sequence[Ids]) -> None:
        sizes = [int(ids.max()) + 1 for ids in factors]
        large = int(np.argmax(sizes))
        self._order = [k for k in range(len(factors)) if k != large] + [large]
        self._products = _products(y, fixed, [factors[k] for k in self._order])
        self.freedom = y.size - fixed.shape[1]

    def fit(self, start: Floats) -> Fit:
        """The ratios s_k / s_e that maximise the restricted likelihood."""
        return least(self._profile, start)

    def at(self, ratios: Floats) -> Weighted:
        """Fixed effects at given ratios."""
        pieces = _pieces(self._products, ratios[self._order])
        value, _, residual = _criterion(self._products, ratios[self._order])
        inverse = np.asarray(np.linalg.inv(pieces.xy[:-1, :-1]), dtype=np.float64)
        return Weighted(pieces.beta(), inverse, value, residual)

    def _profile(self, ratios: Floats) -> tuple[float, Floats, float]:
        """The criterion in the caller's order of factors."""
        value, gradient, residual = _criterion(self._products, ratios[self._order])
        back = np.empty_like(gradient)
        back[self._order] = gradient
        return value, back, residual
