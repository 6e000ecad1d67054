"""Label vectors that chance could have given, moved as the design allows."""

from dataclasses import dataclass
from math import comb, factorial, prod

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats._arrays import Ids, matching_ids
from inspect_awareness.stats._intervals import Clusters

FEW_WAYS = 20
"""Below this many different label vectors no p-value can reach .05."""


@dataclass(frozen=True, eq=False)
class LabelDraws:
    """Permuted label vectors, and what they can tell."""

    labels: npt.NDArray[np.bool_]
    """Whether each item counts as evaluation, shape (draws, n)."""

    ways: float
    """How many different label vectors the permutation can give; the data are one."""

    moved: str
    """What was permuted."""

    note: str = ""
    """What a reader must know: that no permutation can differ, or very few."""


def permuted_labels(
    evaluation: npt.ArrayLike,
    clusters: Clusters | None = None,
    *,
    draws: int,
    rng: np.random.Generator,
) -> LabelDraws:
    """Permute labels as the design allows: whole sources, or items within a source.

    Where the items of a cluster share one label, as the transcripts of a benchmark do,
    they are no independent draws of it: the labels of whole clusters are permuted
    among these clusters, so that the class sizes change where clusters differ in size.
    Within a cluster that holds both labels, its items' labels are permuted. Without
    clusters, items are permuted.

    Args:
        evaluation: Whether each item is labelled evaluation, shape (n,).
        clusters: The cluster (source) of each item.
        draws: How many label vectors.
        rng: Draws them.

    Returns:
        The label vectors, with how many there could be.

    Raises:
        ValueError: A label is neither 0 nor 1, or the lengths differ.
    """
    labels = np.asarray(evaluation)
    if labels.ndim != 1 or not np.isin(labels, (0, 1)).all():
        raise ValueError("labels must be a vector of 1 (evaluation) and 0 (deployment)")
    labels = labels.astype(np.bool_)
    n = labels.size
    ids = (
        np.zeros(n, np.int64)
        if clusters is None
        else matching_ids(clusters, n, "clusters")
    )
    size = np.bincount(ids)
    ones = np.bincount(ids, weights=labels).astype(np.int64)
    pure = (ones == 0) | (ones == size)
    ways = _ways(size, ones, pure)
    found = _moved_within(labels, ids, draws, rng)
    if pure.sum() > 1:
        _move_clusters(found, ones > 0, ids, np.flatnonzero(pure), rng)
    moved = "items" if clusters is None else _moved(pure)
    return LabelDraws(found, ways, moved, _note(ways))


def _ways(size: Ids, ones: Ids, pure: npt.NDArray[np.bool_]) -> float:
    """Choices among whole clusters, times choices within mixed ones."""
    whole = comb(int(pure.sum()), int((ones[pure] > 0).sum()))
    within = (
        comb(int(m), int(k)) for m, k in zip(size[~pure], ones[~pure], strict=True)
    )
    return float(min(whole * prod(within), factorial(170)))


def _moved_within(
    labels: npt.NDArray[np.bool_], ids: Ids, draws: int, rng: np.random.Generator
) -> npt.NDArray[np.bool_]:
    """Labels permuted within each cluster; those of pure clusters stay what they are."""
    order = np.argsort(ids, kind="stable")
    found = np.tile(labels, (draws, 1))
    for members in np.split(order, np.cumsum(np.bincount(ids))[:-1]):
        if 0 < labels[members].sum() < members.size:
            found[:, members] = rng.permuted(found[:, members], axis=1)
    return found


def _move_clusters(
    found: npt.NDArray[np.bool_],
    label_of: npt.NDArray[np.bool_],
    ids: Ids,
    pure: npt.NDArray[np.intp],
    rng: np.random.Generator,
) -> None:
    """Labels of whole clusters permuted among these, in place."""
    moved = rng.permuted(np.tile(label_of[pure], (found.shape[0], 1)), axis=1)
    place = np.full(label_of.size, -1)
    place[pure] = np.arange(pure.size)
    whole = np.flatnonzero(place[ids] >= 0)
    found[:, whole] = moved[:, place[ids[whole]]]


def _moved(pure: npt.NDArray[np.bool_]) -> str:
    """What was permuted, in words."""
    if pure.all():
        return "whole clusters"
    if pure.sum() > 1:
        return "whole clusters, and items within clusters of both labels"
    return "items within clusters"


def _note(ways: float) -> str:
    """What too few label vectors mean."""
    if ways <= 1:
        return "no permutation differs from the data: nothing can be said about chance"
    if ways < FEW_WAYS:
        return (
            f"only {ways:.0f} different label vectors: no p below {1 / ways:.2f} can "
            "be reached"
        )
    return ""
