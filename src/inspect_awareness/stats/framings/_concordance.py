"""Kendall's W: whether raters, or wordings, put objects in one order."""

from dataclasses import dataclass
from math import nan

import numpy as np
import numpy.typing as npt
from scipy.stats import chi2, rankdata

from inspect_awareness.stats._arrays import Floats

CHUNK = 2_000_000
"""How many ranks are permuted at once: about 16 MB."""


@dataclass(frozen=True)
class Concordance:
    """Kendall's coefficient of concordance, with what chance alone would give."""

    w: float
    """W in [0, 1], corrected for ties; NaN where every rater ties every object."""

    uncorrected: float
    """W without the correction; the same if there are no ties."""

    expected: float
    """E[W] = 1 / m if the order is chance."""

    mean_spearman: float
    """(m W - 1) / (m - 1): the mean rank correlation over pairs of raters."""

    p: float
    """Share of permutations, the data among them, with a W at least as large."""

    p_chi_square: float
    """From chi-square = m (n - 1) W on n - 1 degrees of freedom; for large m."""

    chi_square: float
    """m (n - 1) W."""

    raters: int
    """m."""

    objects: int
    """n."""

    draws: int
    """How many permutations."""

    note: str = ""
    """What a reader must know."""


def kendall_w(
    values: npt.ArrayLike, *, rng: np.random.Generator, draws: int = 20_000
) -> Concordance:
    """Kendall's W of m raters over n objects, with a permutation p.

    With the sum R_j of the ranks of object j and S = sum (R_j - mean)^2,
    W = 12 S / (m^2 (n^3 - n) - m T), T = sum over raters and ties of t^3 - t. Under the
    null each rater's order is random; p = (1 + #{S* >= S}) / (1 + draws).

    Args:
        values: Scores or ranks, shape (m, n): a row for each rater (wording, judge), a
            column for each object (model). Only the order within a row matters.
        rng: Permutes within rows.
        draws: How many permutations.

    Returns:
        W with its reference values.

    Raises:
        ValueError: Not a matrix, fewer than 2 raters or 2 objects, or a NaN: W needs
            every rater on every object.

    References:
        Kendall and Babington Smith (1939); Siegel and Castellan (1988), section 9.6.

    Example:
        >>> import numpy as np
        >>> rng = np.random.default_rng(0)
        >>> kendall_w([[1, 2, 3], [10, 20, 30]], rng=rng, draws=100).w
        1.0
    """
    ranks = _ranks(values)
    m, n = ranks.shape
    ties = _ties(ranks)
    s = float(np.sum((ranks.sum(axis=0) - m * (n + 1) / 2) ** 2))
    most = m**2 * (n**3 - n)
    if most == m * ties:
        return _undefined(m, n)
    w = 12 * s / (most - m * ties)
    larger = _larger(ranks, s, rng, draws)
    statistic = m * (n - 1) * w
    return Concordance(
        w,
        12 * s / most,
        1 / m,
        (m * w - 1) / (m - 1),
        (1 + larger) / (1 + draws),
        float(chi2.sf(statistic, n - 1)),
        statistic,
        m,
        n,
        draws,
    )


def _ranks(values: npt.ArrayLike) -> Floats:
    """Average ranks within rows of a checked matrix."""
    matrix = np.asarray(values, dtype=np.float64)
    if matrix.ndim != 2 or min(matrix.shape) < 2:
        raise ValueError(
            f"2 or more raters (rows) by 2 or more objects, got shape {matrix.shape}"
        )
    bad = int(np.isnan(matrix).sum())
    if bad:
        raise ValueError(
            f"{bad} of {matrix.size} values are NaN: W needs every rater on every "
            "object; leave out the raters or objects that are incomplete"
        )
    return np.asarray(rankdata(matrix, axis=1), dtype=np.float64)


def _ties(ranks: Floats) -> float:
    """T: the sum of t^3 - t over groups of t tied objects, over all raters.

    Each rank belongs to a group of t, and the group's t members share t^3 - t.
    """
    same = (ranks[:, :, None] == ranks[:, None, :]).sum(axis=2)
    return float(np.sum(same.astype(np.float64) ** 2 - 1))


def _larger(ranks: Floats, s: float, rng: np.random.Generator, draws: int) -> int:
    """How many permutations reach S, up to rounding."""
    m, n = ranks.shape
    halves = ranks.astype(np.float32)  # multiples of .5, exact in 32 bits
    found, step = 0, max(1, CHUNK // ranks.size)
    for start in range(0, draws, step):
        drawn_ranks = np.repeat(halves[None], min(step, draws - start), axis=0)
        sums = rng.permuted(drawn_ranks, axis=2, out=drawn_ranks).sum(axis=1)
        drawn = np.sum((sums - m * (n + 1) / 2) ** 2, axis=1)
        found += int(np.sum(drawn >= s * (1 - 1e-12) - 1e-9))
    return found


def _undefined(m: int, n: int) -> Concordance:
    """No rater tells any two objects apart."""
    note = "every rater ties every object: there is no order to agree on"
    return Concordance(nan, nan, 1 / m, nan, nan, nan, nan, m, n, 0, note)
