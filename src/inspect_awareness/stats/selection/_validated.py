"""The search made anew in each fold, for the labels observed and for permuted ones."""

from dataclasses import dataclass

import numpy as np

from inspect_awareness.stats._arrays import Floats, Ids
from inspect_awareness.stats.roc._ranked import Labels
from inspect_awareness.stats.selection._answers import Answers
from inspect_awareness.stats.selection._folds import SourceFolds
from inspect_awareness.stats.selection._pooled import PooledPairs
from inspect_awareness.stats.selection._search import QuestionSearch
from inspect_awareness.stats.selection._strategies import found_subsets, subset_wins
from inspect_awareness.stats.selection._wins import pairs


@dataclass(frozen=True, eq=False)
class Validated:
    """What the subsets found without each fold are worth in it."""

    chosen: Labels
    """The subset found without each fold, shape (folds, k)."""

    found: PooledPairs
    """Of the transcripts scored by the subset found without their fold."""

    everything: PooledPairs
    """The same transcripts and folds, scored by all questions."""

    areas: Floats
    """The out-of-sample AUROC under each label vector, shape (draws,)."""


def validated(
    answers: Answers,
    labels: Labels,
    sources: Ids,
    folds: SourceFolds,
    search: QuestionSearch,
) -> Validated:
    """Repeat the search without each fold, and score the fold with what it finds.

    Args:
        answers: Of n transcripts to k questions.
        labels: Shape (draws, n); the first row is what was observed.
        sources: Integers from 0, shape (n,).
        folds: Two or more.
        search: What to repeat.
    """
    scores = np.empty(answers.transcripts)
    chosen = np.empty((folds.count, answers.questions), dtype=np.bool_)
    won, made = np.zeros((2, labels.shape[0]))
    for fold in range(folds.count):
        out = folds.fold == fold
        subsets = found_subsets(answers.of_rows(~out), labels[:, ~out], search)
        held_out = answers.of_rows(out)
        won += subset_wins(held_out, subsets, labels[:, out])
        made += pairs(labels[:, out])
        chosen[fold] = subsets[0]
        scores[out] = held_out.scores(subsets[:1])[0]
    full = answers.scores(np.ones((1, answers.questions), dtype=np.bool_))[0]
    found, everything = (
        PooledPairs.of(each, labels[0], sources, folds.fold) for each in (scores, full)
    )
    return Validated(chosen, found, everything, won / made)
