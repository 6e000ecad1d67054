"""How many stably aware tasks cite each cue."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from inspect_awareness.stats._estimate import Estimate, undefined
from inspect_awareness.stats.agreement._two_raters import proportion
from inspect_awareness.stats.cues._tasks import TaskCue


@dataclass(frozen=True)
class CueShares:
    """The cues of some stably aware tasks."""

    tasks: int
    """Stably aware tasks."""

    shares: Mapping[str, Estimate]
    """Share of each category among the tasks with one, with Wilson's interval."""

    missing: Mapping[str, int]
    """Tasks without a category, by reason."""

    @property
    def attributed(self) -> int:
        """Tasks with a category."""
        return self.tasks - sum(self.missing.values())


def cue_shares(
    tasks: Sequence[TaskCue], categories: Sequence[str], *, level: float = 0.95
) -> CueShares:
    """The share of each category among stably aware tasks that have one.

    Tasks are taken as independent, which tasks of one source may not be: the interval
    speaks of other such tasks, not of other sources.

    Args:
        tasks: Stably aware tasks.
        categories: All categories, in order; one that no task has gets the share 0.
        level: Nominal coverage of each interval.
    """
    named = Counter(each.category for each in tasks if each.category is not None)
    total = named.total()
    return CueShares(
        tasks=len(tasks),
        shares={name: _share(named[name], total, level) for name in categories},
        missing=dict(Counter(t.reason or "no_vote" for t in tasks if not t.category)),
    )


def _share(tasks: int, total: int, level: float) -> Estimate:
    """The share of some tasks; undefined of none."""
    if not total:
        return undefined(level, "no stably aware task has a cue")
    return replace(proportion(tasks, total, level), unit="task")
