"""What taking the maximum over layers buys: the labels of the scored items permuted."""

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats._intervals import Clusters
from inspect_awareness.stats._permuted import LabelDraws, permuted_labels
from inspect_awareness.stats.floors._floor import Floor, checked_draws, floor_of, peaks
from inspect_awareness.stats.roc import RankedScores

ANSWERS = "what the maximum over layers buys"


def permuted_scoring_floor(
    scores: npt.ArrayLike,
    evaluation: npt.ArrayLike,
    *,
    draws: int,
    rng: np.random.Generator,
    clusters: Clusters | None = None,
    fold: bool = True,
    level: float = 0.95,
) -> Floor:
    """The peak over layers of scores that know nothing of the labels.

    The statistic is max over layers of |A_l - 1/2| (folded) or of A_l - 1/2. The
    labels of the scored items are permuted; the scores, and so the correlation
    between layers, stay what they are. The floor answers what the choice of the best
    layer (and of the better sign) adds by itself. It says nothing about whether some
    other direction would have scored as well: for that see
    `permuted_construction_floor`.

    Args:
        scores: Scores of n items at each layer, shape (layers, n). A search over
            more than layers, such as token positions, is (positions * layers, n).
        evaluation: Whether each item is labelled evaluation, shape (n,).
        draws: How many permutations.
        rng: Permutes.
        clusters: The cluster (source) of each item; labels then move as
            `permuted_labels` moves them, whole clusters where these have one label.
        fold: Count areas below 1/2 as much as those above.
        level: Which quantile of the draws to state.

    Returns:
        The floor with the observed peak. NaN where one label has no item.

    Raises:
        ValueError: A score is not finite, a label neither 0 nor 1, shapes do not
            match, or there are fewer than 2 draws.

    References:
        Westfall and Young, Resampling-Based Multiple Testing (1993), chapter 2.

    Example:
        >>> import numpy as np
        >>> scores, labels = [[1, 2, 3, 4, 5, 6], [1, 3, 2, 5, 4, 6]], [0, 0, 0, 1, 1, 1]
        >>> rng = np.random.default_rng(0)
        >>> found = permuted_scoring_floor(scores, labels, draws=999, rng=rng)
        >>> found.observed, round(found.mean, 2), round(found.p, 2)
        (0.5, 0.26, 0.1)
    """
    array = np.asarray(scores)
    if array.ndim != 2:
        raise ValueError(
            f"scores need shape (layers, n), got {array.shape}; for many instruments "
            "use permuted_scoring_floors"
        )
    return permuted_scoring_floors(
        array[None],
        evaluation,
        draws=draws,
        rng=rng,
        clusters=clusters,
        fold=fold,
        level=level,
    )[0]


def permuted_scoring_floors(
    scores: npt.ArrayLike,
    evaluation: npt.ArrayLike,
    *,
    draws: int,
    rng: np.random.Generator,
    clusters: Clusters | None = None,
    fold: bool = True,
    level: float = 0.95,
) -> list[Floor]:
    """The scoring floor of each of many instruments, all under the same permutations.

    As `permuted_scoring_floor`. Because draw i permutes the labels alike for every
    instrument, statistics across instruments (the mean of their peaks, the largest)
    can be formed draw by draw from `values`.

    Args:
        scores: Shape (instruments, layers, n).
        evaluation: Shape (n,).
        draws: How many permutations.
        rng: Permutes.
        clusters: The cluster (source) of each item.
        fold: Count areas below 1/2 as much as those above.
        level: Which quantile of the draws to state.

    Returns:
        A floor for each instrument, in order.

    Raises:
        ValueError: As `permuted_scoring_floor`.
    """
    checked_draws(draws, level)
    array = np.asarray(scores)
    if array.ndim != 3 or 0 in array.shape:
        raise ValueError(
            f"scores need shape (instruments, layers, n), none empty, got {array.shape}"
        )
    moved = permuted_labels(evaluation, clusters, draws=draws, rng=rng)
    if moved.labels.shape[1] != array.shape[2]:
        raise ValueError(
            f"{moved.labels.shape[1]} labels for {array.shape[2]} items: one each is "
            "needed"
        )
    real = np.asarray(evaluation, dtype=np.bool_)
    return [_floor(each, real, moved, fold=fold, level=level) for each in array]


def _floor(
    scores: npt.NDArray[np.generic],
    real: npt.NDArray[np.bool_],
    moved: LabelDraws,
    *,
    fold: bool,
    level: float,
) -> Floor:
    """One instrument: ranked once, its areas one product with the label vectors."""
    ranked = RankedScores.of(scores)
    return floor_of(
        peaks(ranked.areas(moved.labels), fold=fold),
        float(peaks(ranked.areas(real), fold=fold)),
        kind=f"scoring labels permuted ({moved.moved}): {ANSWERS}",
        level=level,
        note=moved.note,
    )
