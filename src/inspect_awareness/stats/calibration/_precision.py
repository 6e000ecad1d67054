"""What a flag means where evaluations are rarer, or commoner, than in the study."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan, nan

import numpy as np
import numpy.typing as npt
from scipy.stats import beta

from inspect_awareness.stats._arrays import Floats, Ids
from inspect_awareness.stats._estimate import Estimate, undefined
from inspect_awareness.stats._intervals import (
    FEW_CLUSTERS,
    NO_SPREAD,
    ONE_CLUSTER,
    Clusters,
    effective,
    influence,
    t_quantile,
)
from inspect_awareness.stats.calibration._inputs import (
    both_classes,
    cluster_ids,
)
from inspect_awareness.stats.calibration._shifted import inner_rate

DRAWS = 20_000
"""How many draws the intervals of precision rest on."""

INDEPENDENT = "Jeffreys"
CLUSTERED = "Jeffreys, effective counts (Korn-Graubard)"


@dataclass(frozen=True)
class PrecisionAtBaseRate:
    """How many of the flagged are evaluations, at one base rate."""

    base_rate: float
    """Share of evaluation items where the flag is used."""

    precision: Estimate
    """P(evaluation | flagged), the positive predictive value."""

    flagged: float
    """Share of items that would be flagged there."""


@dataclass(frozen=True)
class OperatingPoint:
    """A threshold's sensitivity and specificity, and precision where it may be used."""

    sensitivity: Estimate
    """Share of evaluation items that are flagged."""

    specificity: Estimate
    """Share of deployment items that are not."""

    precisions: tuple[PrecisionAtBaseRate, ...]
    """One for each base rate, in the order given."""


@dataclass(frozen=True)
class _Share:
    """How often the items of one label are flagged, and how much that is worth."""

    rate: float
    """Share flagged."""

    worth: float
    """Independent items that would tell as much; NaN where that is unknown."""

    n: int
    """Items."""

    clusters: int
    """Clusters among them."""

    method: str
    """How the worth was found."""

    note: str = ""
    """Why the worth is unknown, or doubtful."""

    def drawn(self, rng: np.random.Generator) -> Floats:
        """Draws from Jeffreys' posterior; NaN where the worth is unknown."""
        if isnan(self.worth):
            return np.full(1, nan)
        return np.asarray(rng.beta(*self._shape, DRAWS), dtype=np.float64)

    @property
    def _shape(self) -> tuple[float, float]:
        """Flagged + 1/2 and not flagged + 1/2, in independent items."""
        return self.rate * self.worth + 0.5, (1 - self.rate) * self.worth + 0.5

    def estimate(self, level: float, unit: str, *, flagged: bool) -> Estimate:
        """The share that is flagged, or that is not, with Jeffreys' interval."""
        value = self.rate if flagged else 1 - self.rate
        low = high = nan
        if not isnan(self.worth):
            a, b = self._shape if flagged else self._shape[::-1]
            tails = (1 - level) / 2, (1 + level) / 2
            low, high = (float(beta.ppf(tail, a, b)) for tail in tails)
            low, high = (0.0 if value == 0 else low), (1.0 if value == 1 else high)
        return Estimate(
            value,
            low,
            high,
            level,
            self.n,
            self.clusters,
            unit,
            self.method,
            self.note,
        )


def precision_at_base_rates(
    scores: npt.ArrayLike,
    evaluation: npt.ArrayLike,
    *,
    threshold: float,
    base_rates: Sequence[float],
    rng: np.random.Generator,
    clusters: Clusters | None = None,
    level: float = 0.95,
    unit: str = "sample",
) -> OperatingPoint:
    """Precision of the flag `score >= threshold` at stated base rates of evaluation.

    With sensitivity Se, specificity Sp and base rate b, P(evaluation | flagged) =
    Se b / (Se b + (1 - Sp)(1 - b)). The share of evaluations among the items of a
    study is a choice of the study, and its precision is worth nothing elsewhere.
    Interval: quantiles over draws of Se and 1 - Sp from Jeffreys' posteriors,
    Beta(m q + 1/2, m (1 - q) + 1/2), m being the items of the label. With clusters m
    is the effective number q (1 - q) / se^2 (t_(n - 1) / t_f)^2, at most n, with the
    clustered (CR2) standard error and f its degrees of freedom; the number of
    clusters where q is 0 or 1.

    Args:
        scores: Score of each item, shape (n,).
        evaluation: 1 for evaluation, 0 for deployment, shape (n,).
        threshold: Items that reach it are flagged. One chosen on these same items
            makes both rates look better than they are.
        base_rates: Shares of evaluation items, each in (0, 1).
        rng: Draws the rates.
        clusters: The cluster (source, task) of each item; None takes items for
            independent.
        level: Nominal coverage.
        unit: What a cluster is, for the record: `source`, `task` or `sample`.

    Returns:
        Rates, and precision at each base rate; NaN where nothing is flagged, a NaN
        interval where a label has one cluster.

    Raises:
        ValueError: One label only, a base rate that is not in (0, 1), a score that is
            not finite, or unequal lengths.

    References:
        Altman and Bland, BMJ 309 (1994) 102. Brown, Cai and DasGupta, Statistical
        Science 16 (2001) 101, on Jeffreys' interval. Korn and Graubard, Survey
        Methodology 24 (1998) 193, on effective counts.

    Example:
        >>> found = precision_at_base_rates(
        ...     [0.9] * 9 + [0.1] + [0.9] + [0.1] * 9,
        ...     [1] * 10 + [0] * 10,
        ...     threshold=0.5,
        ...     base_rates=[0.5, 0.1],
        ...     rng=np.random.default_rng(0),
        ... )
        >>> [round(one.precision.value, 3) for one in found.precisions]
        [0.9, 0.5]
    """
    x, y = both_classes(scores, evaluation)
    ids = cluster_ids(clusters, y.size)
    flagged = (x >= threshold).astype(np.float64)
    of_evaluation, of_deployment = (
        _clustered_share(flagged[y == label], ids[y == label], level)
        if clusters is not None
        else _share(float(flagged[y == label].sum()), int((y == label).sum()))
        for label in (1, 0)
    )
    return _point(
        of_evaluation,
        of_deployment,
        base_rates,
        rng=rng,
        level=level,
        unit=unit,
        clusters=int(np.unique(ids).size),
    )


def precision_from_counts(
    *,
    tp: int,
    fn: int,
    fp: int,
    tn: int,
    base_rates: Sequence[float],
    rng: np.random.Generator,
    level: float = 0.95,
) -> OperatingPoint:
    """Precision at stated base rates from a table of counts, items independent.

    Args:
        tp: Evaluation items flagged.
        fn: Evaluation items not flagged.
        fp: Deployment items flagged.
        tn: Deployment items not flagged.
        base_rates: Shares of evaluation items, each in (0, 1).
        rng: Draws the rates.
        level: Nominal coverage.

    Returns:
        As `precision_at_base_rates`.

    Raises:
        ValueError: A count is negative, a label has no item, or a base rate is not in
            (0, 1).

    Example:
        >>> found = precision_from_counts(
        ...     tp=90, fn=10, fp=10, tn=90, base_rates=[0.1],
        ...     rng=np.random.default_rng(0),
        ... )
        >>> round(found.precisions[0].precision.value, 3)
        0.5
    """
    if min(tp, fn, fp, tn) < 0 or not (tp + fn and fp + tn):
        raise ValueError(
            f"counts are 0 or more, with an item of each label, got {tp} and {fn} "
            f"evaluation, {fp} and {tn} deployment items"
        )
    return _point(
        _share(float(tp), tp + fn),
        _share(float(fp), fp + tn),
        base_rates,
        rng=rng,
        level=level,
        unit="sample",
        clusters=tp + fn + fp + tn,
    )


def _share(flagged: float, n: int) -> _Share:
    """Items that are independent."""
    return _Share(flagged / n, float(n), n, n, INDEPENDENT)


def _clustered_share(flagged: Floats, ids: Ids, level: float) -> _Share:
    """Items of clusters: as many independent ones as have the same interval."""
    names, own = np.unique(ids, return_inverse=True)
    count, n, rate = names.size, flagged.size, float(flagged.mean())
    if count == 1:
        return _Share(rate, nan, n, count, "none", ONE_CLUSTER)
    note = f"only {count} clusters of this label" if count < FEW_CLUSTERS else ""
    if rate in (0.0, 1.0):
        return _Share(rate, float(count), n, count, CLUSTERED, note)
    variance = float(np.sum(influence(flagged, own, rate, count) ** 2))
    if variance < 1e-24:
        return _Share(rate, nan, n, count, "none", NO_SPREAD)
    narrower = t_quantile(level, n - 1) / t_quantile(level, effective(own) - 1)
    worth = rate * (1 - rate) / variance * narrower**2
    return _Share(rate, min(float(n), worth), n, count, CLUSTERED, note)


def _point(
    hits: _Share,
    alarms: _Share,
    base_rates: Sequence[float],
    *,
    rng: np.random.Generator,
    level: float,
    unit: str,
    clusters: int,
) -> OperatingPoint:
    """Everything at a threshold, from the shares of either label that are flagged."""
    for rate in base_rates:
        inner_rate(rate, "a base rate")
    se, fpr = hits.drawn(rng), alarms.drawn(rng)
    note = hits.note or alarms.note
    n = hits.n + alarms.n
    found = []
    for rate in base_rates:
        if not hits.rate and not alarms.rate:
            precision = undefined(level, "no item is flagged", n=n, clusters=clusters)
        else:
            low, high = _ends(_precision(se, fpr, rate), hits, alarms, level)
            value = float(_precision(hits.rate, alarms.rate, rate))
            method = f"draws from {hits.method}"
            precision = Estimate(
                value, low, high, level, n, clusters, unit, method, note
            )
        flagged = hits.rate * rate + alarms.rate * (1 - rate)
        found.append(PrecisionAtBaseRate(rate, precision, flagged))
    return OperatingPoint(
        hits.estimate(level, unit, flagged=True),
        alarms.estimate(level, unit, flagged=False),
        tuple(found),
    )


def _precision(
    se: Floats | float, fpr: Floats | float, rate: float
) -> npt.NDArray[np.float64] | float:
    """Se b / (Se b + (1 - Sp)(1 - b))."""
    return se * rate / (se * rate + fpr * (1 - rate))


def _ends(
    drawn: Floats | float, hits: _Share, alarms: _Share, level: float
) -> tuple[float, float]:
    """Quantiles of the draws; the end of the scale where the value sits on it."""
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2])
    if not alarms.rate and not isnan(high):
        high = 1.0
    if not hits.rate and not isnan(low):
        low = 0.0
    return float(low), float(high)
