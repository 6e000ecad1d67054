"""The same study of a second concept: refusal, with neutral framings as wrappers."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from inspect_awareness.framed._asked import Asked
from inspect_awareness.framed._states import FramedStates
from inspect_awareness.stats import (
    ContrastGrams,
    Estimate,
    Floor,
    aurocs,
    clustered_mean,
    folded,
    permuted_construction_floor,
)
from inspect_awareness.stats._arrays import Floats


@dataclass(frozen=True, eq=False)
class Refusal:
    """Directions from harmless to harmful requests, one under each neutral framing.

    Built from one half of the pairs of requests, scored on the other half without any
    framing. A second concept says whether what is found of evaluation is a property of
    the method.
    """

    framings: tuple[str, ...]
    """Ids of the neutral framings."""

    areas: Floats
    """AUROC of each framing's direction at each layer, shape (framings, layers)."""

    peak: Estimate
    """Mean over framings of max over layers of |AUROC - 1/2|."""

    floors: tuple[Floor, ...]
    """What directions without content reach: signs of pairs permuted."""

    across: Floats
    """Mean cosine of different framings' directions, by layer."""

    @property
    def floor(self) -> float:
        """Mean over framings of the floors' means."""
        return float(np.mean([each.mean for each in self.floors]))

    @property
    def above_floor(self) -> int:
        """Framings whose peak is more than two SDs above the mean of their floor."""
        return sum(f.observed > f.mean + 2 * f.sd for f in self.floors)


def refusal_results(states: FramedStates, asked: Asked) -> Refusal | None:
    """The directions of refusal; None where there is no neutral framing.

    Raises:
        ValueError: States are not finite.
    """
    if not len(states.requests):
        return None
    harmful = np.array([item.positive for item in asked.requests])
    sources = list(dict.fromkeys(item.source for item in asked.requests))
    place = np.array([sources.index(item.source) for item in asked.requests])
    building = place % 2 == 0
    scored = states.plain_requests[~building]
    labels = harmful[~building]
    differences = _differences(states.requests, harmful, place, building)
    directions = differences.mean(axis=1)
    areas = aurocs(np.einsum("nlw,flw->fln", scored, directions), labels)
    return Refusal(
        tuple(each.id for each in asked.arm("neutral")),
        areas,
        clustered_mean(
            folded(areas).max(axis=-1),
            np.arange(len(areas)),
            bounds=(0.0, 0.5),
            unit="framing",
        ),
        _floors(scored, differences, labels, asked),
        _across(directions),
    )


def _differences(
    states: npt.NDArray[np.float32],
    harmful: npt.NDArray[np.bool_],
    place: npt.NDArray[np.int64],
    building: npt.NDArray[np.bool_],
) -> Floats:
    """Harmful minus harmless twin, shape (framings, pairs, layers, width)."""
    pairs = np.unique(place[building])
    found = [
        states[:, (place == k) & harmful].mean(axis=1)
        - states[:, (place == k) & ~harmful].mean(axis=1)
        for k in pairs
    ]
    return np.stack(found, axis=1).astype(np.float64)


def _floors(
    scored: npt.NDArray[np.float32],
    differences: Floats,
    labels: npt.NDArray[np.bool_],
    asked: Asked,
) -> tuple[Floor, ...]:
    """What content-free directions of each framing reach."""
    rng = np.random.default_rng(asked.seed)
    items = scored.astype(np.float64).swapaxes(0, 1)
    return tuple(
        permuted_construction_floor(
            ContrastGrams.paired(items, each.swapaxes(0, 1)),
            labels,
            draws=asked.draws,
            rng=rng,
        )
        for each in differences
    )


def _across(directions: Floats) -> Floats:
    """Mean cosine of different framings' directions, by layer."""
    unit = directions / np.linalg.norm(directions, axis=-1, keepdims=True)
    gram = np.einsum("flw,glw->lfg", unit, unit)
    other = ~np.eye(len(directions), dtype=np.bool_)
    return np.asarray(gram[:, other].mean(axis=1))
