"""Platt scaling: a logistic curve from a score to a probability."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.special import expit, logit

from inspect_awareness.stats._arrays import Floats, finite_vector
from inspect_awareness.stats.calibration._inputs import both_classes, in_unit

Scale = Literal["score", "logit"]
"""What the curve is linear in: the score, or the logit of a score in [0, 1]."""

CLIP = 1e-6
"""Scores nearer to 0 or 1 than this are moved here before the logit is taken."""

STEPS = 100
"""Newton steps at most; a handful is usual."""


@dataclass(frozen=True)
class PlattScaling:
    """P(evaluation) = 1 / (1 + exp(-(slope x + intercept))), as fitted."""

    slope: float
    """Change of the log odds for one unit of x."""

    intercept: float
    """Log odds at x = 0."""

    scale: Scale
    """Whether x is the score or its logit."""

    n: int
    """How many items it was fitted on."""

    base_rate: float
    """Share of evaluation items among them, for which the probabilities hold."""

    note: str = ""
    """What a reader must know."""

    def apply(self, scores: npt.ArrayLike) -> Floats:
        """The probability that belongs to each score, shape (n,).

        Raises:
            ValueError: A score is NaN or infinite, or, on the logit scale, outside
                [0, 1].
        """
        x = _on_scale(finite_vector(scores, "scores"), self.scale)
        return np.asarray(expit(self.slope * x + self.intercept), dtype=np.float64)


def fit_platt(
    scores: npt.ArrayLike, evaluation: npt.ArrayLike, *, scale: Scale = "score"
) -> PlattScaling:
    """Fit a logistic curve to labels, with Platt's targets.

    The targets are (n1 + 1) / (n1 + 2) for the n1 evaluation items and 1 / (n0 + 2)
    for the n0 deployment items, in place of 1 and 0; slope and intercept minimise the
    cross-entropy. With these targets the minimum is finite even where the scores
    separate the labels completely; how steep the curve is then follows from the
    targets alone, and the note says so.

    Args:
        scores: Score of each item, shape (n,).
        evaluation: 1 for evaluation, 0 for deployment, shape (n,).
        scale: `score`, or `logit` for a score that is itself a probability: then
            slope 1 and intercept 0 mean that it was calibrated already.

    Returns:
        The frozen curve. Scores that are all equal give slope 0.

    Raises:
        ValueError: One label only, a label other than 0 and 1, a score that is not
            finite (or outside [0, 1] on the logit scale), or unequal lengths.

    References:
        Platt, Advances in Large Margin Classifiers (1999) 61. Lin, Lin and Weng,
        Machine Learning 68 (2007) 267, on the optimum and its numerics.

    Example:
        >>> curve = fit_platt([0.1, 0.2, 0.6, 0.4, 0.8, 0.9], [0, 0, 0, 1, 1, 1])
        >>> curve.apply([0.1, 0.5, 0.9]).round(2).tolist()
        [0.23, 0.5, 0.77]
    """
    if scale not in ("score", "logit"):
        raise ValueError(f"scale must be score or logit, got {scale!r}")
    raw, y = both_classes(scores, evaluation)
    x = _on_scale(raw, scale)
    ones = y.sum()
    targets = np.where(y == 1, (ones + 1) / (ones + 2), 1 / (y.size - ones + 2))
    middle, spread = float(x.mean()), float(x.std())
    if x.min() == x.max() or not spread:
        note = "every score is identical: the instrument does not respond"
        level = float(logit(targets.mean()))
        return PlattScaling(0.0, level, scale, y.size, float(y.mean()), note)
    slope, intercept = _newton((x - middle) / spread, targets)
    slope /= spread
    return PlattScaling(
        slope,
        intercept - slope * middle,
        scale,
        y.size,
        float(y.mean()),
        _note(x, y, slope),
    )


def _on_scale(scores: Floats, scale: Scale) -> Floats:
    """The scores, or the logits of scores kept off 0 and 1."""
    if scale == "score":
        return scores
    in_unit(scores, "scores", 'use scale="score"')
    return np.asarray(logit(np.clip(scores, CLIP, 1 - CLIP)), dtype=np.float64)


def _newton(x: Floats, targets: Floats) -> tuple[float, float]:
    """Slope and intercept of least cross-entropy, by Newton's steps, halved if long."""
    design = np.column_stack([x, np.ones_like(x)])
    at = np.array([0.0, float(logit(targets.mean()))])
    for _ in range(STEPS):
        p = expit(design @ at)
        gradient = design.T @ (p - targets)
        if np.abs(gradient).max() < 1e-11 * targets.size:
            break
        curvature = (design * (p * (1 - p))[:, None]).T @ design
        at = _stepped(at, np.linalg.solve(curvature, gradient), design, targets)
    return float(at[0]), float(at[1])


def _stepped(at: Floats, step: Floats, design: Floats, targets: Floats) -> Floats:
    """The first of the whole step, its half, its quarter, ... that is no loss."""
    before = _loss(design @ at, targets)
    length = 1.0
    while length > 1e-6:
        there = at - length * step
        if _loss(design @ there, targets) <= before + 1e-12 * abs(before):
            return np.asarray(there, dtype=np.float64)
        length /= 2
    return at


def _loss(log_odds: Floats, targets: Floats) -> float:
    """Sum log(1 + e^f) - t f."""
    return float(np.sum(np.logaddexp(0, log_odds) - targets * log_odds))


def _note(x: Floats, y: Floats, slope: float) -> str:
    """What a reader of the curve must know."""
    one, zero = x[y == 1], x[y == 0]
    if one.min() > zero.max() or one.max() < zero.min():
        return (
            "the scores separate the labels completely: the slope follows from the "
            "smoothed targets, not from the data"
        )
    if slope < 0:
        return "higher scores go with deployment: the curve falls"
    return ""
