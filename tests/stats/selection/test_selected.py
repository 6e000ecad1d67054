"""What a selection says: honest values, the one-SE rule, the null, and bad input."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy.special import expit

from inspect_awareness.stats.selection import (
    QuestionSearch,
    find_questions,
    select_questions,
    source_folds,
    subset_aurocs,
)

Data = tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.int64]]
"""Values, labels, sources."""


def answers(
    rng: np.random.Generator,
    strength: npt.ArrayLike,
    *,
    sources: int,
    each: int = 1,
    source_sd: float = 0.75,
    noise: float = 1.2,
) -> Data:
    """Logits strength * label + level of the source + noise; labels by source."""
    source = np.repeat(np.arange(sources), each)
    evaluation = source % 2 == 1
    gains = np.asarray(strength, dtype=np.float64)
    level = source_sd * rng.normal(size=(sources, 1))[source]
    logits = gains * evaluation[:, None] + level
    logits = logits + noise * rng.normal(size=(source.size, gains.size))
    return expit(logits), evaluation, source


def seeded(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.mark.parametrize("strategy", ["greedy", "exhaustive"])
def test_noise_looks_good_in_sample_and_is_chance_out_of_sample(strategy: Any) -> None:
    values, evaluation, sources = answers(seeded(1), np.zeros(12), sources=100)
    found = select_questions(
        values,
        evaluation,
        sources,
        rng=seeded(),
        search=QuestionSearch(strategy),
        permutations=19,
    )
    assert found.auroc_in_sample > 0.6
    assert found.auroc_out_of_sample.contains(0.5)
    assert found.optimism > 0.05
    assert found.null.p > 0.1
    assert found.kept_all
    assert "all questions are kept" in found.notes[-1]
    # What the search makes of permuted labels is as high as what it made of these.
    assert found.null.in_sample == pytest.approx(found.auroc_in_sample, abs=0.05)


def test_each_fold_is_scored_by_what_the_others_find() -> None:
    values, evaluation, sources = answers(
        seeded(3), np.linspace(0, 1.5, 6), sources=20, each=3
    )
    found = select_questions(values, evaluation, sources, rng=seeded(4), permutations=0)
    fold = source_folds(evaluation, sources, 5, rng=seeded(4)).fold
    won = made = 0.0
    members = np.zeros((5, 6))
    for out in range(5):
        inside = fold == out
        best = find_questions(values[~inside], evaluation[~inside]).members
        members[out] = best
        up, down = inside & evaluation, inside & ~evaluation
        area = subset_aurocs(values[inside], evaluation[inside], best[None])[0]
        won += area * up.sum() * down.sum()
        made += up.sum() * down.sum()
    assert found.auroc_out_of_sample.value == pytest.approx(won / made)
    assert list(found.frequency.values()) == pytest.approx(members.mean(axis=0))
    # A question in every fold counts 1, so that the shares sum to the mean size.
    assert sum(found.frequency.values()) == pytest.approx(members.sum() / 5)
    assert found.optimism == found.auroc_in_sample - found.auroc_out_of_sample.value
    whole = find_questions(values, evaluation)
    assert found.best_found == tuple(map(str, whole.questions))
    assert found.auroc_in_sample == pytest.approx(whole.auroc)


def test_the_printed_optimism_is_the_true_one() -> None:
    # 28 questions of d' .5 to 1.5 on 100 transcripts: the best subset's AUROC in
    # sample minus its AUROC in the population, against what the folds say.
    strength = np.linspace(0.5, 1.5, 28)
    population = answers(seeded(99), strength, sources=20_000)
    printed, true = [], []
    for seed in range(24):
        rng = seeded(seed)
        values, evaluation, sources = answers(rng, strength, sources=100)
        found = select_questions(values, evaluation, sources, rng=rng, permutations=0)
        members = np.isin(np.arange(28).astype(str), found.best_found)
        held_out = subset_aurocs(*population[:2], members[None])[0]
        printed.append(found.optimism)
        true.append(found.auroc_in_sample - held_out)
    error = np.std(np.subtract(printed, true)) / np.sqrt(24)
    assert 0.04 < np.mean(true) < 0.1
    assert abs(np.mean(printed) - np.mean(true)) < 0.005 + 2 * error


def test_a_subset_that_is_better_by_more_than_an_se_is_chosen() -> None:
    strength = [2.5, 2.5, *[0.0] * 10]
    values, evaluation, sources = answers(
        seeded(5), strength, sources=30, each=4, source_sd=0.2
    )
    found = select_questions(values, evaluation, sources, rng=seeded(), permutations=19)
    assert found.gain.value > found.gain_se > 0
    assert found.chosen == found.best_found == ("0", "1")
    assert not found.kept_all
    assert found.null.p == 0.05
    assert found.frequency["0"] == found.stability["0"] == 1.0


def test_alike_questions_are_all_kept_though_a_subset_is_found() -> None:
    values, evaluation, sources = answers(seeded(6), np.full(8, 1.0), sources=40)
    found = select_questions(values, evaluation, sources, rng=seeded(), permutations=0)
    assert found.gain.value <= found.gain_se
    assert 1 <= len(found.best_found) <= 5
    assert found.kept_all
    assert found.chosen == found.questions


def test_where_labels_belong_to_sources_the_null_holds_its_level() -> None:
    # p <= .1 in about 10 % of 100 data sets of noise: 95 % of the time in 5 to 16.
    hits = 0
    for seed in range(100):
        rng = seeded(seed)
        data = answers(rng, np.zeros(4), sources=12, each=4)
        found = select_questions(
            *data, rng=rng, search=QuestionSearch(max_size=2), permutations=9
        )
        hits += found.null.p <= 0.1
    assert 5 <= hits <= 16


def test_items_permuted_across_sources_would_not_hold_it() -> None:
    # The control: with each transcript as a source of its own the level is lost.
    hits = 0
    for seed in range(60):
        rng = seeded(seed)
        values, evaluation, sources = answers(
            rng, np.zeros(4), sources=12, each=10, source_sd=3.0
        )
        found = select_questions(
            values,
            evaluation,
            np.arange(sources.size),
            rng=rng,
            search=QuestionSearch("all"),
            permutations=9,
        )
        hits += found.null.p <= 0.1
    assert hits > 20


def test_one_seed_gives_one_selection() -> None:
    data = answers(seeded(8), np.linspace(0, 1, 6), sources=20, each=2)
    one, again = (
        select_questions(*data, rng=seeded(3), permutations=9) for _ in range(2)
    )
    assert one.auroc_out_of_sample == again.auroc_out_of_sample
    assert (one.null.p, one.frequency) == (again.null.p, again.frequency)
    assert one.stability == again.stability


def test_one_source_a_class_has_no_honest_value_and_keeps_all() -> None:
    values, evaluation, _ = answers(seeded(2), [1.0, 2.0, 0.0], sources=40)
    found = select_questions(values, evaluation, evaluation.astype(int), rng=seeded())
    assert np.isnan(
        [found.auroc_out_of_sample.value, found.optimism, found.null.p]
    ).all()
    assert np.isnan(list(found.frequency.values())).all()
    assert "1 evaluation and 1 deployment sources" in found.auroc_out_of_sample.note
    assert found.auroc_in_sample > 0.7
    assert found.kept_all
    assert (found.folds, found.sources) == (0, 2)
    assert any("cannot be validated" in note for note in found.notes)


def test_few_sources_mean_few_folds_and_few_permutations() -> None:
    data = answers(seeded(2), [1.0, 2.0, 0.0], sources=6, each=10)
    found = select_questions(*data, rng=seeded())
    assert found.folds == 3
    # Three folds of one source of either label: 2^3 ways.
    assert found.null.ways == 8
    assert any("3 folds instead of 5" in note for note in found.notes)
    assert any("only 8 different ways" in note for note in found.notes)
    assert found.null.p >= 1 / 8 - 0.05


def test_a_question_that_nobody_answered_is_dropped() -> None:
    values, evaluation, sources = answers(seeded(2), [1.0, 2.0, 0.0], sources=20)
    values[:, 1] = np.nan
    found = select_questions(
        values, evaluation, sources, rng=seeded(), questions=["a", "b", "c"]
    )
    assert (found.questions, found.dropped) == (("a", "c"), ("b",))
    assert set(found.frequency) == {"a", "c"}
    assert "dropped, as nobody answered: b" in found.notes


def test_transcripts_with_few_answers_are_left_out_for_every_subset() -> None:
    values, evaluation, sources = answers(seeded(2), [1.0, 2.0, 0.0, 1.0], sources=40)
    values[:6, :3] = np.nan  # one answer of four: too few
    values[6:12, :2] = np.nan  # two of four: enough
    found = select_questions(values, evaluation, sources, rng=seeded(), permutations=0)
    assert (found.transcripts, found.left_out, found.sources) == (34, 6, 34)
    expected = find_questions(values[6:], evaluation[6:])
    assert found.auroc_in_sample == pytest.approx(expected.auroc)


def test_constant_answers_are_named_and_chosen_by_no_one() -> None:
    values, evaluation, sources = answers(seeded(2), [1.5, 0.0, 0.0], sources=40)
    values[:, 2] = 1.0
    found = select_questions(values, evaluation, sources, rng=seeded(), permutations=0)
    assert "the same answer everywhere: 2" in found.notes
    assert "2" not in found.best_found
    values[:] = 0.5
    flat = select_questions(values, evaluation, sources, rng=seeded(), permutations=9)
    assert flat.auroc_in_sample == flat.auroc_out_of_sample.value == 0.5
    assert not flat.auroc_out_of_sample.has_interval
    assert flat.null.p == 1.0
    assert flat.kept_all


def test_an_exhaustive_search_that_is_too_long_says_so() -> None:
    data = answers(seeded(2), np.zeros(8), sources=20)
    search = QuestionSearch("exhaustive", max_subsets=50)
    found = select_questions(*data, rng=seeded(), search=search, permutations=0)
    assert (found.search.strategy, found.strategy) == ("exhaustive", "greedy")
    assert "greedy search instead of exhaustive" in found.notes[0]
    assert not np.isnan(list(found.stability.values())).any()
    long = QuestionSearch("exhaustive", max_size=8)
    many = answers(seeded(2), np.zeros(14), sources=20)
    found = select_questions(*many, rng=seeded(), search=long, permutations=0)
    assert np.isnan(list(found.stability.values())).all()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"evaluation": [1] * 8}, "8 evaluation and 0 deployment"),
        ({"evaluation": [0, 2] * 4}, "labels must be 1"),
        ({"evaluation": [0, 1]}, r"labels need shape \(8,\)"),
        ({"values": np.full((8, 2), np.nan)}, "no question has an answer"),
        ({"values": np.full((8, 2), 1.5)}, r"in \[0, 1\].*got 1.5"),
        ({"values": np.full((8, 2), np.inf)}, r"in \[0, 1\].*got inf"),
        ({"sources": [0, 1]}, "2 sources for 8 values"),
        ({"questions": ["a", "a"]}, "named twice: a"),
        ({"questions": ["a"]}, "1 names of questions for 2 columns"),
        ({"folds": 1}, "folds must be 2 or more"),
        ({"permutations": -1}, "permutations must be 0 or more"),
    ],
)
def test_what_cannot_be_searched_is_refused(change: dict[str, Any], words: str) -> None:
    given: dict[str, Any] = {
        "values": seeded().random((8, 2)),
        "evaluation": [0, 1] * 4,
        "sources": list(range(8)),
    }
    with pytest.raises(ValueError, match=words):
        select_questions(**given | change, rng=seeded())


def test_answers_that_point_the_wrong_way_are_named() -> None:
    values, evaluation, sources = answers(seeded(4), np.full(6, 2.0), sources=40)
    found = select_questions(
        1 - values, evaluation, sources, rng=seeded(), permutations=0
    )
    assert any("point the wrong way" in note for note in found.notes)
    right = select_questions(values, evaluation, sources, rng=seeded(), permutations=0)
    assert not any("point the wrong way" in note for note in right.notes)
