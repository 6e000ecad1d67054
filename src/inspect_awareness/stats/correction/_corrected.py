"""A probe's AUROC where the model was least aware of being tested."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats._arrays import Floats, Ids
from inspect_awareness.stats._estimate import Estimate, undefined
from inspect_awareness.stats._intervals import Clusters
from inspect_awareness.stats.correction._adjusted import (
    CALIPER,
    effective_size,
    matched,
    matches,
    overlap_weights,
    pooled_within,
    weighted,
)
from inspect_awareness.stats.correction._advice import (
    Flag,
    flags_of,
    is_self,
    quotable,
)
from inspect_awareness.stats.correction._curve import CutPoint, curve_of
from inspect_awareness.stats.correction._items import Items
from inspect_awareness.stats.correction._subsets import (
    FEW,
    TOO_FEW,
    SubsetAuroc,
    area_of,
    interval_of,
    subset_auroc,
)
from inspect_awareness.stats.roc import clustered_auroc
from inspect_awareness.stats.roc._resampled import DRAWS

NO_OVERLAP = "no two items of like awareness differ in label"

CIRCULAR = "the probe is the awareness probe: there is nothing to correct it for"


@dataclass(frozen=True)
class AwarenessOfLabels:
    """How far awareness and the probe's labels and scores go together."""

    auroc: Estimate
    """AUROC of awareness for the label: .5 where it tells nothing about it."""

    spearman: float
    """Rank correlation of awareness and the probe's scores."""

    positives: float
    """Mean awareness of positive items."""

    negatives: float
    """Mean awareness of negative items."""


@dataclass(frozen=True)
class CorrectedAuroc:
    """A probe's AUROC, corrected for evaluation awareness, and how far to trust it."""

    raw: SubsetAuroc
    """Among all items."""

    corrected: SubsetAuroc
    """Among the items with e < q25, exactly: the least aware quarter."""

    difference: Estimate
    """Raw minus corrected, from joint resamples."""

    quartiles: tuple[SubsetAuroc, ...]
    """Among the items of each quartile of e; the first is `corrected`. Empty where
    nothing is corrected."""

    pooled_within: Estimate
    """Pairs of items from the same quartile, all quartiles together."""

    weighted: Estimate
    """All items, weighted so that both classes have the same awareness."""

    matched: Estimate
    """Each positive against the negatives of like awareness."""

    curve: tuple[CutPoint, ...]
    """Among the least aware 10, 20, ... 100 % of the items."""

    awareness_vs_label: AwarenessOfLabels
    """Whether awareness alone predicts the label or the score."""

    q25: float
    """25th percentile of e."""

    self_corrected: bool
    """Whether the probe measures awareness itself, so that nothing is corrected."""

    flags: tuple[Flag, ...]
    """What limits the correction, most serious first."""

    quote: str
    """Which number to quote, and why."""

    draws: int
    """How many resamples."""


def corrected_auroc(
    scores: npt.ArrayLike,
    positive: npt.ArrayLike,
    awareness: npt.ArrayLike,
    *,
    rng: np.random.Generator,
    sources: Clusters | None = None,
    draws: int = DRAWS,
    level: float = 0.95,
) -> CorrectedAuroc:
    """The AUROC of a probe where the model took the items least for a test.

    The corrected AUROC is the AUROC among the items with e(x) < q25, q25 being the
    25th percentile of e over the test set. Beside it stand what the same data say with
    more items: the AUROC of pairs within quartiles of e, under overlap weights that
    balance e between the classes, and of matched items.

    Items are resampled within their class, and raw minus corrected is taken in each
    resample, so that its interval is paired. For the AUROC of a quartile they are
    resampled within class and quartile, so that no resample loses a class. Where each
    class has 8 sources or more, whole sources are resampled. Newcombe's interval
    stands beside the bootstrap's, which is too narrow with fewer than about 15 items
    of a class.

    Args:
        scores: The probe's scores, shape (n,).
        positive: Whether each item has what the probe looks for, shape (n,).
        awareness: e, the awareness of each item, in [0, 1] or any increasing scale.
        rng: Draws the resamples.
        sources: The source of each item; None where it is not known.
        draws: How many resamples.
        level: Nominal coverage.

    Returns:
        All of it, with flags and a sentence on which number to quote. Fewer than 3
        items of a class below q25 give no corrected AUROC; nor does a probe whose
        scores rank the items as awareness does.

    Raises:
        ValueError: A value is not finite, a label is neither 0 nor 1, a class is
            empty, or lengths differ.

    References:
        Li, Morgan and Zaslavsky, JASA 113 (2018) 390 (overlap weights). Janes and
        Pepe, Biometrika 96 (2009) 371 (covariate-adjusted ROC). Austin, Pharmaceutical
        Statistics 10 (2011) 150 (the caliper).
    """
    items = Items.of(scores, positive, awareness, sources)
    everything = np.ones(items.scores.size, dtype=np.bool_)
    if 0 in items.counts(everything):
        n1, n0 = items.counts(everything)
        raise ValueError(
            f"both classes are needed, got {n1} positive and {n0} negative"
        )
    quartile = _quartiles(items.awareness)
    weights = items.weights(draws=draws, rng=rng)
    # Strata of awareness would hide how the raw area varies with it: they are for the
    # quartiles alone, so that none loses a class.
    within = items.weights(draws=draws, rng=rng, strata=quartile)
    found = _Resampled.of(items, quartile, weights, within, level)
    return _concluded(items, found, quartile, weights, level)


@dataclass(frozen=True, eq=False)
class _Resampled:
    """Raw and quartiles, with the resamples that they share."""

    raw: SubsetAuroc
    quartiles: tuple[SubsetAuroc, ...]
    gap: Floats
    """Raw minus corrected in each resample."""

    @classmethod
    def of(
        cls,
        items: Items,
        quartile: Ids,
        weights: Floats,
        within: Floats,
        level: float,
    ) -> "_Resampled":
        """Areas in every resample, and what they say."""
        everything = np.ones(quartile.size, dtype=np.bool_)
        raw = area_of(items, everything, weights)
        parts = [quartile == k for k in range(4)]
        areas = [area_of(items, part, within) for part in parts]
        return cls(
            subset_auroc(items, everything, raw, level),
            tuple(
                subset_auroc(items, part, area, level)
                for part, area in zip(parts, areas, strict=True)
            ),
            raw - area_of(items, parts[0], weights),
        )

    def difference(self, items: Items, level: float) -> Estimate:
        """Raw minus corrected, paired."""
        raw, bottom = self.raw.estimate, self.quartiles[0].estimate
        if bottom.value != bottom.value:
            return replace(bottom, level=level)
        return interval_of(self.gap, level, items).around(
            raw.value - bottom.value,
            level=level,
            n=raw.n,
            clusters=raw.clusters,
            unit=items.unit.name,
        )


def _concluded(
    items: Items, found: _Resampled, quartile: Ids, weights: Floats, level: float
) -> CorrectedAuroc:
    """Everything beside the quartiles, the flags and the advice."""
    correlation = items.rank_correlation()
    circular = is_self(correlation)
    predicts = _predicts(items, level)
    bottom, q25 = found.quartiles[0], float(np.quantile(items.awareness, 0.25))
    flags = flags_of(
        items, bottom, found.raw, predicts, correlation=correlation, q25=q25
    )
    adjusted = _adjusted(items, quartile, weights, level)
    difference = found.difference(items, level)
    if circular:
        bottom = replace(
            bottom,
            estimate=_voided(bottom.estimate),
            newcombe=_voided(bottom.newcombe),
        )
        difference = _voided(difference)
        adjusted = {name: _voided(each) for name, each in adjusted.items()}
    return CorrectedAuroc(
        found.raw,
        bottom,
        difference,
        () if circular else found.quartiles,
        **adjusted,
        curve=() if circular else curve_of(items, level),
        awareness_vs_label=AwarenessOfLabels(
            predicts,
            correlation,
            float(items.awareness[items.positive].mean()),
            float(items.awareness[~items.positive].mean()),
        ),
        q25=q25,
        self_corrected=circular,
        flags=flags,
        quote=quotable(bottom.estimate, adjusted["pooled_within"], difference, flags),
        draws=weights.shape[0],
    )


def _quartiles(e: Floats) -> Ids:
    """0 where e < q25, 1 below the median, 2 below q75, else 3."""
    edges = np.quantile(e, [0.25, 0.5, 0.75])
    return np.searchsorted(edges, e, side="right").astype(np.int64)


def _adjusted(
    items: Items, quartile: Ids, weights: Floats, level: float
) -> dict[str, Estimate]:
    """The three AUROCs that use all items, each with its interval."""
    ones = np.ones((1, items.scores.size))
    overlap, near = overlap_weights(items), matches(items)
    size = effective_size(overlap)
    share = float(near.any(axis=1).mean())

    up, down = items.awareness[items.positive], items.awareness[~items.positive]
    shared = max(up.min(), down.min()) <= min(up.max(), down.max())
    n1, n0 = items.counts(np.ones(quartile.size, dtype=np.bool_))

    def known(one: Floats, many: Floats, note: str) -> Estimate:
        value = float(one[0])
        if value != value or not shared:
            return undefined(level, NO_OVERLAP, n=quartile.size)
        if min(n1, n0) < TOO_FEW:
            few = f"{n1} positive and {n0} negative items are too few"
            return undefined(level, few, n=quartile.size)
        units = items.independent(np.ones(quartile.size, dtype=np.bool_))
        interval = interval_of(many, level, items)
        interval = replace(interval, note=interval.note or note)
        return interval.around(
            value,
            level=level,
            n=quartile.size,
            clusters=sum(units),
            unit=items.unit.name,
        )

    few = f"as much as {size:.0f} items of equal weight" if size < 2 * FEW else ""
    part = f"{100 * share:.0f} % of the positives have a match" if share < 0.9 else ""
    return {
        "pooled_within": known(
            pooled_within(items, quartile, ones),
            pooled_within(items, quartile, weights),
            "",
        ),
        "weighted": known(
            weighted(items, overlap, ones), weighted(items, overlap, weights), few
        ),
        "matched": known(
            matched(items, near, ones),
            matched(items, near, weights),
            f"{part} within {CALIPER} sd of awareness" if part else "",
        ),
    }


def _predicts(items: Items, level: float) -> Estimate:
    """AUROC of awareness for the label."""
    e, up = items.awareness, items.positive
    ids = items.unit.clusters
    return clustered_auroc(
        e[up], e[~up], ids[up], ids[~up], level=level, unit=items.unit.name
    )


def _voided(estimate: Estimate) -> Estimate:
    """No number, because it would be circular."""
    return undefined(estimate.level, CIRCULAR, n=estimate.n, clusters=estimate.clusters)
