"""Pairs that scores order rightly, for many scores at once, exact with ties.

Scores are rounded to a grid of 1e-12, so that means of the same answers in another
order are tied whatever the rounding of their sums. A transcript without a score is
tied with every other.
"""

import numpy as np

from inspect_awareness.stats._arrays import Floats, Ids
from inspect_awareness.stats.roc._ranked import Labels

GRID = 1e12
"""Scores that round to the same multiple of one part of this are tied."""

ABOVE_ALL = 2.0
"""Where transcripts without a score are sorted."""

EXACT_IN_SINGLE = 4_000
"""Up to this many transcripts sums of ranks are exact in single precision."""


def wins(scores: Floats, labels: Labels) -> Floats:
    """Pairs won, ties as one half, of each row of scores.

    The label is put into the lowest bit of the score's place on the grid, so that one
    sort of plain numbers orders scores and labels together. Evaluation comes last in a
    tie and is counted as above it: half of the tied pairs are taken off again.

    Args:
        scores: Shape (rows, n); NaN for a transcript without a score.
        labels: Whether it is an evaluation transcript: shape (n,), or (rows, n) where
            each row has labels of its own.

    Returns:
        U = #{evaluation above deployment} + #{tied} / 2, shape (rows,).
    """
    complete = _complete(scores)
    keys = (scores if complete else _raised(scores)) * GRID
    np.rint(keys, out=keys)
    keys *= 2
    keys += labels.astype(np.float64)
    keys.sort(axis=1)
    whole = keys.astype(np.int64)
    positive = np.broadcast_to(labels.sum(axis=-1), scores.shape[:1])
    found = _sums_of_places(whole) - _tied_pairs(whole) / 2
    found -= positive * (positive + 1) / 2
    if complete:
        return found
    unscored = np.isnan(scores)
    lacking = (unscored & labels).sum(axis=1)
    return found - _excess(
        lacking, unscored.sum(axis=1), positive, scores.shape[1] - positive
    )


def wins_of_all(scores: Floats, labels: Labels) -> Floats:
    """Pairs won of each row of scores under each of many label vectors.

    Ranks do not depend on labels: U = Y R' - n1 (n1 + 1) / 2 for all at once.

    Args:
        scores: Shape (rows, n); NaN for a transcript without a score.
        labels: Shape (draws, n).

    Returns:
        Shape (draws, rows).
    """
    complete = _complete(scores)
    kind = np.dtype("f4" if scores.shape[1] <= EXACT_IN_SINGLE else "f8")
    ranks = _ranks(scores if complete else _raised(scores)).astype(kind)
    rows = labels.astype(kind)
    found = (rows @ ranks.T).astype(np.float64)
    positive = labels.sum(axis=1, keepdims=True)
    found -= positive * (positive + 1) / 2
    if complete:
        return found
    unscored = np.isnan(scores)
    lacking = (rows @ unscored.T.astype(kind)).astype(np.float64)
    return found - _excess(
        lacking, unscored.sum(axis=1), positive, labels.shape[1] - positive
    )


def pairs(labels: Labels) -> Floats:
    """Evaluation transcripts times deployment transcripts, along the last axis."""
    positive = labels.sum(axis=-1)
    return np.asarray(positive * (labels.shape[-1] - positive), dtype=np.float64)


def _complete(scores: Floats) -> bool:
    """Whether there is no NaN: the least of some numbers is NaN if any is."""
    return not (scores.size and np.isnan(scores.min()))


def _raised(scores: Floats) -> Floats:
    """Transcripts without a score above all others, in one tie."""
    return np.where(np.isnan(scores), ABOVE_ALL, scores)


def _excess(
    lacking: Floats | Ids, unscored: Ids, positive: Ids, negative: Ids
) -> Floats:
    """What ranking the unscored above all gives beyond a half for each of their pairs.

    With e and d of E evaluation and D deployment transcripts unscored,
    (e (D - d) - (E - e) d) / 2 = (e D - E d) / 2.
    """
    return np.asarray((lacking * negative - positive * (unscored - lacking)) / 2)


def _sums_of_places(keys: Ids) -> Floats:
    """For each row of sorted keys, the sum of the places of those with the bit."""
    places = np.arange(1.0, keys.shape[1] + 1)
    return np.asarray((keys & 1).astype(np.float64) @ places)


def _tied_pairs(keys: Ids) -> Floats:
    """For each row of sorted keys, pairs of both labels that share a score.

    Within a tie deployment comes first, so that a tie of both labels has one step
    between keys that differ in the last bit alone. With its d deployment transcripts
    before the step and e evaluation ones after it, it holds d e pairs.
    """
    rows, n = keys.shape
    step = keys[:, 1:] ^ keys[:, :-1]
    row, place = np.nonzero(step == 1)
    if not row.size:
        return np.zeros(rows)
    edges = np.ones((rows, n + 1), dtype=np.bool_)
    edges[:, 1:-1] = step > 1
    starts = np.flatnonzero(edges)
    at = row * (n + 1) + place + 1
    after = np.searchsorted(starts, at)
    tied = (at - starts[after - 1]) * (starts[after] - at)
    return np.asarray(np.bincount(row, tied, minlength=rows), dtype=np.float64)


def _ranks(scores: Floats) -> Floats:
    """Average ranks of each row, from one sort of scores that carry their index."""
    n = scores.shape[1]
    bits = max(1, (n - 1).bit_length())
    keys = np.rint(scores * GRID).astype(np.int64) << bits
    keys |= np.arange(n)
    keys.sort(axis=1)
    level = keys >> bits
    places = np.broadcast_to(np.arange(1.0, n + 1), scores.shape)
    tied = np.flatnonzero((level[:, 1:] == level[:, :-1]).any(axis=1))
    if tied.size:
        places = places.copy()
        places[tied] = _averaged(level[tied])
    ranks = np.empty(scores.shape)
    np.put_along_axis(ranks, keys & ((1 << bits) - 1), places, axis=1)
    return ranks


def _averaged(level: Ids) -> Floats:
    """Places of sorted values, the mean of the first and the last within a tie."""
    rows, n = level.shape
    places = np.arange(1.0, n + 1)
    apart = level[:, 1:] != level[:, :-1]
    edge = np.ones((rows, 1), dtype=np.bool_)
    first = np.where(np.hstack([edge, apart]), places, 0.0)
    last = np.where(np.hstack([apart, edge]), places, n + 1.0)
    np.maximum.accumulate(first, axis=1, out=first)
    last = np.minimum.accumulate(last[:, ::-1], axis=1)[:, ::-1]
    return np.asarray((first + last) / 2)
