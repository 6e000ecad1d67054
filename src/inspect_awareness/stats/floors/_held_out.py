"""The area at a layer that other items chose."""

from dataclasses import dataclass

import numpy as np

from inspect_awareness.stats._arrays import Floats, Ids
from inspect_awareness.stats.floors._places import random_halves
from inspect_awareness.stats.roc._ranked import Labels
from inspect_awareness.stats.roc._weighted import weighted_areas

CHUNK = 2_000_000
"""How many weights are summed at once: 16 MB."""

MOST_PAIRS = 1_000_000
"""Above this many pairs cumulative sums are faster than comparing each pair."""


@dataclass(frozen=True, eq=False)
class Items:
    """Scored items: what every resample or split of them starts from."""

    ranks: Floats
    """Ranks by layer, shape (layers, n)."""

    labels: Labels
    """Which items are labelled evaluation, shape (n,)."""

    ids: Ids
    """The cluster of each item, shape (n,)."""

    @property
    def kinds(self) -> Ids:
        """For each cluster, 1 if it has evaluation items, plus 2 if deployment items."""
        found = np.zeros(int(self.ids.max()) + 1, dtype=np.int64)
        np.bitwise_or.at(found, self.ids, np.where(self.labels, 1, 2))
        return found

    @property
    def divisible(self) -> bool:
        """Whether either label has clusters for two halves."""
        has = self.kinds
        mixed = int((has == 3).sum())
        apart = min(int((has == 1).sum()), int((has == 2).sum()))
        return mixed > 1 or apart > 1

    def distances(self, weights: Floats) -> Floats:
        """A - 1/2 by layer under each row of weights, shape (rows, layers)."""
        n1 = int(self.labels.sum())
        if n1 * (self.labels.size - n1) > MOST_PAIRS:
            found = [weighted_areas(row, self.labels, weights) for row in self.ranks]
        else:
            found = self._compared(weights)
        return np.stack(found, axis=1) - 0.5

    def _compared(self, weights: Floats) -> list[Floats]:
        """W1' M_l W0 / (W1 W0), M_l = 1[s_i > s_j] + 1[s_i = s_j] / 2.

        Counts and halves are exact in 32 bits up to sums of 2^23.
        """
        narrow = weights.astype(np.float32)
        up, down = narrow[:, self.labels], narrow[:, ~self.labels]
        pairs = up.sum(axis=1, dtype=np.float64) * down.sum(axis=1, dtype=np.float64)
        found = []
        for row in self.ranks:
            apart = row[self.labels][:, None] - row[~self.labels]
            wins = np.heaviside(apart, 0.5).astype(np.float32)
            sums = np.einsum("ij,ij->i", up @ wins, down).astype(np.float64)
            with np.errstate(invalid="ignore", divide="ignore"):
                found.append(np.where(pairs > 0, sums / pairs, np.nan))
        return found


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Distances from 1/2 at the layer that the other half chose."""

    values: Floats
    """The mean over both directions of each split, shape (rows,)."""

    layers: Ids
    """The layers that the halves chose, shape (2 rows,)."""


def held_out(
    items: Items, weights: Floats, rng: np.random.Generator, *, fold: bool
) -> HeldOut:
    """Split the items once for each row of weights; choose on a half, score the other.

    With the fold the half that chooses the layer also chooses the sign, so that what
    is held out can fall below 0. All copies of an item, and all items of a cluster,
    stay in one half.
    """
    rows, n = weights.shape
    step = max(1, CHUNK // n)
    values, layers = np.empty(rows), np.empty((2, rows), dtype=np.int64)
    for start in range(0, rows, step):
        part = slice(start, start + step)
        drawn = weights[part]
        first = random_halves(items.kinds, items.ids, len(drawn), rng)
        one, other = items.distances(drawn * first), items.distances(drawn * ~first)
        (up, layers[0, part]), (down, layers[1, part]) = (
            _scored(one, other, fold=fold),
            _scored(other, one, fold=fold),
        )
        values[part] = (up + down) / 2
    return HeldOut(values, layers.ravel())


def _scored(choosing: Floats, scoring: Floats, *, fold: bool) -> tuple[Floats, Ids]:
    """The other half's distance at this half's peak, with the sign that this half has."""
    layer = np.argmax(np.abs(choosing) if fold else choosing, axis=1)
    rows = np.arange(len(layer))
    sign = np.sign(choosing[rows, layer]) if fold else 1.0
    return np.asarray(sign * scoring[rows, layer]), layer
