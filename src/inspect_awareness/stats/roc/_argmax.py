"""Which layer has the peak, and how far that is chance."""

from dataclasses import dataclass
from math import nan

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats._arrays import Floats, matching_ids
from inspect_awareness.stats._intervals import Clusters
from inspect_awareness.stats.roc._ranked import (
    RankedScores,
    folded,
    label_rows,
    signed,
)
from inspect_awareness.stats.roc._resampled import DRAWS, bootstrap_weights
from inspect_awareness.stats.roc._weighted import weighted_areas


@dataclass(frozen=True, eq=False)
class ArgmaxDistribution:
    """The layer of the peak, over resamples of the items."""

    layer: int
    """Index of the layer with the peak in the data, from 0."""

    peak: float
    """The statistic there: |A - 1/2|, or A - 1/2 where it is signed."""

    shares: Floats
    """In which share of the resamples each layer had the peak, shape (layers,)."""

    low: int
    """The layer below which at most 2.5 % of the resamples' peaks lie."""

    high: int
    """The layer above which at most 2.5 % of them lie."""

    distinct: int
    """How many layers had the peak in some resample."""

    draws: int
    """How many resamples."""

    note: str = ""
    """What a reader must know."""

    @property
    def span(self) -> float:
        """From `low` to `high`, as a share of the model's depth, 0 to 1."""
        depth = self.shares.size - 1
        return (self.high - self.low) / depth if depth else nan

    @property
    def boundary(self) -> float:
        """In which share of the resamples the first or the last layer had the peak."""
        return float(self.shares[0] + self.shares[-1]) if self.shares.size > 1 else nan


def argmax_layers(
    scores: npt.ArrayLike,
    evaluation: npt.ArrayLike,
    *,
    rng: np.random.Generator,
    clusters: Clusters | None = None,
    draws: int = DRAWS,
    fold: bool = True,
) -> ArgmaxDistribution:
    """How the layer of the peak moves when the items are resampled.

    A curve over layers that is flat at its top has no layer of its own: its argmax
    wanders over resamples. Items are drawn within their class, or whole clusters.

    Args:
        scores: Scores of n items at each layer, shape (layers, n).
        evaluation: Whether each item is labelled evaluation, shape (n,).
        rng: Draws the resamples.
        clusters: The cluster of each item, such as its source.
        draws: How many resamples.
        fold: Whether the peak is of |A - 1/2| (else of A - 1/2).

    Raises:
        ValueError: Scores are no matrix or not finite, a label is neither 0 nor 1, or
            a class is empty.

    Example:
        >>> import numpy as np
        >>> rng = np.random.default_rng(0)
        >>> evaluation = np.arange(200) < 100
        >>> scores = rng.normal(size=(5, 200))
        >>> scores[3] += 2 * evaluation
        >>> argmax_layers(scores, evaluation, rng=rng, draws=200).low
        3
    """
    ranked = RankedScores.of(scores)
    if ranked.ranks.ndim != 2:
        raise ValueError(f"scores need shape (layers, n), got {np.shape(scores)}")
    n = ranked.ranks.shape[1]
    labels = label_rows(evaluation, n)
    if labels.all() or not labels.any():
        raise ValueError("both classes are needed to find a peak, got one")
    ids = None if clusters is None else matching_ids(clusters, n, "clusters")
    strata = labels.astype(np.int64)
    weights = bootstrap_weights(strata, draws=draws, rng=rng, clusters=ids)
    statistic = folded if fold else signed
    found = np.array([weighted_areas(row, labels, weights) for row in ranked.ranks])
    known = ~np.isnan(found).any(axis=0)
    peaks = np.argmax(statistic(found[:, known]), axis=0)
    curve = statistic(ranked.areas(labels))
    return _distribution(curve, peaks, draws)


def _distribution(
    curve: Floats, peaks: npt.NDArray[np.intp], draws: int
) -> ArgmaxDistribution:
    """Shares and quantiles of the layers of the peaks."""
    lost = draws - peaks.size
    layer = int(np.argmax(curve))
    if not peaks.size:
        raise ValueError("no resample holds both classes: there are too few clusters")
    low, high = np.quantile(peaks, [0.025, 0.975], method="inverted_cdf")
    counts = np.bincount(peaks, minlength=curve.size)
    return ArgmaxDistribution(
        layer,
        float(curve[layer]),
        counts / peaks.size,
        int(low),
        int(high),
        int((counts > 0).sum()),
        peaks.size,
        f"{lost} of {draws} resamples lost a class" if lost else "",
    )
