"""Sums of squares of models x tasks in benchmarks, with and without each task."""

from dataclasses import dataclass

import numpy as np

from inspect_awareness.stats._arrays import Floats, Ids

EFFECTS = ("model", "benchmark", "task", "model:benchmark", "model:task")
"""Tasks are within benchmarks; each model meets every task."""

INTERACTIONS = ("model:benchmark", "model:task")
"""The effects that say which model meets what."""


@dataclass(frozen=True, eq=False)
class Squares:
    """Sums of squares of a batch of data sets that share models and benchmarks."""

    effects: Floats
    """Shape (batch, 5), in the order of `EFFECTS`."""

    noise: Floats
    """What noise is expected to add to each, shape (batch, 5)."""

    total: Floats
    """Shape (batch,)."""

    freedom: Floats
    """Degrees of freedom of each effect, of the whole, shape (5,)."""

    counts: Floats
    """Tasks of each benchmark, of the whole, shape (benchmarks,)."""

    parts: "Parts"
    """The sums that all this was computed from."""

    def without_each(self) -> "Squares":
        """The same with each task left out in turn; the batch is the tasks."""
        return _squares(self.parts.without_each(), self.counts, self.freedom)


@dataclass(frozen=True, eq=False)
class Parts:
    """Sums over the tasks of each benchmark, and what each task adds to them."""

    cells: Floats
    """Of rates, each model's squared and added up, shape (batch, benchmarks)."""

    sums: Floats
    """Of rates, over models too, shape (batch, benchmarks)."""

    of_models: Floats
    """Of rates, over benchmarks too, shape (batch, models)."""

    counts: Floats
    """Of tasks, shape (batch, benchmarks)."""

    means: Floats
    """Of squared task means, shape (batch, benchmarks)."""

    raw: Floats
    """Of squared rates, shape (batch,)."""

    noise: Floats
    """Of noise variances, shape (batch, benchmarks)."""

    rates: Floats
    """Rates, shape (models, tasks)."""

    variance: Floats
    """Noise variance of each rate, shape (models, tasks)."""

    member: Floats
    """1 where a task is in a benchmark, shape (tasks, benchmarks)."""

    def without_each(self) -> "Parts":
        """Each sum less what a task adds to it."""
        y, member = self.rates, self.member
        left = (y @ member)[:, member.argmax(1)] - y
        return Parts(
            cells=np.where(member > 0, (left**2).sum(0)[:, None], self.cells),
            sums=self.sums - y.sum(0)[:, None] * member,
            of_models=self.of_models - y.T,
            counts=self.counts - member,
            means=self.means - (y.mean(0) ** 2)[:, None] * member,
            raw=self.raw - (y**2).sum(0),
            noise=self.noise - self.variance.sum(0)[:, None] * member,
            rates=y,
            variance=self.variance,
            member=member,
        )


def squares(rates: Floats, benchmarks: Ids, samples: Floats) -> Squares:
    """Sums of squares of one matrix of rates, models x tasks."""
    models, tasks = rates.shape
    count = int(benchmarks.max()) + 1
    member = (benchmarks[:, None] == np.arange(count)).astype(np.float64)
    variance = np.full(rates.shape, np.nan)
    known = samples > 1
    variance[known] = (rates * (1 - rates))[known] / (samples[known] - 1)
    counts = member.sum(0)
    parts = Parts(
        cells=((rates @ member) ** 2).sum(0)[None],
        sums=(rates.sum(0) @ member)[None],
        of_models=rates.sum(1)[None],
        counts=counts[None],
        means=(rates.mean(0) ** 2 @ member)[None],
        raw=np.array([(rates**2).sum()]),
        noise=(variance.sum(0) @ member)[None],
        rates=rates,
        variance=variance,
        member=member,
    )
    b = count - 1
    freedom = np.array([models - 1, b, tasks - count, (models - 1) * b, 0.0])
    freedom[4] = (models - 1) * (tasks - count)
    return _squares(parts, counts, freedom)


def _squares(parts: Parts, counts: Floats, freedom: Floats) -> Squares:
    """The five sums of squares, from sums of squared means of each kind."""
    models = parts.rates.shape[0]
    n = parts.counts
    tasks = np.maximum(n.sum(1), 1)[:, None]
    each = 1 / np.maximum(n, 1)
    grand = parts.sums.sum(1, keepdims=True) ** 2 / (models * tasks)
    cells = (parts.cells * each).sum(1)
    benches = (parts.sums**2 * each).sum(1) / models
    of_model = (parts.of_models**2 / tasks).sum(1) - grand[:, 0]
    of_bench = benches - grand[:, 0]
    of_both = cells - grand[:, 0] - of_model - of_bench
    of_task = models * parts.means.sum(1) - benches
    total = parts.raw - grand[:, 0]
    rest = parts.raw - cells - of_task
    effects = np.stack([of_model, of_bench, of_task, of_both, rest], axis=1)
    return Squares(
        effects=np.where(freedom > 0, np.maximum(effects, 0.0), 0.0),
        noise=_noise(parts.noise, models, tasks, np.maximum(n, 1)),
        total=np.asarray(total, dtype=np.float64),
        freedom=freedom,
        counts=counts,
        parts=parts,
    )


def _noise(variance: Floats, models: int, tasks: Floats, n: Floats) -> Floats:
    """Noise variances weighted by the diagonal of each effect's projection."""
    one, a = 1 / (models * tasks), 1 / models
    diagonals = (
        1 / tasks - one,
        a / n - one,
        a - a / n,
        1 / n - 1 / tasks - a / n + one,
        1 - a - 1 / n + a / n,
    )
    return np.stack([(variance * each).sum(1) for each in diagonals], axis=1)
