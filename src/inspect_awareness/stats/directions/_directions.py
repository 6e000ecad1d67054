"""Difference-of-means directions of every pair of framings, and scores on them."""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats._arrays import Floats

Reals: TypeAlias = npt.NDArray[np.float32] | npt.NDArray[np.float64]
"""States as they are stored, or in double precision."""


def pair_directions(evaluation: npt.ArrayLike, deployment: npt.ArrayLike) -> Floats:
    """Unit difference-of-means directions of all pairs of framings.

    u_ed = (m_e - m_d) / |m_e - m_d|, from one mean for each framing: all E x D
    directions cost E + D sets of forward passes.

    Args:
        evaluation: Mean state under each evaluation framing, shape (E, layers, width).
        deployment: The same under each deployment framing, shape (D, layers, width).

    Returns:
        Directions from deployment to evaluation, shape (E, D, layers, width). NaN where
        two means are equal, which have no direction between them.

    Raises:
        ValueError: A mean is NaN or infinite, or the shapes do not fit.

    Example:
        >>> pair_directions([[[3.0, 0.0]]], [[[0.0, 4.0]]]).tolist()
        [[[[0.6, -0.8]]]]
    """
    m_e, m_d = framing_means(evaluation, deployment)
    raw = m_e[:, None] - m_d[None]
    return _unit(raw)


def direction_scores(
    states: npt.ArrayLike, evaluation: npt.ArrayLike, deployment: npt.ArrayLike
) -> Floats:
    """Scores of items on the directions of all pairs of framings, at every layer.

    x . u_ed = (x . m_e - x . m_d) / |m_e - m_d|, so that E + D products stand for
    E x D. Means are centred first, which no difference notices and which keeps digits.

    Args:
        states: Pooled states of items, shape (n, layers, width).
        evaluation: Mean state under each evaluation framing, shape (E, layers, width).
        deployment: The same under each deployment framing, shape (D, layers, width).

    Returns:
        Scores, shape (E, D, layers, n); higher is nearer to evaluation. NaN where two
        means are equal.

    Raises:
        ValueError: A state is NaN or infinite, or the shapes do not fit.

    Example:
        >>> scores = direction_scores([[[1.0, 1.0]]], [[[3.0, 0.0]]], [[[0.0, 4.0]]])
        >>> round(scores.item(), 3)
        -0.2
    """
    m_e, m_d = framing_means(evaluation, deployment)
    x = np.asarray(states)
    if x.ndim != 3 or x.shape[1:] != m_e.shape[1:]:
        raise ValueError(
            f"states must be (items, {m_e.shape[1]}, {m_e.shape[2]}), as the framings' "
            f"means are, got {x.shape}"
        )
    middle = np.concatenate([m_e, m_d]).mean(axis=0)
    norms = np.linalg.norm(m_e[:, None] - m_d[None], axis=-1)
    found = np.empty((len(m_e), len(m_d), x.shape[1], len(x)))
    for layer in range(x.shape[1]):
        at = checked_states(x[:, layer], f"states at layer {layer}")
        on_e = (m_e[:, layer] - middle[layer]) @ at.T
        on_d = (m_d[:, layer] - middle[layer]) @ at.T
        with np.errstate(divide="ignore", invalid="ignore"):
            found[:, :, layer] = (on_e[:, None] - on_d[None]) / norms[:, :, layer, None]
    found[norms == 0] = np.nan
    return found


def framing_means(
    evaluation: npt.ArrayLike, deployment: npt.ArrayLike
) -> tuple[Floats, Floats]:
    """Both arms in double precision, of fitting shapes and finite."""
    m_e = checked_states(evaluation, "evaluation")
    m_d = checked_states(deployment, "deployment")
    for name, means in (("evaluation", m_e), ("deployment", m_d)):
        if means.ndim != 3 or not means.size:
            raise ValueError(
                f"{name} must be (framings, layers, width), got {means.shape}"
            )
    if m_e.shape[1:] != m_d.shape[1:]:
        raise ValueError(
            f"both arms need the same layers and width, got {m_e.shape[1:]} and "
            f"{m_d.shape[1:]}"
        )
    return m_e, m_d


def checked_states(states: npt.ArrayLike, name: str) -> Floats:
    """States in double precision, all of them finite."""
    found = np.asarray(states, dtype=np.float64)
    if not np.isfinite(found).all():
        bad = int((~np.isfinite(found)).sum())
        raise ValueError(f"{name}: {bad} of {found.size} values are NaN or infinite")
    return found


def _unit(raw: Floats) -> Floats:
    """Vectors of length one along the last axis; NaN where there is no length."""
    norms = np.linalg.norm(raw, axis=-1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(norms > 0, raw / norms, np.nan))
