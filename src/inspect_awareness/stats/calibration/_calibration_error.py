"""The expected calibration error, beside that of a calibrated model."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import nan

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats._arrays import Floats, Ids
from inspect_awareness.stats._intervals import FEW_CLUSTERS, ONE_CLUSTER, Clusters
from inspect_awareness.stats.calibration._bins import Bins, Strategy, binned
from inspect_awareness.stats.calibration._inputs import cluster_ids, forecasts

CHUNK = 2_000_000
"""How many labels are drawn at once: about 16 MB."""

ROUNDING = 1e-12
"""Distances that differ by less are equal."""

BERNOULLI = "labels drawn from the forecasts, items independent"
FLIPPED = "residuals of whole clusters with random signs"


@dataclass(frozen=True)
class CalibrationGap:
    """A distance from calibration, with what a calibrated model would show."""

    value: float
    """What was observed. It is no interval's centre: chance alone makes it positive."""

    expected: float
    """Mean over the draws of a calibrated model."""

    low: float
    """Lower end of the band that holds a calibrated model."""

    high: float
    """Upper end of the band."""

    p: float
    """Share of draws, the data among them, at least as far from calibration."""

    @property
    def debiased(self) -> float:
        """Observed - expected: about 0 if calibrated, and then negative half the time.

        Too low for a model that is far from calibrated, where chance adds less.
        """
        return self.value - self.expected

    @property
    def outside(self) -> bool:
        """Whether it is above or below a band that is known."""
        return self.value < self.low - ROUNDING or self.value > self.high + ROUNDING


@dataclass(frozen=True)
class CalibrationError:
    """How far forecasts are from observed rates, over bins."""

    ece: CalibrationGap
    """Mean distance, bins weighted by their items."""

    maximum: CalibrationGap
    """Largest distance, often that of a small bin."""

    bins: int
    """How many bins hold items."""

    words: str
    """What the bins are."""

    n: int
    """How many items."""

    clusters: int
    """How many of them count as independent."""

    base_rate: float
    """Share of evaluation items, without which the error cannot be read."""

    level: float
    """Share of calibrated models within the band."""

    draws: int
    """How many draws."""

    method: str
    """What was drawn."""

    note: str = ""
    """What a reader must know."""


def expected_calibration_error(
    probabilities: npt.ArrayLike,
    evaluation: npt.ArrayLike,
    *,
    rng: np.random.Generator,
    bins: int | None = 10,
    strategy: Strategy = "quantile",
    clusters: Clusters | None = None,
    draws: int = 2_000,
    level: float = 0.95,
) -> CalibrationError:
    """The ECE and the largest gap, with the band of a calibrated model.

    ECE = sum_k |sum over bin k of (y - p)| / n. It is positive for a calibrated model
    too: about sqrt(2 / pi) sum_k sqrt(sum over bin k of p (1 - p)) / n. Without
    clusters the band comes from labels drawn as y ~ Bernoulli(p). With clusters such
    a band would be too narrow, since the labels of a source move together; there the
    residuals y - p of whole clusters get a random sign each. Calibration makes their
    expectation 0 in every cluster, and a sign leaves their variances and covariances
    as they are, so that this needs no model of the dependence, but many clusters.

    Args:
        probabilities: Forecast of each item, shape (n,).
        evaluation: 1 for evaluation, 0 for deployment, shape (n,).
        rng: Draws labels or signs.
        bins: How many bins; None makes each distinct forecast one.
        strategy: `quantile` or `uniform`.
        clusters: The cluster (source, task) of each item.
        draws: How many calibrated models.
        level: Share of calibrated models within the band.

    Returns:
        The record. Without items, or with one cluster, band and p are NaN.

    Raises:
        ValueError: A probability is outside [0, 1] or NaN, a label is neither 0 nor 1,
            lengths differ, bins or strategy are unknown, or there are no draws.

    References:
        Broecker and Smith, Weather and Forecasting 22 (2007) 651, on resampling from
        the forecasts. Roelofs et al., AISTATS (2022), arXiv 2012.08668, and Kumar,
        Liang and Ma, NeurIPS (2019), arXiv 1909.10155, on the bias. Cameron, Gelbach
        and Miller, Review of Economics and Statistics 90 (2008) 414, on signs.

    Example:
        >>> found = expected_calibration_error(
        ...     [0.2, 0.2, 0.7, 0.7], [0, 1, 1, 1], rng=np.random.default_rng(0)
        ... )
        >>> round(found.ece.value, 3), round(found.maximum.value, 3)
        (0.3, 0.3)
    """
    p, y = forecasts(probabilities, evaluation)
    if draws < 1:
        raise ValueError(f"draws must be 1 or more, got {draws}")
    if not p.size:
        return _nothing(level)
    ids = None if clusters is None else cluster_ids(clusters, p.size)
    count = p.size if ids is None else int(ids.max()) + 1
    grouped = binned(p, bins, strategy)
    residuals = y - p
    sums = grouped.means(residuals) * grouped.sizes
    drawn = (
        _bernoulli(p, grouped, rng, draws)
        if ids is None
        else _flipped(residuals, ids, grouped, rng, draws)
    )
    pairs = [_distances(chunk, grouped.sizes) for chunk in drawn]
    alone = count == 1 and ids is not None
    gaps = [
        _gap(float(value), np.concatenate(null), level, alone=alone)
        for value, null in zip(
            _distances(sums, grouped.sizes), zip(*pairs, strict=True), strict=True
        )
    ]
    return CalibrationError(
        ece=gaps[0],
        maximum=gaps[1],
        bins=grouped.count,
        words=grouped.words,
        n=p.size,
        clusters=count,
        base_rate=float(y.mean()),
        level=level,
        draws=draws,
        method=BERNOULLI if ids is None else FLIPPED,
        note="" if ids is None else _note(count),
    )


def _distances(sums: Floats, sizes: Floats) -> tuple[Floats, Floats]:
    """Mean and largest distance from sums of residuals, shape (..., bins)."""
    far = np.abs(sums)
    return far.sum(axis=-1) / sizes.sum(), (far / sizes).max(axis=-1)


def _bernoulli(
    p: Floats, grouped: Bins, rng: np.random.Generator, draws: int
) -> Iterator[Floats]:
    """Sums of y* - p over each bin, for labels drawn from the forecasts."""
    order = np.argsort(grouped.place, kind="stable")
    ordered = p[order]
    first = np.concatenate([[0], np.cumsum(grouped.sizes)[:-1]]).astype(np.int64)
    centre = np.add.reduceat(ordered, first)
    for size in _chunks(draws, p.size):
        hits = rng.random((size, p.size)) < ordered
        yield np.add.reduceat(hits, first, axis=1, dtype=np.float64) - centre


def _flipped(
    residuals: Floats, ids: Ids, grouped: Bins, rng: np.random.Generator, draws: int
) -> Iterator[Floats]:
    """Sums of s_g (y - p) over each bin, with a random sign s_g for each cluster."""
    count, bins = int(ids.max()) + 1, grouped.count
    cell = ids * bins + grouped.place
    sums = np.bincount(cell, weights=residuals, minlength=count * bins)
    table = sums.reshape(count, bins)
    for size in _chunks(draws, count):
        signs = 2.0 * rng.integers(0, 2, (size, count)) - 1
        yield np.asarray(signs @ table, dtype=np.float64)


def _chunks(draws: int, width: int) -> Iterator[int]:
    """Numbers of draws that add up to all of them, few enough at once."""
    step = max(1, CHUNK // width)
    for start in range(0, draws, step):
        yield min(step, draws - start)


def _gap(value: float, null: Floats, level: float, *, alone: bool) -> CalibrationGap:
    """A distance beside its draws; unknown if there is one cluster to flip."""
    if alone:
        return CalibrationGap(value, nan, nan, nan, nan)
    low, high = np.quantile(null, [(1 - level) / 2, (1 + level) / 2])
    reached = int(np.sum(null >= value - ROUNDING))
    p = (1 + reached) / (1 + null.size)
    return CalibrationGap(value, float(null.mean()), float(low), float(high), p)


def _note(clusters: int) -> str:
    """What few clusters mean."""
    if clusters == 1:
        return ONE_CLUSTER.replace("interval", "band")
    if clusters < FEW_CLUSTERS:
        return (
            f"only {clusters} clusters, {2 ** (clusters - 1)} patterns of signs: the "
            "band is approximate"
        )
    return ""


def _nothing(level: float) -> CalibrationError:
    """No item."""
    gap = CalibrationGap(nan, nan, nan, nan, nan)
    return CalibrationError(gap, gap, 0, "none", 0, 0, nan, level, 0, "none", "no item")
