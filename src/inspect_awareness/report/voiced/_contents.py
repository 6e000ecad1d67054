"""What the report holds about awareness that was voiced; frozen, without layout."""

from collections.abc import Mapping
from dataclasses import dataclass

from inspect_awareness.claims import Claim, Missing
from inspect_awareness.stats import (
    Actors,
    AwarenessShares,
    Confirmations,
    Estimate,
    Overlap,
    RatesByBand,
    SharesWithout,
)


@dataclass(frozen=True)
class VoicedRate:
    """How often a model voiced awareness on a benchmark."""

    model: str
    """The model that wrote the transcripts."""

    benchmark: str
    """Where they come from."""

    label: str
    """`evaluation`, `deployment` or `unknown`."""

    transcripts: int
    """How many were to be judged."""

    rate: Claim
    """Share of aware transcripts among those with a verdict."""

    types: Mapping[str, Claim]
    """The same for each type of awareness; `none` where the judge named none of some."""

    kind: str
    """What the benchmark tests: `safety` or `capability`; empty where not said."""

    matched: Claim | None
    """Share that is aware of a test of that kind; None where it is not said."""

    hypothetical: int
    """Transcripts that only raise the thought of a test: not judged aware."""

    corrected: Claim | None
    """The rate less the judge's errors, by people's labels; None without labels."""


@dataclass(frozen=True)
class VoicedTax:
    """How a benchmark's outcome differs between aware and unaware transcripts."""

    model: str
    benchmark: str
    outcome: str
    """The task's own score that is compared."""

    unaware: Claim
    """Mean outcome of unaware transcripts."""

    all: Claim
    """Mean outcome of all: what the benchmark reports."""

    aware: Claim
    """Mean outcome of aware transcripts."""

    tax: Claim
    """Aware minus unaware, within tasks."""

    p: float
    """Permutation p-value of no difference within tasks."""

    pooled: Estimate
    """Aware minus unaware over all tasks, which mixes easy and hard ones."""

    misleads: bool
    """Whether the pooled difference misleads."""

    informative: int
    """Tasks with both kinds of transcripts, on which the tax rests."""

    tasks: int
    """All tasks."""

    detectable: float
    """The smallest difference that would be found with 80 % power."""

    late: int
    """Aware transcripts that said so after the decision, and count as unaware."""

    unplaced: int
    """Aware transcripts of which it is not known where; they count as aware."""

    types: Mapping[str, Claim]
    """The tax of each type of awareness, against the unaware."""

    factor: Estimate | None
    """What the judge's errors leave of a difference; None without labels."""

    disattenuated: Claim | None
    """The tax divided by that factor."""


@dataclass(frozen=True)
class CheckedStratum:
    """A judge against people on one model and benchmark."""

    model: str
    benchmark: str
    counts: tuple[int, int, int, int]
    """TP, FP, FN, TN: first what the judge says, then whether people agree."""

    unlabelled: int
    """Drawn transcripts that nobody labelled."""

    ppv: Estimate
    """Share that is aware among those judged so."""

    npv: Estimate
    """Share that is not among those judged not aware."""

    factor: Estimate | None
    """What the judge's errors leave of a difference between aware and unaware runs."""


@dataclass(frozen=True)
class CheckedJudge:
    """A judge against the people who labelled some of its transcripts."""

    design: str
    """How these were drawn: `random` or `judge`."""

    drawn: int
    """How many were drawn."""

    labelled: int
    """How many have a label."""

    agreement: Mapping[str, Estimate]
    """Kappa and the like, as far as the draw shows them."""

    refused: Mapping[str, str]
    """What it does not show, and why."""

    strata: tuple[CheckedStratum, ...]
    """Each model and benchmark."""


@dataclass(frozen=True)
class Lengths:
    """Awareness of a model by how much it wrote."""

    model: str
    bands: RatesByBand
    """Rates of parts of each task's runs, by length."""


@dataclass(frozen=True)
class Stability:
    """The tasks that a model is stably aware of, on one benchmark."""

    model: str
    benchmark: str
    stable: int
    """Tasks with enough aware runs."""

    possible: int
    """Tasks with enough runs that they could be."""

    too_few: int
    """Tasks with too few runs."""

    share: Estimate
    """Stable tasks among those that could be."""


@dataclass(frozen=True)
class SharedTasks:
    """Whether two models are stably aware of the same tasks of a benchmark."""

    benchmark: str
    overlap: Overlap
    """The counts, and what independence would give."""


@dataclass(frozen=True)
class Methods:
    """Ways to detect awareness of the same transcripts."""

    threshold: float
    """P(evaluation) from which on questions count as a detection."""

    confirmations: Confirmations
    """How often each detects, and who confirms whom."""


@dataclass(frozen=True)
class Convention:
    """What is to be told of each benchmark: awareness rate and awareness tax."""

    model: str
    benchmark: str
    rate: VoicedRate
    tax: VoicedTax | None
    """None where the transcripts have no outcome."""


@dataclass(frozen=True)
class Voiced:
    """Everything by one judge who judged in one way."""

    judge: str
    """The judge, or several."""

    implementation: Mapping[str, str]
    """How it judged."""

    decision: str
    """What awareness had to come before."""

    transcripts: int
    """How many were to be judged."""

    missing: tuple[Missing, ...]
    """Those without a verdict, by reason."""

    votes: Claim | None
    """Share of pairs of votes that agree; None where each transcript has one."""

    flags: Mapping[str, int]
    """Transcripts with something that a reader should know, by flag."""

    rates: tuple[VoicedRate, ...]
    """Each model on each benchmark."""

    deployment: tuple[VoicedRate, ...]
    """The same for deployment transcripts: what the judge says where nobody tests."""

    taxes: tuple[VoicedTax, ...]
    """Each model on each benchmark with outcomes."""

    actors: tuple[Actors, ...]
    """What each model's transcripts are; empty without outcomes."""

    shares: AwarenessShares | None
    """Where awareness varies; None with one model."""

    shares_without: Mapping[str, SharesWithout]
    """The same without each model; empty with fewer than three."""

    lengths: tuple[Lengths, ...]
    """Awareness by length of what was judged, for each model."""

    least: int
    """Aware runs that make a task stably aware."""

    stability: tuple[Stability, ...]
    """Stably aware tasks of each model on each benchmark."""

    shared: tuple[SharedTasks, ...]
    """Stably aware tasks that two models share."""

    methods: Methods | None
    """Other ways to detect awareness of the same transcripts; None without any."""

    checked: CheckedJudge | None
    """The judge against people; None without their labels."""

    reading: tuple[str, ...]
    """How to read the numbers, and what they cannot tell."""

    @property
    def convention(self) -> tuple[Convention, ...]:
        """Rate and tax of each model on each benchmark, side by side."""
        taxes = {(tax.model, tax.benchmark): tax for tax in self.taxes}
        return tuple(
            Convention(r.model, r.benchmark, r, taxes.get((r.model, r.benchmark)))
            for r in self.rates
        )
