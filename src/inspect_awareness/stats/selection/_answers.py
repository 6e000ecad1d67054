"""The matrix of answers: transcripts by questions, some of them missing."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats._arrays import Floats
from inspect_awareness.stats.roc._ranked import Labels

CELLS = 32_000
"""Scores that are computed at a time, so that they stay in the processor's cache."""


@dataclass(frozen=True, eq=False)
class Answers:
    """Answers in [0, 1] of n transcripts to k questions."""

    filled: Floats
    """The answers, 0 where there is none, shape (n, k)."""

    answered: Floats | None
    """1 where there is an answer, else 0; None where all are there."""

    @classmethod
    def of(cls, values: npt.ArrayLike) -> "Answers":
        """From values in [0, 1] with NaN where a question has no answer.

        Raises:
            ValueError: They are no matrix, or a value is outside [0, 1].
        """
        matrix = np.asarray(values, dtype=np.float64)
        if matrix.ndim != 2 or not matrix.size:
            raise ValueError(
                "values must be a matrix with a row for each transcript and a column "
                f"for each question, got shape {matrix.shape}"
            )
        missing = np.isnan(matrix)
        known = matrix[~missing]
        outside = known[(known < 0) | (known > 1)]
        if outside.size:
            raise ValueError(
                f"values must be in [0, 1] (1 means evaluation), got {outside[0]:g}; "
                "rescale them, or leave the cell empty"
            )
        if not missing.any():
            return cls(matrix, None)
        return cls(np.where(missing, 0.0, matrix), (~missing).astype(np.float64))

    @property
    def transcripts(self) -> int:
        """How many rows."""
        return int(self.filled.shape[0])

    @property
    def questions(self) -> int:
        """How many columns."""
        return int(self.filled.shape[1])

    def of_rows(self, rows: npt.NDArray[np.generic]) -> "Answers":
        """Some of the transcripts."""
        known = None if self.answered is None else self.answered[rows]
        return Answers(self.filled[rows], known)

    def of_columns(self, columns: npt.NDArray[np.generic]) -> "Answers":
        """Some of the questions."""
        known = None if self.answered is None else self.answered[:, columns]
        return Answers(self.filled[:, columns], known)

    def scores(self, subsets: Labels) -> Floats:
        """The mean over the questions of each subset that have an answer.

        Args:
            subsets: Shape (subsets, k).

        Returns:
            Shape (subsets, n); NaN where none of a subset's questions has one.
        """
        weights = subsets.astype(np.float64)
        sums = weights @ self.filled.T
        if self.answered is None:
            sums /= weights.sum(axis=1, keepdims=True)
            return np.asarray(sums)
        counts = weights @ self.answered.T
        with np.errstate(invalid="ignore"):
            return np.asarray(sums / counts)

    def chunks(self, subsets: Labels) -> Iterator[slice]:
        """Slices of subsets whose scores fit in the cache."""
        step = max(1, CELLS // max(1, self.transcripts))
        for start in range(0, subsets.shape[0], step):
            yield slice(start, start + step)
