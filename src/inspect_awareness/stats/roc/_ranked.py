"""Many AUROCs at once: scores are ranked once, label vectors are multiplied in."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.stats import rankdata

from inspect_awareness.stats._arrays import Floats

Labels = npt.NDArray[np.bool_]
"""Which items are labelled evaluation, as a vector or one row for each draw."""


@dataclass(frozen=True, eq=False)
class RankedScores:
    """Scores of n items by any number of instruments, as average ranks.

    The AUROC of every instrument under every label vector is then one matrix product,
    (Y R' - n1 (n1 + 1) / 2) / (n1 n0), exact with ties.
    """

    ranks: Floats
    """Average ranks within each instrument, shape (..., n)."""

    @classmethod
    def of(cls, scores: npt.ArrayLike) -> "RankedScores":
        """Rank scores of shape (..., n) along the last axis.

        Raises:
            ValueError: There is no item axis, or a score is NaN or infinite.
        """
        array = np.asarray(scores)
        if array.dtype.kind != "f":
            array = array.astype(np.float64)
        if array.ndim == 0 or not array.shape[-1]:
            raise ValueError(f"scores need a last axis of items, got {array.shape}")
        bad = int((~np.isfinite(array)).sum())
        if bad:
            raise ValueError(
                f"{bad} of {array.size} scores are NaN or infinite: leave out the "
                "items, or the instruments, that are incomplete"
            )
        return cls(_average_ranks(array))

    def areas(self, evaluation: npt.ArrayLike) -> Floats:
        """The AUROC of every instrument under one or many label vectors.

        Args:
            evaluation: Whether each item is labelled evaluation, shape (n,) or
                (draws, n).

        Returns:
            Areas of shape (...) or (draws, ...); NaN under a label vector with one
            class.

        Raises:
            ValueError: A label is neither 0 nor 1, or the shapes do not match.
        """
        labels = label_rows(evaluation, self.ranks.shape[-1])
        rows = np.atleast_2d(labels).astype(np.float64)
        n1 = rows.sum(axis=1)
        pairs = n1 * (rows.shape[1] - n1)
        flat = self.ranks.reshape(-1, self.ranks.shape[-1])
        sums = rows @ flat.T - (n1 * (n1 + 1) / 2)[:, None]
        with np.errstate(invalid="ignore", divide="ignore"):
            areas = np.where(pairs[:, None] > 0, sums / pairs[:, None], np.nan)
        shape = (*labels.shape[:-1], *self.ranks.shape[:-1])
        return np.asarray(areas.reshape(shape), dtype=np.float64)

    def null_correlation(self) -> Floats:
        """How the areas of instruments move together when labels are permuted.

        Under permutation of labels the correlation of two AUROCs is exactly Pearson's
        correlation of the two vectors of ranks. Shape (k, k) over the k instruments,
        flattened; NaN for an instrument that gives every item one score.
        """
        flat = self.ranks.reshape(-1, self.ranks.shape[-1])
        centred = flat - flat.mean(axis=1, keepdims=True)
        length = np.sqrt((centred**2).sum(axis=1))
        with np.errstate(invalid="ignore", divide="ignore"):
            unit = np.where(length[:, None] > 0, centred / length[:, None], np.nan)
        return np.asarray(unit @ unit.T, dtype=np.float64)


def aurocs(scores: npt.ArrayLike, evaluation: npt.ArrayLike) -> Floats:
    """The AUROC of many instruments, under one or many label vectors, with ties.

    Args:
        scores: Scores of n items, shape (..., n): (directions, layers, n), say.
        evaluation: Whether each item is labelled evaluation, shape (n,) or (draws, n).

    Returns:
        Areas of shape (...) or (draws, ...); NaN under a label vector with one class.

    Raises:
        ValueError: A score is NaN or infinite, a label neither 0 nor 1, or the shapes
            do not match.

    Example:
        >>> aurocs([[1, 2, 3, 4], [4, 3, 2, 2]], [0, 1, 0, 1]).tolist()
        [0.75, 0.375]
    """
    return RankedScores.of(scores).areas(evaluation)


def folded(areas: npt.ArrayLike) -> Floats:
    """|A - 1/2|: how far an area is from chance, on either side.

    Example:
        >>> folded([0.75, 0.125]).tolist()
        [0.25, 0.375]
    """
    return np.asarray(np.abs(np.asarray(areas, dtype=np.float64) - 0.5))


def signed(areas: npt.ArrayLike) -> Floats:
    """A - 1/2: how far an area is above chance.

    Example:
        >>> signed([0.75, 0.125]).tolist()
        [0.25, -0.375]
    """
    return np.asarray(np.asarray(areas, dtype=np.float64) - 0.5)


def label_rows(evaluation: npt.ArrayLike, items: int) -> Labels:
    """Labels as booleans, a vector or a matrix with a row for each draw."""
    labels = np.asarray(evaluation)
    if labels.ndim not in (1, 2) or labels.shape[-1] != items:
        raise ValueError(
            f"labels need shape ({items},) or (draws, {items}), got {labels.shape}"
        )
    if labels.dtype != np.bool_ and not np.isin(labels, (0, 1)).all():
        raise ValueError("labels must be 1 (evaluation) or 0 (deployment)")
    return np.asarray(labels, dtype=np.bool_)


def _average_ranks(array: npt.NDArray[np.floating]) -> Floats:
    """Average ranks along the last axis; plain ones, which are faster, without ties."""
    order = np.argsort(array, axis=-1)
    ordered = np.take_along_axis(array, order, axis=-1)
    if (ordered[..., 1:] == ordered[..., :-1]).any():
        return np.asarray(rankdata(array, axis=-1), dtype=np.float64)
    ranks = np.empty(array.shape, dtype=np.float64)
    places = np.broadcast_to(np.arange(1.0, array.shape[-1] + 1), array.shape)
    np.put_along_axis(ranks, order, places, axis=-1)
    return ranks
