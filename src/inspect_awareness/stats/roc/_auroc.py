"""The area under the ROC curve, and percentiles among a reference."""

from math import nan

import numpy as np
import numpy.typing as npt
from scipy.stats import rankdata

from inspect_awareness.stats._arrays import Floats, finite_vector


def auroc(evaluation_scores: npt.ArrayLike, deployment_scores: npt.ArrayLike) -> float:
    """Chance that an evaluation transcript scores above a deployment transcript.

    AUROC = P(X > Y) + P(X = Y) / 2 over all pairs, exact with ties:
    (R - n1 (n1 + 1) / 2) / (n1 n0), with R the rank sum of the evaluation scores
    (average ranks).

    Args:
        evaluation_scores: Scores of transcripts labelled evaluation, shape (n1,).
        deployment_scores: Scores of transcripts labelled deployment, shape (n0,).

    Returns:
        The area in [0, 1]; NaN where a class is empty.

    Raises:
        ValueError: A score is NaN or infinite.

    Example:
        >>> auroc([0.9, 0.5], [0.5, 0.1])
        0.875
    """
    x = finite_vector(evaluation_scores, "evaluation_scores")
    y = finite_vector(deployment_scores, "deployment_scores")
    if not x.size or not y.size:
        return nan
    rank_sum = rankdata(np.concatenate([x, y]))[: x.size].sum()
    return float((rank_sum - x.size * (x.size + 1) / 2) / (x.size * y.size))


def percentile_of(values: npt.ArrayLike, reference: npt.ArrayLike) -> Floats:
    """Where values stand among reference scores, 0 to 100.

    Mid-rank: 100 (#{reference < v} + #{reference = v} / 2) / #reference, so that a
    value equal to the whole reference stands at 50.

    Args:
        values: Values to place, shape (n,).
        reference: Reference scores, shape (m,).

    Returns:
        A percentile for each value; NaN where the reference is empty.

    Raises:
        ValueError: A value or score is NaN or infinite.

    Example:
        >>> percentile_of([0.2, 0.9], [0.1, 0.2, 0.3, 0.4]).tolist()
        [37.5, 100.0]
    """
    points = finite_vector(values, "values")
    ordered = np.sort(finite_vector(reference, "reference"))
    if not ordered.size:
        return np.full(points.shape, nan)
    below = np.searchsorted(ordered, points, side="left")
    up_to = np.searchsorted(ordered, points, side="right")
    return np.asarray(50.0 * (below + up_to) / ordered.size, dtype=np.float64)
