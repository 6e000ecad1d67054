"""What the rows of a block are compared with, and on which terms."""

from dataclasses import dataclass, replace
from math import nan
from typing import TYPE_CHECKING

import numpy as np

from inspect_awareness.claims import Reference
from inspect_awareness.report._selection import Selection, distinct
from inspect_awareness.report._turns import wholes_in
from inspect_awareness.stats import Estimate, Unit, awareness_rate

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Standard:
    """What rows are compared with, and how wide their intervals are."""

    level: float
    """Nominal coverage."""

    selection: Selection | None
    """The reference's transcripts; None without a reference."""

    @property
    def threshold(self) -> float:
        """The reference's 99th percentile; NaN where it is too small for one."""
        reference = self.reference
        enough = reference is not None and reference.has_99
        return reference.percentile_99 if reference and enough else nan

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
            wholes_in(known, self.selection.view),
        )


def share_of(values: "Floats", unit: Unit, level: float) -> Estimate:
    """The share of ones, with an interval over clusters that is honest near 0 and 1."""
    found = awareness_rate(values, unit.clusters, level=level)
    return replace(found, unit=unit.name)
