"""A selection of probe questions as it is kept, and what it may be used with."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from inspect_awareness._sealed import content_digest
from inspect_awareness.errors import SelectionError
from inspect_awareness.stats import Strategy

SCHEMA_VERSION = 1
"""Version of the fields."""

Share = Annotated[float, Field(ge=0, le=1)]
"""A number in [0, 1]."""

Unit = Literal["pair", "question"]
"""What was selected: pairs of opposite wordings, or the questions of a table."""


class _Record(BaseModel):
    """A record that refuses fields that it does not know, and NaN."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Interval(_Record):
    """An estimate; null where it is undefined."""

    value: float | None
    """The value."""

    low: float | None
    """Lower end of the interval."""

    high: float | None
    """Upper end of the interval."""

    level: float = 0.95
    """Nominal coverage."""

    n: int
    """How many transcripts."""

    sources: int
    """How many sources, which count as independent."""

    method: str = ""
    """How the interval was computed."""

    note: str = ""
    """What a reader must know."""


class Search(_Record):
    """How the subset was looked for."""

    strategy: Strategy
    """What was asked for."""

    max_size: int
    """Most questions in a subset."""

    threshold: float
    """AUROC from which `filter` takes a question."""

    max_subsets: int
    """More subsets than this, and `exhaustive` gives way to `greedy`."""


class Selection(_Record):
    """The questions chosen for a rater, and what the choice is worth.

    A question stands for a pair of opposite wordings where `unit` is `pair`.
    """

    schema_version: int = SCHEMA_VERSION
    """Version of the fields."""

    made_with: str
    """Version of this package."""

    unit: Unit
    """What was selected."""

    bank: str | None
    """Name of the question set; null where a table did not say."""

    bank_hash: str | None
    """Hash of the words of the questions asked."""

    rater: str | None
    """The model that was asked."""

    asked: Mapping[str, str]
    """How it was asked: view, elicitation and the like."""

    search: Search
    """How the subset was looked for."""

    strategy: Strategy
    """What was done: `greedy` where an exhaustive search would have been too long."""

    folds: int
    """Folds of the validation; 0 where no source could be held out."""

    folds_asked: int
    """Folds asked for."""

    seed: int
    """Seed of folds and permutations."""

    transcripts: int
    """Transcripts on which all subsets were compared."""

    left_out: int
    """Transcripts with answers to fewer than half of the questions."""

    sources: int
    """Sources of the transcripts."""

    questions: tuple[str, ...]
    """The questions that were searched."""

    dropped: tuple[str, ...]
    """Questions that nobody answered."""

    best_found: tuple[str, ...]
    """What the search finds on all transcripts."""

    chosen: tuple[str, ...]
    """The questions to use."""

    kept_all: bool
    """Whether these are all, because the best found do not beat them."""

    auroc_in_sample: Share
    """AUROC of the best found subset on the transcripts that it was found on."""

    auroc_out_of_sample: Interval
    """AUROC of the search on sources that it has not seen."""

    auroc_all_out_of_sample: Interval
    """AUROC of all questions on the same transcripts and folds."""

    gain: Interval
    """The difference of the two."""

    gain_se: float | None
    """Its standard error over sources."""

    optimism: float | None
    """In-sample minus out-of-sample AUROC."""

    permutation_p: Share | None
    """Of the out-of-sample AUROC, from permuted labels of sources."""

    permutation_p_in_sample: Share | None
    """Of the in-sample AUROC."""

    auroc_in_sample_by_chance: Share | None
    """Mean in-sample AUROC of the subset found under permuted labels."""

    permutations: int
    """How many."""

    frequency: Mapping[str, Share | None]
    """For each question the share of folds that chose it."""

    stability: Mapping[str, Share | None]
    """For each question the share of halves of the sources that chose it."""

    notes: tuple[str, ...]
    """What a reader must know."""

    digest: str = ""
    """Hash of all the rest: 16 hex digits of SHA-256."""

    @model_validator(mode="after")
    def _consistent(self) -> "Selection":
        """Names are among the questions that were searched, once each."""
        known = set(self.questions)
        if not known or len(known) != len(self.questions):
            raise ValueError("questions are missing, or named twice")
        for name in ("best_found", "chosen"):
            given = getattr(self, name)
            if not given or len(set(given)) != len(given) or not set(given) <= known:
                raise ValueError(
                    f"{name} must name some of the questions {', '.join(self.questions)}"
                    f", each once; it is {', '.join(given) or 'empty'}"
                )
        if self.kept_all != (set(self.chosen) == known):
            raise ValueError("kept_all does not fit the questions that were chosen")
        if not self.kept_all and set(self.chosen) != set(self.best_found):
            raise ValueError("chosen must be best_found, or all questions")
        if set(self.frequency) != known or set(self.stability) != known:
            raise ValueError("frequency and stability must name every question")
        return self

    @property
    def content_hash(self) -> str:
        """Hash of everything but `digest`."""
        return content_digest(self.model_dump(mode="json"))

    def sealed(self) -> "Selection":
        """The same with the digest of its content."""
        return self.model_copy(update={"digest": self.content_hash})

    def check_bank(self, bank_hash: str) -> None:
        """Refuse another question bank.

        Args:
            bank_hash: Hash of the questions that are to be asked.

        Raises:
            SelectionError: The selection was made with another bank, or names none.
        """
        if self.bank_hash is None:
            raise SelectionError(
                "this selection was made from a table, which names no question bank: "
                "select on scored logs (`awareness select SCORED -o FILE`)"
            )
        if bank_hash != self.bank_hash:
            raise SelectionError(
                f"this selection was made with question bank {self.bank} "
                f"({self.bank_hash}), not with {bank_hash}: ask the same questions, or "
                "score transcripts with these and run `awareness select` again"
            )

    def check_view(self, view: str) -> None:
        """Refuse another view of a transcript.

        Args:
            view: The part of the transcript that is to be shown.

        Raises:
            SelectionError: The selection was made with another view.
        """
        made = self.asked.get("view", "full")
        if view != made:
            raise SelectionError(
                f"this selection was made with the view {made!r} of transcripts, and "
                f"this one would be shown as {view!r}: make a log of transcripts in "
                f"that view (`inspect eval inspect_awareness/probe_log -T view={made}`) "
                "and score that, or select on scores of this view"
            )

    def check_rater(self, rater: str) -> None:
        """Refuse another rater.

        Args:
            rater: The model that is to be asked.

        Raises:
            SelectionError: The selection was made for another rater, or names none.
        """
        if self.rater is None:
            raise SelectionError(
                "this selection was made from a table, which names no rater: select "
                "on scored logs (`awareness select SCORED -o FILE`)"
            )
        if rater != self.rater:
            raise SelectionError(
                f"this selection was made for the rater {self.rater}, not for {rater}: "
                "questions that work for one model need not work for another; score "
                f"transcripts with {rater} and run `awareness select` on them"
            )
