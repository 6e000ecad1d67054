"""Newcombe's interval of an AUROC, from the area and the sizes of the classes."""

from math import nan, sqrt

from scipy.optimize import brentq
from scipy.stats import norm

from inspect_awareness.stats._estimate import Estimate
from inspect_awareness.stats._intervals import Interval

METHOD = "Newcombe method 5"


def newcombe_auroc(area: float, n1: int, n0: int, *, level: float = 0.95) -> Estimate:
    """The interval of an AUROC of which only the area and the counts are known.

    Newcombe's (2006) method 5: the ends are the t with |t - A| = z sqrt(V(t)),
    V(t) = t (1 - t) [1 + (N - 1) ((1 - t) / (2 - t) + t / (1 + t))] / (n1 n0),
    N = (n1 + n0) / 2. It holds its level where resampling fails: few positives, or
    classes that are separated completely.

    Args:
        area: The AUROC, such as a published one.
        n1: Evaluation (positive) items, each independent.
        n0: Deployment (negative) items.
        level: Nominal coverage.

    Raises:
        ValueError: The area is outside [0, 1], or a class is empty.

    References:
        Newcombe, Statistics in Medicine 25 (2006) 559.

    Example:
        >>> found = newcombe_auroc(0.7313686, 41, 72)
        >>> round(found.low, 4), round(found.high, 4)
        (0.6244, 0.814)
    """
    if not 0 <= area <= 1:
        raise ValueError(f"an AUROC lies in [0, 1], got {area}")
    if min(n1, n0) < 1:
        raise ValueError(f"each class needs an item, got {n1} and {n0}")
    found = newcombe(area, n1, n0, level)
    return Estimate(
        area, found.low, found.high, level, n1 + n0, n1 + n0, "sample", found.method
    )


def newcombe(area: float, n1: int, n0: int, level: float) -> Interval:
    """Newcombe's method 5: the areas t with |t - A| = z sqrt(V(t))."""
    if area != area:
        return Interval(nan, nan, "none", "the area is not defined")
    z = float(norm.ppf((1 + level) / 2))

    def excess(at: float) -> float:
        return abs(at - area) - z * sqrt(_variance(at, n1, n0))

    # The variance is 0 at both ends of the scale: look just inside them.
    bottom, top = 1e-12, 1 - 1e-7
    low = high = area
    if area > 0:
        near = min(area, top)
        low = float(brentq(excess, bottom, near)) if excess(bottom) > 0 else 0.0
    if area < 1:
        near = max(area, 1e-7)
        high = float(brentq(excess, near, 1 - 1e-12)) if excess(1 - 1e-12) > 0 else 1.0
    return Interval(low, high, METHOD)


def _variance(area: float, n1: int, n0: int) -> float:
    """A (1-A) [1 + (N-1) ((1-A)/(2-A) + A/(1+A))] / (n1 n0), N = (n1 + n0) / 2."""
    spread = (1 - area) / (2 - area) + area / (1 + area)
    inner = 1 + ((n1 + n0) / 2 - 1) * spread
    return float(area * (1 - area) * inner / (n1 * n0))
