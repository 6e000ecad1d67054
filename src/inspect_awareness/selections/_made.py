"""From statistics and their origin to the record that is kept."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite

from inspect_awareness._version import __version__
from inspect_awareness.selections._selection import (
    Interval,
    Search,
    Selection,
    Unit,
)
from inspect_awareness.stats import Estimate, QuestionSelection


@dataclass(frozen=True)
class Origin:
    """Where the answers came from, and what the search was told."""

    unit: Unit
    """What was selected."""

    seed: int
    """Seed of folds and permutations."""

    folds: int
    """Folds asked for."""

    rater: str | None = None
    """The model that was asked."""

    bank: str | None = None
    """Name of the question set."""

    bank_hash: str | None = None
    """Hash of its words."""

    asked: Mapping[str, str] = field(default_factory=dict)
    """How the questions were asked."""

    notes: tuple[str, ...] = ()
    """What was left out before the search."""


def selection_of(found: QuestionSelection, origin: Origin) -> Selection:
    """The record of a selection, with the digest of its content.

    Args:
        found: What `select_questions` gave.
        origin: Where the answers came from.
    """
    made = Selection(
        made_with=__version__,
        unit=origin.unit,
        bank=origin.bank,
        bank_hash=origin.bank_hash,
        rater=origin.rater,
        asked=dict(origin.asked),
        search=Search(
            strategy=found.search.strategy,
            max_size=found.search.max_size,
            threshold=found.search.threshold,
            max_subsets=found.search.max_subsets,
        ),
        strategy=found.strategy,
        folds=found.folds,
        folds_asked=origin.folds,
        seed=origin.seed,
        transcripts=found.transcripts,
        left_out=found.left_out,
        sources=found.sources,
        questions=found.questions,
        dropped=found.dropped,
        best_found=found.best_found,
        chosen=found.chosen,
        kept_all=found.kept_all,
        auroc_in_sample=found.auroc_in_sample,
        auroc_out_of_sample=_interval(found.auroc_out_of_sample),
        auroc_all_out_of_sample=_interval(found.auroc_all),
        gain=_interval(found.gain),
        gain_se=_known(found.gain_se),
        optimism=_known(found.optimism),
        permutation_p=_known(found.null.p),
        permutation_p_in_sample=_known(found.null.p_in_sample),
        auroc_in_sample_by_chance=_known(found.null.in_sample),
        permutations=found.null.draws,
        frequency={name: _known(share) for name, share in found.frequency.items()},
        stability={name: _known(share) for name, share in found.stability.items()},
        notes=(*origin.notes, *found.notes),
    )
    return made.sealed()


def _interval(estimate: Estimate) -> Interval:
    """An estimate as it is kept."""
    return Interval(
        value=_known(estimate.value),
        low=_known(estimate.low),
        high=_known(estimate.high),
        level=estimate.level,
        n=estimate.n,
        sources=estimate.clusters,
        method=estimate.method,
        note=estimate.note,
    )


def _known(value: float) -> float | None:
    """A finite number, or null."""
    return float(value) if isfinite(value) else None
