"""What directions share, and what goes with the framings of each arm."""

import numpy as np
import pytest

from inspect_awareness.stats.directions import geometry, single_task_cosine


def additive(
    common: float, of_e: float, of_d: float, e: int = 4, d: int = 4
) -> tuple[np.ndarray, np.ndarray]:
    """Means whose differences are c + a_e + b_d, parts orthogonal and of mean zero.

    The parts of an arm point to the corners of a simplex: |a_e| alike, sum zero.
    """
    width, layers = 1 + e + d, 5
    simplex_e = np.eye(e) - 1 / e
    simplex_d = np.eye(d) - 1 / d
    m_e, m_d = np.zeros((e, width)), np.zeros((d, width))
    m_e[:, 0] = np.sqrt(common)
    m_e[:, 1 : 1 + e] = simplex_e * np.sqrt(of_e / (1 - 1 / e))
    m_d[:, 1 + e :] = -simplex_d * np.sqrt(of_d / (1 - 1 / d))
    return (np.repeat(each[None, :, None], layers, axis=2) for each in (m_e, m_d))  # type: ignore[return-value]


def test_shares_are_those_of_orthogonal_parts() -> None:
    m_e, m_d = additive(0.3, 0.4, 0.3)
    found = geometry(m_e, m_d)
    # different corners of a simplex of 4: cosine -1/3, so what is shared is a little less
    assert found.disjoint == pytest.approx(0.3 - 0.4 / 3 - 0.3 / 3)
    assert found.sharing_evaluation == pytest.approx(0.3 + 0.4 - 0.3 / 3)
    assert found.sharing_deployment == pytest.approx(0.3 + 0.3 - 0.4 / 3)
    assert found.evaluation_share.value == pytest.approx(0.4 * 4 / 3)
    assert found.deployment_share.value == pytest.approx(0.3 * 4 / 3)
    assert found.residual.value == pytest.approx(0.0, abs=1e-12)


def test_framings_drawn_at_random_give_the_shares_they_were_drawn_with() -> None:
    rng = np.random.default_rng(0)
    width, layers = 4_000, 4
    common = rng.normal(size=(1, layers, width)) * np.sqrt(0.3 / width)
    m_e = common + rng.normal(size=(6, layers, width)) * np.sqrt(0.4 / width)
    m_d = rng.normal(size=(6, layers, width)) * np.sqrt(0.3 / width)
    found = geometry(m_e[None], m_d[None])
    assert found.common.value == pytest.approx(0.3, abs=0.02)
    assert found.evaluation_share.value == pytest.approx(0.4, abs=0.02)
    assert found.deployment_share.value == pytest.approx(0.3, abs=0.02)
    assert abs(found.residual.value) < 0.02


def test_disjoint_tasks_agree_as_far_as_their_noise_lets_them() -> None:
    rng = np.random.default_rng(0)
    signal_e, signal_d = rng.normal(size=(2, 3, 4, 500))
    noise = rng.normal(size=(2, 4, 3, 4, 500))
    clean = geometry(np.repeat(signal_e[None], 4, 0), np.repeat(signal_d[None], 4, 0))
    assert clean.within == pytest.approx(1.0)
    noisy = geometry(signal_e + noise[0], signal_d + noise[1])
    # halves of two blocks: signal 2, noise 2 / 2 for a difference: 2 / (2 + 1)
    assert noisy.within == pytest.approx(2 / 3, abs=0.06)
    assert noisy.interior_within == pytest.approx(float(noisy.within[1:-1].mean()))


def test_one_block_has_no_halves_and_one_framing_no_share() -> None:
    m_e, m_d = additive(0.3, 0.4, 0.3)
    assert np.isnan(geometry(m_e, m_d).within).all()
    single = geometry(m_e[:, :1], m_d)
    assert single.evaluation_share.value != single.evaluation_share.value
    assert "one framing" in single.common.note


def test_intervals_over_framings_hold_the_truth_at_about_the_stated_rate() -> None:
    hits = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        width = 40
        axis = np.zeros(width)
        axis[0] = np.sqrt(0.5 * width)
        m_e = axis + rng.normal(size=(6, 3, width)) * np.sqrt(0.5)
        m_d = rng.normal(size=(6, 3, width)) * np.sqrt(0.5)
        found = geometry(m_e[None], m_d[None])
        truth = 0.330  # mean of `common` over 300 other such sets
        hits += found.common.contains(truth)
    assert 52 <= hits <= 60


def test_a_direction_from_one_task_is_compared_with_that_from_all() -> None:
    rng = np.random.default_rng(0)
    e, d = rng.normal(size=(2, 2, 3, 600))
    tasks_e = e + rng.normal(size=(50, 2, 3, 600))
    tasks_d = d + rng.normal(size=(50, 2, 3, 600))
    # signal 2, noise 2 of one task: cosine with (nearly) the signal sqrt(2 / 4)
    assert single_task_cosine(tasks_e, tasks_d) == pytest.approx(0.71, abs=0.05)


def test_equal_means_are_named() -> None:
    m_e, m_d = additive(0.3, 0.4, 0.3)
    m_d[0, 1, 2] = m_e[0, 0, 2]
    with pytest.raises(
        ValueError,
        match="framing 0 and deployment framing 1 have equal means at layer 2",
    ):
        geometry(m_e, m_d)
