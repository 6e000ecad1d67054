"""How far the direction is a property of the framings: cosines and shares."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from math import nan

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats._arrays import Floats
from inspect_awareness.stats._estimate import Estimate, undefined
from inspect_awareness.stats.directions._crossed import over_framings
from inspect_awareness.stats.directions._directions import (
    checked_states,
    framing_means,
    pair_directions,
)

ONE_FRAMING = "an arm with one framing cannot be told from what all framings share"
NO_INTERIOR = "fewer than three layers: none is inside"

Parts = dict[str, Floats]
"""Cosines by layer, by name."""


@dataclass(frozen=True, eq=False)
class Geometry:
    """Directions of all pairs of framings, compared with each other.

    Curves have a value a layer; the estimates are means over interior layers (without
    the first and the last), with a jackknife over the framings of both arms.
    """

    within: Floats
    """Mean cosine of one pair's directions from disjoint halves of the tasks; NaN with
    one block of tasks."""

    across: Floats
    """Mean cosine of different pairs' directions."""

    sharing_evaluation: Floats
    """The same for pairs with the same evaluation framing."""

    sharing_deployment: Floats
    """The same for pairs with the same deployment framing."""

    disjoint: Floats
    """The same for pairs without a framing in common."""

    interior_within: float
    """Mean of `within` over interior layers."""

    interior_across: Estimate
    """Mean of `across` over interior layers."""

    common: Estimate
    """What all pairs share: `disjoint`."""

    evaluation_share: Estimate
    """What goes with the evaluation framing: `sharing_evaluation` - `disjoint`."""

    deployment_share: Estimate
    """What goes with the deployment framing: `sharing_deployment` - `disjoint`."""

    residual: Estimate
    """1 less the three: 0 where directions are sums of parts of both framings."""


def geometry(
    evaluation: npt.ArrayLike, deployment: npt.ArrayLike, *, level: float = 0.95
) -> Geometry:
    """Compare the directions of all pairs of framings, layer by layer.

    With unit directions u_ed, the mean of u_ed . u_e'd' over different pairs is
    `across`; over pairs with e = e' alone, with d = d' alone, and with neither, the
    other three curves. If u_ed = c + a_e + b_d with parts that are orthogonal and have
    mean zero, these are |c|^2 + |a|^2, |c|^2 + |b|^2 and |c|^2, and the three shares
    add up to 1.

    Args:
        evaluation: Mean state under each evaluation framing in each block of tasks,
            shape (blocks, E, layers, width); blocks hold disjoint tasks.
        deployment: The same under each deployment framing, (blocks, D, layers, width).
        level: Nominal coverage. The intervals speak of framings like these.

    Returns:
        The record. Shares are NaN where an arm has one framing.

    Raises:
        ValueError: A mean is NaN or infinite, the shapes do not fit, or two framings
            have equal means.

    References:
        The wrapper study of directions, section 5; Efron and Stein, Annals of
        Statistics 9 (1981) 586, for the jackknife.
    """
    blocks_e, blocks_d = (
        checked_states(arm, name)
        for arm, name in ((evaluation, "evaluation"), (deployment, "deployment"))
    )
    if blocks_e.ndim != 4 or blocks_d.ndim != 4 or len(blocks_e) != len(blocks_d):
        raise ValueError(
            "both arms must be (blocks, framings, layers, width) with as many blocks, "
            f"got {blocks_e.shape} and {blocks_d.shape}"
        )
    directions = _directions(blocks_e.mean(axis=0), blocks_d.mean(axis=0))
    parts = _cosines(directions)
    within = _within(blocks_e, blocks_d)

    def estimate(of: Callable[[Parts], Floats]) -> Estimate:
        return _interior(directions, of, level)

    return Geometry(
        within=within,
        across=parts["across"],
        sharing_evaluation=parts["evaluation"],
        sharing_deployment=parts["deployment"],
        disjoint=parts["disjoint"],
        interior_within=float(within[1:-1].mean()) if within.size > 2 else nan,
        interior_across=estimate(lambda p: p["across"]),
        common=estimate(lambda p: p["disjoint"]),
        evaluation_share=estimate(lambda p: p["evaluation"] - p["disjoint"]),
        deployment_share=estimate(lambda p: p["deployment"] - p["disjoint"]),
        residual=estimate(
            lambda p: 1 - p["evaluation"] - p["deployment"] + p["disjoint"]
        ),
    )


def single_task_cosine(evaluation: npt.ArrayLike, deployment: npt.ArrayLike) -> Floats:
    """How near a direction from one task alone is to that from all tasks.

    Args:
        evaluation: States under each evaluation framing, shape (tasks, E, layers,
            width).
        deployment: The same under each deployment framing, (tasks, D, layers, width).

    Returns:
        Mean cosine over tasks and pairs of framings, shape (layers,).

    Raises:
        ValueError: As `geometry`.
    """
    e = checked_states(evaluation, "evaluation")
    d = checked_states(deployment, "deployment")
    whole = _directions(e.mean(axis=0), d.mean(axis=0))
    found = np.zeros(whole.shape[2])
    for of_e, of_d in zip(e, d, strict=True):
        alone = pair_directions(of_e, of_d)
        found += np.einsum("edlw,edlw->l", alone, whole) / (len(of_e) * len(of_d))
    return found / len(e)


def _directions(evaluation: Floats, deployment: Floats) -> Floats:
    """Unit directions of all pairs; none may be undefined."""
    framing_means(evaluation, deployment)
    found = pair_directions(evaluation, deployment)
    if np.isnan(found).any():
        e, d, layer = map(int, np.argwhere(np.isnan(found[..., 0]))[0])
        raise ValueError(
            f"evaluation framing {e} and deployment framing {d} have equal means at "
            f"layer {layer}, so there is no direction between them"
        )
    return found


def _cosines(directions: Floats) -> Parts:
    """Mean cosines of different pairs, by what they share."""
    e, d, layers, width = directions.shape
    flat = directions.reshape(e * d, layers, width).transpose(1, 0, 2)
    gram = flat @ flat.transpose(0, 2, 1)
    of_e, of_d = np.divmod(np.arange(e * d), d)
    same_e, same_d = (of[:, None] == of[None] for of in (of_e, of_d))
    masks = {
        "across": ~(same_e & same_d),
        "evaluation": same_e & ~same_d,
        "deployment": same_d & ~same_e,
        "disjoint": ~same_e & ~same_d,
    }
    return {name: _mean_over(gram, mask) for name, mask in masks.items()}


def _mean_over(gram: Floats, mask: npt.NDArray[np.bool_]) -> Floats:
    """The mean over some pairs of pairs, layer by layer; NaN where there are none."""
    if not mask.any():
        return np.full(len(gram), nan)
    return np.asarray(gram[:, mask].mean(axis=1))


def _within(evaluation: Floats, deployment: Floats) -> Floats:
    """Mean cosine over halvings of the blocks and pairs of framings."""
    blocks = len(evaluation)
    if blocks < 2:
        return np.full(evaluation.shape[2], nan)
    found = []
    for half in combinations(range(blocks), blocks // 2):
        other = [k for k in range(blocks) if k not in half]
        one, two = (
            _directions(evaluation[rows].mean(axis=0), deployment[rows].mean(axis=0))
            for rows in (list(half), other)
        )
        found.append(np.einsum("edlw,edlw->l", one, two) / one[..., 0, 0].size)
    return np.asarray(np.mean(found, axis=0))


def _interior(
    directions: Floats, of: Callable[[Parts], Floats], level: float
) -> Estimate:
    """A mean over interior layers, with a jackknife over the framings of each arm."""
    e, d, layers, _ = directions.shape
    if layers < 3:
        return undefined(level, NO_INTERIOR, n=e * d, clusters=e + d)

    def value(some: Floats) -> float:
        return float(of(_cosines(some))[1:-1].mean())

    whole = value(directions)
    if whole != whole:
        return undefined(level, ONE_FRAMING, n=e * d, clusters=e + d)
    arms = [
        np.array([value(np.delete(directions, k, axis)) for k in range(size)])
        for axis, size in ((0, e), (1, d))
    ]
    return over_framings(whole, arms, level, pairs=e * d)
