"""What labels say of a judge, and of the rates that it found."""

from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats import (
    Estimate,
    Rate,
    Validation,
    awareness_rates,
    corrected_rates,
    judge_agreement,
)
from inspect_awareness.stats.agreement._two_raters import proportion
from inspect_awareness.validation._draw import DESIGNS, Design
from inspect_awareness.validation._frame import Frame, Rows
from inspect_awareness.validation._labels import Labels

REFUSED = {
    "kappa": "depends on how many judged aware are in the set, which the draw decided",
    "pabak": "depends on how many judged aware are in the set, which the draw decided",
    "agreement": (
        "depends on how many judged aware are in the set, which the draw decided"
    ),
    "sensitivity": "the set has more of the aware that the judge found than of others",
    "specificity": "the set has more of the false alarms than of others",
}
"""What a set drawn by the judge's verdict does not show, and why."""


@dataclass(frozen=True)
class StratumScore:
    """A judge against people on one model and benchmark."""

    model: str
    """The model."""

    benchmark: str
    """The benchmark."""

    validation: Validation
    """The four counts, and how the transcripts were drawn."""

    unlabelled: int
    """Drawn transcripts without a label."""

    ppv: Estimate
    """Share that is aware among those judged so."""

    npv: Estimate
    """Share that is not among those judged not aware."""

    raw: Rate
    """The rate that the judge found, with what is missing."""

    corrected: Estimate
    """The rate corrected for the judge's errors."""


@dataclass(frozen=True)
class JudgeScore:
    """A judge against people."""

    design: Design
    """How the transcripts were drawn."""

    drawn: int
    """How many were drawn."""

    labelled: int
    """How many have a label."""

    agreement: dict[str, Estimate]
    """Numbers over all strata that the design identifies, by name."""

    refused: dict[str, str]
    """Those that it does not identify, with the reason."""

    strata: tuple[StratumScore, ...]
    """Each model and benchmark."""


def score_labels(
    frame: Frame, labels: Labels, *, rng: np.random.Generator, level: float = 0.95
) -> JudgeScore:
    """Compare a judge's verdicts with labels, and correct its rates by them.

    A random sample identifies every number: kappa, PABAK, agreement, sensitivity and
    specificity are given over all transcripts with a verdict. A sample by the judge's
    verdict identifies PPV and NPV in each stratum, and the others are refused. The
    rates are corrected by post-stratification, p = q PPV + (1 - q) (1 - NPV), in each
    stratum by its own labels. Drawn transcripts without a label are left out, as if
    they were like the others.

    Args:
        frame: The transcripts with their verdicts.
        labels: What people said of a sample of them.
        rng: Source of the draws behind the intervals of corrected rates.
        level: Nominal coverage.
    """
    strata = frame.strata
    sets = {s: _validation(frame, labels, rows) for s, rows in strata.items()}
    models, benchmarks, tasks = frame.models, frame.benchmarks, frame.tasks
    raw = awareness_rates(
        frame.verdicts, models=models, benchmarks=benchmarks, tasks=tasks, level=level
    )
    corrected = corrected_rates(
        frame.verdicts,
        models=models,
        benchmarks=benchmarks,
        tasks=tasks,
        validations={s: v for s, v in sets.items() if _size(v)},
        rng=rng,
        level=level,
    )
    known = ~np.isnan(labels.labels)
    return JudgeScore(
        design=labels.design,
        drawn=labels.rows.size,
        labelled=int(known.sum()),
        agreement=_identified(frame, labels, level),
        refused={} if labels.design == "random" else dict(REFUSED),
        strata=tuple(
            StratumScore(
                *stratum,
                validation=(v := sets[stratum]),
                unlabelled=_lost(labels, rows),
                ppv=proportion(v.tp, v.tp + v.fp, level),
                npv=proportion(v.tn, v.tn + v.fn, level),
                raw=rate,
                corrected=right,
            )
            for (stratum, rows), rate, right in zip(
                strata.items(), raw, corrected, strict=True
            )
        ),
    )


def _identified(frame: Frame, labels: Labels, level: float) -> dict[str, Estimate]:
    """Numbers over all strata, where the design identifies them."""
    if labels.design != "random":
        return {}
    every = np.arange(len(frame.items))
    v = _validation(frame, labels, every)
    found = judge_agreement(v.tp, v.fp, v.fn, v.tn, level=level)
    return {field.name: getattr(found, field.name) for field in fields(found)}


def _validation(frame: Frame, labels: Labels, rows: Rows) -> Validation:
    """The four counts among some of the frame's transcripts."""
    inside = np.isin(labels.rows, rows) & ~np.isnan(labels.labels)
    judged = frame.verdicts[labels.rows[inside]] == 1
    aware = labels.labels[inside] == 1
    return Validation(
        tp=_count(judged & aware),
        fp=_count(judged & ~aware),
        fn=_count(~judged & aware),
        tn=_count(~judged & ~aware),
        design=DESIGNS[labels.design],
    )


def _lost(labels: Labels, rows: Rows) -> int:
    """Drawn transcripts of some that nobody labelled."""
    return _count(np.isin(labels.rows, rows) & np.isnan(labels.labels))


def _count(flags: npt.NDArray[np.bool_]) -> int:
    """How many are true."""
    return int(np.count_nonzero(flags))


def _size(v: Validation) -> int:
    """How many transcripts a set holds."""
    return v.tp + v.fp + v.fn + v.tn
