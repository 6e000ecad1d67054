"""Subsets of questions and their areas, without any validation."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats._arrays import Floats
from inspect_awareness.stats.roc._ranked import Labels, label_rows
from inspect_awareness.stats.selection._answers import Answers
from inspect_awareness.stats.selection._search import QuestionSearch
from inspect_awareness.stats.selection._strategies import areas_of_all, found_subsets


@dataclass(frozen=True, eq=False)
class FoundQuestions:
    """What a search finds on the transcripts that it is given."""

    members: Labels
    """Which questions are in the subset, shape (k,)."""

    auroc: float
    """Its AUROC on the same transcripts: too high, by as much as the search is long."""

    note: str = ""
    """What was done instead of what was asked for."""

    @property
    def questions(self) -> list[int]:
        """Numbers of the questions in the subset, from 0."""
        return np.flatnonzero(self.members).tolist()


def subset_aurocs(
    values: npt.ArrayLike, evaluation: npt.ArrayLike, subsets: npt.ArrayLike
) -> Floats:
    """The AUROC of the mean answer of each subset of questions, exact with ties.

    The score of a transcript is the mean over the subset's questions that have an
    answer. A transcript without any is tied with every other, so that all subsets are
    compared on the same transcripts and none gains by not answering.

    Args:
        values: P(evaluation) by each question, shape (n, k); NaN without an answer.
        evaluation: Whether each transcript is labelled evaluation, shape (n,).
        subsets: Which questions each subset holds, shape (subsets, k).

    Returns:
        Shape (subsets,); NaN where a class is empty.

    Raises:
        ValueError: A value is outside [0, 1], a label is neither 0 nor 1, a subset is
            empty, or shapes do not match.

    Example:
        >>> subset_aurocs([[0.9, 0.1], [0.2, 0.3], [0.5, 0.1]], [1, 0, 0],
        ...               [[1, 0], [0, 1], [1, 1]]).tolist()
        [1.0, 0.25, 1.0]
    """
    answers = Answers.of(values)
    labels = label_rows(evaluation, answers.transcripts)
    members = np.asarray(subsets, dtype=np.bool_)
    if members.ndim != 2 or members.shape[1] != answers.questions:
        raise ValueError(
            f"subsets need shape (subsets, {answers.questions}), got {members.shape}"
        )
    if not members.any(axis=1).all():
        raise ValueError("a subset holds no question: leave it out")
    if labels.all() or not labels.any():
        return np.full(members.shape[0], np.nan)
    return np.asarray(areas_of_all(answers, members, labels[None])[0])


def find_questions(
    values: npt.ArrayLike,
    evaluation: npt.ArrayLike,
    search: QuestionSearch | None = None,
) -> FoundQuestions:
    """Search for a subset of questions, without asking what the result is worth.

    Use `select_questions` for a subset that is to be used: the AUROC here is that of
    the luckiest subset.

    Args:
        values: P(evaluation) by each question, shape (n, k); NaN without an answer.
        evaluation: Whether each transcript is labelled evaluation, shape (n,).
        search: How; greedily, up to 5 questions, if None.

    Raises:
        ValueError: A value is outside [0, 1], a label is neither 0 nor 1, a class is
            empty, or lengths differ.

    Example:
        >>> found = find_questions([[0.9, 0.1], [0.2, 0.3], [0.5, 0.1]], [1, 0, 0])
        >>> found.questions, found.auroc
        ([0], 1.0)
    """
    plan = search or QuestionSearch()
    answers = Answers.of(values)
    labels = label_rows(evaluation, answers.transcripts)
    if labels.all() or not labels.any():
        raise ValueError("one class has no transcript: a search needs both")
    members = found_subsets(answers, labels[None], plan)[0]
    area = float(areas_of_all(answers, members[None], labels[None])[0, 0])
    return FoundQuestions(members, area, plan.note(answers.questions))
