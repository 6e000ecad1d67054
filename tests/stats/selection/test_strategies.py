"""What each search finds."""

from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest
from sklearn.metrics import roc_auc_score

from inspect_awareness.stats import aurocs
from inspect_awareness.stats.selection import (
    QuestionSearch,
    Strategy,
    find_questions,
)
from inspect_awareness.stats.selection._answers import Answers
from inspect_awareness.stats.selection._search import STRATEGIES
from inspect_awareness.stats.selection._strategies import found_subsets

Values = npt.NDArray[np.float64]


def answers(seed: int, n: int = 60, k: int = 8) -> tuple[Values, npt.NDArray[np.bool_]]:
    """Probabilities, of which later questions tell the labels apart better."""
    rng = np.random.default_rng(seed)
    evaluation = rng.permutation(np.arange(n) < n / 2)
    logits = rng.normal(size=(n, k)) + evaluation[:, None] * np.linspace(0, 1, k)
    return 1 / (1 + np.exp(-logits)), evaluation


def brute_force(
    values: Values, evaluation: npt.NDArray[np.bool_], largest: int
) -> tuple[list[int], float]:
    """The best subset by a loop; the first of the best."""
    best: tuple[list[int], float] = ([], 0.0)
    for size in range(1, largest + 1):
        for members in combinations(range(values.shape[1]), size):
            score = values[:, members].mean(axis=1).round(10)
            area = float(roc_auc_score(evaluation, score))
            if area > best[1] + 1e-12:
                best = (list(members), area)
    return best


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("steps", [None, 1, 4])
def test_exhaustive_is_brute_force(seed: int, steps: int | None) -> None:
    values, evaluation = answers(seed)
    if steps:  # answers of few levels: many subsets are equally good
        values = (values * steps).round() / steps
    found = find_questions(values, evaluation, QuestionSearch("exhaustive", max_size=3))
    expected = brute_force(values, evaluation, 3)
    assert (found.questions, found.auroc) == (expected[0], pytest.approx(expected[1]))


@pytest.mark.parametrize("seed", range(10))
def test_no_search_beats_the_exhaustive_one(seed: int) -> None:
    values, evaluation = answers(seed)
    found = {
        name: find_questions(values, evaluation, QuestionSearch(name, max_size=8))
        for name in STRATEGIES
    }
    assert max(each.auroc for each in found.values()) == found["exhaustive"].auroc
    single = aurocs(values.T, evaluation).max()
    assert found["greedy"].auroc >= single
    assert found["all"].questions == list(range(8))


def test_greedy_starts_with_the_best_and_adds_what_helps_it_most() -> None:
    # Question 0 misses only the first pair of transcripts, which question 2 gets right.
    label = [1, 1, 0, 0]
    values = [[0.4, 0.9, 0.9], [0.9, 0.2, 0.5], [0.1, 0.1, 0.5], [0.5, 0.8, 0.4]]
    assert aurocs(np.transpose(values), label).tolist() == [0.75, 0.75, 0.875]
    found = find_questions(values, label, QuestionSearch("greedy"))
    # 2 alone: .875; with 0: .65 .7 against .3 .45, all right.
    assert (found.questions, found.auroc) == ([0, 2], 1.0)


def test_of_equally_good_sets_the_smaller_then_the_first_is_taken() -> None:
    same = np.repeat([[0.9], [0.8], [0.2], [0.1]], 4, axis=1)
    for name in ("greedy", "exhaustive", "diversity"):
        found = find_questions(same, [1, 1, 0, 0], QuestionSearch(name))
        assert found.questions == [0]


def test_filter_takes_the_best_from_the_threshold_on() -> None:
    values, evaluation = answers(0, n=200)
    single = aurocs(values.T, evaluation)
    for size in (2, 8):
        search = QuestionSearch("filter", max_size=size, threshold=0.65)
        expected = [k for k in np.argsort(-single)[:size] if single[k] >= 0.65]
        found = find_questions(values, evaluation, search).questions
        assert found == sorted(expected)
    none = QuestionSearch("filter", threshold=0.99)
    assert find_questions(values, evaluation, none).questions == list(range(8))


def test_diversity_prefers_a_question_that_says_something_else() -> None:
    rng = np.random.default_rng(1)
    evaluation = np.arange(200) % 2 == 1
    one = evaluation + rng.normal(size=200)
    other = 0.9 * evaluation + rng.normal(size=200)
    logits = np.column_stack([one, one + 0.05 * rng.normal(size=200), other])
    values = 1 / (1 + np.exp(-logits))
    search = QuestionSearch("diversity", max_size=2)
    found = find_questions(values, evaluation, search).questions
    # The first two are nearly the same question: r = 1 costs .5.
    assert len(found) == 2
    assert 2 in found


def test_a_constant_question_has_no_correlation_and_no_area() -> None:
    values, evaluation = answers(2, k=4)
    values[:, 3] = 0.7
    for name in STRATEGIES[1:]:
        found = find_questions(values, evaluation, QuestionSearch(name))
        assert found.questions != [3]
        assert found.auroc > 0.5


def test_too_many_subsets_give_way_to_greedy_search_and_say_so() -> None:
    values, evaluation = answers(4)
    search = QuestionSearch("exhaustive", max_subsets=100)
    found = find_questions(values, evaluation, search)
    greedy = find_questions(values, evaluation, QuestionSearch("greedy"))
    assert found.questions == greedy.questions
    # C(8,1) + ... + C(8,5) = 8 + 28 + 56 + 70 + 56
    assert found.note == (
        "218 subsets of up to 5 of 8 questions are more than 100: greedy search "
        "instead of exhaustive"
    )
    assert not greedy.note


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_many_label_vectors_are_searched_as_each_alone(
    strategy: Strategy, missing: float
) -> None:
    rng = np.random.default_rng(7)
    values, evaluation = answers(7)
    values = (values * 10).round() / 10
    values[rng.random(values.shape) < missing] = np.nan
    rows = np.array([evaluation, *(rng.permutation(evaluation) for _ in range(9))])
    search = QuestionSearch(strategy, max_size=3)
    together = found_subsets(Answers.of(values), rows, search)
    for row, members in zip(rows, together, strict=True):
        alone = find_questions(values, row, search)
        assert alone.questions == np.flatnonzero(members).tolist()


def test_a_search_that_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="no strategy 'best'; there are all, filter"):
        QuestionSearch("best")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="must be 1 or more, got 0"):
        QuestionSearch(max_size=0)
    with pytest.raises(ValueError, match=r"AUROC in \[0, 1\], got 60"):
        QuestionSearch(threshold=60)
    with pytest.raises(ValueError, match="one class has no transcript"):
        find_questions([[0.1], [0.2]], [1, 1])
