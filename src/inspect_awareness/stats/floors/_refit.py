"""What fitting a direction to its own items buys: fitted again to permuted labels."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats._arrays import Floats
from inspect_awareness.stats._intervals import Clusters
from inspect_awareness.stats._permuted import permuted_labels
from inspect_awareness.stats.floors._contrast import centred, checked_finite
from inspect_awareness.stats.floors._floor import Floor, checked_draws, floor_of, peaks
from inspect_awareness.stats.floors._row_areas import row_areas

ANSWERS = "what fitting a direction to the scored items buys"


def permuted_refit_floor(
    activations: Iterable[npt.ArrayLike],
    evaluation: npt.ArrayLike,
    *,
    draws: int,
    rng: np.random.Generator,
    clusters: Clusters | None = None,
    fold: bool = True,
    level: float = 0.95,
) -> Floor:
    """The peak over layers of a difference of means scored on its own items.

    In the data d_l = mean of evaluation items - mean of deployment items, and the same
    items are scored a . d_l against the same labels: with fewer items than dimensions
    the area is near 1 for labels that mean nothing. In each draw the labels are
    permuted once, the direction is formed from the permuted labels and scored against
    them, so that the draws are fitted as closely as the data are. With the n x n
    products A_l A_l' no direction is ever formed.

    Args:
        activations: For each layer the items, shape (n, width): an array of shape
            (layers, n, width), or a generator of layers.
        evaluation: Whether each item is labelled evaluation, shape (n,).
        draws: How many permutations.
        rng: Permutes.
        clusters: The cluster (source) of each item, as in `permuted_labels`.
        fold: Count areas below 1/2 as much as those above.
        level: Which quantile of the draws to state.

    Returns:
        The floor with the observed in-sample peak. NaN where one label has no item.

    Raises:
        ValueError: A label is neither 0 nor 1, shapes do not match, a value is not
            finite, or there is no layer.

    References:
        Ojala and Garriga, Journal of Machine Learning Research 11 (2010) 1833.

    Example:
        >>> import numpy as np
        >>> rng = np.random.default_rng(0)
        >>> items, labels = rng.normal(size=(3, 40, 64)), np.arange(40) % 2
        >>> found = permuted_refit_floor(items, labels, draws=200, rng=rng)
        >>> found.observed > 0.45, found.p > 0.05
        (True, True)
    """
    checked_draws(draws, level)
    moved = permuted_labels(evaluation, clusters, draws=draws, rng=rng)
    real = np.asarray(evaluation, dtype=np.bool_)
    labels = np.concatenate([real[None], moved.labels])
    weights = _contrasts(labels)
    areas: list[Floats] = []
    for layer in activations:
        items = checked_finite(centred(layer, "activations"), len(areas))
        if len(items) != real.size:
            raise ValueError(
                f"{real.size} labels for {len(items)} items of layer {len(areas)}: one "
                "each is needed"
            )
        scores = weights.astype(items.dtype) @ (items @ items.T)
        areas.append(row_areas(scores, labels))
    if not areas:
        raise ValueError("activations hold no layer: one or more are needed")
    found = peaks(np.stack(areas, axis=1), fold=fold)
    return floor_of(
        found[1:],
        float(found[0]),
        kind=f"labels of contrast and scoring permuted ({moved.moved}): {ANSWERS}",
        level=level,
        note=moved.note,
    )


def _contrasts(labels: npt.NDArray[np.bool_]) -> Floats:
    """1 / n1 for evaluation items, -1 / n0 for the others, in each row."""
    n1 = labels.sum(axis=1, keepdims=True)
    n0 = labels.shape[1] - n1
    weights = np.where(labels, 1 / np.maximum(n1, 1), -1 / np.maximum(n0, 1))
    return np.asarray(weights, dtype=np.float64)
