"""What came of a run, rater by rater."""

from collections import Counter
from dataclasses import dataclass, replace
from math import isnan
from pathlib import Path

from inspect_ai.model import Model

from inspect_awareness.runs._scoring import ScoredTranscript
from inspect_awareness.runs._tokens import Tokens, tokens_of
from inspect_awareness.scorers._record import RECORD
from inspect_awareness.stats import Estimate, clustered_mean, resampling_unit


@dataclass(frozen=True)
class Rated:
    """What came of one rater."""

    rater: str
    """The model that was asked."""

    scored: int
    """Transcripts with a number."""

    unscored: Counter[str]
    """Transcripts without, by reason."""

    mean: Estimate
    """Mean P(eval) with its interval."""

    tokens: Tokens
    """Tokens of all these replies, those of an earlier run among them."""

    resumed: int
    """Transcripts whose replies an earlier, interrupted run left."""

    unseen: Counter[str]
    """Answers whose labels' probabilities were asked for and not given, by reason."""

    missing: Counter[str]
    """Answers that should make P(eval) and are missing, by reason."""

    trimmed: int
    """Transcripts of which something was left out, to fit the rater's context."""


@dataclass(frozen=True)
class Scored:
    """What came of a run."""

    outputs: tuple[Path, ...]
    """The files that were written."""

    skipped: Counter[str]
    """Samples left out, by reason."""

    journals: tuple[Path, ...]
    """Kept where the provider failed on some: with them only those are asked again."""

    raters: tuple[Rated, ...]
    """What came of each rater; the first is the one that was asked first."""

    @property
    def scored(self) -> int:
        """Transcripts with a number of the first rater."""
        return self.raters[0].scored

    @property
    def unscored(self) -> Counter[str]:
        """Transcripts without, by reason."""
        return self.raters[0].unscored

    @property
    def mean(self) -> Estimate:
        """Mean P(eval) of the first rater with its interval."""
        return self.raters[0].mean

    @property
    def resumed(self) -> int:
        """Transcripts whose replies by the first rater an earlier run left."""
        return self.raters[0].resumed

    @property
    def journal(self) -> Path | None:
        """The first journal that was kept, if any was."""
        return self.journals[0] if self.journals else None


def rated_by(rater: Model, scored: list[ScoredTranscript], left: int) -> Rated:
    """What came of a rater."""
    records = [(s.score.metadata or {}).get(RECORD, {}) for s in scored]
    return Rated(
        rater=str(rater),
        scored=sum(not isnan(s.score.as_float()) for s in scored),
        unscored=_unscored(scored),
        mean=mean_of(scored),
        tokens=tokens_of(rater, [s.score for s in scored]),
        resumed=min(left, len(scored)),
        unseen=Counter(
            answer["unseen"]
            for record in records
            for answer in record.get("answers", [])
            if answer.get("unseen")
        ),
        missing=sum((Counter(r.get("missing", {})) for r in records), Counter()),
        trimmed=sum(r.get("transcript", {}).get("trimmed", 0) > 0 for r in records),
    )


def mean_of(scored: list[ScoredTranscript]) -> Estimate:
    """Mean P(eval) of scored transcripts, by the ladder of the design."""
    found = [(s.score.as_float(), s.transcript.origin) for s in scored]
    kept = [(p, origin) for p, origin in found if not isnan(p)]
    unit = resampling_unit(
        [origin.label for _, origin in kept],
        [origin.source or "unknown" for _, origin in kept],
        [origin.task_id for _, origin in kept],
    )
    mean = clustered_mean([p for p, _ in kept], unit.clusters, unit=unit.name)
    note = "; ".join(words for words in (unit.sentence, mean.note) if words)
    return replace(mean, note=note)


def provider_failed(scored: list[ScoredTranscript]) -> bool:
    """Whether a transcript has no number because the provider failed."""
    return any(s.score.reason == "provider_error" for s in scored)


def _unscored(scored: list[ScoredTranscript]) -> Counter[str]:
    """Reasons of the transcripts without a number."""
    return Counter(
        str(s.score.reason or "unknown") for s in scored if isnan(s.score.as_float())
    )
