"""What a direction from nowhere scores: isotropic vectors, alike from layer to layer."""

from collections.abc import Iterable
from math import nan

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats._arrays import Floats
from inspect_awareness.stats.floors._contrast import centred, checked_finite
from inspect_awareness.stats.floors._floor import Floor, checked_draws, floor_of, peaks
from inspect_awareness.stats.floors._row_areas import Reals, row_areas
from inspect_awareness.stats.roc._ranked import label_rows

ANSWERS = "what any direction scores on these items"


def layer_persistence(directions: npt.ArrayLike) -> float:
    """Mean |cos(d_l, d_(l+1))|: how far a direction keeps from layer to layer.

    A layer whose direction is 0, as the embedding often has, is left out, with the
    pairs that it is part of.

    Args:
        directions: One direction for each layer, shape (layers, width).

    Returns:
        The mean over pairs of neighbouring layers; NaN without such a pair.

    Raises:
        ValueError: Not a matrix, or a value that is not finite.

    Example:
        >>> layer_persistence([[0, 0], [1, 0], [1, 1], [0, -2]])  # 45 degrees, twice
        0.7071067811865475
    """
    matrix = np.asarray(directions, dtype=np.float64)
    if matrix.ndim != 2 or not np.isfinite(matrix).all():
        raise ValueError(
            f"directions need finite values of shape (layers, width), got {matrix.shape}"
        )
    length = np.sqrt(np.einsum("lw,lw->l", matrix, matrix))
    products = np.abs(np.einsum("lw,lw->l", matrix[1:], matrix[:-1]))
    scale = length[1:] * length[:-1]
    known = scale > 0
    return float(np.mean(products[known] / scale[known])) if known.any() else nan


def isotropic_floor(
    activations: Iterable[npt.ArrayLike],
    evaluation: npt.ArrayLike,
    *,
    persistence: float,
    draws: int,
    rng: np.random.Generator,
    observed: float = nan,
    fold: bool = True,
    level: float = 0.95,
) -> Floor:
    """The peak over layers of random directions, as persistent as a real one.

    d_0 ~ N(0, I), d_l = rho d_(l-1) + sqrt(1 - rho^2) e_l with e_l ~ N(0, I): each d_l
    is isotropic, neighbours have cosine rho on average, and layers k apart rho^k. Their
    lengths do not matter to areas. The two ends are bounds of the family: rho = 1 is
    one vector at all layers (fewest effective tries, usually the lower floor), rho = 0
    a new one at each layer (most tries). Real directions mostly decorrelate slower
    than rho^k at long lags, so that the floor errs high: prefer
    `permuted_construction_floor` where the contrast is at hand.

    The draws are projected directly, A_l d_l: the law over layers couples spaces of
    different layers, and no reduction to the items is exact unless rho = 0.

    Args:
        activations: For each layer the scored items, shape (items, width): an array
            of shape (layers, items, width), or a generator of layers.
        evaluation: Whether each scored item is labelled evaluation, shape (items,).
        persistence: rho in [0, 1], as `layer_persistence` gives it.
        draws: How many sequences of directions.
        rng: Draws them.
        observed: The peak of the real direction, with the same fold.
        fold: Count areas below 1/2 as much as those above.
        level: Which quantile of the draws to state.

    Returns:
        The floor; z and p are NaN where no peak was given.

    Raises:
        ValueError: rho is outside [0, 1], labels do not fit, a value is not finite, or
            the width changes between layers while rho > 0.

    Example:
        >>> import numpy as np
        >>> rng = np.random.default_rng(0)
        >>> items, labels = np.tile(rng.normal(size=(40, 8)), (5, 1, 1)), np.arange(40) % 2
        >>> low, high = (
        ...     isotropic_floor(items, labels, persistence=rho, draws=500, rng=rng).mean
        ...     for rho in (1.0, 0.0)
        ... )
        >>> low < high
        True
    """
    checked_draws(draws, level)
    if not 0 <= persistence <= 1:
        raise ValueError(f"persistence must be in [0, 1], got {persistence}")
    values: list[Floats] = []
    current: Reals | None = None
    for layer in activations:
        items = checked_finite(centred(layer, "activations"), len(values))
        labels = label_rows(evaluation, len(items))
        current = _next(current, items, persistence, draws, rng)
        values.append(row_areas(current @ items.T, labels))
    if not values:
        raise ValueError("activations hold no layer: one or more are needed")
    return floor_of(
        peaks(np.stack(values, axis=1), fold=fold),
        observed,
        kind=f"isotropic directions, {_words(persistence)}: {ANSWERS}",
        level=level,
    )


def _next(
    before: Reals | None,
    items: Reals,
    persistence: float,
    draws: int,
    rng: np.random.Generator,
) -> Reals:
    """Rho times the last, sqrt(1 - rho^2) times a new one, in the items' precision."""
    width = items.shape[1]
    if before is not None and persistence and before.shape[1] != width:
        raise ValueError(
            f"the width changes from {before.shape[1]} to {width} between layers: no "
            "direction persists there; use persistence=0"
        )
    if before is not None and persistence == 1:
        return before
    dtype = np.float32 if items.dtype == np.float32 else np.float64
    fresh = rng.standard_normal((draws, width), dtype=dtype)
    if before is None or persistence == 0:
        return fresh
    return np.asarray(
        dtype(persistence) * before + dtype((1 - persistence**2) ** 0.5) * fresh
    )


def _words(persistence: float) -> str:
    """Which of the family."""
    if persistence == 1:
        return "one for all layers"
    if persistence == 0:
        return "one for each layer"
    return f"AR(1) over layers with rho = {persistence:.3f}"
