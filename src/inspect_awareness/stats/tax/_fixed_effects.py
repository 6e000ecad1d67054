"""Least squares with the small-sample variance of clusters, for several columns."""

import numpy as np

from inspect_awareness.stats._arrays import Floats, Ids
from inspect_awareness.stats.tax._intervals import MeanFit

WHOLE = 1e-9
"""How near to 1 the leverage of a cluster counts as 1."""


def cr2_fit(columns: Floats, y: Floats, clusters: Ids) -> tuple[MeanFit, ...]:
    """For each column its coefficient, CR2 standard error and degrees of freedom.

    With X = Q R, Q'Q = 1, S_g = Q_g'Q_g of cluster g and T_g = (1 - S_g)^(-1/2), the
    adjusted scores are T_g Q_g'e_g, since (1 - Q_g Q_g')^(-1/2) Q_g = Q_g T_g. For the
    coefficient l'b with a = R^-T l: se^2 = sum (a'T_g Q_g'e_g)^2. Under independent
    errors of one variance, with v_g = S_g T_g a, the quadratic form of se^2 is
    P_gg = a'T_g v_g - v_g'v_g, P_gh = -v_g'v_h, and nu = (sum P_gg)^2 / sum P_gh^2.

    A direction that one cluster alone determines (an eigenvalue 1 of S_g) is left out
    of T_g, as the Moore-Penrose inverse has it.

    Args:
        columns: X of full rank, shape (n, k), centred within fixed effects that lie in
            one cluster each, or without such effects.
        y: Shape (n,), centred alike.
        clusters: The cluster of each row.
    """
    q, r = np.linalg.qr(columns)
    coefficients = np.linalg.solve(r, q.T @ y)
    residuals = y - columns @ coefficients
    order = np.argsort(clusters, kind="stable")
    starts = np.flatnonzero(np.diff(clusters[order], prepend=-1))
    outer = q[order][:, :, None] * q[order][:, None, :]
    s = np.add.reduceat(outer, starts, axis=0)
    scores = np.add.reduceat((q * residuals[:, None])[order], starts, axis=0)
    told = np.trace(s, axis1=1, axis2=2) > WHOLE**2
    s, scores = s[told], scores[told]
    eigenvalues, vectors = np.linalg.eigh(s)
    left = 1 - eigenvalues
    power = np.where(left > WHOLE, 1 / np.sqrt(np.where(left > WHOLE, left, 1.0)), 0.0)
    adjust = (vectors * power[:, None, :]) @ np.swapaxes(vectors, 1, 2)
    contrasts = np.linalg.inv(r)
    # What is left of an exact fit is rounding.
    scores = np.where(np.sum(residuals**2) > 1e-24 * np.sum(y**2), scores, 0.0)
    return tuple(
        _fit(float(b), a, s, adjust, scores)
        for b, a in zip(coefficients, contrasts, strict=True)
    )


def _fit(b: float, a: Floats, s: Floats, adjust: Floats, scores: Floats) -> MeanFit:
    """One coefficient, by the contrast a of the columns of Q."""
    turned = adjust @ a
    v = np.einsum("gij,gj->gi", s, turned)
    se = float(np.sqrt(np.sum(np.einsum("gi,gi->g", turned, scores) ** 2)))
    own = np.einsum("gi,gi->g", v, v)
    diagonal = np.einsum("gi,gi->g", turned, v) - own
    products = v.T @ v
    squares = float(np.sum(products**2) - np.sum(own**2) + np.sum(diagonal**2))
    total = float(diagonal.sum())
    if total < WHOLE * float(a @ a) or not squares > 0:
        return MeanFit(b, float("nan"), float("nan"), 1)
    return MeanFit(b, se, total**2 / squares, scores.shape[0])
