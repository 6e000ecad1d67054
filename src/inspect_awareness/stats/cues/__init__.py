"""Which cue stably aware tasks cite: from votes to tasks, from tasks to shares."""

from inspect_awareness.stats.cues._shares import CueShares, cue_shares
from inspect_awareness.stats.cues._tasks import (
    Named,
    Repeat,
    TaskCue,
    TaskKey,
    most_named,
    stably_aware,
    task_cues,
)

__all__ = [
    "CueShares",
    "Named",
    "Repeat",
    "TaskCue",
    "TaskKey",
    "cue_shares",
    "most_named",
    "stably_aware",
    "task_cues",
]
