"""Raters that scored the same transcripts, two by two."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from inspect_awareness.claims import Claim
from inspect_awareness.report._reference import differences
from inspect_awareness.report._selection import Selection, distinct, unit_of
from inspect_awareness.stats import clustered_auroc_difference

if TYPE_CHECKING:
    import pandas as pd

SAME = ("view", "questions", "bank_hash")
"""What must have been asked alike before two raters are compared."""


@dataclass(frozen=True)
class RaterDifference:
    """Two raters on the same transcripts."""

    first: str
    """The one."""

    second: str
    """The other."""

    view: str
    """Which part of transcripts both saw."""

    asked: str
    """In what they were asked differently; empty where only the rater differs."""

    first_auroc: float
    """AUROC of the one, on the transcripts that both scored."""

    second_auroc: float
    """AUROC of the other."""

    difference: Claim
    """First minus second, paired."""

    evaluation: int
    """Evaluation transcripts that both scored."""

    deployment: int
    """Deployment transcripts that both scored."""

    p: float
    """Two-sided."""


def rater_differences(
    selections: Iterable[Selection], *, level: float
) -> tuple[RaterDifference, ...]:
    """The AUROCs of two raters on the transcripts that both scored, by subject.

    Args:
        selections: Each rater's scores, asked in one way, the reference's included.
        level: Nominal coverage.
    """
    return tuple(
        found
        for one, other in combinations(selections, 2)
        if _same(one, other)
        for found in _by_subject(one, other, level)
    )


def _same(one: Selection, other: Selection) -> bool:
    """Whether two raters were asked the same questions about the same view."""
    a, b = one.made.fields, other.made.fields
    return a["rater"] != b["rater"] and all(a.get(k) == b.get(k) for k in SAME)


def _by_subject(
    one: Selection, other: Selection, level: float
) -> Sequence[RaterDifference]:
    """One comparison for each subject of evaluation transcripts."""
    theirs = other.known[["item", "value"]].rename(columns={"value": "other"})
    both = one.known.merge(theirs, on="item")
    both = both.assign(subject=both["subject"].fillna("unknown"))
    evaluation = both[both["label"].eq("evaluation")]
    deployment = both["label"].eq("deployment")
    if not deployment.any():
        return []
    return [
        _difference(
            one,
            other,
            both[deployment | both["item"].isin(mine["item"])],
            str(subject),
            level,
        )
        for subject in distinct(evaluation["subject"])
        for mine in [evaluation[evaluation["subject"].eq(subject)]]
    ]


def _difference(
    one: Selection, other: Selection, rows: "pd.DataFrame", subject: str, level: float
) -> RaterDifference:
    """One minus other over the rows, with the ladder's unit."""
    unit = unit_of(rows)
    label = rows["label"].eq("evaluation").to_numpy()
    found = clustered_auroc_difference(
        rows["value"].to_numpy(),
        rows["other"].to_numpy(),
        label,
        unit.clusters,
        level=level,
        unit=unit.name,
    )
    a, b = one.made, other.made
    claim = Claim(
        f"AUROC of {a.rater} minus AUROC of {b.rater}",
        found.difference,
        f"{a.rater} and {b.rater}",
        None if subject == "unknown" else subject,
        "the same transcripts",
        condition=unit.sentence,
        compared=False,
    )
    asked = [d for d in differences(a, b) if d.name != "rater"]
    return RaterDifference(
        a.rater,
        b.rater,
        one.view,
        "; ".join(f"{d.name}: {d.scored} / {d.reference}" for d in asked),
        found.first,
        found.second,
        claim,
        int(label.sum()),
        int((~label).sum()),
        found.p,
    )
