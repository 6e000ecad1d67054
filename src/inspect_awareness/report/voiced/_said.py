"""Claims about what a judge said: the part that all of them share."""

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from inspect_awareness.claims import Claim, Missing
from inspect_awareness.report.voiced._cases import UNKNOWN, Cases
from inspect_awareness.stats import Bounds, Estimate

if TYPE_CHECKING:
    import pandas as pd

NO_LABELS = (
    "the judge's errors are not known: no people's labels were given (awareness judge "
    "sample draws transcripts for them)"
)
"""What is said where nobody checked the judge."""

NO_DEPLOYMENT = (
    "no deployment transcripts were judged, so how often this judge says aware where "
    "nobody tests is not known"
)
"""What is said where there is no floor."""


@dataclass(frozen=True)
class Floor:
    """How often the judge says aware of deployment transcripts."""

    estimate: Estimate | None = None
    """The share; None without such transcripts."""

    def of(self, claim: Claim) -> Claim:
        """The claim with it, or with the words that there is none."""
        if self.estimate is None:
            condition = "; ".join(filter(None, (claim.condition, NO_DEPLOYMENT)))
            return replace(claim, condition=condition)
        name = "deployment transcripts, same judge"
        return replace(claim, floor=self.estimate, floor_name=name)


def said(
    quantity: str,
    estimate: Estimate,
    cases: Cases,
    *,
    missing: tuple[Missing, ...] = (),
    bounds: Bounds | None = None,
    trust: str = NO_LABELS,
) -> Claim:
    """A claim about transcripts of one model on one benchmark.

    Args:
        quantity: What was estimated.
        estimate: The number.
        cases: The transcripts that it is about.
        missing: What is not in the number, by reason.
        bounds: What the missing could have made of it.
        trust: What is known of the judge's errors.
    """
    models = set(cases.table["model"]) - {UNKNOWN}
    return Claim(
        quantity,
        estimate,
        cases.made.rater,
        ", ".join(sorted(models)) or None,
        ", ".join(cases.benchmarks),
        condition=f"about other tasks of {', '.join(cases.benchmarks)}",
        missing=missing,
        bounds=bounds,
        compared=False,
        trust=trust,
    )


def missing_of(cases: Cases) -> tuple[Missing, ...]:
    """Transcripts without a verdict, by reason, the commonest first."""
    lost = cases.table.loc[np.isnan(cases.aware), "reason"]
    return by_reason(lost.fillna("unscored"), len(cases.table))


def by_reason(reasons: "pd.Series[str]", whole: int) -> tuple[Missing, ...]:
    """Reasons with their counts and shares of a whole, the commonest first."""
    counts = Counter(map(str, reasons))
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return tuple(Missing(reason, n, n / whole) for reason, n in ordered)


def tasks_of(cases: Cases) -> npt.NDArray[np.object_]:
    """Tasks, told apart between models and benchmarks."""
    columns = (cases.table[name] for name in ("model", "benchmark", "task"))
    found = np.empty(len(cases.table), dtype=object)
    found[:] = list(zip(*columns, strict=True))
    return found
