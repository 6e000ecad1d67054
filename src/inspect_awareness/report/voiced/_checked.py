"""A judge checked by people's labels: its rates and taxes without its errors."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from inspect_awareness.errors import InputError
from inspect_awareness.measurements import Measurements
from inspect_awareness.report._reference import Made
from inspect_awareness.report._terms import Terms
from inspect_awareness.report.voiced._cases import Cases
from inspect_awareness.report.voiced._contents import CheckedJudge, CheckedStratum
from inspect_awareness.stats import Estimate, Validation, attenuation
from inspect_awareness.stats.tax import attenuation_within
from inspect_awareness.tables import Table, read_table

if TYPE_CHECKING:
    from inspect_awareness.validation import Frame, JudgeScore, StratumScore

Place = tuple[str, str]
"""A model and a benchmark."""

DRAWN = {"random": "at random", "judge": "by the judge's verdict"}
"""How transcripts were drawn for labelling, in words."""


@dataclass(frozen=True)
class Checked:
    """What people's labels say of a judge."""

    judge: CheckedJudge | None = None
    """The judge against people; None without labels of its verdicts."""

    corrected: Mapping[Place, Estimate] = field(default_factory=dict)
    """Each rate less the judge's errors."""

    factors: Mapping[Place, Estimate] = field(default_factory=dict)
    """What the judge's errors leave of a difference between aware and unaware runs."""

    @property
    def trust(self) -> str:
        """What is known of the judge's errors, in words; empty without labels."""
        if self.judge is None:
            return ""
        return (
            f"the judge was checked against {self.judge.labelled:,} labels of people, "
            f"drawn {DRAWN[self.judge.design]}"
        )


@dataclass(frozen=True, eq=False)
class Labelled:
    """People's labels, and the verdicts that they are about."""

    made: Made
    """The judge, and how it judged."""

    frame: "Frame"
    """Its verdicts, as they are drawn for labelling."""

    table: Table
    """The file of labels."""


def labelled(
    scored: Measurements, judged: list[Made], path: Path | None
) -> Labelled | None:
    """The labels in a file with the judge that they are about; None without a file.

    Raises:
        InputError: They are about the verdicts of none of the judges.
    """
    if path is None:
        return None
    table = read_table(path)
    table.require("frame")
    drawn_from = set(table.cells("frame"))
    for made in judged:
        frame = _frame(scored, made)
        if frame.digest in drawn_from:
            return Labelled(made, frame, table)
    raise InputError(
        f"{path}: these labels are of other verdicts than those reported on (another "
        "judge, rubric or set of transcripts); give all the judged logs that they were "
        "drawn from, and no others"
    )


def _frame(scored: Measurements, made: Made) -> "Frame":
    """The transcripts and verdicts of a judge, as they are drawn for labelling."""
    from inspect_awareness.validation import frame_of

    values = scored.values
    mine = values["rater"].eq(made.rater) & values["implementation"].eq(
        made.implementation
    )
    return frame_of(replace(scored, values=values[mine]))


def checked(cases: Cases, by: Labelled | None, terms: Terms) -> Checked:
    """What people's labels say of the judge of these cases; nothing without any."""
    if by is None or by.made != cases.made:
        return Checked()
    from inspect_awareness.validation import labels_of, score_labels

    frame, path = by.frame, by.table.path
    labels = labels_of(by.table, frame)
    if np.isnan(labels.labels).all():
        raise InputError(
            f"{path}: no label is filled in; people fill in the column `label` with 1 "
            "(aware) or 0 (not aware)"
        )
    found = score_labels(frame, labels, rng=terms.rng, level=terms.level)
    parts = dict(cases.by("model", "benchmark"))
    factors = {
        (each.model, each.benchmark): _factor(
            each.validation, parts[each.model, each.benchmark], terms.level
        )
        for each in found.strata
        if (each.model, each.benchmark) in parts
    }
    return Checked(
        _judge(found, factors),
        {(s.model, s.benchmark): s.corrected for s in found.strata},
        factors,
    )


def _factor(found: Validation, cases: Cases, level: float) -> Estimate:
    """What errors leave of a difference within tasks, as the draw allows."""
    if found.design == "judge_stratified":
        return attenuation(found, level=level)
    return attenuation_within(cases.aware, found, **cases.ids, level=level)


def _judge(found: "JudgeScore", factors: Mapping[Place, Estimate]) -> CheckedJudge:
    """The judge against people, for the report."""
    return CheckedJudge(
        design=found.design,
        drawn=found.drawn,
        labelled=found.labelled,
        agreement=found.agreement,
        refused=found.refused,
        strata=tuple(_stratum(each, factors) for each in found.strata),
    )


def _stratum(each: "StratumScore", factors: Mapping[Place, Estimate]) -> CheckedStratum:
    """One model on one benchmark."""
    v = each.validation
    return CheckedStratum(
        each.model,
        each.benchmark,
        (v.tp, v.fp, v.fn, v.tn),
        each.unlabelled,
        each.ppv,
        each.npv,
        factors.get((each.model, each.benchmark)),
    )
