"""Rows of a report: a mean and an AUROC with all that belongs to them."""

from dataclasses import replace
from math import nan
from typing import TYPE_CHECKING

import numpy as np

from inspect_awareness.claims import Claim, Reliability
from inspect_awareness.report._contents import Distribution, Placed, Question, Row
from inspect_awareness.report._selection import (
    Selection,
    distinct,
    missing_by_reason,
    one_of,
    optional,
    tasks_in,
    unit_of,
)
from inspect_awareness.report._standard import Standard, share_of
from inspect_awareness.stats import (
    auroc_bounds,
    clustered_auroc,
    clustered_mean,
    mean_bounds,
    percentile_of,
)

if TYPE_CHECKING:
    import numpy.typing as npt
    import pandas as pd

    Floats = npt.NDArray[np.float64]


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
        quartiles=_quartiles(known, standard, label),
        above=_above(name, chosen, standard) if label != "deployment" else None,
        uncorrected=_uncorrected(name, chosen, standard),
    )


def placed_rows(chosen: Selection, standard: Standard) -> tuple[Placed, ...]:
    """Each scored transcript among the reference, the highest score first."""
    if standard.selection is None:
        return ()
    known = chosen.known.sort_values("value", ascending=False, kind="stable")
    return tuple(
        Placed(
            item,
            source or "unknown",
            subject,
            label,
            task,
            None if epoch is None else int(epoch),
            float(value),
            float(percentile),
        )
        for item, source, subject, label, task, epoch, value, percentile in zip(
            known["item"],
            optional(known["source"]),
            optional(known["subject"]),
            known["label"],
            optional(known["task"]),
            optional(known["epoch"]),
            known["value"],
            _percentiles(known, standard.selection),
            strict=True,
        )
    )


def with_design(made: Row, sentence: str) -> Row:
    """The row whose mean's reliability says what the design of questions says."""
    if made.mean.reliability is None or not sentence:
        return made
    known = replace(made.mean.reliability, design=sentence)
    return replace(made, mean=replace(made.mean, reliability=known))


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


def _percentiles(known: "pd.DataFrame", reference: Selection) -> "Floats":
    """Percentiles of scores among the reference's."""
    theirs = reference.known["value"].to_numpy()
    return percentile_of(known["value"].to_numpy(), theirs)


def _quartiles(
    known: "pd.DataFrame", standard: Standard, label: str
) -> tuple[float, ...]:
    """Quartiles of the transcripts' percentiles."""
    if standard.selection is None or known.empty or label == "deployment":
        return ()
    found = np.quantile(_percentiles(known, standard.selection), (0.25, 0.5, 0.75))
    return tuple(float(q) for q in found)


def _above(name: str, chosen: Selection, standard: Standard) -> Claim | None:
    """The share of transcripts above the reference's 99th percentile.

    The percentile is taken as known: the interval is over the chosen transcripts.
    """
    known = chosen.known
    if standard.threshold != standard.threshold or known.empty:
        return None
    unit = unit_of(known)
    above = np.asarray(known["value"].gt(standard.threshold), dtype=np.float64)
    return Claim(
        "share above the reference's 99th percentile",
        share_of(above, unit, standard.level),
        chosen.made.rater,
        one_of(chosen.scores["subject"]),
        name,
        condition=unit.sentence,
        reference=standard.reference,
        missing=missing_by_reason(chosen.scores),
    )


def _uncorrected(name: str, chosen: Selection, standard: Standard) -> Claim | None:
    """The mean before a prior was subtracted."""
    rows = chosen.uncorrected
    if rows.empty:
        return None
    claim = mean_claim(name, replace(chosen, scores=rows), standard)
    # the reference's scores are less their prior
    return replace(claim, quantity="mean P(eval), no prior subtracted", reference=None)


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
