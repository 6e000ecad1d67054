"""Directions of all pairs of framings from one mean each, and scores on them."""

import numpy as np
import pytest

from inspect_awareness.stats.directions import direction_scores, pair_directions


def arms(seed: int = 0, e: int = 3, d: int = 2) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(e, 4, 8)), rng.normal(size=(d, 4, 8))


def test_each_direction_points_from_its_deployment_to_its_evaluation_mean() -> None:
    m_e, m_d = arms()
    found = pair_directions(m_e, m_d)
    raw = m_e[2, 1] - m_d[0, 1]
    assert found.shape == (3, 2, 4, 8)
    assert found[2, 0, 1] == pytest.approx(raw / np.linalg.norm(raw))


def test_exchanged_arms_turn_every_direction_round() -> None:
    m_e, m_d = arms()
    assert pair_directions(m_d, m_e).swapaxes(0, 1) == pytest.approx(
        -pair_directions(m_e, m_d)
    )


def test_scores_are_projections_on_the_directions() -> None:
    m_e, m_d = arms()
    states = np.random.default_rng(1).normal(size=(5, 4, 8)).astype(np.float32)
    scores = direction_scores(states, m_e, m_d)
    expected = np.einsum("nlw,edlw->edln", states, pair_directions(m_e, m_d))
    assert scores.shape == (3, 2, 4, 5)
    assert scores == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_a_huge_state_that_all_means_share_costs_no_digits() -> None:
    m_e, m_d = arms()
    sink = np.zeros(8)
    sink[0] = 1e6
    states = np.random.default_rng(1).normal(size=(5, 4, 8))
    plain = direction_scores(states, m_e, m_d)
    moved = direction_scores(states, m_e + sink, m_d + sink)
    assert moved == pytest.approx(plain, abs=1e-8)


def test_equal_means_have_no_direction_and_no_scores() -> None:
    m_e, m_d = arms()
    m_d[1, 2] = m_e[0, 2]
    assert np.isnan(pair_directions(m_e, m_d)[0, 1, 2]).all()
    scores = direction_scores(np.ones((2, 4, 8)), m_e, m_d)
    assert np.isnan(scores[0, 1, 2]).all()
    assert np.isfinite(np.delete(scores, 2, axis=2)).all()


@pytest.mark.parametrize(
    ("e", "d", "message"),
    [
        (np.ones((2, 3)), np.ones((2, 3, 4)), "framings, layers, width"),
        (np.ones((2, 3, 4)), np.ones((2, 5, 4)), "same layers and width"),
        (np.full((2, 3, 4), np.nan), np.ones((2, 3, 4)), "evaluation: 24 of 24"),
    ],
)
def test_what_does_not_fit_is_named(e: np.ndarray, d: np.ndarray, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        pair_directions(e, d)


def test_states_of_another_model_are_refused() -> None:
    m_e, m_d = arms()
    with pytest.raises(ValueError, match=r"\(items, 4, 8\)"):
        direction_scores(np.ones((2, 5, 8)), m_e, m_d)
