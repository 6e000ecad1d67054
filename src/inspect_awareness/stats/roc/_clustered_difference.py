"""The difference of two AUROCs on the same items, with an interval over clusters."""

from dataclasses import replace
from math import nan

import numpy as np
import numpy.typing as npt
from scipy.stats import t as student

from inspect_awareness.stats._arrays import Floats, Ids, finite_vector, matching_ids
from inspect_awareness.stats._estimate import undefined
from inspect_awareness.stats._intervals import (
    ONE_CLUSTER,
    Clusters,
    Interval,
    effective,
    influence,
    t_quantile,
)
from inspect_awareness.stats.roc._delong import AurocDifference
from inspect_awareness.stats.roc._placements import placements
from inspect_awareness.stats.roc._ranked import label_rows

ALIKE = "both place every item alike, so the spread cannot be estimated"


def clustered_auroc_difference(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    evaluation: npt.ArrayLike,
    clusters: Clusters,
    *,
    level: float = 0.95,
    unit: str = "sample",
) -> AurocDifference:
    """The difference of two AUROCs on the same items, with an interval over clusters.

    DeLong's paired variance with clusters, as Obuchowski's (1997) for one AUROC: with
    the placement values V of the first and W of the second scores, D10 = V10 - W10 of
    the evaluation items and D01 = V01 - W01 of the deployment items, a cluster's
    influence is the sum of (D10 - D) / n1 over its evaluation items plus the sum of
    (D01 - D) / n0 over its deployment items, D being the difference; each part is
    divided by sqrt(1 - h), h being the cluster's share of the class (CR2). The
    interval is D ± t se, with Satterthwaite's degrees of freedom from the two
    classes. Where every item is a cluster of its own, se is DeLong's.

    Args:
        first: Scores of one instrument, shape (n,).
        second: Scores of the other on the same items, shape (n,).
        evaluation: Whether each item is labelled evaluation, shape (n,).
        clusters: The cluster of each item; it may hold both labels.
        level: Nominal coverage.
        unit: What a cluster is, for the record.

    Returns:
        Both areas, first minus second with its interval, t (as `z`) and its p. NaN
        where a class is empty; a NaN interval where a class has one cluster, or the
        two place every item alike.

    Raises:
        ValueError: A score is not finite, a label neither 0 nor 1, or lengths differ.

    References:
        DeLong, DeLong and Clarke-Pearson, Biometrics 44 (1988) 837. Obuchowski,
        Biometrics 53 (1997) 567.

    Example:
        >>> found = clustered_auroc_difference(
        ...     [0.9, 0.4, 0.5, 0.1], [0.9, 0.8, 0.5, 0.1], [1, 1, 0, 0], [1, 2, 3, 4]
        ... )
        >>> found.first, found.second, found.difference.value
        (0.75, 1.0, -0.25)
    """
    one, other = finite_vector(first, "first"), finite_vector(second, "second")
    if other.size != one.size:
        raise ValueError(f"{one.size} first and {other.size} second scores: items pair")
    labels = label_rows(evaluation, one.size)
    ids = matching_ids(clusters, one.size, "clusters")
    count = int(ids.max()) + 1 if ids.size else 0
    if labels.all() or not labels.any():
        empty = "evaluation" if not labels.any() else "deployment"
        nothing = undefined(level, f"no {empty} score", n=ids.size, clusters=count)
        return AurocDifference(nan, nan, nothing, nan, nan)
    v10, v01 = placements(one[labels], one[~labels])
    w10, w01 = placements(other[labels], other[~labels])
    areas = float(v10.mean()), float(w10.mean())
    gap = areas[0] - areas[1]
    se, freedom, note = _error(v10 - w10, v01 - w01, ids[labels], ids[~labels])
    if note:
        interval, z, p = Interval(nan, nan, "none", note), nan, nan
    else:
        half = t_quantile(level, freedom) * se
        interval = Interval(gap - half, gap + half, "paired, cluster-robust (CR2), t")
        z, p = gap / se, float(2 * student.sf(abs(gap) / se, freedom))
    fewest = min(np.unique(ids[labels]).size, np.unique(ids[~labels]).size)
    found = interval.around(gap, level=level, n=ids.size, clusters=fewest, unit=unit)
    return AurocDifference(*areas, replace(found, clusters=count), z, p)


def _error(x: Floats, y: Floats, x_ids: Ids, y_ids: Ids) -> tuple[float, float, str]:
    """Standard error and degrees of freedom, or why there are none."""
    sizes = np.unique(x_ids).size, np.unique(y_ids).size
    if min(sizes) < 2:
        which = "evaluation" if sizes[0] < 2 else "deployment"
        return nan, nan, f"{which}: {ONE_CLUSTER}"
    count = int(max(x_ids.max(), y_ids.max())) + 1
    gap = float(x.mean())
    from_x = influence(x, x_ids, gap, count)
    from_y = influence(y, y_ids, gap, count)
    se = float(np.sqrt(np.sum((from_x + from_y) ** 2)))
    if se < 1e-12:
        return nan, nan, ALIKE
    parts = float(np.sum(from_x**2)), float(np.sum(from_y**2))
    freedoms = effective(x_ids) - 1, effective(y_ids) - 1
    below = sum(v**2 / f for v, f in zip(parts, freedoms, strict=True))
    distinct = np.union1d(x_ids, y_ids).size
    return se, min(sum(parts) ** 2 / below, distinct - 1), ""
