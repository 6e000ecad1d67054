"""Bootstrap resamples as weights: how often each item was drawn."""

from math import nan

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats._arrays import Floats, Ids, finite_vector, matching_ids
from inspect_awareness.stats._estimate import Estimate, undefined
from inspect_awareness.stats._intervals import ONE_CLUSTER, Clusters, Interval
from inspect_awareness.stats.roc._ranked import Labels, label_rows
from inspect_awareness.stats.roc._weighted import weighted_areas

DRAWS = 2_000
"""Resamples, unless told otherwise."""


def bootstrap_weights(
    strata: Ids, *, draws: int, rng: np.random.Generator, clusters: Ids | None = None
) -> Floats:
    """How often each item is drawn, in resamples of each stratum with replacement.

    Items are drawn within their stratum, so that its size never changes; with
    clusters, whole clusters are drawn among those that span the same strata.

    Args:
        strata: The stratum of each item, shape (n,): its label, say.
        draws: How many resamples.
        rng: Draws them.
        clusters: The cluster of each item, shape (n,).

    Returns:
        Counts of shape (draws, n).
    """
    if clusters is None:
        return _drawn(strata, draws, rng)
    per_cluster = _drawn(_kinds(strata, clusters), draws, rng)
    return per_cluster.T[clusters].T


def bootstrap_auroc(
    scores: npt.ArrayLike,
    evaluation: npt.ArrayLike,
    *,
    rng: np.random.Generator,
    clusters: Clusters | None = None,
    draws: int = DRAWS,
    level: float = 0.95,
    unit: str = "sample",
) -> Estimate:
    """The AUROC with a percentile interval, resampled within each class.

    Items are drawn within their class; with clusters, whole clusters are drawn, within
    those that hold one class and within those that hold both. Every resample is a
    vector of weights, so that all are one pass over the sorted scores. Where a class
    has few items the interval is too narrow: `newcombe_auroc` then holds its level.

    Args:
        scores: Shape (n,).
        evaluation: Whether each item is labelled evaluation, shape (n,).
        rng: Draws the resamples.
        clusters: The cluster of each item, such as its source.
        draws: How many resamples.
        level: Nominal coverage.
        unit: What a cluster is, for the record.

    Returns:
        The estimate; NaN where a class is empty, a NaN interval where a class has one
        cluster, or all resamples agree.

    Raises:
        ValueError: A score is not finite, a label neither 0 nor 1, or lengths differ.
    """
    values = finite_vector(scores, "scores")
    labels = label_rows(evaluation, values.size)
    ids = None if clusters is None else matching_ids(clusters, values.size, "clusters")
    if labels.all() or not labels.any():
        empty = "deployment" if labels.any() else "evaluation"
        return undefined(level, f"no {empty} score", n=values.size)
    area = float(weighted_areas(values, labels, np.ones((1, values.size)))[0])
    count = values.size if ids is None else int(ids.max()) + 1
    found = _bootstrapped(values, labels, ids, rng=rng, draws=draws, level=level)
    return found.around(area, level=level, n=values.size, clusters=count, unit=unit)


def percentile(resampled: Floats, level: float, method: str) -> Interval:
    """The middle `level` of the resamples that are defined; NaN where none differ."""
    known = resampled[np.isfinite(resampled)]
    lost = resampled.size - known.size
    note = f"{lost} of {resampled.size} resamples lost a class" if lost else ""
    if known.size < 2 or np.ptp(known) < 1e-12:
        return Interval(nan, nan, "none", note or "all resamples agree exactly")
    low, high = np.quantile(known, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), method, note)


def _bootstrapped(
    values: Floats,
    labels: Labels,
    ids: Ids | None,
    *,
    rng: np.random.Generator,
    draws: int,
    level: float,
) -> Interval:
    """The percentile interval over resamples of items or clusters."""
    units = np.arange(values.size) if ids is None else ids
    if min(np.unique(units[labels]).size, np.unique(units[~labels]).size) < 2:
        return Interval(nan, nan, "none", f"in one of the classes: {ONE_CLUSTER}")
    weights = bootstrap_weights(
        labels.astype(np.int64), draws=draws, rng=rng, clusters=ids
    )
    method = "stratified" if ids is None else "cluster"
    areas = weighted_areas(values, labels, weights)
    return percentile(areas, level, f"{method} bootstrap, percentile, {draws} draws")


def _drawn(strata: Ids, draws: int, rng: np.random.Generator) -> Floats:
    """Each stratum resampled to its own size."""
    # Items first in memory: the weights of an item stand together.
    weights = np.empty((strata.size, draws)).T
    for stratum in np.unique(strata):
        members = np.flatnonzero(strata == stratum)
        size = members.size
        drawn = rng.integers(0, size, (draws, size)) + size * np.arange(draws)[:, None]
        counts = np.bincount(drawn.ravel(), minlength=draws * size)
        weights[:, members] = counts.reshape(draws, size)
    return weights


def _kinds(strata: Ids, clusters: Ids) -> Ids:
    """For each cluster, a number for the set of strata that it spans."""
    spans = np.zeros((int(clusters.max()) + 1, int(strata.max()) + 1), dtype=np.int64)
    spans[clusters, strata] = 1
    kinds: Ids = np.unique(spans, axis=0, return_inverse=True)[1].reshape(-1)
    return kinds
