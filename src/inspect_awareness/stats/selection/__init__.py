"""Choosing probe questions per model: search, nested validation, and the null."""

from inspect_awareness.stats.selection._folds import SourceFolds, source_folds
from inspect_awareness.stats.selection._record import (
    PermutedSearch,
    QuestionSelection,
)
from inspect_awareness.stats.selection._search import QuestionSearch, Strategy
from inspect_awareness.stats.selection._selected import select_questions
from inspect_awareness.stats.selection._subset_aurocs import (
    FoundQuestions,
    find_questions,
    subset_aurocs,
)
from inspect_awareness.stats.selection._subsets import question_subsets

__all__ = [
    "FoundQuestions",
    "PermutedSearch",
    "QuestionSearch",
    "QuestionSelection",
    "SourceFolds",
    "Strategy",
    "find_questions",
    "question_subsets",
    "select_questions",
    "source_folds",
    "subset_aurocs",
]
