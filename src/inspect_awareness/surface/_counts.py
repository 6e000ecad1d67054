"""Words and character n-grams of texts, counted once for all folds.

A count depends on nothing but its own text. What is learned from texts, the vocabulary
and its weights, is learned in each fold (`_features`).
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from inspect_awareness.stats._arrays import Ids

if TYPE_CHECKING:
    from scipy.sparse import csr_array

LONGEST = 100_000
"""Characters of a text that are counted, from its start."""

GRAMS = (2, 3, 4)
"""Lengths of character n-grams."""


def word_counts(texts: Sequence[str]) -> "csr_array[Any, Any]":
    """How often each word stands in each text, in lower case, shape (texts, words)."""
    from sklearn.feature_extraction.text import CountVectorizer

    # a text without any word is a row of zeros; a corpus without any has no column
    try:
        found = CountVectorizer().fit_transform([text[:LONGEST] for text in texts])
    except ValueError:
        return _sparse([np.zeros(0, np.int64) for _ in texts])
    return _array(found)


def gram_counts(texts: Sequence[str]) -> "csr_array[Any, Any]":
    """How often each run of 2 to 4 characters stands in each text, as it is written.

    Case, digits, line breaks and indentation count; shape (texts, n-grams).
    """
    points = [_points(text[:LONGEST]) for text in texts]
    alphabet = np.unique(np.concatenate([np.zeros(0, np.uint32), *points]))
    return _sparse(
        [_grams(np.searchsorted(alphabet, p), alphabet.size) for p in points]
    )


def _points(text: str) -> "np.ndarray[tuple[int], np.dtype[np.uint32]]":
    """The code points of a text."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


def _grams(letters: Ids, size: int) -> Ids:
    """A number for each n-gram: its letters in base `size`, and its length."""
    found = [np.zeros(0, np.int64)]
    for n in GRAMS:
        count = max(letters.size - n + 1, 0)
        number = np.zeros(count, np.int64)
        for place in range(n):
            number = number * size + letters[place : place + count]
        found.append(number * len(GRAMS) + (n - GRAMS[0]))
    return np.concatenate(found)


def _sparse(features: Sequence[Ids]) -> "csr_array[Any, Any]":
    """Counts of numbered features; those of one text only carry nothing over to others."""
    single = [np.unique(each, return_counts=True) for each in features]
    none = np.zeros(0, np.int64)
    counts = np.concatenate([none, *(count for _, count in single)])
    _, column, texts_with = np.unique(
        np.concatenate([none, *(name for name, _ in single)]),
        return_inverse=True,
        return_counts=True,
    )
    row = np.repeat(np.arange(len(single)), [name.size for name, _ in single])
    shared = texts_with > 1
    kept = shared[column]
    place = np.cumsum(shared) - 1
    return _array(
        (counts[kept], (row[kept], place[column[kept]])),
        shape=(len(single), int(shared.sum())),
    )


def _array(content: Any, shape: tuple[int, int] | None = None) -> "csr_array[Any, Any]":
    """A sparse array of floats, from whatever scipy makes one of."""
    from scipy.sparse import csr_array

    found: csr_array[Any, Any] = csr_array(content, shape=shape, dtype=np.float64)
    return found
