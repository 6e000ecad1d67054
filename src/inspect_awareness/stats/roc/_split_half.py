"""Split-half reliability of statistics over instruments, with Spearman-Brown."""

from collections.abc import Callable
from dataclasses import dataclass
from math import nan

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats._arrays import Floats, Ids, matching_ids
from inspect_awareness.stats._intervals import Clusters
from inspect_awareness.stats.roc._ranked import Labels, aurocs, folded, label_rows


@dataclass(frozen=True, eq=False)
class SplitHalf:
    """How far two halves of the items agree about a set of instruments."""

    reliability: float
    """Spearman-Brown of the mean correlation, 2 r / (1 + r): for all items."""

    correlation: float
    """The mean over splits of the correlation between halves, over instruments."""

    sd: float
    """Standard deviation of the correlation over splits; NaN for one split."""

    correlations: Floats
    """The correlation in each split, shape (splits,)."""

    instruments: int
    """How many instruments were correlated."""

    note: str = ""
    """What a reader must know."""

    @property
    def splits(self) -> int:
        """How many random splits."""
        return self.correlations.size


def spearman_brown(correlation: float, length: float = 2.0) -> float:
    """Reliability of a measurement `length` times as long, k r / (1 + (k - 1) r).

    Args:
        correlation: Reliability of the short one, such as the correlation of halves.
        length: How many times as long.

    Returns:
        The reliability; NaN where the denominator is not positive.

    References:
        Spearman (1910) and Brown (1910), British Journal of Psychology 3.

    Example:
        >>> spearman_brown(0.5)
        0.6666666666666666
    """
    below = 1 + (length - 1) * correlation
    return length * correlation / below if below > 0 else nan


def split_half(
    scores: npt.ArrayLike,
    evaluation: npt.ArrayLike,
    *,
    rng: np.random.Generator,
    statistic: Callable[[Floats], Floats] | None = None,
    clusters: Clusters | None = None,
    splits: int = 20,
) -> SplitHalf:
    """Do two halves of the items order the instruments alike?

    In each split, items are halved within each label (whole clusters, where they are
    given), the statistic of each instrument is computed on either half, and the two
    are correlated over instruments. The reliability is Spearman-Brown of the mean
    correlation, not the mean of corrected ones, which differs where r is small. A
    maximum over layers has a higher floor on half of the items, so it is understated.

    Args:
        scores: Shape (instruments, ..., n): instruments, layers and items, say.
        evaluation: Whether each item is labelled evaluation, shape (n,).
        rng: Draws the splits.
        statistic: From areas of shape (instruments, ...) to one number an instrument,
            shape (instruments,); the folded peak max |A - 1/2| if not given.
        clusters: The cluster of each item, such as its source.
        splits: How many random splits.

    Raises:
        ValueError: Fewer than 3 instruments, a class without 2 items (or clusters), a
            score that is not finite, or lengths that differ.
    """
    array = np.asarray(scores, dtype=np.float64)
    if array.ndim < 2 or array.shape[0] < 3:
        raise ValueError(
            "scores need shape (instruments, ..., n) with 3 or more instruments, got "
            f"{array.shape}"
        )
    labels = label_rows(evaluation, array.shape[-1])
    n = labels.size
    ids = np.arange(n) if clusters is None else matching_ids(clusters, n, "clusters")
    _check_halves(labels, ids)
    number = statistic or folded_peak
    found = np.array(
        [
            _correlation(array, labels, _half(labels, ids, rng), number)
            for _ in range(splits)
        ]
    )
    mean = float(found.mean())
    return SplitHalf(
        spearman_brown(mean),
        mean,
        float(found.std(ddof=1)) if splits > 1 else nan,
        found,
        array.shape[0],
        "" if np.isfinite(mean) else "in a half the instruments cannot be told apart",
    )


def folded_peak(areas: Floats) -> Floats:
    """Max |A - 1/2| over everything but the instruments, shape (instruments,)."""
    apart = folded(areas)
    return np.asarray(apart.reshape(apart.shape[0], -1).max(axis=1))


def _check_halves(labels: Labels, ids: Ids) -> None:
    """Either class can be halved."""
    kinds = _kinds(labels, ids)
    for name, bit in (("evaluation", 1), ("deployment", 2)):
        pure, mixed = int((kinds == bit).sum()), int((kinds == 3).sum())
        # of one cluster of a kind, one of the halves has none
        if pure + mixed < 2 or (pure < 2 and mixed < 2):
            raise ValueError(
                f"{pure + mixed} items or clusters with {name}, {mixed} of them with "
                "both labels: halves need 2 of a kind"
            )


def _kinds(labels: Labels, ids: Ids) -> Ids:
    """For each cluster 1 if it holds evaluation items, 2 if deployment, 3 if both."""
    kinds = np.zeros(int(ids.max()) + 1, dtype=np.int64)
    np.bitwise_or.at(kinds, ids, np.where(labels, 1, 2))
    return kinds


def _half(labels: Labels, ids: Ids, rng: np.random.Generator) -> Labels:
    """A random half of the clusters of each kind: one label, the other, or both."""
    kind = _kinds(labels, ids)
    chosen = np.zeros(kind.size, dtype=np.bool_)
    for each in np.unique(kind):
        members = rng.permutation(np.flatnonzero(kind == each))
        chosen[members[: (members.size + rng.integers(2)) // 2]] = True
    return chosen[ids]


def _correlation(
    array: Floats,
    labels: Labels,
    half: Labels,
    statistic: Callable[[Floats], Floats],
) -> float:
    """Pearson's correlation over instruments between the two halves."""
    one, other = (
        statistic(aurocs(array[..., part], labels[part])) for part in (half, ~half)
    )
    if not (np.ptp(one) > 0 and np.ptp(other) > 0):
        return nan
    return float(np.corrcoef(one, other)[0, 1])
