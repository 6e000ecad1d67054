"""What a fold learns from its training transcripts: a vocabulary, weights, scales.

Each function takes the counts or numbers of all transcripts and which of them are for
training, and returns inner products: all that a penalised linear model needs.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats._arrays import Floats

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Mask = npt.NDArray[np.bool_]

IN_TEXTS = 2
"""Training texts that a word or n-gram must be in to count."""


def weighted_products(counts: "csr_array[Any, Any]", training: Mask) -> Floats:
    """Inner products of tf-idf vectors of all texts with those for training.

    tf = 1 + log(count), idf = log((1 + n) / (1 + texts with it)) + 1 over the training
    texts, each vector of length 1; only what is in two training texts or more counts.

    Returns:
        Shape (all texts, training texts).
    """
    from sklearn.feature_extraction.text import TfidfTransformer

    seen = counts[training]
    texts_with = np.bincount(seen.indices, minlength=counts.shape[1])
    known = np.flatnonzero(texts_with >= IN_TEXTS)
    if not known.size:
        return np.zeros((counts.shape[0], int(training.sum())))
    weight = TfidfTransformer(sublinear_tf=True).fit(seen[:, known])
    vectors = weight.transform(counts[:, known])
    return np.asarray((vectors @ vectors[training].T).toarray(), dtype=np.float64)


def scaled_products(numbers: Floats, training: Mask) -> Floats:
    """Inner products of numbers in units of the training transcripts' spread.

    A number that does not vary in training counts for nothing.

    Returns:
        Shape (all transcripts, training transcripts).
    """
    seen = numbers[training]
    spread = seen.std(axis=0)
    varied = spread > 0
    scaled = (numbers[:, varied] - seen[:, varied].mean(axis=0)) / spread[varied]
    return np.asarray(scaled @ scaled[training].T)
