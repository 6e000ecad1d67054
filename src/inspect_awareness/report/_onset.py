"""Where transcripts rise over their turns."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from inspect_awareness.claims import Claim
from inspect_awareness.report._selection import (
    Selection,
    distinct,
    one_of,
    optional,
    unit_of,
)
from inspect_awareness.report._standard import Standard, share_of
from inspect_awareness.report._turns import TURNS, with_turns
from inspect_awareness.stats import first_above, rise

if TYPE_CHECKING:
    import pandas as pd

CLEAR = 0.05
"""A rise with a p of no more is counted."""

FEWEST_TURNS = 6
"""Of fewer turns no p of .05 is possible."""


@dataclass(frozen=True)
class Curve:
    """P(evaluation) of the growing beginnings of one transcript."""

    item: str
    """The transcript's id."""

    source: str
    """Where it comes from."""

    subject: str | None
    """The model that wrote it."""

    label: str
    """`evaluation`, `deployment` or `unknown`."""

    task: str | None
    """The task's id within the source."""

    epoch: int | None
    """The repeat of the task."""

    turns: tuple[int, ...]
    """How many of the subject's turns each scored beginning holds."""

    values: tuple[float, ...]
    """P(evaluation) after each of them."""

    missing: int
    """Beginnings without a score."""

    rise_at: int | None
    """The turn from which it is higher; None where it does not rise."""

    before: float
    """Mean before that turn."""

    after: float
    """Mean from it on."""

    p: float
    """Share of the orders of the same values that rise as clearly."""

    above_at: int | None
    """The first turn above the reference's 99th percentile, if there is any."""

    note: str
    """Why there is no rise, or no small p."""

    @property
    def name(self) -> str:
        """Task, repeat and source."""
        repeat = "" if self.epoch in (None, 1) else f", epoch {self.epoch}"
        return f"{self.task or self.item}{repeat} ({self.source})"

    @property
    def step(self) -> float:
        """How much higher it is from the turn on."""
        return self.after - self.before


@dataclass(frozen=True)
class Onset:
    """The curves of a block, and how many of them rise."""

    curves: tuple[Curve, ...]
    """The clearest rise first."""

    rising: tuple[Claim, ...]
    """For each label the share of curves with p <= .05, of those long enough."""

    threshold: float
    """The reference's 99th percentile; NaN where the reference is too small."""


def onset(
    chosen: Selection, standard: Standard, *, rng: np.random.Generator
) -> Onset | None:
    """The curve of each transcript over its turns; None for other views.

    Args:
        chosen: Beginnings of transcripts, deployment included.
        standard: What they are compared with.
        rng: For the orders of turns.
    """
    if chosen.view != TURNS:
        return None
    threshold = standard.threshold
    frame = with_turns(chosen.scores, chosen.view)
    frame = frame[frame["turn"].notna()].sort_values("turn", kind="stable")
    curves = [
        _curve(rows, threshold, rng) for _, rows in frame.groupby("whole", sort=False)
    ]
    if not curves:
        return None
    first = frame.drop_duplicates("whole")
    return Onset(
        tuple(sorted(curves, key=_clearest_first)),
        _rising(curves, first, chosen, standard),
        threshold,
    )


def _curve(rows: "pd.DataFrame", threshold: float, rng: np.random.Generator) -> Curve:
    """The curve of one transcript."""
    known = rows[rows["value"].notna()]
    values, turns = known["value"].to_numpy(), known["turn"].astype(int).tolist()
    found = rise(values, rng=rng)
    above = None if threshold != threshold else first_above(values, threshold)
    told = {
        name: optional(rows[name].head(1))[0] for name in ("source", "subject", "task")
    }
    epoch = optional(rows["epoch"].head(1))[0]
    return Curve(
        str(rows["whole"].iloc[0]),
        told["source"] or "unknown",
        told["subject"],
        str(rows["label"].iloc[0]),
        told["task"],
        None if epoch is None else int(epoch),
        tuple(turns),
        tuple(values.tolist()),
        len(rows) - len(known),
        None if found.at is None else turns[found.at],
        found.before,
        found.after,
        found.p,
        None if above is None else turns[above],
        found.note,
    )


def _clearest_first(curve: Curve) -> tuple[float, float]:
    """The smallest p first, then the greatest step; curves that do not rise last."""
    if curve.rise_at is None:
        return 2.0, 0.0
    return curve.p, -curve.step


def _rising(
    curves: Sequence[Curve],
    first: "pd.DataFrame",
    chosen: Selection,
    standard: Standard,
) -> tuple[Claim, ...]:
    """For each label the share of curves that rise, of those that are long enough."""
    rises = {curve.item: curve.p <= CLEAR for curve in curves if _long_enough(curve)}
    rows = first[first["whole"].isin(rises)]
    rows = rows.assign(value=rows["whole"].map(rises).astype(float))
    return tuple(
        _share(rows[rows["label"].eq(label)], label, chosen, standard)
        for label in sorted(distinct(rows["label"]), key="deployment".__eq__)
    )


def _long_enough(curve: Curve) -> bool:
    """Whether a small p is possible."""
    return len(curve.values) >= FEWEST_TURNS


def _share(
    rows: "pd.DataFrame", label: str, chosen: Selection, standard: Standard
) -> Claim:
    """The share of curves that rise."""
    unit = unit_of(rows)
    return Claim(
        f"share of curves that rise with p <= {CLEAR:g}",
        share_of(rows["value"].to_numpy(), unit, standard.level),
        chosen.made.rater,
        one_of(rows["subject"]),
        label,
        condition=unit.sentence,
        compared=False,
    )
