"""Cohen's kappa where several items come from one task."""

from dataclasses import replace

import numpy as np

from inspect_awareness.stats._arrays import Floats, Ids
from inspect_awareness.stats._estimate import Estimate
from inspect_awareness.stats._leave_one_out import jackknife
from inspect_awareness.stats.agreement import cohen_kappa


def kappa_over_tasks(
    first: Floats, second: Floats, task: Ids, level: float
) -> Estimate:
    """Cohen's kappa of two vectors of 0 and 1, with an interval over tasks.

    Where each item is a task of its own, that of `cohen_kappa`; where tasks repeat,
    the jackknife over tasks, since the former would be too narrow.
    """
    tasks = np.unique(task, return_inverse=True)[1].reshape(-1)
    count = int(tasks.max()) + 1 if tasks.size else 0
    cell = (tasks * 4 + 2 * first + second).astype(np.int64)
    tables = np.bincount(cell, minlength=4 * count).reshape(count, 2, 2)
    plain = cohen_kappa(tables.sum(0), level=level)
    if not plain.has_interval or count == tasks.size:
        note = plain.note.replace(plain.unit, "task")
        return replace(plain, clusters=count, unit="task", note=note)
    without = _kappas((tables.sum(0) - tables).astype(np.float64))
    return jackknife(plain.value, without, level, bounds=(-1.0, 1.0)).around(
        plain.value, level=level, n=plain.n, clusters=count, unit="task"
    )


def _kappas(tables: Floats) -> Floats:
    """(po - pe) / (1 - pe) of each table; NaN where chance agreement is complete."""
    total = tables.sum((1, 2))
    p = tables / np.where(total > 0, total, np.nan)[:, None, None]
    observed = np.trace(p, axis1=1, axis2=2)
    chance = np.einsum("gi,gi->g", p.sum(2), p.sum(1))
    room = np.where(chance < 1 - 1e-12, 1 - chance, np.nan)
    return np.asarray((observed - chance) / room, dtype=np.float64)
