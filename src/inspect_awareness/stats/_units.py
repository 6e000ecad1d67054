"""What counts as independent: the ladder from sources over tasks to samples."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from inspect_awareness.stats._arrays import Ids, codes

SOURCES_PER_LABEL = 8
"""Sources that each label needs before sources can be the resampling unit."""


@dataclass(frozen=True, eq=False)
class Unit:
    """The resampling unit of a set of items, and what it allows one to say."""

    name: Literal["source", "task", "sample"]
    """What counts as independent."""

    clusters: Ids
    """For each item, the number of its cluster."""

    n_clusters: int
    """How many clusters there are."""

    n_sources: int
    """How many sources the items come from."""

    sentence: str
    """Where intervals cannot speak about other sources, the words that say so."""


def resampling_unit(
    labels: Sequence[str],
    sources: Sequence[str | None],
    tasks: Sequence[str | None],
) -> Unit:
    """Choose what counts as independent among items.

    Source, where each label that is present has at least 8 sources: then an interval
    speaks about sources like these. Else task, where task ids are known: the epochs
    of one task are repeats and move together, and the interval is conditional on the
    sources at hand. Else sample. An item without a task id is a task of its own.

    Args:
        labels: Label of each item.
        sources: Source of each item (a benchmark's name); None is one source too.
        tasks: Task id of each item within its source; None where it is not known.

    Raises:
        ValueError: The three do not have the same length.

    Example:
        >>> resampling_unit(["evaluation"] * 3, ["gaia"] * 3, ["1", "1", "2"]).sentence
        'conditional on this 1 source; says nothing about others'
    """
    if not len(labels) == len(sources) == len(tasks):
        raise ValueError(
            f"labels, sources and tasks must be of one length, got {len(labels)}, "
            f"{len(sources)} and {len(tasks)}"
        )
    n_sources = len(set(sources))
    if _enough_sources(labels, sources):
        clusters = codes(list(sources))
        return Unit("source", clusters, n_sources, n_sources, "")
    known = any(task is not None for task in tasks)
    ids = [
        (source, index if task is None else task, task is None)
        for index, (source, task) in enumerate(zip(sources, tasks, strict=True))
    ]
    clusters = codes(ids)
    return Unit(
        "task" if known else "sample",
        clusters,
        int(np.unique(clusters).size),
        n_sources,
        _conditional(n_sources),
    )


def _enough_sources(labels: Sequence[str], sources: Sequence[str | None]) -> bool:
    """Whether each label that is present has at least 8 sources."""
    sources_of: dict[str, set[str | None]] = defaultdict(set)
    for label, source in zip(labels, sources, strict=True):
        sources_of[label].add(source)
    return bool(sources_of) and all(
        len(found) >= SOURCES_PER_LABEL for found in sources_of.values()
    )


def _conditional(n_sources: int) -> str:
    """The words without which an interval over few sources would mislead."""
    which = f"these {n_sources} sources" if n_sources != 1 else "this 1 source"
    return f"conditional on {which}; says nothing about others"
