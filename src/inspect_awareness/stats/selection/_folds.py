"""Folds that hold out whole sources, with both labels in each."""

from dataclasses import dataclass

import numpy as np

from inspect_awareness.stats._arrays import Ids
from inspect_awareness.stats._permuted import permuted_labels
from inspect_awareness.stats.roc._ranked import Labels


@dataclass(frozen=True, eq=False)
class SourceFolds:
    """The fold of each transcript; a source is in one fold only."""

    fold: Ids
    """The fold of each transcript, shape (n,); all 0 where there is none."""

    count: int
    """How many folds; 0 where no two of them can hold both labels."""

    note: str = ""
    """Why there are fewer than asked for, or none."""


def source_folds(
    evaluation: Labels, sources: Ids, folds: int, *, rng: np.random.Generator
) -> SourceFolds:
    """Deal whole sources to folds so that each holds both labels.

    Sources of both labels are dealt first, then those of evaluation and those of
    deployment, each in random order and round the folds, beginning with a fold that
    has none yet. Which sources share a fold then depends on nothing but chance, so
    that labels that are permuted within folds are as likely as those observed.

    Args:
        evaluation: Shape (n,).
        sources: The source of each transcript, as integers from 0, shape (n,).
        folds: How many, 2 or more.
        rng: Shuffles the sources.

    Raises:
        ValueError: Fewer than 2 folds are asked for.
    """
    if folds < 2:
        raise ValueError(f"folds must be 2 or more, got {folds}")
    count = int(sources.max()) + 1
    has = [np.bincount(sources, each, count) > 0 for each in (evaluation, ~evaluation)]
    both = np.flatnonzero(has[0] & has[1])
    pure = [np.flatnonzero(has[k] & ~has[1 - k]) for k in (0, 1)]
    possible = both.size + min(each.size for each in pure)
    made = min(folds, possible)
    if made < 2:
        return SourceFolds(np.zeros_like(sources), 0, _none(both.size, pure))
    of_source = np.zeros(count, dtype=np.int64)
    for members, first in ((both, 0), (pure[0], both.size), (pure[1], both.size)):
        dealt = rng.permutation(members)
        of_source[dealt] = (np.arange(members.size) + first) % made
    return SourceFolds(of_source[sources], made, _fewer(made, folds))


def labels_within_folds(
    evaluation: Labels,
    sources: Ids,
    folds: SourceFolds,
    *,
    draws: int,
    rng: np.random.Generator,
) -> tuple[Labels, float]:
    """Labels permuted as `permuted_labels` does, within each fold.

    Whole sources exchange labels with others of their fold, so that every fold keeps
    both labels.

    Returns:
        Label vectors of shape (draws, n), and how many different ones there are.
    """
    found = np.tile(evaluation, (draws, 1))
    ways = 1.0
    for fold in range(folds.count):
        rows = np.flatnonzero(folds.fold == fold)
        moved = permuted_labels(evaluation[rows], sources[rows], draws=draws, rng=rng)
        found[:, rows] = moved.labels
        ways *= moved.ways
    return found, ways


def _none(both: int, pure: list[Ids]) -> str:
    """Why sources cannot be held out."""
    return (
        f"no honest out-of-sample value: there are {pure[0].size} evaluation and "
        f"{pure[1].size} deployment sources and {both} of both labels, and two folds "
        "with both labels need two of each"
    )


def _fewer(made: int, asked: int) -> str:
    """That there are fewer folds than asked for."""
    if made == asked:
        return ""
    return f"{made} folds instead of {asked}: no more can hold sources of both labels"
