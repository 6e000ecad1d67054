"""Scores turned into probabilities by curves that never saw them."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats._arrays import Floats, Ids, matching_ids
from inspect_awareness.stats._intervals import Clusters
from inspect_awareness.stats.calibration._folds import grouped_folds
from inspect_awareness.stats.calibration._inputs import both_classes
from inspect_awareness.stats.calibration._isotonic import IsotonicScaling, fit_isotonic
from inspect_awareness.stats.calibration._platt import PlattScaling, fit_platt

Method = Literal["platt", "isotonic"]
"""The family of the curve: two parameters, or any non-decreasing map."""

ENOUGH_FOR_ISOTONIC = 1_000
"""Below this many items an isotonic curve follows noise."""

UNGROUPED = (
    "no groups were given: items of one source may stand on both sides of a fold, "
    "which flatters the calibration"
)


@dataclass(frozen=True, eq=False)
class Calibrated:
    """Probabilities of items, each from a curve fitted without the item's group."""

    probabilities: Floats
    """Out-of-fold probability of each item, shape (n,): what to measure with."""

    fold: Ids
    """The fold of each item, from 0; its curve was fitted on the other folds."""

    scaling: PlattScaling | IsotonicScaling
    """The curve fitted on every item: what to apply to new items."""

    method: Method
    """The family of the curves."""

    folds: int
    """How many folds."""

    groups: int
    """How many groups, none of which is in two folds."""

    n: int
    """How many items."""

    note: str = ""
    """What a reader must know."""


def calibrated(
    scores: npt.ArrayLike,
    evaluation: npt.ArrayLike,
    *,
    groups: Clusters | None,
    rng: np.random.Generator,
    folds: int = 5,
    method: Method | None = None,
) -> Calibrated:
    """Calibrate scores out of fold, with whole groups in one fold.

    The folds hold as equal shares of each label as whole groups allow. The curve of a
    fold is fitted on the other folds, so that what is said of the probabilities (a
    Brier score, a reliability curve) is said of items that the curve never saw. Ranks
    may change between folds: measure an AUROC on the scores, not on these.

    Args:
        scores: Score of each item, shape (n,).
        evaluation: 1 for evaluation, 0 for deployment, shape (n,).
        groups: The group (source, task) of each item. None takes every item for a
            group of its own, and the note says what that does.
        rng: Orders groups of one size before they are placed.
        folds: How many folds; fewer groups than this are left out one at a time.
        method: `platt` or `isotonic`; None is platt below 1,000 items, isotonic from
            there (Niculescu-Mizil and Caruana).

    Returns:
        Out-of-fold probabilities, and the curve fitted on every item.

    Raises:
        ValueError: One label, or one that only one group has: without that group no
            curve can be fitted. Fewer than 2 folds, an unknown method, or what the
            fit refuses.

    References:
        Niculescu-Mizil and Caruana, ICML (2005) 625.

    Example:
        >>> found = calibrated(
        ...     [0.1, 0.3, 0.2, 0.8, 0.4, 0.9],
        ...     [0, 0, 0, 1, 1, 1],
        ...     groups=["a", "a", "b", "c", "d", "d"],
        ...     folds=2,
        ...     rng=np.random.default_rng(0),
        ... )
        >>> found.fold.tolist()
        [0, 0, 1, 0, 1, 1]
    """
    x, y = both_classes(scores, evaluation)
    chosen = method or ("platt" if y.size < ENOUGH_FOR_ISOTONIC else "isotonic")
    if chosen not in ("platt", "isotonic"):
        raise ValueError(f"method must be platt, isotonic or None, got {method!r}")
    if folds < 2:
        raise ValueError(f"folds must be 2 or more, got {folds}")
    ids = (
        np.arange(y.size) if groups is None else matching_ids(groups, y.size, "groups")
    )
    count = int(ids.max()) + 1
    _check_groups(y, ids)
    used = min(folds, count)
    fold = grouped_folds(y, ids, used, rng)
    fit = fit_platt if chosen == "platt" else fit_isotonic
    probabilities = np.empty(y.size)
    for k in range(used):
        _check_fold(y[fold != k], k)
        probabilities[fold == k] = fit(x[fold != k], y[fold != k]).apply(x[fold == k])
    whole = fit(x, y)
    given = UNGROUPED if groups is None else ""
    fewer = f"{count} groups: one is left out at a time" if used < folds else ""
    note = "; ".join(words for words in (given, fewer, whole.note) if words)
    return Calibrated(probabilities, fold, whole, chosen, used, count, y.size, note)


def _check_groups(y: Floats, ids: Ids) -> None:
    """Refuse a label that only one group has."""
    for label, name in ((1, "evaluation"), (0, "deployment")):
        if np.unique(ids[y == label]).size == 1:
            raise ValueError(
                f"only one group has {name} items: without it nothing is left to fit "
                "a curve on; each label needs 2 or more groups"
            )


def _check_fold(y: Floats, fold: int) -> None:
    """Refuse a training part with one label, which groups of both labels can leave."""
    if y.min() == y.max():
        name = "evaluation" if y[0] else "deployment"
        raise ValueError(
            f"without fold {fold} all {y.size} items are {name}: use more folds"
        )
