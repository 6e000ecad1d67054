"""The AUROC of many score vectors, each under a label vector, faster than by ranks."""

from typing import Any

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats._arrays import Floats
from inspect_awareness.stats.roc import RankedScores

Reals = npt.NDArray[np.floating[Any]]
"""Scores in the precision in which they were computed."""


def row_areas(scores: Reals, evaluation: npt.NDArray[np.bool_]) -> Floats:
    """AUROC of each row, exact with ties; -0 among the scores becomes 0.

    The label of an item is written into the last bit of its score, so that sorting the
    scores, which is several times faster than ranking them, carries the labels along:
    the area is (sum of the places of the set bits - n1 (n1 + 1) / 2) / (n1 n0). Where
    two neighbours of unlike labels differ in that bit alone (they tie, or nearly do),
    the whole row is ranked from its unchanged scores instead.

    Args:
        scores: Shape (rows, n), float32 or float64, finite.
        evaluation: Shape (n,), or (rows, n) if each row has labels of its own.

    Returns:
        Areas of shape (rows,); NaN where a class is empty.
    """
    labels = np.broadcast_to(evaluation, scores.shape)
    scores += 0.0  # -0 becomes 0: equal numbers have equal bits
    bits = np.dtype(np.int32 if scores.dtype == np.float32 else np.int64)
    last = bits.type(1)
    packed = (scores.view(bits) & ~last) | evaluation.astype(bits)
    packed.view(scores.dtype).sort(axis=1)
    sums = (packed & last).astype(np.float64) @ np.arange(1.0, scores.shape[1] + 1)
    # Neighbours that differ in the last bit alone.
    close = ((packed[:, 1:] ^ packed[:, :-1]) == last).any(axis=1)
    if close.any():
        ranks = RankedScores.of(scores[close]).ranks
        sums[close] = np.sum(ranks, axis=1, where=labels[close])
    n1 = labels.sum(axis=1)
    pairs = n1 * (scores.shape[1] - n1)
    with np.errstate(invalid="ignore", divide="ignore"):
        areas = np.where(pairs > 0, (sums - n1 * (n1 + 1) / 2) / pairs, np.nan)
    return np.asarray(areas, dtype=np.float64)
