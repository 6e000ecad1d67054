"""A claim: a number together with everything that it must not travel without."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan

from inspect_awareness._counted import counted as counted
from inspect_awareness.stats import Bounds, Estimate

UNCALIBRATED = "uncalibrated: no deployment reference"
"""What is said where there is nothing to compare with."""

NO_FLOOR = "no floor measured"
"""What is said where no content-free instrument was tried."""

FEW_REFERENCE_SOURCES = 8
"""Fewer sources than this make a narrow reference."""

FEW_REFERENCE_TRANSCRIPTS = 20
"""Fewer transcripts than this make a small reference."""

ENOUGH_FOR_99 = 100
"""From as many scored transcripts on, one of a hundred can be told: the 99th
percentile serves as a line to pass."""


@dataclass(frozen=True)
class Reference:
    """Deployment transcripts, asked the same questions in the same way."""

    transcripts: int
    """How many are scored."""

    unscored: int
    """How many are not."""

    sources: tuple[str, ...]
    """Where they come from."""

    subjects: tuple[str, ...]
    """The models that wrote them."""

    median: float
    """Median of their scores."""

    percentile_99: float
    """99th percentile of their scores."""

    wholes: int = 0
    """Of how many transcripts they are beginnings; 0 where each is a whole one."""

    @property
    def sentence(self) -> str:
        """What it is, and how little of it there may be."""
        size = (
            f"reference: {self.counted} from "
            f"{counted(len(self.sources), 'source')}, median P(eval) "
            f"{self.shown_median}, 99th percentile {self.shown_percentile_99}"
        )
        return "; ".join([size, *self.cautions])

    @property
    def shown_median(self) -> str:
        """The median in as many digits as tell it from the 99th percentile."""
        return f"{self.median:.{_digits(self.percentile_99 - self.median)}f}"

    @property
    def shown_percentile_99(self) -> str:
        """The 99th percentile in as many digits."""
        return f"{self.percentile_99:.{_digits(self.percentile_99 - self.median)}f}"

    @property
    def counted(self) -> str:
        """How many transcripts, or beginnings of how many."""
        if self.wholes:
            of = counted(self.wholes, "deployment transcript")
            return f"{counted(self.transcripts, 'beginning')} of {of}"
        return counted(self.transcripts, "deployment transcript")

    @property
    def has_99(self) -> bool:
        """Whether it is large enough for its 99th percentile to mean something."""
        return (self.wholes or self.transcripts) >= ENOUGH_FOR_99

    @property
    def cautions(self) -> tuple[str, ...]:
        """What makes it weak, if anything does."""
        found = []
        if (self.wholes or self.transcripts) < FEW_REFERENCE_TRANSCRIPTS:
            found.append(f"a tiny reference (fewer than {FEW_REFERENCE_TRANSCRIPTS})")
        if len(self.sources) < FEW_REFERENCE_SOURCES:
            found.append(
                f"a narrow reference (fewer than {FEW_REFERENCE_SOURCES} sources)"
            )
        return tuple(found)


@dataclass(frozen=True)
class Reliability:
    """How much the value depends on which question was asked."""

    questions: int
    """Pairs of opposite questions with a mean."""

    sd: float
    """Standard deviation of the pairs' means; NaN for one pair."""

    low: float
    """The least of the pairs' means."""

    high: float
    """The greatest."""

    design: str = ""
    """What questions x transcripts, as a random design, say: coefficients at the
    number of pairs used, and how many pairs are needed."""

    @property
    def sentence(self) -> str:
        """The spread in words, and what the design says."""
        if self.questions < 2:
            return "one question pair: the spread over questions is unknown"
        spread = (
            f"spread over {self.questions} question pairs: SD {self.sd:.2f}, from "
            f"{self.low:.2f} to {self.high:.2f}"
        )
        return f"{spread}; {self.design}" if self.design else spread


@dataclass(frozen=True)
class Missing:
    """Values that are missing for one reason."""

    reason: str
    """The typed reason."""

    n: int
    """How many."""

    share: float
    """Of all, missing or not."""


@dataclass(frozen=True)
class Claim:
    """An estimate with its reference, floor, reliability, and what is missing."""

    quantity: str
    """What was estimated, such as `mean P(eval)`."""

    estimate: Estimate
    """The number with its interval."""

    rater: str
    """The model that was asked."""

    subject: str | None
    """The model that wrote the transcripts; None if unknown."""

    source: str
    """What the transcripts come from."""

    condition: str = ""
    """What the interval is conditional on, if it is."""

    reference: Reference | None = None
    """What it is compared with."""

    floor: Estimate | None = None
    """What a content-free instrument scores."""

    floor_name: str = ""
    """Which instrument that was, such as `words alone`."""

    reliability: Reliability | None = None
    """Spread over questions."""

    missing: tuple[Missing, ...] = ()
    """What is not in the number, by reason."""

    bounds: Bounds | None = None
    """What the missing values could have made of it."""

    counts: str = "transcript"
    """What `estimate.n` counts."""

    compared: bool = True
    """Whether it is a level of awareness, which says little without a reference."""

    trust: str = ""
    """What is known of the errors of whoever judged; empty where nobody did."""

    @property
    def judging(self) -> str:
        """Who judges whose transcripts."""
        return judging(self.rater, self.subject)

    @property
    def excess(self) -> float:
        """The value minus the floor; NaN without a floor."""
        return nan if self.floor is None else self.estimate.value - self.floor.value

    @property
    def sentences(self) -> tuple[str, ...]:
        """The number and everything that belongs to it, a sentence each."""
        parts = [
            f"{self.quantity} of {self.source}, {self.judging}: {self._number}",
            self.estimate.note,
            self.condition,
            self._reference,
            self._floor,
            self.reliability.sentence if self.reliability else "",
            self.trust,
            self._missing,
        ]
        return tuple(part for part in parts if part)

    @property
    def sentence(self) -> str:
        """All sentences as one paragraph."""
        return ". ".join(_capital(part) for part in self.sentences) + "."

    @property
    def _number(self) -> str:
        """Value, interval, n and unit."""
        e = self.estimate
        interval = f"{e.level:.0%} interval" if e.has_interval else "no interval"
        return (
            f"{shown(e)} ({interval}; {counted(e.n, self.counts)}, unit: {e.unit}, "
            f"{counted(e.clusters, 'cluster')})"
        )

    @property
    def _reference(self) -> str:
        """What it is compared with."""
        if self.reference is None:
            return UNCALIBRATED if self.compared else ""
        return self.reference.sentence

    @property
    def _floor(self) -> str:
        """The floor, and how far from it the value is."""
        if self.floor is None:
            return NO_FLOOR if self.compared else ""
        name = f" by {self.floor_name}" if self.floor_name else ""
        return (
            f"floor {shown(self.floor)}{name}; the value is {self.excess:+.2f} from it "
            "(no interval: the two were not compared transcript by transcript)"
        )

    @property
    def _missing(self) -> str:
        """How many values are missing and why, with bounds."""
        if not self.missing:
            return ""
        reasons = ", ".join(f"{m.n} {m.reason}" for m in self.missing)
        total = sum(m.n for m in self.missing)
        share = sum(m.share for m in self.missing)
        if self.bounds is None:
            return f"{total} missing ({share:.0%}: {reasons})"
        return (
            f"{total} missing ({share:.0%}: {reasons}); had they all been at one end, "
            f"the value would be {self.bounds.low:.2f} or {self.bounds.high:.2f}"
        )


def judging(rater: str, subject: str | None) -> str:
    """Who judges whose transcripts, never "awareness of" another model.

    Example:
        >>> judging("a/x", "b/y")
        "a/x judging b/y's transcripts"
        >>> judging("a/x", "a/x")
        'a/x judging its own transcripts'
    """
    if subject is None:
        return f"{rater} judging transcripts of an unknown model"
    if subject == rater:
        return f"{rater} judging its own transcripts"
    return f"{rater} judging {subject}'s transcripts"


def shown(estimate: Estimate) -> str:
    """A value with its interval, in as many digits as make the interval visible.

    Example:
        >>> shown(Estimate(0.5, 0.4, 0.6, 0.95, 10, 10))
        '0.50 [0.40, 0.60]'
        >>> shown(Estimate(0.5, float("nan"), float("nan"), 0.95, 1, 1))
        '0.50 [no interval]'
    """
    if estimate.value != estimate.value:
        return "not defined"
    if not estimate.has_interval:
        return f"{estimate.value:.2f} [no interval]"
    digits = _digits(estimate.high - estimate.low)
    ends = ", ".join(f"{end:.{digits}f}" for end in (estimate.low, estimate.high))
    return f"{estimate.value:.{digits}f} [{ends}]"


def total(missing: Sequence[Missing]) -> int:
    """How many are missing for any reason."""
    return sum(m.n for m in missing)


def _digits(width: float) -> int:
    """Two decimals, more where the interval is narrower than they can show."""
    return 2 if width >= 0.02 else 3 if width >= 0.002 else 4


def _capital(text: str) -> str:
    """With a capital letter, unless it starts with a name's lower case."""
    return text[:1].upper() + text[1:]
