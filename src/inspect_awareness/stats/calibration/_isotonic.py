"""Isotonic calibration: the best non-decreasing map from a score to a probability."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.optimize import isotonic_regression

from inspect_awareness.stats._arrays import Floats, finite_vector
from inspect_awareness.stats.calibration._inputs import both_classes


@dataclass(frozen=True, eq=False)
class IsotonicScaling:
    """A non-decreasing curve through knots, straight between them and flat beyond."""

    knots: Floats
    """Scores at which the curve is fixed, ascending, shape (k,)."""

    values: Floats
    """The probability at each knot, non-decreasing, shape (k,)."""

    n: int
    """How many items it was fitted on."""

    base_rate: float
    """Share of evaluation items among them, for which the probabilities hold."""

    note: str = ""
    """What a reader must know."""

    def apply(self, scores: npt.ArrayLike) -> Floats:
        """The probability that belongs to each score, shape (n,).

        Between two knots it is interpolated on a straight line; below the first and
        above the last knot it is the value there.

        Raises:
            ValueError: A score is NaN or infinite.
        """
        x = finite_vector(scores, "scores")
        return np.asarray(np.interp(x, self.knots, self.values), dtype=np.float64)


def fit_isotonic(scores: npt.ArrayLike, evaluation: npt.ArrayLike) -> IsotonicScaling:
    """Fit the non-decreasing map of least squares to labels.

    Items with one score are pooled first, so that a score has one probability. The
    knots that lie inside a flat stretch are left out: they change nothing.

    Args:
        scores: Score of each item, shape (n,).
        evaluation: 1 for evaluation, 0 for deployment, shape (n,).

    Returns:
        The frozen curve. It may reach 0 and 1, which claim certainty from few items.

    Raises:
        ValueError: One label only, a label other than 0 and 1, a score that is not
            finite, or unequal lengths.

    References:
        Zadrozny and Elkan, KDD (2002) 694. Best and Chakravarti, Mathematical
        Programming 47 (1990) 425, on pooling adjacent violators.

    Example:
        >>> curve = fit_isotonic([1, 2, 3, 4], [0, 1, 0, 1])
        >>> curve.apply([0, 1, 1.5, 2, 3, 4]).tolist()
        [0.0, 0.0, 0.25, 0.5, 0.5, 1.0]
    """
    x, y = both_classes(scores, evaluation)
    knots, values = pooled_fit(x, y)
    flat = np.diff(values) == 0
    inside = np.concatenate([[False], flat]) & np.concatenate([flat, [False]])
    note = "" if values[0] < values[-1] else "no higher score goes with evaluation"
    base_rate = float(y.mean())
    return IsotonicScaling(knots[~inside], values[~inside], y.size, base_rate, note)


def pooled_fit(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Distinct scores, and the isotonic regression of the labels at each."""
    knots, place, count = np.unique(x, return_inverse=True, return_counts=True)
    means = np.bincount(place, weights=y) / count
    fitted = isotonic_regression(means, weights=count.astype(np.float64)).x
    return knots, np.asarray(np.clip(fitted, 0, 1), dtype=np.float64)
