"""What the tax is not: the pooled difference, and the slope between tasks."""

from math import nan

import numpy as np

from inspect_awareness.stats._arrays import Floats
from inspect_awareness.stats._estimate import Estimate, undefined
from inspect_awareness.stats._leave_one_out import jackknife
from inspect_awareness.stats.tax._strata import Samples, Strata


def pooled_difference(samples: Samples, level: float, reach: float) -> Estimate:
    """Mean of the aware minus mean of the unaware, jackknife over tasks."""
    _, task = np.unique(samples.task, return_inverse=True)
    aware, count = samples.aware, int(task.max()) + 1 if task.size else 0
    if not aware.any() or aware.all():
        kind = "unaware" if aware.any() else "aware"
        return undefined(level, f"no {kind} sample", n=aware.size, clusters=count)
    parts = []
    worth = []
    for these in (aware, ~aware):
        n = np.bincount(task[these], minlength=count)
        total = np.bincount(task[these], samples.outcome[these], minlength=count)
        left = np.where(n.sum() > n, n.sum() - n, nan)
        parts.append((total.sum() / n.sum(), (total.sum() - total) / left))
        worth.append(n.sum() ** 2 / np.sum(n**2))
    value = float(parts[0][0] - parts[1][0])
    without = np.asarray(parts[0][1] - parts[1][1], dtype=np.float64)
    interval = jackknife(
        value,
        without,
        level,
        bounds=(-reach, reach),
        freedom=max(float(min(worth)) - 1, 1.0),
    )
    return interval.around(
        value, level=level, n=aware.size, clusters=count, unit="task"
    )


def between_slope(strata: Strata, level: float) -> Estimate:
    """Sxy / Sxx of task means on shares of aware samples, jackknife over tasks."""
    size = strata.size
    _, task = np.unique(strata.task, return_inverse=True)
    count = int(task.max()) + 1 if task.size else 0
    n = int(size.sum())
    if not count:
        return undefined(level, "no sample")
    x = strata.n_aware / size
    y = (strata.sum_aware + strata.sum_unaware) / size
    sums = np.stack(
        [np.bincount(task, each) for each in (size, size * x, size * y)]
        + [np.bincount(task, size * x * x), np.bincount(task, size * x * y)]
    )
    total = sums.sum(1)
    value = float(_slope(total[:, None])[0])
    if value != value:
        note = "all tasks have the same share of aware samples"
        return undefined(level, note, n=n, clusters=count)
    without = _slope(total[:, None] - sums)
    spread = np.bincount(task, size * (x - total[1] / total[0]) ** 2)
    freedom = float(spread.sum() ** 2 / np.sum(spread**2)) - 1
    interval = jackknife(value, without, level, freedom=max(freedom, 1.0))
    return interval.around(value, level=level, n=n, clusters=count, unit="task")


def _slope(sums: Floats) -> Floats:
    """(Sxy - Sx Sy / S) / (Sxx - Sx^2 / S); NaN without spread in x."""
    n, sx, sy, sxx, sxy = sums
    n = np.where(n > 0, n, nan)
    spread = sxx - sx**2 / n
    return np.asarray(
        (sxy - sx * sy / n) / np.where(spread > 1e-9 * n, spread, nan), dtype=np.float64
    )
