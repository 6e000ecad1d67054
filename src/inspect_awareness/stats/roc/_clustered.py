"""The AUROC, with an interval over clusters that may hold both classes."""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from math import nan

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats._arrays import Floats, Ids, finite_vector, matching_ids
from inspect_awareness.stats._estimate import Estimate, undefined
from inspect_awareness.stats._intervals import (
    NO_SPREAD,
    ONE_CLUSTER,
    UNRESPONSIVE,
    Clusters,
    Interval,
    effective,
    influence,
    on_logit_scale,
    t_quantile,
)
from inspect_awareness.stats.roc._newcombe import newcombe
from inspect_awareness.stats.roc._placements import placements


def clustered_auroc(
    evaluation_scores: npt.ArrayLike,
    deployment_scores: npt.ArrayLike,
    evaluation_clusters: Clusters,
    deployment_clusters: Clusters,
    *,
    level: float = 0.95,
    unit: str = "sample",
) -> Estimate:
    """AUROC with an interval over clusters, which may hold both classes.

    Obuchowski's (1997) variance: with placements V10_i = P(x_i > Y) and
    V01_j = P(X > y_j), a cluster's influence is the sum of (V10 - A) / n1 over its
    evaluation scores plus the sum of (V01 - A) / n0 over its deployment scores; each
    part is divided by sqrt(1 - h), h being the cluster's share of the class (CR2).
    The interval is logit(A) ± t se / (A (1 - A)), with Satterthwaite's degrees of
    freedom from the two classes' shares of the variance and their effective numbers
    of clusters, and never more than the number of clusters - 1. At A = 0 or 1 the
    variance says nothing: Newcombe's (2006) method 5 with the clusters as n. Where
    less than one pair of clusters is out of order, the wider of the two, so that a
    near miss is never surer than perfect separation.

    Args:
        evaluation_scores: Scores labelled evaluation, shape (n1,).
        deployment_scores: Scores labelled deployment, shape (n0,).
        evaluation_clusters: The cluster of each evaluation score.
        deployment_clusters: The cluster of each deployment score; the same id means
            the same cluster.
        level: Nominal coverage.
        unit: What a cluster is, for the record.

    Returns:
        The estimate; `n` and `clusters` count both classes. NaN where a class is
        empty; a NaN interval where a class has one cluster, or nothing varies.

    Raises:
        ValueError: A score is not finite, or lengths differ.

    References:
        Obuchowski, Biometrics 53 (1997) 567. Newcombe, Statistics in Medicine 25
        (2006) 559.
    """
    x = finite_vector(evaluation_scores, "evaluation_scores")
    y = finite_vector(deployment_scores, "deployment_scores")
    if len(evaluation_clusters) != x.size or len(deployment_clusters) != y.size:
        raise ValueError("one cluster is needed for each score")
    both = [*_plain(evaluation_clusters), *_plain(deployment_clusters)]
    ids = matching_ids(both, x.size + y.size, "clusters")
    count = int(ids.max()) + 1 if ids.size else 0
    if not x.size or not y.size:
        empty = "evaluation" if not x.size else "deployment"
        return undefined(level, f"no {empty} score", n=ids.size, clusters=count)
    placed = _Placements.of(x, y, ids)
    estimate = _auroc_interval(placed, level).around(
        placed.area,
        level=level,
        n=ids.size,
        clusters=min(placed.x_clusters.size, placed.y_clusters.size),
        unit=unit,
    )
    return replace(estimate, clusters=count)


@dataclass(frozen=True, eq=False)
class _Placements:
    """Placement values of two classes, and the clusters that they belong to."""

    x: Floats
    y: Floats
    x_ids: Ids
    y_ids: Ids

    @classmethod
    def of(cls, x: Floats, y: Floats, ids: Ids) -> "_Placements":
        """From scores, evaluation first in `ids`."""
        v10, v01 = placements(x, y)
        return cls(v10, v01, ids[: x.size], ids[x.size :])

    @property
    def area(self) -> float:
        """The mean placement is the AUROC."""
        return float(self.x.mean())

    @property
    def x_clusters(self) -> Ids:
        """Clusters with evaluation scores."""
        return np.unique(self.x_ids)

    @property
    def y_clusters(self) -> Ids:
        """Clusters with deployment scores."""
        return np.unique(self.y_ids)


def _auroc_interval(placed: _Placements, level: float) -> Interval:
    """The interval of an AUROC from its placements."""
    x_count, y_count = placed.x_clusters.size, placed.y_clusters.size
    if min(x_count, y_count) == 1:
        which = "evaluation" if x_count == 1 else "deployment"
        return Interval(nan, nan, "none", f"{which}: {ONE_CLUSTER}")
    area = placed.area
    if area in (0.0, 1.0):
        return _over_clusters(area, x_count, y_count, level)
    count = int(max(placed.x_ids.max(), placed.y_ids.max())) + 1
    from_x = influence(placed.x, placed.x_ids, area, count)
    from_y = influence(placed.y, placed.y_ids, area, count)
    se = float(np.sqrt(np.sum((from_x + from_y) ** 2)))
    if se < 1e-12:
        same = float(np.ptp(placed.x)) == float(np.ptp(placed.y)) == 0.0
        return Interval(nan, nan, "none", UNRESPONSIVE if same else NO_SPREAD)
    freedom = _satterthwaite(
        (float(np.sum(from_x**2)), float(np.sum(from_y**2))),
        (effective(placed.x_ids) - 1, effective(placed.y_ids) - 1),
    )
    distinct = np.union1d(placed.x_clusters, placed.y_clusters).size
    found = on_logit_scale(area, se, t_quantile(level, min(freedom, distinct - 1)))
    if min(area, 1 - area) * x_count * y_count < 1:
        return _wider(found, _over_clusters(area, x_count, y_count, level))
    return found


def _wider(one: Interval, other: Interval) -> Interval:
    """From the lower low to the higher high."""
    low, high = min(one.low, other.low), max(one.high, other.high)
    return Interval(low, high, f"the wider of: {one.method}; {other.method}")


def _satterthwaite(
    variances: tuple[float, float], freedoms: tuple[float, float]
) -> float:
    """(v1 + v0)^2 / (v1^2 / f1 + v0^2 / f0)."""
    below = sum(v**2 / f for v, f in zip(variances, freedoms, strict=True))
    return sum(variances) ** 2 / below


def _over_clusters(area: float, x_count: int, y_count: int, level: float) -> Interval:
    """Newcombe's interval with the clusters as n."""
    found = newcombe(area, x_count, y_count, level)
    return replace(found, method=f"{found.method}, clusters as n")


def _plain(ids: Clusters) -> list[Hashable]:
    """Ids of either class as one kind of list."""
    return list(ids.tolist()) if isinstance(ids, np.ndarray) else list(ids)
