"""Where a curve rises: the best split into a lower and a higher part."""

from dataclasses import dataclass
from math import factorial, nan

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats._arrays import Floats, finite_vector

FEW_POINTS = 6
"""The smallest p of T points is 1 / C(T, T // 2): .1 of 5, .05 of 6."""

TOO_SHORT = "fewer than 2 points: there is nothing that could rise"
CONSTANT = "every value is identical: the curve does not rise"
FALLING = "no split leaves the higher values behind the lower ones"
SHORT = f"fewer than {FEW_POINTS} points: no p of .05 or less is possible"

_TIE = 1e-12


@dataclass(frozen=True)
class Rise:
    """Where a curve rises, and how often chance would make it rise as clearly."""

    at: int | None
    """Index of the first value of the higher part; None where nothing rises."""

    before: float
    """Mean of the values before it."""

    after: float
    """Mean of the values from it on."""

    p: float
    """Share of the orders of the same values with a rise at least as clear."""

    n: int
    """How many values the curve has."""

    orders: int
    """How many orders were tried, the observed one among them."""

    exact: bool
    """Whether these are all orders that there are."""

    note: str = ""
    """What a reader must know: why there is no rise, or no small p."""

    @property
    def step(self) -> float:
        """How much higher the later part is; as the best of all splits, too large."""
        return self.after - self.before


def rise(
    values: npt.ArrayLike, *, rng: np.random.Generator, draws: int = 1_999
) -> Rise:
    """The clearest rise of a curve: two means, the second higher.

    Of all splits after s of T values, the one with the greatest
    S(s) = sqrt(s (T - s) / T) (mean after - mean before), which is the fit of two
    segments by least squares among those that rise (the first one, where several
    fit alike). Its p is the share of the orders of the same values whose greatest S
    is no smaller: over all T! orders where these are at most `draws` + 1, else over
    as many random ones and the observed one, (1 + hits) / (1 + draws). It stands for
    the search over all splits. It takes the values for exchangeable: of a curve that
    drifts smoothly up it is small too, and `at` is then a point in the middle of the
    drift.

    Args:
        values: The curve, a value a turn, shape (T,); leave missing turns out.
        rng: Draws the orders.
        draws: How many.

    Returns:
        The rise; without one, `at` is None and the means and p are NaN.

    Raises:
        ValueError: A value is NaN or infinite, or `draws` is below 1.

    References:
        Pettitt, Applied Statistics 28 (1979) 126, for the idea of testing the best
        split against orders of the same values; Ernst, Statistical Science 19
        (2004) 676, for the p from random orders.

    Example:
        >>> found = rise([0.1, 0.1, 0.8, 0.9], rng=np.random.default_rng(0))
        >>> found.at, round(found.step, 2), round(found.p, 3)
        (2, 0.75, 0.167)
    """
    x = finite_vector(values, "values")
    if draws < 1:
        raise ValueError(f"draws is {draws}: one order at least is needed")
    if x.size < 2:
        return _nothing(x.size, TOO_SHORT)
    if np.ptp(x) == 0:
        return _nothing(x.size, CONSTANT)
    observed = _clearness(x[None])[0]
    place = int(np.flatnonzero(observed >= observed.max() - _TIE)[0])
    if observed[place] <= _TIE:
        return _nothing(x.size, FALLING)
    exact = x.size <= 12 and factorial(x.size) <= draws + 1
    hits, orders = _hits(x, float(observed[place]), rng, draws, exact=exact)
    return Rise(
        place + 1,
        float(x[: place + 1].mean()),
        float(x[place + 1 :].mean()),
        hits / orders,
        x.size,
        orders,
        exact,
        SHORT if x.size < FEW_POINTS else "",
    )


def first_above(values: npt.ArrayLike, threshold: float) -> int | None:
    """Index of the first value above a threshold; None where none is.

    Args:
        values: The curve, shape (T,).
        threshold: What must be passed, such as a reference's 99th percentile.

    Raises:
        ValueError: A value is NaN or infinite.

    Example:
        >>> first_above([0.1, 0.6, 0.7], 0.5)
        1
    """
    above = np.flatnonzero(finite_vector(values, "values") > threshold)
    return int(above[0]) if above.size else None


def _clearness(curves: Floats) -> Floats:
    """S of every split of each curve, shape (curves, T - 1)."""
    count = curves.shape[1]
    before = np.cumsum(curves, axis=1)[:, :-1]
    total = curves.sum(axis=1, keepdims=True)
    s = np.arange(1, count)
    gap = (total - before) / (count - s) - before / s
    return np.asarray(np.sqrt(s * (count - s) / count) * gap, dtype=np.float64)


def _hits(
    x: Floats, observed: float, rng: np.random.Generator, draws: int, *, exact: bool
) -> tuple[int, int]:
    """Orders at least as clear as the observed one, itself included, and all tried."""
    if exact:
        curves = x[_orders(x.size)]
    else:
        curves = rng.permuted(np.tile(x, (draws, 1)), axis=1)
    clearest = _clearness(curves).max(axis=1)
    hits = int((clearest >= observed - _TIE).sum())
    return (hits, len(curves)) if exact else (hits + 1, draws + 1)


def _orders(n: int) -> npt.NDArray[np.int64]:
    """All orders of 0 to n - 1, shape (n!, n): each index put into every place."""
    found = np.zeros((1, 0), dtype=np.int64)
    for index in range(n):
        found = np.concatenate(
            [np.insert(found, place, index, axis=1) for place in range(index + 1)]
        )
    return found


def _nothing(n: int, note: str) -> Rise:
    """No rise, with the reason."""
    return Rise(None, nan, nan, nan, n, 0, exact=False, note=note)
