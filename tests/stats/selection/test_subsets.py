"""All subsets of questions, and their AUROC with ties and missing answers."""

from itertools import chain, combinations

import numpy as np
import numpy.typing as npt
import pytest
from sklearn.metrics import roc_auc_score

from inspect_awareness.stats.selection import question_subsets, subset_aurocs

ANSWERS = {
    "probabilities": lambda rng: rng.random((40, 6)),
    "yes or no": lambda rng: rng.integers(0, 2, (40, 6)).astype(float),
    "tenths": lambda rng: rng.integers(0, 11, (40, 6)) / 10,
    "thirds": lambda rng: rng.integers(0, 4, (40, 6)) / 3,
}


def labels(rng: np.random.Generator, n: int) -> npt.NDArray[np.bool_]:
    return np.asarray(rng.permutation(np.arange(n) < n * 0.4))


def test_smaller_subsets_come_first_then_the_order_of_the_questions() -> None:
    expected = list(chain(*(combinations(range(6), size) for size in range(1, 7))))
    found = question_subsets(6, range(1, 7))
    assert [tuple(np.flatnonzero(row)) for row in found] == expected
    assert question_subsets(28, [5]).shape == (98_280, 28)
    assert question_subsets(16, range(1, 17)).shape == (2**16 - 1, 16)


def test_a_subset_has_one_question_at_least_and_all_at_most() -> None:
    with pytest.raises(ValueError, match="subsets of 3 questions have 1 to 3"):
        question_subsets(3, [0, 1])
    with pytest.raises(ValueError, match=r"got sizes \[4\]"):
        question_subsets(3, [4])


@pytest.mark.parametrize("kind", ANSWERS)
def test_areas_are_those_of_scikit_learn(kind: str) -> None:
    rng = np.random.default_rng(3)
    values, evaluation = ANSWERS[kind](rng), labels(rng, 40)
    subsets = question_subsets(6, range(1, 7))
    # Rounded, so that .1 + .2 and .3 + 0 are tied here too.
    expected = [
        roc_auc_score(evaluation, values[:, row].mean(axis=1).round(10))
        for row in subsets
    ]
    found = subset_aurocs(values, evaluation, subsets)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-13)


def test_a_mean_is_over_the_answers_that_are_there() -> None:
    # Means .8, .4 (one answer), .5: both deployment transcripts below .8.
    values = [[0.9, 0.7], [np.nan, 0.4], [0.6, 0.4]]
    assert subset_aurocs(values, [1, 0, 0], [[1, 1]]).tolist() == [1.0]


def test_a_transcript_without_an_answer_is_tied_with_every_other() -> None:
    # The first question leaves one of two evaluation transcripts unanswered:
    # pairs 1 1 and 1/2 1/2, so 3/4. The second answers all and is always right.
    values = [[0.9, 0.8], [np.nan, 0.7], [0.2, 0.1], [0.1, 0.2]]
    found = subset_aurocs(values, [1, 1, 0, 0], [[1, 0], [0, 1], [1, 1]])
    assert found.tolist() == [0.75, 1.0, 1.0]
    # Nobody answers: every pair is a tie.
    nobody = [[np.nan, 0.5]] * 4
    assert subset_aurocs(nobody, [1, 1, 0, 0], [[1, 0]]).tolist() == [0.5]


def test_missing_answers_agree_with_counting_pairs() -> None:
    rng = np.random.default_rng(5)
    values = rng.integers(0, 5, (30, 5)) / 4
    values[rng.random(values.shape) < 0.4] = np.nan
    evaluation = labels(rng, 30)
    subsets = question_subsets(5, range(1, 6))
    for row, area in zip(
        subsets, subset_aurocs(values, evaluation, subsets), strict=True
    ):
        counted = np.isfinite(values[:, row]).sum(axis=1)
        with np.errstate(invalid="ignore"):
            score = np.nansum(values[:, row], axis=1) / counted
        x, y = score[evaluation][:, None], score[~evaluation][None, :]
        won = np.where(np.isnan(x) | np.isnan(y), 0.5, (x > y) + 0.5 * (x == y))
        assert area == pytest.approx(won.mean(), abs=1e-13)


def test_malformed_subsets_and_values_are_refused() -> None:
    with pytest.raises(ValueError, match="holds no question"):
        subset_aurocs([[0.1], [0.2]], [1, 0], [[0]])
    with pytest.raises(ValueError, match=r"shape \(subsets, 1\)"):
        subset_aurocs([[0.1], [0.2]], [1, 0], [[1, 0]])
    with pytest.raises(ValueError, match=r"in \[0, 1\].*got 7"):
        subset_aurocs([[7], [0.2]], [1, 0], [[1]])
    with pytest.raises(ValueError, match="a matrix"):
        subset_aurocs([0.1, 0.2], [1, 0], [[1]])
    assert np.isnan(subset_aurocs([[0.1], [0.2]], [1, 1], [[1]])).all()
