"""What surface form alone achieves in telling evaluation from deployment."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import nan
from typing import Literal

import numpy as np

from inspect_awareness.datasets._transcript import Origin, Transcript
from inspect_awareness.errors import InputError
from inspect_awareness.stats import (
    Estimate,
    SourceFolds,
    aurocs,
    clustered_auroc,
    resampling_unit,
    source_folds,
)
from inspect_awareness.stats._arrays import Floats, Ids, codes
from inspect_awareness.stats._estimate import undefined
from inspect_awareness.stats._permuted import FEW_WAYS
from inspect_awareness.stats.selection._folds import labels_within_folds
from inspect_awareness.surface._counts import gram_counts, word_counts
from inspect_awareness.surface._features import (
    Mask,
    scaled_products,
    weighted_products,
)
from inspect_awareness.surface._logistic import log_odds
from inspect_awareness.surface._text import said, shape

Kind = Literal["words", "characters", "length"]
"""What a floor is made of."""

KINDS: tuple[Kind, ...] = ("words", "characters", "length")

Products = Callable[[Mask], Floats]
"""Inner products of all transcripts with those for training, from the latter."""

LEVEL = 0.95


@dataclass(frozen=True)
class SurfaceFloor:
    """What one kind of surface form achieves on sources that it was not fitted to."""

    kind: Kind
    """Words, runs of characters, or length and shares of kinds of characters."""

    auroc: Estimate
    """The AUROC of out-of-fold scores, with the interval of the ladder."""

    permutation_p: float
    """Share of labelings, the real one among them, with an area at least as great."""

    note: str = ""
    """What a reader must know about p."""


@dataclass(frozen=True)
class SurfaceFloors:
    """The floors of one comparison, with what they were computed on."""

    floors: tuple[SurfaceFloor, ...]
    """One for each kind."""

    evaluation: int
    """Transcripts labelled evaluation."""

    deployment: int
    """Transcripts labelled deployment."""

    sources: Mapping[str, Mapping[str, int]]
    """For each label, transcripts by source."""

    folds: int
    """Folds of whole sources; 0 where no honest split exists."""

    permutations: int
    """Labelings drawn for each p."""

    view: str
    """The part of the transcripts that was used."""

    seed: int
    """Seed of folds and labelings."""

    note: str = ""
    """Why there are fewer folds than asked for, or none; and what has both labels."""

    @property
    def best(self) -> SurfaceFloor | None:
        """The floor with the greatest area; None where none has one."""
        known = [f for f in self.floors if f.auroc.value == f.auroc.value]
        return max(known, key=lambda floor: floor.auroc.value, default=None)


def surface_floors(
    transcripts: Iterable[Transcript],
    *,
    seed: int = 0,
    folds: int = 5,
    permutations: int = 200,
) -> SurfaceFloors:
    """How well words, characters and length alone tell evaluation from deployment.

    A logistic classifier with a ridge penalty (C = 10) is fitted on tf-idf of words,
    on tf-idf of runs of 2 to 4 characters, and on seven numbers of length and shape.
    Folds hold out whole sources, vocabulary and weights are learned in each fold, and
    the area is over all out-of-fold log-odds. The interval is that of `clustered_auroc`
    over the unit of `resampling_unit`, given the fits. For p, labels of whole sources
    are exchanged within folds (those of transcripts within a source of both labels)
    and every classifier is fitted anew.

    Args:
        transcripts: Labelled evaluation or deployment, of one view.
        seed: Deals sources to folds, and draws labelings.
        folds: How many folds of whole sources, 2 or more.
        permutations: How many labelings; none gives no p.

    Returns:
        The floors. Where sources cannot be held out, each is NaN and says why: a split
        within a source would let the classifier know it again.

    Raises:
        InputError: A transcript has no label, a label has no transcript, or there are
            fewer than 2 folds or 0 permutations.
    """
    if folds < 2 or permutations < 0:
        raise InputError(
            f"{folds} folds and {permutations} permutations were asked for; give 2 "
            "folds or more, and 0 permutations or more"
        )
    read = _Read.of(transcripts)
    rng = np.random.default_rng(seed)
    dealt = source_folds(read.evaluation, read.sources, folds, rng=rng)
    labels, ways = labels_within_folds(
        read.evaluation, read.sources, dealt, draws=permutations, rng=rng
    )
    labelings = np.vstack([read.evaluation, labels])
    made = tuple(
        _floor(kind, read, dealt, labelings, _note(ways, permutations))
        for kind in KINDS
    )
    return SurfaceFloors(
        floors=made,
        evaluation=int(read.evaluation.sum()),
        deployment=int((~read.evaluation).sum()),
        sources=read.by_label(),
        folds=dealt.count,
        permutations=permutations,
        view=read.origins[0].view,
        seed=seed,
        note="; ".join(
            words
            for words in (_split_note(dealt), _both_labels(read.origins, read.texts))
            if words
        ),
    )


@dataclass(frozen=True, eq=False)
class _Read:
    """What the classifiers are given of the transcripts."""

    origins: tuple[Origin, ...]
    """Where each comes from."""

    texts: tuple[str, ...]
    """What each says."""

    shapes: Floats
    """Its length and shape, shape (n, 7)."""

    evaluation: Mask
    """Its label, shape (n,)."""

    sources: Ids
    """Its source, shape (n,)."""

    @classmethod
    def of(cls, transcripts: Iterable[Transcript]) -> "_Read":
        """Read them one by one; messages are not kept."""
        found = [("\n".join(said(t)), shape(t), t.origin) for t in transcripts]
        origins = tuple(origin for *_, origin in found)
        labels = Counter(origin.label for origin in origins)
        if labels["unknown"]:
            raise InputError(
                f"{labels['unknown']} transcripts are labelled neither evaluation nor "
                "deployment; label them"
            )
        for label in ("evaluation", "deployment"):
            if not labels[label]:
                raise InputError(
                    f"no {label} transcript among {len(origins)}; surface form is "
                    "measured by telling the two apart, so give both"
                )
        return cls(
            origins,
            tuple(text for text, *_ in found),
            np.array([numbers for _, numbers, _ in found]),
            np.array([origin.label == "evaluation" for origin in origins]),
            codes([_source(origin) for origin in origins]),
        )

    def products(self, kind: Kind) -> Products:
        """What is learned of a kind of surface form in a fold."""
        if kind == "length":
            return partial(scaled_products, self.shapes)
        counts = (word_counts if kind == "words" else gram_counts)(self.texts)
        return partial(weighted_products, counts)

    def by_label(self) -> dict[str, dict[str, int]]:
        """Transcripts by source, for each label."""
        return {
            label: dict(
                sorted(
                    Counter(
                        _source(o) for o in self.origins if o.label == label
                    ).items()
                )
            )
            for label in ("evaluation", "deployment")
        }


def _both_labels(origins: Sequence[Origin], texts: Sequence[str]) -> str:
    """That transcripts are among evaluation and deployment, where some are."""
    seen: dict[str, set[tuple[str, str]]] = {"evaluation": set(), "deployment": set()}
    for origin, text in zip(origins, texts, strict=True):
        seen[origin.label].add((origin.item, text))
    twice = seen["evaluation"] & seen["deployment"]
    if not twice:
        return ""
    return (
        f"{len(twice)} transcripts are given as evaluation and as deployment, such as "
        f"{min(twice)[0]}: nothing tells these apart"
    )


def _floor(
    kind: Kind, read: _Read, folds: SourceFolds, labelings: Mask, note: str
) -> SurfaceFloor:
    """The floor of a kind, and its p."""
    if folds.count == 0:
        n, sources = read.evaluation.size, np.unique(read.sources).size
        return SurfaceFloor(
            kind, undefined(LEVEL, _split_note(folds), n=n, clusters=sources), nan
        )
    # equal transcripts have equal scores, but for the last digits
    scores = np.round(_out_of_fold(read.products(kind), folds, labelings), 6)
    areas = np.array([aurocs(s, y) for s, y in zip(scores, labelings, strict=True)])
    p = float((areas >= areas[0] - 1e-12).mean()) if areas.size > 1 else nan
    return SurfaceFloor(kind, _estimate(scores[0], read), p, note)


def _out_of_fold(products: Products, folds: SourceFolds, labelings: Mask) -> Floats:
    """Log-odds of each transcript from the fit without its fold, for each labeling."""
    found = np.zeros(labelings.shape)
    for fold in range(folds.count):
        training = folds.fold != fold
        given = log_odds(products(training), training, labelings)
        found[:, ~training] = given[:, ~training]
    return found


def _estimate(scores: Floats, read: _Read) -> Estimate:
    """The area over all out-of-fold scores, by the ladder."""
    unit = resampling_unit(
        [origin.label for origin in read.origins],
        [_source(origin) for origin in read.origins],
        [origin.task_id for origin in read.origins],
    )
    up = read.evaluation
    area = clustered_auroc(
        scores[up],
        scores[~up],
        unit.clusters[up],
        unit.clusters[~up],
        level=LEVEL,
        unit=unit.name,
    )
    note = "; ".join(words for words in (unit.sentence, area.note) if words)
    return replace(area, note=note)


def _source(origin: Origin) -> str:
    """A transcript's source; all that have none are of one."""
    return origin.source or "unknown"


def _split_note(folds: SourceFolds) -> str:
    """Why there are fewer folds, or why no number is given."""
    if folds.count:
        return folds.note
    return (
        f"{folds.note}; a split within a source would only know the source again, so "
        "no number is given"
    )


def _note(ways: float, permutations: int) -> str:
    """What too few labelings mean for p."""
    if not permutations:
        return "no permutation was asked for, so there is no p"
    # a classifier does as well where all labels are exchanged: two labelings tie
    if ways < 2 * FEW_WAYS:
        return (
            f"labels of these sources can be exchanged in {ways:.0f} ways only, within "
            f"folds: no p below {2 / ways:.2f} can be reached"
        )
    return ""
