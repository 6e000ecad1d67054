"""From long tables to the cells of a design."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats._arrays import Floats, Ids, finite_vector, matching_ids
from inspect_awareness.stats.generalizability._designs import Design

Labels = Mapping[str, Sequence[Hashable] | npt.NDArray[np.generic]]
"""For each facet the label of each value."""

REPEAT = "repeat"
"""The name of the facet that several values of one cell make."""


@dataclass(frozen=True)
class Cells:
    """The values of a long table in the cells of a design."""

    design: Design
    """The facets and effects."""

    values: Floats
    """As they came, shape (n,)."""

    places: npt.NDArray[np.int64]
    """The level of each facet, for each value, shape (n, facets); levels of a nested
    facet are counted within those above."""

    levels: tuple[int, ...]
    """How many levels each facet has, at most, within those above it."""

    @property
    def empty(self) -> int:
        """Cells without a value, had each facet as many levels everywhere."""
        return prod(self.levels) - self.values.size

    @property
    def missing(self) -> int:
        """Cells without a value, where nested facets have the levels that they have.

        Facets that nest in each other are one group; groups are crossed.
        """
        counts = [int(self.ids(g).max()) + 1 for g in _groups(self.design)]
        return prod(counts) - self.values.size

    @property
    def usual(self) -> tuple[float, ...]:
        """Levels of each facet within those above it, as harmonic means."""
        return tuple(self._usual(facet) for facet in self.design.facets)

    @property
    def distinct(self) -> tuple[int, ...]:
        """Levels of each facet in all."""
        return tuple(int(self._own(f).max()) + 1 for f in self.design.facets)

    def _own(self, facet: str) -> Ids:
        """The level of a facet together with those above it."""
        chain = {facet, *self.design.above(facet)}
        return self.ids([f for f in self.design.facets if f in chain])

    def _usual(self, facet: str) -> float:
        """The harmonic mean over the levels above that are there."""
        above = [f for f in self.design.facets if f in self.design.above(facet)]
        inner = self._own(facet)
        first = np.unique(inner, return_index=True)[1]
        outer = self.ids(above)[first] if above else np.zeros_like(first)
        return float(1 / np.mean(1 / np.bincount(outer)))

    @property
    def array(self) -> Floats:
        """The values in their cells, NaN where there is none, shape `levels`."""
        cells = np.full(self.levels, np.nan)
        cells[tuple(self.places.T)] = self.values
        return cells

    def ids(self, effect: Sequence[str]) -> Ids:
        """The level of an effect of each value, as 0, 1, ..., shape (n,)."""
        wanted = [self.design.position(f) for f in effect]
        sizes = [self.levels[axis] for axis in wanted]
        flat = np.ravel_multi_index(tuple(self.places[:, wanted].T), sizes)
        return np.asarray(np.unique(flat, return_inverse=True)[1], dtype=np.int64)


def cells_of(
    values: npt.ArrayLike, labels: Labels, design: Design, *, repeats: bool = False
) -> Cells:
    """The cells of a long table.

    Labels of a nested facet may be unique (r5 in t2) or start again in each level above
    (r1 in t1, r1 in t2): both are read within the level above.

    Args:
        values: The values, shape (n,).
        labels: For each facet of the design (but `repeat`) the label of each value.
        design: With a last facet `repeat`, nested in all others, if `repeats`.
        repeats: Whether several values of one cell are repeats.

    Raises:
        ValueError: A value is not finite, lengths differ, or a cell has two values
            without `repeats`.
    """
    y = finite_vector(values, "values")
    if not y.size:
        raise ValueError("no value: there is nothing to share out")
    columns: dict[str, Ids] = {}
    for facet in sorted(design.facets, key=lambda f: len(design.above(f))):
        above = [columns[f] for f in columns if f in design.above(facet)]
        if repeats and facet == REPEAT:
            columns[facet] = _turns(list(columns.values()))
            continue
        own = matching_ids(labels[facet], y.size, f"labels of {facet!r}")
        columns[facet] = _within(own, _joint(above, y.size))
    ordered = {f: columns[f] for f in design.facets}
    places = np.stack(list(ordered.values()), axis=1)
    levels = tuple(int(k) + 1 for k in places.max(axis=0))
    _no_duplicates(places, design, labels)
    return Cells(design, y, places, levels)


def _groups(design: Design) -> list[list[str]]:
    """Facets joined by nesting, and each of the others alone."""
    groups: list[set[str]] = []
    for facet in design.facets:
        joined = {facet, *design.above(facet)}
        for other in [group for group in groups if group & joined]:
            groups.remove(other)
            joined |= other
        groups.append(joined)
    return [[f for f in design.facets if f in group] for group in groups]


def _joint(columns: Sequence[Ids], size: int) -> Ids:
    """One id for each combination."""
    if not columns:
        return np.zeros(size, dtype=np.int64)
    rows = np.stack(columns, axis=1)
    found = np.unique(rows, axis=0, return_inverse=True)[1]
    return np.asarray(found.reshape(-1), dtype=np.int64)


def _within(own: Ids, above: Ids) -> Ids:
    """Ids counted 0, 1, ... within each level above."""
    pairs, place = np.unique(np.stack([above, own]), axis=1, return_inverse=True)
    starts = np.searchsorted(pairs[0], np.arange(int(above.max()) + 1))
    local = np.arange(pairs.shape[1]) - starts[pairs[0]]
    return np.asarray(local[place.reshape(-1)], dtype=np.int64)


def _turns(columns: Sequence[Ids]) -> Ids:
    """The running number of each value within its cell."""
    cell = _joint(columns, columns[0].size)
    order = np.argsort(cell, kind="stable")
    first = np.searchsorted(cell[order], cell[order])
    turn = np.empty(cell.size, dtype=np.int64)
    turn[order] = np.arange(cell.size) - first
    return turn


def _no_duplicates(
    places: npt.NDArray[np.int64], design: Design, labels: Labels
) -> None:
    """Each cell has one value."""
    found, first, counts = np.unique(
        places, axis=0, return_index=True, return_counts=True
    )
    if found.shape[0] == places.shape[0]:
        return
    row = int(first[np.argmax(counts)])
    named = {
        f: np.asarray(labels[f], dtype=object).tolist()[row] for f in design.facets
    }
    cell = ", ".join(f"{facet} {label!r}" for facet, label in named.items())
    extra = places.shape[0] - found.shape[0]
    raise ValueError(
        f"{extra} values too many: the cell {cell} has {int(counts.max())}. Name the "
        "facet that tells them apart, or say that they are repeats"
    )
