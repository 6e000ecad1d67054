"""How a subset of questions is looked for."""

from dataclasses import dataclass
from typing import Literal, get_args

from inspect_awareness.stats.selection._subsets import count_subsets

Strategy = Literal["all", "filter", "greedy", "exhaustive", "diversity"]
"""The ways of looking for a subset."""

STRATEGIES: tuple[Strategy, ...] = get_args(Strategy)


@dataclass(frozen=True)
class QuestionSearch:
    """How a subset of questions is looked for.

    `all` takes every question. `filter` takes the best questions by their own AUROC,
    from a threshold on. `greedy` adds the question that raises the AUROC of the mean
    most, and keeps the best of the sets on the way. `exhaustive` tries every subset.
    `diversity` adds the question with the highest AUROC - |r| / 2, r being its
    greatest correlation with those chosen, and keeps the best of the sets on the way.
    Of equally good sets the smaller is taken, then the one that comes first.
    """

    strategy: Strategy = "greedy"
    """Which of the ways."""

    max_size: int = 5
    """Most questions in a subset; `all` ignores it."""

    threshold: float = 0.6
    """AUROC from which `filter` takes a question; where none reaches it, it takes
    all."""

    max_subsets: int = 250_000
    """More subsets than this, and `exhaustive` gives way to `greedy`."""

    def __post_init__(self) -> None:
        if self.strategy not in STRATEGIES:
            raise ValueError(
                f"no strategy {self.strategy!r}; there are {', '.join(STRATEGIES)}"
            )
        if self.max_size < 1 or self.max_subsets < 1:
            raise ValueError(
                "max_size and max_subsets must be 1 or more, got "
                f"{self.max_size} and {self.max_subsets}"
            )
        if not 0 <= self.threshold <= 1:
            raise ValueError(f"threshold is an AUROC in [0, 1], got {self.threshold}")

    def size(self, questions: int) -> int:
        """Most questions in a subset of this many."""
        return min(self.max_size, questions)

    def carried_out(self, questions: int) -> Strategy:
        """What is really done: `greedy` where there are too many subsets to try."""
        subsets = count_subsets(questions, self.size(questions))
        if self.strategy == "exhaustive" and subsets > self.max_subsets:
            return "greedy"
        return self.strategy

    def note(self, questions: int) -> str:
        """What is done instead of what was asked for, and why."""
        if self.carried_out(questions) == self.strategy:
            return ""
        size = self.size(questions)
        subsets = count_subsets(questions, size)
        return (
            f"{subsets:,} subsets of up to {size} of {questions} questions are more "
            f"than {self.max_subsets:,}: greedy search instead of exhaustive"
        )
