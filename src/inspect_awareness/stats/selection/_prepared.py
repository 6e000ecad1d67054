"""Checked input of a selection: which transcripts and questions take part."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats._arrays import Ids, codes, matching_ids
from inspect_awareness.stats._intervals import Clusters
from inspect_awareness.stats.roc._ranked import Labels, label_rows
from inspect_awareness.stats.selection._answers import Answers

MIN_ANSWERED = 0.5
"""Share of the questions that a transcript must have answers to."""


@dataclass(frozen=True, eq=False)
class Prepared:
    """Answers, labels and sources of the transcripts on which subsets are compared."""

    answers: Answers
    labels: Labels
    sources: Ids
    questions: tuple[str, ...]
    dropped: tuple[str, ...]
    left_out: int

    @classmethod
    def of(
        cls,
        values: npt.ArrayLike,
        evaluation: npt.ArrayLike,
        sources: Clusters,
        questions: Sequence[str] | None,
    ) -> "Prepared":
        """Drop questions that nobody answered, and transcripts with few answers.

        Raises:
            ValueError: Something is malformed, or a class is empty.
        """
        answers = Answers.of(values)
        names = _names(questions, answers.questions)
        labels = label_rows(evaluation, answers.transcripts)
        if labels.ndim != 1:
            raise ValueError("labels must be one vector, not a matrix")
        ids = matching_ids(sources, labels.size, "sources")
        if answers.answered is None:
            return cls(answers, _both(labels), ids, names, (), 0)
        asked: Labels = np.asarray(answers.answered.sum(axis=0) > 0)
        if not asked.any():
            raise ValueError("no question has an answer for any transcript")
        share = answers.answered[:, asked].mean(axis=1)
        keep = share >= MIN_ANSWERED
        return cls(
            answers.of_columns(asked).of_rows(keep),
            _both(labels[keep]),
            codes(ids[keep]),
            tuple(n for n, known in zip(names, asked, strict=True) if known),
            tuple(n for n, known in zip(names, asked, strict=True) if not known),
            int((~keep).sum()),
        )

    @property
    def notes(self) -> list[str]:
        """What was left out, and what the answers cannot tell."""
        found = []
        if self.dropped:
            found.append(f"dropped, as nobody answered: {', '.join(self.dropped)}")
        if self.left_out:
            found.append(
                f"{self.left_out} transcripts left out: fewer than half of the "
                "questions have an answer"
            )
        constant = self._constant()
        if constant:
            found.append(f"the same answer everywhere: {', '.join(constant)}")
        return found

    def _constant(self) -> list[str]:
        """Questions whose answers do not differ."""
        known = self.answers.answered
        least = self.answers.filled.copy()
        most = self.answers.filled.copy()
        if known is not None:
            least[known == 0], most[known == 0] = np.inf, -np.inf
        flat = least.min(axis=0) == most.max(axis=0)
        return [name for name, same in zip(self.questions, flat, strict=True) if same]


def _names(questions: Sequence[str] | None, count: int) -> tuple[str, ...]:
    """The questions' names, or their numbers."""
    if questions is None:
        return tuple(str(number) for number in range(count))
    if len(questions) != count:
        raise ValueError(
            f"{len(questions)} names of questions for {count} columns of values"
        )
    twice = sorted({name for name in questions if list(questions).count(name) > 1})
    if twice:
        raise ValueError(f"question named twice: {', '.join(twice)}")
    return tuple(questions)


def _both(labels: Labels) -> Labels:
    """The labels, if both classes are there."""
    positive = int(labels.sum())
    if not 0 < positive < labels.size:
        raise ValueError(
            f"{positive} evaluation and {labels.size - positive} deployment "
            "transcripts with answers to half of the questions: selection needs both; "
            "score transcripts of the other class with the same questions"
        )
    return labels
