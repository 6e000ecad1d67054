"""Drawing the transcripts that people are to label."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, cast, get_args

import numpy as np
import numpy.typing as npt

from inspect_awareness.errors import InputError
from inspect_awareness.stats.rates._judge_corrections import Design as Statistical
from inspect_awareness.validation._frame import Frame, Rows, hashed

Design = Literal["random", "judge"]
"""How a sample is drawn: at random, or by the judge's verdict."""

DESIGNS: dict[Design, Statistical] = {"random": "random", "judge": "judge_stratified"}
"""What each is to the statistics."""


@dataclass(frozen=True, eq=False)
class Drawn:
    """Transcripts drawn from a frame, in an order that says nothing."""

    frame: Frame
    """What was drawn from."""

    design: Design
    """How."""

    rows: Rows
    """Numbers of the drawn transcripts in the frame."""

    weights: npt.NDArray[np.float64]
    """How many transcripts with a verdict each of them stands for."""

    @cached_property
    def items(self) -> tuple[str, ...]:
        """Ids of the drawn transcripts."""
        return tuple(self.frame.items[row] for row in self.rows)

    @cached_property
    def digest(self) -> str:
        """Hash of frame, design and ids: what tells this sample from any other."""
        return sample_digest(self.frame, self.design, self.items)


def draw_sample(
    frame: Frame, *, design: str, size: int, rng: np.random.Generator
) -> Drawn:
    """Draw transcripts that have a verdict, without replacement.

    - `random`: all are equally likely.
    - `judge`: each model and benchmark gets an equal share of the sample (all it has,
      where that is less). Up to half of a share are judged aware, the rest are judged
      not aware, each drawn at random; where one kind runs out the other fills up.

    Args:
        frame: What to draw from.
        design: `random` or `judge`.
        size: How many; all there are, where that is less.
        rng: Source of the draw.

    Raises:
        InputError: The design is unknown, nothing can be drawn, or the sample is too
            small for its strata.
    """
    if design not in get_args(Design):
        raise InputError(f"design {design!r} is not one of: random, judge")
    known = np.flatnonzero(frame.known)
    if size < 1:
        raise InputError(
            f"size is {size}; give how many transcripts to draw, 1 or more"
        )
    if not known.size:
        reasons = ", ".join(f"{reason}: {n}" for reason, n in frame.missing.items())
        raise InputError(
            f"none of {len(frame.items)} transcripts has a verdict ({reasons})"
        )
    if design == "judge":
        drawn = _by_verdict(frame, size, rng)
        cells = _cells(frame)
    else:
        drawn = _some(known, size, rng)
        cells = np.zeros(len(frame.items), dtype=np.intp)
    rows = rng.permutation(drawn)
    weights = (
        np.bincount(cells[known])[cells[rows]] / np.bincount(cells[rows])[cells[rows]]
    )
    return Drawn(frame, cast(Design, design), rows, weights)


def sample_digest(frame: Frame, design: str, items: Sequence[str]) -> str:
    """Hash of frame, design and ids, whatever their order."""
    return hashed([frame.digest, design, sorted(items)])


def _some(rows: Rows, size: int, rng: np.random.Generator) -> Rows:
    """That many of the rows at random, or all."""
    return rng.permutation(rows)[:size]


def _by_verdict(frame: Frame, size: int, rng: np.random.Generator) -> Rows:
    """An equal share of each stratum, up to half of it judged aware."""
    strata = [rows[frame.known[rows]] for rows in frame.strata.values()]
    strata = [rows for rows in strata if rows.size]
    if size < 2 * len(strata):
        raise InputError(
            f"size {size} is too small for {len(strata)} models and benchmarks: by the "
            f"judge's verdict each needs 2, so {2 * len(strata)} or more"
        )
    drawn = []
    for rows, share in zip(
        strata, _shares([r.size for r in strata], size), strict=True
    ):
        aware, other = (rows[frame.verdicts[rows] == said] for said in (1, 0))
        others = min(other.size, share - min(aware.size, share // 2))
        drawn += [_some(aware, share - others, rng), _some(other, others, rng)]
    return np.concatenate(drawn)


def _shares(sizes: Sequence[int], total: int) -> list[int]:
    """Equal shares; what one stratum does not have goes to the larger ones."""
    shares, left = [0] * len(sizes), total
    ascending = sorted(range(len(sizes)), key=sizes.__getitem__)
    for done, stratum in enumerate(ascending):
        shares[stratum] = min(sizes[stratum], left // (len(sizes) - done))
        left -= shares[stratum]
    return shares


def _cells(frame: Frame) -> Rows:
    """For each transcript the number of its stratum and verdict."""
    cells = np.zeros(len(frame.items), dtype=np.intp)
    for number, rows in enumerate(frame.strata.values()):
        cells[rows] = 2 * number + (frame.verdicts[rows] == 1)
    return cells
