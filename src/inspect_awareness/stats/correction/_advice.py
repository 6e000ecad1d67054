"""What a corrected AUROC cannot tell, and which of the numbers to quote."""

from dataclasses import dataclass

import numpy as np

from inspect_awareness.stats._estimate import Estimate
from inspect_awareness.stats._units import SOURCES_PER_LABEL
from inspect_awareness.stats.correction._items import Items
from inspect_awareness.stats.correction._subsets import FEW, TOO_FEW, SubsetAuroc

SELF = 0.99
"""From this rank correlation on, the probe's scores are the awareness scores."""

ALIKE = 0.8
"""From this rank correlation on, a correction takes most of the probe away."""


@dataclass(frozen=True)
class Flag:
    """Something that a reader of the numbers must know."""

    code: str
    """A stable name, such as `few_in_bottom_quartile`."""

    sentence: str
    """What it means, in words."""


def is_self(correlation: float) -> bool:
    """Whether the probe ranks the items as the awareness scores do."""
    return abs(correlation) >= SELF


def flags_of(
    items: Items,
    bottom: SubsetAuroc,
    raw: SubsetAuroc,
    predicts: Estimate,
    *,
    correlation: float,
    q25: float,
) -> tuple[Flag, ...]:
    """Everything that limits the correction, most serious first."""
    found = [
        *_about_itself(correlation),
        *_about_size(items, bottom, q25),
        *_about_label(items, predicts, bottom),
        *_about_level(items, bottom),
        *_about_raw(raw),
        *_about_sources(items),
    ]
    return tuple(Flag(code, sentence) for code, sentence in found)


def quotable(
    corrected: Estimate,
    pooled: Estimate,
    difference: Estimate,
    flags: tuple[Flag, ...],
) -> str:
    """A plain sentence on which number to quote."""
    codes = {flag.code for flag in flags}
    if "self_correction" in codes:
        return (
            "Quote the raw AUROC: this probe measures awareness itself, so there is "
            "nothing to correct it for."
        )
    if pooled.value != pooled.value:
        return (
            "Quote the raw AUROC, and that it cannot be told from awareness here: "
            f"{pooled.note}."
        )
    if "refused" in codes:
        return (
            "Quote the AUROC pooled within quartiles"
            f"{_shown(pooled)}: the bottom quartile holds too few items of a class."
        )
    if codes & {"few_in_bottom_quartile", "awareness_predicts_label"}:
        why = (
            "the bottom quartile is small"
            if "few_in_bottom_quartile" in codes
            else "the bottom quartile has another mix of classes than the rest"
        )
        return (
            f"Quote the AUROC pooled within quartiles{_shown(pooled)} beside the "
            f"corrected one, which leaderboards ask for: {why}."
        )
    return f"Quote the corrected AUROC{_shown(corrected)}; {_change(difference)}."


def _change(difference: Estimate) -> str:
    """Whether raw and corrected differ, and which way."""
    if not difference.has_interval or difference.contains(0.0):
        return "no drop from raw is shown"
    if difference.value > 0:
        return "the drop from raw is more than chance"
    return "it is above raw by more than chance, so awareness did not help the probe"


def _shown(estimate: Estimate) -> str:
    """Value and interval in brackets."""
    if estimate.value != estimate.value:
        return ""
    if not estimate.has_interval:
        return f" ({estimate.value:.3f})"
    return f" ({estimate.value:.3f} [{estimate.low:.3f}, {estimate.high:.3f}])"


def _about_itself(correlation: float) -> list[tuple[str, str]]:
    """The probe ranks items as awareness does, or nearly so."""
    if is_self(correlation):
        return [
            (
                "self_correction",
                f"the probe's scores rank the items as awareness does (Spearman "
                f"{correlation:+.2f}): holding awareness fixed holds the probe fixed, so "
                "a corrected AUROC of an awareness probe means nothing and none is given",
            )
        ]
    if abs(correlation) >= ALIKE:
        return [
            (
                "scores_follow_awareness",
                f"the probe's scores follow awareness closely (Spearman "
                f"{correlation:+.2f}): within a quartile little of either is left",
            )
        ]
    return []


def _about_size(items: Items, bottom: SubsetAuroc, q25: float) -> list[tuple[str, str]]:
    """How many items of each class lie below the cut."""
    found = []
    counts = f"{bottom.positives} positive and {bottom.negatives} negative items"
    least = min(bottom.positives, bottom.negatives)
    if least < TOO_FEW:
        found.append(("refused", f"{counts} below q25: too few for an AUROC"))
    elif least < FEW:
        found.append(
            (
                "few_in_bottom_quartile",
                f"{counts} below q25: with fewer than {FEW} of a class the bootstrap "
                "is too narrow; read Newcombe's interval",
            )
        )
    share = (bottom.positives + bottom.negatives) / items.scores.size
    if share < 0.2:
        found.append(
            (
                "ties_at_q25",
                f"only {100 * share:.0f} % of the items lie below q25 = {q25:.4g}, "
                "because many share one value of awareness",
            )
        )
    return found


def _about_label(
    items: Items, predicts: Estimate, bottom: SubsetAuroc
) -> list[tuple[str, str]]:
    """Awareness predicts the label, so its quartiles differ in their mix of classes."""
    if not predicts.has_interval or predicts.contains(0.5):
        return []
    below = bottom.positives + bottom.negatives
    everywhere = 100 * float(items.positive.mean())
    mix = (
        f"{100 * bottom.positives / below:.0f} % of the bottom quartile is positive, "
        f"{everywhere:.0f} % of all"
        if below
        else "no item lies in the bottom quartile"
    )
    return [
        (
            "awareness_predicts_label",
            f"awareness alone tells the labels apart with AUROC {predicts.value:.3f}: "
            f"{mix}",
        )
    ]


def _about_level(items: Items, bottom: SubsetAuroc) -> list[tuple[str, str]]:
    """The least aware quarter may still look like a test."""
    e = items.awareness
    if e.min() < 0 or e.max() > 1:
        return [
            (
                "awareness_not_a_probability",
                f"awareness runs from {e.min():.3g} to {e.max():.3g}, so its level "
                "says nothing: only its order is used",
            )
        ]
    if bottom.median >= 0.5:
        return [
            (
                "still_evaluation_flavoured",
                f"the bottom quartile's median awareness is {bottom.median:.2f}: even "
                "the least aware quarter looks like a test, so this is not performance "
                "in deployment; add real deployment items",
            )
        ]
    return []


def _about_raw(raw: SubsetAuroc) -> list[tuple[str, str]]:
    """The probe may be turned round."""
    area = raw.newcombe
    if area.has_interval and area.high < 0.5:
        return [
            (
                "below_chance",
                f"the raw AUROC is {area.value:.3f}: are the labels or the scores "
                "turned round?",
            )
        ]
    return []


def _about_sources(items: Items) -> list[tuple[str, str]]:
    """Over what the intervals speak."""
    unit = items.unit
    if unit.name == "source":
        return []
    if unit.n_sources == 1:
        return [
            (
                "one_source",
                "all items count as one source: intervals take items for independent, "
                "and say nothing about other sources",
            )
        ]
    kinds = [
        np.unique(items.sources[each]).size
        for each in (items.positive, ~items.positive)
    ]
    return [
        (
            "few_sources",
            f"{unit.n_sources} sources, {kinds[0]} with positives and {kinds[1]} with "
            f"negatives: fewer than {SOURCES_PER_LABEL} a class, so intervals are "
            f"{unit.sentence}",
        )
    ]
