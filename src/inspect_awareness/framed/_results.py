"""From states to numbers: directions, scores, AUROCs, floors and geometry."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan

import numpy as np
import numpy.typing as npt

from inspect_awareness.datasets.scoring_sets import ScoringItem, crossed_cells
from inspect_awareness.errors import InputError
from inspect_awareness.framed._asked import BLOCKS, Asked, blocks_of
from inspect_awareness.framed._refusal import Refusal, refusal_results
from inspect_awareness.framed._states import FramedStates, differing
from inspect_awareness.stats import (
    ContrastGrams,
    Estimate,
    Floor,
    Geometry,
    aurocs,
    crossed_mean,
    direction_scores,
    folded,
    geometry,
    permuted_construction_floor,
    single_task_cosine,
)
from inspect_awareness.stats._arrays import Floats
from inspect_awareness.stats._estimate import undefined

PEAK = (0.0, 0.5)
"""What a folded peak can be."""


@dataclass(frozen=True, eq=False)
class DirectionResults:
    """What the directions of all pairs of framings make of the items, for one model."""

    evaluation: tuple[str, ...]
    """Ids of the evaluation framings."""

    deployment: tuple[str, ...]
    """Ids of the deployment framings."""

    layers: tuple[int, ...]
    """Numbers of the layers."""

    scores: Floats
    """Projections of items, shape (E, D, layers, items); higher is nearer to
    evaluation."""

    areas: Floats
    """AUROC of each pair at each layer, shape (E, D, layers)."""

    block_areas: Floats
    """The same on each block of items, shape (blocks, E, D, layers)."""

    crossed_areas: Floats
    """The same on evaluation in free form against deployment in the form of a test,
    which a pure detector of form fails; NaN where a set has no such cells."""

    peak: Estimate
    """Mean over pairs of max over layers of |AUROC - 1/2|, with framings of both arms
    as what the interval is over."""

    floors: tuple[tuple[Floor, ...], ...]
    """For each pair what directions without content reach: signs of the tasks'
    differences permuted, as many + as -."""

    crossed_peak: Estimate
    """Mean over pairs of AUROC - 1/2 on the crossed cells, at each pair's peak layer,
    with the sign that it has on all items."""

    geometry: Geometry
    """How alike the directions of different pairs are."""

    single_task: Floats
    """Cosine of a direction from one task with that from all, by layer."""

    refusal: Refusal | None
    """The same for the second concept; None without it."""

    @property
    def peaks(self) -> Floats:
        """Max over layers of |AUROC - 1/2|, shape (E, D)."""
        return np.asarray(folded(self.areas).max(axis=-1))

    @property
    def peak_layers(self) -> npt.NDArray[np.int64]:
        """The layer of the peak, shape (E, D)."""
        numbers: npt.NDArray[np.int64] = np.array(self.layers, dtype=np.int64)
        found: npt.NDArray[np.int64] = numbers[peak_places(self.areas)]
        return found

    @property
    def item_scores(self) -> Floats:
        """One score for each item: the mean over pairs and interior layers.

        Each projection is first standardised over all items, whatever their label, so
        that no layer weighs more because its states are larger.
        """
        inner = self.scores[:, :, 1:-1] if len(self.layers) > 2 else self.scores
        centred = inner - inner.mean(axis=-1, keepdims=True)
        spread = inner.std(axis=-1, keepdims=True)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(np.nanmean(centred / spread, axis=(0, 1, 2)))

    @property
    def floor(self) -> float:
        """Mean over pairs of the floors' means."""
        return float(np.mean([[each.mean for each in row] for row in self.floors]))

    @property
    def above_floor(self) -> int:
        """Pairs whose peak is more than two SDs above the mean of their floor."""
        return sum(f.observed > f.mean + 2 * f.sd for row in self.floors for f in row)


def peak_places(areas: Floats) -> npt.NDArray[np.intp]:
    """Which layer, from 0, each curve of areas is farthest from 1/2 at."""
    return np.asarray(folded(areas).argmax(axis=-1))


def direction_results(states: FramedStates, asked: Asked) -> DirectionResults:
    """Everything that a study says of one model.

    Layers at which two framings of different arms give equal states are left out: there
    is no direction between them.

    Raises:
        InputError: No layer is left.
        ValueError: States are not finite.
    """
    states = differing(states)
    positive = np.array([item.positive for item in asked.items])
    m_e, m_d = states.evaluation.mean(axis=1), states.deployment.mean(axis=1)
    scores = direction_scores(states.items, m_e, m_d)
    areas = aurocs(scores, positive)
    crossed = _crossed(scores, asked.items, positive)
    return DirectionResults(
        evaluation=tuple(each.id for each in asked.arm("evaluation")),
        deployment=tuple(each.id for each in asked.arm("deployment")),
        layers=states.layers,
        scores=scores,
        areas=areas,
        block_areas=_by_block(scores, asked.items, positive),
        crossed_areas=crossed,
        peak=crossed_mean(folded(areas).max(axis=-1), bounds=PEAK),
        floors=_floors(states, positive, asked),
        crossed_peak=_at_peak(areas, crossed),
        geometry=geometry(
            _task_blocks(states.evaluation), _task_blocks(states.deployment)
        ),
        single_task=single_task_cosine(
            states.evaluation.swapaxes(0, 1), states.deployment.swapaxes(0, 1)
        ),
        refusal=refusal_results(states, asked) if asked.requests else None,
    )


def _by_block(
    scores: Floats, items: Sequence[ScoringItem], positive: npt.NDArray[np.bool_]
) -> Floats:
    """AUROCs on disjoint blocks of items."""
    block = np.array(blocks_of(items))
    return np.stack(
        [aurocs(scores[..., block == k], positive[block == k]) for k in range(BLOCKS)]
    )


def _crossed(
    scores: Floats, items: Sequence[ScoringItem], positive: npt.NDArray[np.bool_]
) -> Floats:
    """AUROCs on the crossed cells; NaN where one of them is empty."""
    try:
        cells = crossed_cells(items)
    except InputError:
        # forms are not known, or do not cross the labels
        return np.full(scores.shape[:-1], nan)
    rows = cells.crossed
    return np.asarray(aurocs(scores[..., rows], positive[rows]))


def _at_peak(areas: Floats, crossed: Floats) -> Estimate:
    """Crossed areas at each pair's peak layer, turned the way the pair points."""
    at = peak_places(areas)[..., None]
    sign = np.sign(np.take_along_axis(areas, at, -1) - 0.5)
    found = ((np.take_along_axis(crossed, at, -1) - 0.5) * sign)[..., 0]
    if np.isnan(found).any():
        return undefined(0.95, "the items have no crossed cells of label and form")
    return crossed_mean(found, bounds=(-0.5, 0.5))


def _floors(
    states: FramedStates, positive: npt.NDArray[np.bool_], asked: Asked
) -> tuple[tuple[Floor, ...], ...]:
    """What content-free directions of each pair reach."""
    rng = np.random.default_rng(asked.seed)
    items = states.items.swapaxes(0, 1)
    return tuple(
        tuple(
            permuted_construction_floor(
                ContrastGrams.paired(items, (of_e - of_d).swapaxes(0, 1)),
                positive,
                draws=asked.draws,
                rng=rng,
                balanced=True,
            )
            for of_d in states.deployment
        )
        for of_e in states.evaluation
    )


def _task_blocks(states: npt.NDArray[np.float32]) -> Floats:
    """Means over disjoint blocks of tasks, shape (blocks, framings, layers, width)."""
    block = np.arange(states.shape[1]) % BLOCKS
    means = [
        states[:, block == k].mean(axis=1, dtype=np.float64) for k in range(BLOCKS)
    ]
    return np.stack(means)
