"""Rows of a report: a mean and an AUROC with all that belongs to them."""

from dataclasses import dataclass, replace
from math import nan
from typing import TYPE_CHECKING

import numpy as np

from inspect_awareness.claims import Claim, Reference, Reliability
from inspect_awareness.report._contents import Distribution, Question, Row
from inspect_awareness.report._selection import (
    Selection,
    distinct,
    missing_by_reason,
    tasks_in,
    unit_of,
)
from inspect_awareness.stats import (
    auroc_bounds,
    clustered_auroc,
    clustered_mean,
    mean_bounds,
    percentile_of,
)

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class Standard:
    """What rows are compared with, and how wide their intervals are."""

    level: float
    """Nominal coverage."""

    selection: Selection | None
    """The reference's transcripts; None without a reference."""

    @property
    def reference(self) -> Reference | None:
        """The reference as it stands beside a number."""
        if self.selection is None:
            return None
        known = self.selection.known
        scores = known["value"].to_numpy()
        return Reference(
            len(known),
            len(self.selection.scores) - len(known),
            distinct(known["source"]),
            distinct(known["subject"]),
            float(np.median(scores)),
            float(np.quantile(scores, 0.99)),
        )


def row(name: str, chosen: Selection, standard: Standard, *, pooled: bool) -> Row:
    """A row about the chosen transcripts, which share a subject and a label."""
    everything, chosen = chosen.scores, chosen.asked
    known = chosen.known
    label = distinct(everything["label"])[0]
    mean = replace(
        mean_claim(name, chosen, standard), subject=one_of(everything["subject"])
    )
    return Row(
        source=name,
        subject=mean.subject,
        label=label,
        pooled=pooled,
        transcripts=len(chosen.scores),
        tasks=tasks_in(chosen.scores),
        scored=len(known),
        not_asked=len(everything) - len(chosen.scores),
        mean=mean,
        auroc=auroc_claim(name, chosen, standard) if label == "evaluation" else None,
        percentile=_percentile(mean, standard, label),
        answers=len(chosen.answers),
        missing_answers=missing_by_reason(chosen.answers),
        distribution=Distribution(label, tuple(sorted(known["value"]))),
    )


def mean_claim(name: str, chosen: Selection, standard: Standard) -> Claim:
    """Mean P(evaluation) over the chosen transcripts."""
    known = chosen.known
    unit = unit_of(known)
    missing = missing_by_reason(chosen.scores)
    unscored = len(chosen.scores) - len(known)
    return Claim(
        "mean P(eval)",
        clustered_mean(
            known["value"].to_numpy(),
            unit.clusters,
            level=standard.level,
            unit=unit.name,
        ),
        chosen.made.rater,
        one_of(chosen.scores["subject"]),
        name,
        condition=unit.sentence if len(known) else "",
        reference=standard.reference,
        reliability=_reliability(chosen.pairs),
        missing=missing,
        bounds=mean_bounds(known["value"].to_numpy(), unscored) if unscored else None,
    )


def auroc_claim(name: str, chosen: Selection, standard: Standard) -> Claim | None:
    """How well the scores separate the chosen transcripts from the reference."""
    if standard.selection is None:
        return None
    mine, theirs = chosen.known, standard.selection.known
    unit = unit_of(mine, theirs)
    estimate = clustered_auroc(
        mine["value"].to_numpy(),
        theirs["value"].to_numpy(),
        unit.clusters[: len(mine)],
        unit.clusters[len(mine) :],
        level=standard.level,
        unit=unit.name,
    )
    unscored = (
        len(chosen.scores) - len(mine),
        len(standard.selection.scores) - len(theirs),
    )
    return Claim(
        "AUROC against deployment",
        estimate,
        chosen.made.rater,
        one_of(chosen.scores["subject"]),
        name,
        condition=unit.sentence,
        reference=standard.reference,
        missing=missing_by_reason(chosen.scores),
        bounds=auroc_bounds(
            estimate.value, observed=(len(mine), len(theirs)), missing=unscored
        )
        if any(unscored) and len(mine)
        else None,
    )


def question_rows(chosen: Selection, standard: Standard) -> tuple[Question, ...]:
    """Each pair of questions over all chosen transcripts, by name."""
    return tuple(
        _question(pair, chosen, standard)
        for pair in distinct(chosen.pairs["instrument"])
    )


def one_of(subjects: "pd.Series[str]") -> str | None:
    """The subject, or several of them joined; None where nobody knows."""
    names = sorted(set(subjects.dropna()))
    return ", ".join(names) or None


def _question(pair: str, chosen: Selection, standard: Standard) -> Question:
    """One pair of questions."""
    scores = chosen.pairs[chosen.pairs["instrument"].eq(pair)]
    known = scores[scores["value"].notna()]
    answers = chosen.answers[chosen.answers["pair"].eq(pair)]
    unit = unit_of(known)
    unscored = len(scores) - len(known)
    mean = Claim(
        f"mean P(eval) by the question pair {pair}",
        clustered_mean(
            known["value"].to_numpy(),
            unit.clusters,
            level=standard.level,
            unit=unit.name,
        ),
        chosen.made.rater,
        one_of(scores["subject"]),
        "all sources",
        condition=unit.sentence if len(known) else "",
        bounds=mean_bounds(known["value"].to_numpy(), unscored) if unscored else None,
    )
    return Question(
        pair,
        distinct(answers["question"]),
        mean,
        len(answers),
        missing_by_reason(answers),
    )


def _percentile(mean: Claim, standard: Standard, label: str) -> float:
    """Where the mean stands among the reference's transcripts."""
    value = mean.estimate.value
    if standard.selection is None or value != value or label == "deployment":
        return nan
    reference = standard.selection.known["value"].to_numpy()
    return float(percentile_of([value], reference)[0])


def _reliability(pairs: "pd.DataFrame") -> Reliability | None:
    """Spread of the question pairs' means over the same transcripts."""
    means = pairs[pairs["value"].notna()].groupby("instrument")["value"].mean()
    if means.empty:
        return None
    sd = float(means.std(ddof=1)) if len(means) > 1 else nan
    return Reliability(len(means), sd, float(means.min()), float(means.max()))
