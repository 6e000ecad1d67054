"""What every question about calibration is asked of: scores, and labels of 0 and 1."""

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats._arrays import Floats, Ids, finite_vector, matching_ids
from inspect_awareness.stats._binary import binary_or_nan
from inspect_awareness.stats._intervals import Clusters


def labelled(
    scores: npt.ArrayLike, evaluation: npt.ArrayLike, name: str = "scores"
) -> tuple[Floats, Floats]:
    """Scores and their labels as vectors of one length."""
    x = finite_vector(scores, name)
    y = binary_or_nan(evaluation, "evaluation")
    if x.size != y.size:
        raise ValueError(f"{x.size} {name} for {y.size} labels: one each is needed")
    unknown = int(np.isnan(y).sum())
    if unknown:
        raise ValueError(
            f"{unknown} of {y.size} labels are NaN: leave these items out and report "
            "how many there were"
        )
    return x, y


def both_classes(
    scores: npt.ArrayLike, evaluation: npt.ArrayLike
) -> tuple[Floats, Floats]:
    """Scores and labels of which either value occurs."""
    x, y = labelled(scores, evaluation)
    ones = int(y.sum())
    if ones in (0, y.size):
        raise ValueError(
            f"{ones} evaluation and {y.size - ones} deployment items: a calibration "
            "needs items of both labels"
        )
    return x, y


def forecasts(
    probabilities: npt.ArrayLike, evaluation: npt.ArrayLike
) -> tuple[Floats, Floats]:
    """Probabilities in [0, 1] and their labels."""
    p, y = labelled(probabilities, evaluation, "probabilities")
    in_unit(p, "probabilities", "calibrate the scores first")
    return p, y


def in_unit(values: Floats, name: str, advice: str) -> None:
    """Refuse values outside [0, 1]."""
    bad = values[(values < 0) | (values > 1)]
    if bad.size:
        raise ValueError(f"{name} lie in [0, 1], got {bad[0]:g}: {advice}")


def cluster_ids(clusters: Clusters | None, size: int) -> Ids:
    """Clusters as integers; every item by itself where there are none."""
    if clusters is None:
        return np.arange(size, dtype=np.int64)
    return matching_ids(clusters, size, "clusters")
