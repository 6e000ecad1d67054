"""AUROC over pairs from the same fold, and what it is without each source."""

from dataclasses import dataclass
from math import nan

import numpy as np

from inspect_awareness.stats._arrays import Floats, Ids
from inspect_awareness.stats._estimate import Estimate
from inspect_awareness.stats._intervals import (
    NO_SPREAD,
    UNRESPONSIVE,
    Interval,
    on_logit_scale,
    t_quantile,
)
from inspect_awareness.stats._leave_one_out import jackknife
from inspect_awareness.stats.roc._newcombe import newcombe
from inspect_awareness.stats.roc._ranked import Labels
from inspect_awareness.stats.selection._wins import GRID

METHOD = "pairs within folds, jackknife over sources, logit scale, t"
LEVEL = 0.95


@dataclass(frozen=True, eq=False)
class PooledPairs:
    """Pairs won over pairs, both of a pair from one fold, with and without a source."""

    area: float
    """A = sum over folds of U / sum over folds of n1 n0."""

    without: Floats
    """The same without each of G sources, shape (G,)."""

    flat: bool
    """Whether every pair is a tie."""

    sources: tuple[int, int]
    """Sources with evaluation and with deployment transcripts."""

    transcripts: int
    """How many transcripts were scored."""

    @classmethod
    def of(
        cls, scores: Floats, evaluation: Labels, sources: Ids, folds: Ids
    ) -> "PooledPairs":
        """From the scores that each fold got from the subset found without it.

        Args:
            scores: Shape (n,); NaN where there is none: tied with all.
            evaluation: Shape (n,).
            sources: Integers from 0, shape (n,).
            folds: The fold of each transcript, shape (n,).
        """
        member = np.eye(int(sources.max()) + 1)[sources]
        won = np.zeros((member.shape[1], member.shape[1]))
        made = np.zeros(won.shape)
        flat = True
        for fold in np.unique(folds):
            up = np.flatnonzero((folds == fold) & evaluation)
            down = np.flatnonzero((folds == fold) & ~evaluation)
            order = _order(scores[up], scores[down])
            won += member[up].T @ order @ member[down]
            made += np.outer(member[up].sum(axis=0), member[down].sum(axis=0))
            flat &= bool((order == 0.5).all())
        return cls(
            float(won.sum() / made.sum()),
            _without_each(won) / _without_each(made),
            flat,
            (np.unique(sources[evaluation]).size, np.unique(sources[~evaluation]).size),
            scores.size,
        )

    @property
    def se(self) -> float:
        """Sqrt((G - 1) / G sum (A_(g) - mean A_(.))^2)."""
        return spread(self.without)

    def estimate(self) -> Estimate:
        """The area with an interval over sources."""
        return self._interval().around(
            self.area,
            level=LEVEL,
            n=self.transcripts,
            clusters=self.without.size,
            unit="source",
        )

    def beyond(self, other: "PooledPairs") -> Estimate:
        """How much greater the area is than another's on the same transcripts."""
        value = self.area - other.area
        found = jackknife(value, self.without - other.without, LEVEL)
        return found.around(
            value,
            level=LEVEL,
            n=self.transcripts,
            clusters=self.without.size,
            unit="source",
        )

    def _interval(self) -> Interval:
        """Logit(A) ± t se / (A (1 - A)); near 0 and 1 Newcombe's, with sources as n.

        Where less than one pair of sources is out of order, the wider of the two.
        """
        if self.flat:
            return Interval(nan, nan, "none", UNRESPONSIVE)
        by_counts = newcombe(self.area, *self.sources, LEVEL)
        if self.area in (0.0, 1.0):
            return by_counts
        if self.se < 1e-12:
            return Interval(nan, nan, "none", NO_SPREAD)
        quantile = t_quantile(LEVEL, self.without.size - 1)
        found = on_logit_scale(self.area, self.se, quantile)
        low, high = found.low, found.high
        if min(self.area, 1 - self.area) * self.sources[0] * self.sources[1] < 1:
            low, high = min(low, by_counts.low), max(high, by_counts.high)
        return Interval(low, high, METHOD)


def _without_each(of_pairs: Floats) -> Floats:
    """Sums over pairs of sources (g, h) without the row and the column of each."""
    own = of_pairs.sum(axis=0) + of_pairs.sum(axis=1) - of_pairs.diagonal()
    return np.asarray(of_pairs.sum() - own)


def spread(without: Floats) -> float:
    """The jackknife's standard error from values without each of G sources."""
    return float(np.sqrt((without.size - 1) * np.var(without)))


def _order(up: Floats, down: Floats) -> Floats:
    """1 where the evaluation transcript is above, 1/2 where tied or unscored."""
    x, y = np.rint(up * GRID)[:, None], np.rint(down * GRID)[None, :]
    unknown = np.isnan(x) | np.isnan(y)
    return np.where(unknown, 0.5, (x > y) + 0.5 * (x == y))
