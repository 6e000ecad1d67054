"""What a report holds; frozen, and free of any layout."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from inspect_awareness.claims import Claim, Missing, Reference
from inspect_awareness.measurements import InputFile
from inspect_awareness.report._apart import Apart, Control
from inspect_awareness.report._floors import Floors
from inspect_awareness.report._onset import Onset
from inspect_awareness.report._over_questions import OverQuestions
from inspect_awareness.report._raters import RaterDifference
from inspect_awareness.report.voiced import Cited, Voiced


@dataclass(frozen=True)
class Distribution:
    """The scores behind a row."""

    label: str
    """`evaluation`, `deployment` or `unknown`."""

    values: tuple[float, ...]
    """P(evaluation) of each scored transcript, in ascending order."""


@dataclass(frozen=True)
class Row:
    """The transcripts of one source and label, written by one subject."""

    source: str
    """The source, or how many sources are pooled."""

    subject: str | None
    """The model that wrote them."""

    label: str
    """`evaluation`, `deployment` or `unknown`."""

    pooled: bool
    """Whether the row pools the sources of other rows."""

    transcripts: int
    """How many were asked about, scored or not."""

    tasks: int
    """How many tasks they repeat."""

    scored: int
    """How many have a score."""

    not_asked: int
    """How many more the files hold, about which nothing was asked."""

    mean: Claim
    """Mean P(evaluation)."""

    auroc: Claim | None
    """Separation from the reference; None where that makes no sense."""

    percentile: float
    """Where the mean stands among the reference's transcripts, 0 to 100; NaN without."""

    answers: int
    """How many answers there should be."""

    missing_answers: tuple[Missing, ...]
    """Answers that are missing, by reason."""

    distribution: Distribution
    """The scores themselves."""

    quartiles: tuple[float, ...]
    """Quartiles of its transcripts' percentiles among the reference; empty without."""

    above: Claim | None
    """Share of its transcripts above the reference's 99th percentile; None where the
    reference is too small for one."""

    uncorrected: Claim | None
    """The mean before a prior was subtracted; None where none was."""


@dataclass(frozen=True)
class Placed:
    """A transcript's score among those of the deployment transcripts."""

    item: str
    """Its id."""

    source: str
    """Where it comes from."""

    subject: str | None
    """The model that wrote it."""

    label: str
    """`evaluation` or `unknown`."""

    task: str | None
    """The task's id within the source."""

    epoch: int | None
    """The repeat of the task."""

    p: float
    """Its P(evaluation)."""

    percentile: float
    """Percent of the reference below it, ties counted half."""


@dataclass(frozen=True)
class Question:
    """A pair of opposite questions over all transcripts of the files."""

    pair: str
    """Its name."""

    wordings: tuple[str, ...]
    """The questions in it."""

    mean: Claim
    """Mean P(evaluation) by this pair alone."""

    answers: int
    """How many answers there should be."""

    missing_answers: tuple[Missing, ...]
    """Answers that are missing, by reason."""


@dataclass(frozen=True)
class Habit:
    """A liking of the rater for a kind of answer, whatever the transcript."""

    name: str
    """`yes-bias` or `order bias`."""

    scale: str
    """`logit` or `share`."""

    claim: Claim | None
    """Mean half difference; None where it was not measured."""

    meaning: str
    """What the number says, or why there is none."""


@dataclass(frozen=True)
class Block:
    """Everything said by one rater asked in one way."""

    rater: str
    """The model that was asked."""

    implementation: Mapping[str, str]
    """How it was asked."""

    reference: Reference | None
    """The deployment transcripts that its numbers are compared with."""

    uncalibrated: str
    """Why there is no reference; empty if there is one."""

    rows: tuple[Row, ...]
    """The transcripts in question, pooled rows first."""

    reference_rows: tuple[Row, ...]
    """The reference, source by source."""

    questions: tuple[Question, ...]
    """Question by question."""

    habits: tuple[Habit, ...]
    """Biases of the rater."""

    off_label: Claim | None
    """Mean probability outside the two labels; None where labels were sampled."""

    sampled: Claim | None
    """Share of answers that are sampled labels, where the provider was asked for the
    labels' probabilities; None where it was not."""

    placed: tuple[Placed, ...]
    """Each scored transcript in question among the reference, the highest first."""

    over_questions: OverQuestions
    """How far the number of questions suffices."""

    onset: Onset | None
    """Where transcripts rise over their turns; None unless these were asked about."""

    apart: tuple[Apart, ...]
    """Questions that do not make P(evaluation)."""

    controls: tuple[Control, ...]
    """Questions whose answers are known, all of them first."""

    reading: tuple[str, ...]
    """How to read the numbers, and what they cannot tell."""

    @property
    def leading_rows(self) -> tuple[Row, ...]:
        """The rows that stand for a subject: pooled ones, and those of one source."""
        pooled = {row.subject for row in self.rows if row.pooled}
        return tuple(r for r in self.rows if r.pooled or r.subject not in pooled)

    @property
    def subjects(self) -> tuple[str | None, ...]:
        """The models whose transcripts are judged; of the reference, if of no other."""
        found = {row.subject for row in self.rows or self.reference_rows}
        return tuple(sorted(found, key=lambda subject: subject or ""))


@dataclass(frozen=True)
class Report:
    """A measurement of awareness, ready to be written in any format."""

    created: datetime
    """When it was made."""

    package_version: str
    """The version of this package that made it."""

    level: float
    """Nominal coverage of all intervals."""

    scored: tuple[InputFile, ...]
    """The files in question."""

    reference: tuple[InputFile, ...]
    """The files given as reference."""

    skipped: tuple[str, ...]
    """Logs in the folders given that hold no awareness score."""

    duplicates: int
    """Scores dropped because the same transcript had the same score already."""

    blocks: tuple[Block, ...]
    """One for each rater and way of asking; never pooled."""

    seed: int
    """Of what is drawn: intervals of variance components, orders of turns."""

    floors: Floors | None
    """What surface form alone achieves, where it was measured."""

    raters: tuple[RaterDifference, ...]
    """Raters that scored the same transcripts, two by two."""

    voiced: tuple[Voiced, ...] = ()
    """Awareness that models voiced, one for each judge and way of judging."""

    cited: tuple[Cited, ...] = ()
    """Cues that aware models cite, one for each judge and way of judging."""
