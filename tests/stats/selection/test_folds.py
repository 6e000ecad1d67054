"""Folds hold out whole sources, and each holds both labels."""

import numpy as np
import pytest

from inspect_awareness.stats._arrays import codes
from inspect_awareness.stats.selection import source_folds
from inspect_awareness.stats.selection._folds import labels_within_folds


def design(text: str) -> tuple[np.ndarray, np.ndarray]:  # type: ignore[type-arg]
    """Sources in words, `ee d ed`: each letter is a transcript with its label."""
    sources = [(k, c) for k, word in enumerate(text.split()) for c in word]
    return np.array([c == "e" for _, c in sources]), codes([k for k, _ in sources])


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize(
    ("text", "folds"),
    [
        ("eee e e eee e d dd d ddddd d", 5),
        ("e ee eee e d dd", 2),  # two deployment sources
        ("ed ed ed d d e", 4),  # three of both, and one of each
        ("ed ee dd", 2),
        ("ed ed", 2),
        ("e e e e e e e d d d d d d d", 5),
    ],
)
def test_every_fold_has_both_labels_and_no_source_is_split(
    text: str, folds: int, seed: int
) -> None:
    evaluation, sources = design(text)
    found = source_folds(evaluation, sources, 5, rng=np.random.default_rng(seed))
    assert found.count == folds
    assert ("folds instead of 5" in found.note) == (folds < 5)
    for fold in range(folds):
        assert set(evaluation[found.fold == fold]) == {True, False}
    for source in np.unique(sources):
        assert np.unique(found.fold[sources == source]).size == 1


@pytest.mark.parametrize("text", ["eee ddd", "eee d d d", "e e e dddd", "ed", "ed e e"])
def test_one_source_a_class_leaves_nothing_to_hold_out(text: str) -> None:
    found = source_folds(*design(text), 5, rng=np.random.default_rng(0))
    assert found.count == 0
    assert "no honest out-of-sample value" in found.note


def test_labels_move_within_folds_so_that_each_keeps_both() -> None:
    evaluation, sources = design("ee e eee d ddd ed d e")
    rng = np.random.default_rng(0)
    folds = source_folds(evaluation, sources, 3, rng=rng)
    moved, ways = labels_within_folds(evaluation, sources, folds, draws=400, rng=rng)
    whole = [s for s in set(sources) if len(set(evaluation[sources == s])) == 1]
    for fold in range(folds.count):
        inside = folds.fold == fold
        assert (moved[:, inside].any(axis=1) & ~moved[:, inside].all(axis=1)).all()
    for source in whole:
        assert (np.ptp(moved[:, sources == source].astype(int), axis=1) == 0).all()
    assert len({row.tobytes() for row in moved}) == ways


def test_fewer_than_two_folds_are_refused() -> None:
    with pytest.raises(ValueError, match="folds must be 2 or more, got 1"):
        source_folds(*design("e e d d"), 1, rng=np.random.default_rng(0))
