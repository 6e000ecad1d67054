"""Shares of sums of squares with jackknife intervals over tasks."""

from dataclasses import dataclass
from math import asin, nan, pi, sin, sqrt

import numpy as np

from inspect_awareness.stats._arrays import Floats, Ids
from inspect_awareness.stats._estimate import Estimate, undefined
from inspect_awareness.stats._intervals import NO_SPREAD, Interval
from inspect_awareness.stats._leave_one_out import HINGES_ON_ONE
from inspect_awareness.stats.shares._squares import Squares

FIXED = "about other tasks of these benchmarks, with these models"
ONE_TASK = "a benchmark has one task: its spread over tasks cannot be seen"
ONE_LEVEL = "the effect has no degree of freedom here"
ONE_SAMPLE = "a cell has one sample: its noise cannot be told from its task"


@dataclass(frozen=True, eq=False)
class ShareFit:
    """Sums of squares with and without each task, and how to speak about them."""

    whole: Squares
    without: Squares
    ids: Ids
    level: float
    size: tuple[int, int]

    quantile: float
    """Of t with T - b degrees of freedom."""

    def share(self, *effects: int) -> Estimate:
        """SS / total of one or more effects, on the scale of asin(sqrt(share)).

        On that scale squares are even.
        """
        which = list(effects)
        value = float(self.whole.effects[0, which].sum() / self.whole.total[0])
        se = self._se(_part(self.without.effects[:, which].sum(1), self.without))
        if not self.whole.freedom[which].any():
            return undefined(self.level, ONE_LEVEL)
        if not 0 < value < 1 or not se > 1e-12:
            return self._estimate(value, self._blank())
        middle = asin(sqrt(value))
        half = self.quantile * se / (2 * sqrt(value * (1 - value)))
        low, high = max(0.0, middle - half), min(pi / 2, middle + half)
        method = "jackknife over tasks, arcsine scale"
        return self._estimate(value, Interval(sin(low) ** 2, sin(high) ** 2, method))

    def corrected(self, k: int) -> Estimate:
        """(SS - noise) / total."""
        if not self.whole.freedom[k]:
            return undefined(self.level, ONE_LEVEL)
        return self._plain(
            *(
                _part(each.effects[:, k] - each.noise[:, k], each)
                for each in (self.whole, self.without)
            )
        )

    def noise(self) -> Estimate:
        """The share of noise in the total."""
        return self._plain(
            *(_part(each.noise.sum(1), each) for each in (self.whole, self.without))
        )

    def _plain(self, value: Floats, without: Floats) -> Estimate:
        """A value with a t interval."""
        if np.isnan(value[0]):
            return undefined(self.level, ONE_SAMPLE)
        se = self._se(without)
        if not se > 1e-12:
            return self._estimate(float(value[0]), self._blank())
        half = self.quantile * se
        low, high = float(value[0]) - half, float(value[0]) + half
        return self._estimate(
            float(value[0]), Interval(low, high, "jackknife over tasks, t")
        )

    def _se(self, without: Floats) -> float:
        """Stratified: sum_b (n_b - 1) / n_b sum_(t in b) (x_t - mean_b)^2, rooted."""
        counts = self.whole.counts
        if counts.min() < 2:
            return nan
        mean = np.bincount(self.ids, without) / counts
        spread = np.bincount(self.ids, (without - mean[self.ids]) ** 2)
        return float(np.sqrt(np.sum(spread * (counts - 1) / counts)))

    def _blank(self) -> Interval:
        """No interval, and why."""
        one = self.whole.counts.min() < 2
        some = f"{NO_SPREAD}, or {HINGES_ON_ONE}".replace("cluster", "task")
        return Interval(nan, nan, "none", ONE_TASK if one else some)

    def _estimate(self, value: float, interval: Interval) -> Estimate:
        """The estimate, with what its interval speaks about."""
        return Estimate(
            float(value),
            interval.low,
            interval.high,
            self.level,
            self.size[0],
            self.size[1],
            "task",
            interval.method,
            interval.note or FIXED,
        )


def _part(square: Floats, of: Squares) -> Floats:
    """Sums of squares over their totals; NaN where nothing varies."""
    total = np.where(of.total > 1e-12, of.total, nan)
    return np.asarray(square / total, dtype=np.float64)
