"""What chance reaches on a statistic, beside what was observed."""

from dataclasses import dataclass
from math import nan, sqrt

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats._arrays import Floats
from inspect_awareness.stats.roc import folded, signed

ROUNDING = 1e-12
"""Two peaks that differ by less are equal: 1 - A and A round differently."""

NO_AREA = "a class has no item, so there is no area"
NO_OBSERVED = "no observed peak was given, so there is neither z nor p"
NO_SPREAD = "every draw reaches the same value, so there is no z"


@dataclass(frozen=True, eq=False)
class Floor:
    """The null distribution of a peak over layers, and where the observed one stands.

    A floor is no estimate of the data: it is what an instrument without content
    reaches under the same statistic. What is undefined is NaN, and `note` says why.
    """

    observed: float
    """The statistic of the real instrument; NaN where none was given."""

    mean: float
    """Mean over draws: the floor."""

    sd: float
    """Standard deviation over draws (divisor draws - 1)."""

    quantile: float
    """What the share `level` of the draws stays below."""

    level: float
    """Which quantile, such as .95."""

    z: float
    """(observed - mean) / sd."""

    p: float
    """(1 + #{draws >= observed}) / (1 + draws)."""

    draws: int
    """How many draws."""

    kind: str
    """Which null, in words: what was permuted or drawn, and what that answers."""

    values: Floats
    """The statistic of every draw, shape (draws,)."""

    note: str = ""
    """What a reader must know."""

    @property
    def excess(self) -> float:
        """Observed - mean."""
        return self.observed - self.mean

    @property
    def share(self) -> float:
        """Mean / observed: how much of the peak an instrument without content has."""
        return self.mean / self.observed if self.observed else nan

    @property
    def error(self) -> float:
        """Monte Carlo error of the mean, sd / sqrt(draws)."""
        return self.sd / sqrt(self.draws)


def peaks(areas: npt.ArrayLike, *, fold: bool) -> Floats:
    """Max over the last axis (layers) of |A - 1/2|, or of A - 1/2."""
    distances = folded(areas) if fold else signed(areas)
    return np.asarray(distances.max(axis=-1), dtype=np.float64)


def floor_of(
    values: Floats, observed: float, *, kind: str, level: float, note: str = ""
) -> Floor:
    """The record of drawn statistics."""
    draws = values.size
    if np.isnan(values).any():
        unknown = (nan, nan, nan, level, nan, nan)
        return Floor(nan, *unknown, draws, kind, values, NO_AREA)
    mean, sd = float(values.mean()), float(values.std(ddof=1))
    larger = int((values >= observed - ROUNDING).sum())
    p, z, notes = (1 + larger) / (1 + draws), nan, [note]
    if sd < ROUNDING:
        notes.append(NO_SPREAD)
    else:
        z = (observed - mean) / sd
    if observed != observed:
        p, z = nan, nan
        notes.append(NO_OBSERVED)
    return Floor(
        observed,
        mean,
        sd,
        float(np.quantile(values, level)),
        level,
        z,
        p,
        draws,
        kind,
        values,
        "; ".join(each for each in notes if each),
    )


def checked_draws(draws: int, level: float) -> None:
    """At least two draws, for a spread, and a quantile between 0 and 1.

    Raises:
        ValueError: Fewer draws, or another level.
    """
    if draws < 2:
        raise ValueError(f"draws must be 2 or more, for a spread, got {draws}")
    if not 0 < level < 1:
        raise ValueError(f"level must be between 0 and 1, such as .95, got {level}")
