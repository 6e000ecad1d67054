"""What a selection says."""

from collections.abc import Mapping
from dataclasses import dataclass

from inspect_awareness.stats._estimate import Estimate
from inspect_awareness.stats.selection._search import QuestionSearch, Strategy


@dataclass(frozen=True)
class PermutedSearch:
    """What search and validation give where labels mean nothing."""

    p: float
    """(1 + #{draws whose out-of-sample AUROC is as high}) / (1 + draws)."""

    p_in_sample: float
    """The same for the in-sample AUROC of the subset found."""

    in_sample: float
    """Mean in-sample AUROC of the subset found: what the search makes of chance."""

    draws: int
    """How many label vectors were drawn."""

    ways: float
    """How many different ones there could be."""

    note: str = ""
    """What a reader must know."""


@dataclass(frozen=True, eq=False)
class QuestionSelection:
    """The questions found, the questions chosen, and what the choice is worth."""

    search: QuestionSearch
    """What was asked for."""

    strategy: Strategy
    """What was done."""

    questions: tuple[str, ...]
    """The questions that were searched."""

    dropped: tuple[str, ...]
    """Questions that nobody answered."""

    transcripts: int
    """Transcripts on which all subsets were compared."""

    left_out: int
    """Transcripts with answers to fewer than half of the questions."""

    sources: int
    """Sources of the transcripts."""

    folds: int
    """How many folds; 0 where sources could not be held out."""

    best_found: tuple[str, ...]
    """What the search finds on all transcripts."""

    chosen: tuple[str, ...]
    """The same, or all questions where it does not beat them by a standard error."""

    auroc_in_sample: float
    """AUROC of the best found subset on the transcripts that it was found on: too
    high, and therefore without an interval."""

    auroc_out_of_sample: Estimate
    """AUROC of the search on sources that it has not seen."""

    auroc_all: Estimate
    """AUROC of all questions on the same transcripts and folds."""

    gain: Estimate
    """Out-of-sample AUROC of the search minus that of all questions, paired."""

    gain_se: float
    """Its standard error over sources: what `gain` must exceed."""

    null: PermutedSearch
    """The same where labels mean nothing."""

    frequency: Mapping[str, float]
    """For each question the share of folds in which it was chosen."""

    stability: Mapping[str, float]
    """For each question the share of random halves of the sources in which it was
    found; NaN where an exhaustive search is too long to be repeated."""

    notes: tuple[str, ...]
    """What a reader must know."""

    @property
    def optimism(self) -> float:
        """In-sample AUROC of the best found subset minus the out-of-sample AUROC."""
        return self.auroc_in_sample - self.auroc_out_of_sample.value

    @property
    def kept_all(self) -> bool:
        """Whether all questions are kept."""
        return self.chosen == self.questions
