"""The peak over layers, four ways: as it is, less its floor, held out, and fixed."""

from dataclasses import dataclass, replace
from math import nan

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats._arrays import Floats, matching_ids
from inspect_awareness.stats._estimate import Estimate
from inspect_awareness.stats._intervals import ONE_CLUSTER, Clusters, Interval
from inspect_awareness.stats.floors._floor import Floor, checked_draws, peaks
from inspect_awareness.stats.floors._held_out import HeldOut, Items, held_out
from inspect_awareness.stats.floors._scoring import permuted_scoring_floor
from inspect_awareness.stats.roc import RankedScores, bootstrap_weights
from inspect_awareness.stats.roc._ranked import label_rows
from inspect_awareness.stats.roc._resampled import percentile

SPLITS = 200
"""Random halvings of the items."""

SPLITS_A_RESAMPLE = 4
"""Halvings of each resample, whose mean stands for the mean over many."""

NAIVE = (
    "the layer was chosen on the same items: the peak is biased upward, and its "
    "bootstrap once more, since each resample chooses its own layer"
)
CORRECTED = (
    "the floor is what chance adds where there is no signal; it takes too much off a "
    "peak that stands out. The interval moves the bootstrap of the peak to this value "
    "and takes the floor as known"
)
SPLIT = (
    "a layer chosen on half of the items is no better than the one chosen on all: if "
    "anything too low"
)
FIXED = "only if this layer was named before the scores were seen"
INDIVISIBLE = "a label without two clusters cannot be halved or resampled"


@dataclass(frozen=True, eq=False)
class PeakEstimates:
    """How far the best layer is from chance, by four estimators.

    All are distances |A - 1/2| (A - 1/2 where not folded), not areas.
    """

    naive: Estimate
    """The peak of the curve, as papers report it."""

    corrected: Estimate
    """The peak less the mean of its permuted floor."""

    split: Estimate
    """Layer and sign chosen on one half of the items, the area taken on the other."""

    fixed: Estimate
    """The distance at a layer named beforehand."""

    layer: int
    """Where the peak is, from 0."""

    fixed_layer: int
    """Which layer was named beforehand, from 0."""

    floor: Floor
    """What the maximum over layers gives with permuted labels."""

    resampling_bias: float
    """Mean peak of the resamples - peak: what a second choice of the layer adds."""

    chosen: Floats
    """In which share of the halves each layer was chosen, shape (layers,)."""

    split_sd: float
    """Standard deviation over splits of the held-out distance."""

    splits: int
    """How many splits."""

    draws: int
    """How many resamples and how many permutations."""


def peak_estimates(
    scores: npt.ArrayLike,
    evaluation: npt.ArrayLike,
    *,
    rng: np.random.Generator,
    clusters: Clusters | None = None,
    layer: int | None = None,
    fold: bool = True,
    draws: int = 1_000,
    level: float = 0.95,
) -> PeakEstimates:
    """Estimate a peak over layers without, and with, the gain from choosing it.

    The intervals resample items within their label, or whole clusters. That of the
    naive peak and that of the fixed layer are percentiles of the resamples. That of
    the held-out distance is its value plus the resamples' deviations from their mean:
    the resamples' own peak is the one that was observed, not the one that is sought.
    Copies of an item never stand on both sides of a split.

    Args:
        scores: Scores of n items at each layer, shape (layers, n).
        evaluation: Whether each item is labelled evaluation, shape (n,).
        rng: Draws permutations, resamples and splits.
        clusters: The cluster (source) of each item.
        layer: The layer named beforehand; by default the middle one, layers // 2.
        fold: Count areas below 1/2 as much as those above.
        draws: How many resamples and permutations.
        level: Nominal coverage.

    Returns:
        The estimates. NaN intervals, and no held-out estimate, where a label has not
        two clusters.

    Raises:
        ValueError: Scores are no finite matrix, a label is neither 0 nor 1, a class
            is empty, lengths differ, or there is no such layer.

    Example:
        >>> import numpy as np
        >>> rng = np.random.default_rng(0)
        >>> labels = np.arange(200) < 100
        >>> found = peak_estimates(rng.normal(size=(20, 200)), labels, rng=rng, draws=50)
        >>> found.naive.value > 0.06, found.split.contains(0.0)
        (True, True)
    """
    checked_draws(draws, level)
    items = _items(scores, evaluation, clusters)
    fixed = _named(layer, len(items.ranks))
    curve = items.distances(np.ones((1, items.labels.size)))[0]
    peak = float(peaks(curve + 0.5, fold=fold))
    best = int(np.argmax(np.abs(curve) if fold else curve))
    floor = permuted_scoring_floor(
        items.ranks,
        items.labels,
        draws=draws,
        rng=rng,
        clusters=None if clusters is None else items.ids,
        fold=fold,
        level=level,
    )
    shown = _Shown(level, items, "sample" if clusters is None else "source")
    at_fixed = float(np.sign(curve[fixed])) if fold else 1.0
    values = (peak, peak - floor.mean, at_fixed * float(curve[fixed]))
    if not items.divisible:
        return _without_resamples(values, best, fixed, floor, shown)
    weights = _weights(items, draws, rng)
    resampled = items.distances(weights)
    tops = peaks(resampled + 0.5, fold=fold)
    ones = np.ones((SPLITS, items.labels.size))
    halves = held_out(items, ones, rng, fold=fold)
    again = held_out(items, np.repeat(weights, SPLITS_A_RESAMPLE, 0), rng, fold=fold)
    held = float(halves.values.mean())
    return PeakEstimates(
        shown.percentile(peak, tops, NAIVE),
        shown.moved(values[1], tops, CORRECTED),
        shown.moved(held, _mean_defined(again.values.reshape(draws, -1)), SPLIT),
        shown.percentile(values[2], at_fixed * resampled[:, fixed], FIXED),
        best,
        fixed,
        floor,
        float(np.nanmean(tops)) - peak,
        _shares(halves, curve.size),
        float(halves.values.std(ddof=1)),
        SPLITS,
        draws,
    )


@dataclass(frozen=True, eq=False)
class _Shown:
    """How values become estimates."""

    level: float
    items: Items
    unit: str

    def percentile(self, value: float, resampled: Floats, note: str) -> Estimate:
        """The middle of the resamples."""
        method = f"bootstrap, percentile, {resampled.size} draws"
        return self.around(value, percentile(resampled, self.level, method), note)

    def moved(self, value: float, resampled: Floats, note: str) -> Estimate:
        """The middle of the resamples, moved from their mean to the value."""
        method = f"bootstrap, deviations from its mean, {resampled.size} draws"
        found = percentile(resampled, self.level, method)
        known = resampled[np.isfinite(resampled)]
        shift = value - float(known.mean()) if known.size else nan
        moved = replace(found, low=found.low + shift, high=found.high + shift)
        return self.around(value, moved, note)

    def around(self, value: float, interval: Interval, note: str) -> Estimate:
        """The estimate, with what the interval and the estimator have to say."""
        ids = self.items.ids
        found = interval.around(
            value,
            level=self.level,
            n=ids.size,
            clusters=int(ids.max()) + 1,
            unit=self.unit,
        )
        return replace(found, note="; ".join(filter(None, (found.note, note))))


def _items(
    scores: npt.ArrayLike, evaluation: npt.ArrayLike, clusters: Clusters | None
) -> Items:
    """Checked and ranked."""
    ranks = RankedScores.of(scores).ranks
    if ranks.ndim != 2 or not len(ranks):
        raise ValueError(f"scores need shape (layers, n), got {np.shape(scores)}")
    n = ranks.shape[1]
    labels = label_rows(evaluation, n)
    if labels.ndim != 1 or labels.all() or not labels.any():
        raise ValueError("one vector of labels with both classes is needed for a peak")
    ids = np.arange(n) if clusters is None else matching_ids(clusters, n, "clusters")
    return Items(ranks, labels, ids)


def _named(layer: int | None, layers: int) -> int:
    """The layer named beforehand, or the middle one."""
    if layer is None:
        return layers // 2
    if not 0 <= layer < layers:
        raise ValueError(f"layer must be 0 to {layers - 1}, got {layer}")
    return layer


def _weights(items: Items, draws: int, rng: np.random.Generator) -> Floats:
    """Resamples within labels, of whole clusters."""
    strata = items.labels.astype(np.int64)
    return bootstrap_weights(strata, draws=draws, rng=rng, clusters=items.ids)


def _mean_defined(values: Floats) -> Floats:
    """Mean of each row over what is not NaN; NaN where all is."""
    known = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        means = np.nansum(values, axis=1) / known.sum(axis=1)
    return np.asarray(means, dtype=np.float64)


def _shares(halves: HeldOut, layers: int) -> Floats:
    """How often each layer was chosen."""
    counts = np.bincount(halves.layers, minlength=layers)
    return np.asarray(counts / halves.layers.size)


def _without_resamples(
    values: tuple[float, float, float],
    best: int,
    fixed: int,
    floor: Floor,
    shown: _Shown,
) -> PeakEstimates:
    """What is left where a label has one cluster: the values alone."""
    none = Interval(nan, nan, "none", f"{ONE_CLUSTER} ({INDIVISIBLE})")
    naive, corrected, at_fixed = values
    return PeakEstimates(
        shown.around(naive, none, NAIVE),
        shown.around(corrected, none, CORRECTED),
        shown.around(nan, none, SPLIT),
        shown.around(at_fixed, none, FIXED),
        best,
        fixed,
        floor,
        nan,
        np.full(len(shown.items.ranks), nan),
        nan,
        0,
        floor.draws,
    )
