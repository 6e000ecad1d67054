"""Stably aware tasks, and their overlap between models."""

from math import comb, isnan, nan
from typing import Any

import numpy as np
import pytest

from inspect_awareness.stats import Overlap, overlaps, stable_tasks


def rows(hits: dict[str, list[int]], repeats: int = 4) -> dict[str, Any]:
    """For each model, how many of its repeats of tasks 0, 1, ... are aware."""
    aware, models, tasks = [], [], []
    for model, counts in hits.items():
        for task, count in enumerate(counts):
            aware += [1] * count + [0] * (repeats - count)
            models += [model] * repeats
            tasks += [task] * repeats
    return {"aware": aware, "models": models, "tasks": tasks}


def one(hits: dict[str, list[int]], repeats: int = 4, least: int = 3) -> Overlap:
    (found,) = overlaps(**rows(hits, repeats), least=least)
    return found


def test_a_task_is_stable_from_least_aware_samples_on() -> None:
    (found,) = stable_tasks(**rows({"m": [4, 3, 2, 0]}), least=3)
    assert found.stable == (0, 1)
    assert found.could_be == (0, 1, 2, 3)
    assert (found.share.value, found.share.n, found.share.unit) == (0.5, 4, "task")
    assert found.note == ""


def test_tasks_with_fewer_samples_than_least_are_counted_and_left_out() -> None:
    (found,) = stable_tasks(
        [1, 1, 1, 1, 1, 0, nan], models=["m"] * 7,
        tasks=["a", "a", "a", "b", "b", "c", "d"],
    )  # fmt: skip
    assert (found.stable, found.could_be, found.too_few) == (("a",), ("a",), ("b", "c"))
    assert found.note.startswith("2 of 3 tasks have fewer than 3 samples")
    assert isnan(stable_tasks([1, 1], models=[0, 0], tasks=[1, 1])[0].share.value)


def test_unknown_samples_do_not_count_towards_least() -> None:
    (found,) = stable_tasks([1, 1, nan], models=["m"] * 3, tasks=["a"] * 3)
    assert found.too_few == ("a",)


def test_the_overlap_of_two_models_by_hand() -> None:
    # A = {0, 1, 2}, B = {1, 2, 3} of 5: both 2, either 4.
    found = one({"m": [3, 3, 4, 0, 0], "n": [0, 3, 3, 3, 2]})
    assert (found.common, found.of_first, found.of_second, found.both) == (5, 3, 3, 2)
    assert (found.jaccard.value, found.jaccard.n) == (0.5, 4)
    assert found.expected_both == pytest.approx(9 / 5)
    # K is hypergeometric(5, 3, 3): P(1 2 3) = 3 6 1 of 10, Jaccard 1/5 2/4 3/3.
    assert found.expected_jaccard == pytest.approx(0.3 / 5 + 0.6 / 2 + 0.1)
    assert found.p == pytest.approx(0.7)
    assert found.note == ""


def test_chance_is_an_average_over_all_ways_to_choose() -> None:
    rng = np.random.default_rng(0)
    found = one({"m": [4] * 6 + [0] * 14, "n": [4] * 9 + [0] * 11})
    draws = [len({*range(6)} & {*rng.permutation(20)[:9]}) for _ in range(20_000)]
    k = np.array(draws)
    assert found.expected_both == pytest.approx(k.mean(), abs=0.03)
    assert found.expected_jaccard == pytest.approx((k / (15 - k)).mean(), abs=0.003)
    # All 6 are among the 9: C(14, 3) / C(20, 9).
    assert found.p == pytest.approx(comb(14, 3) / comb(20, 9))


def test_the_two_models_may_be_exchanged() -> None:
    hits = {"m": [3, 3, 4, 0, 0, 1], "n": [0, 3, 3, 3, 2, 0]}
    forth, back = one(hits), one(dict(reversed(hits.items())))
    assert (forth.both, forth.jaccard, forth.p) == (back.both, back.jaccard, back.p)
    assert forth.expected_jaccard == pytest.approx(back.expected_jaccard)


def test_the_same_tasks_overlap_fully_and_no_common_ones_not_at_all() -> None:
    same = one({"m": [4, 4, 0, 0, 0, 0], "n": [4, 4, 0, 0, 0, 0]})
    assert (same.jaccard.value, same.p) == (1.0, pytest.approx(1 / comb(6, 2)))
    apart = one({"m": [4, 4, 0, 0, 0, 0], "n": [0, 0, 4, 4, 0, 0]})
    assert (apart.jaccard.value, apart.p) == (0.0, 1.0)


def test_neither_or_one_model_without_a_stable_task_says_so() -> None:
    neither = one({"m": [0, 0, 1], "n": [2, 0, 0]})
    assert isnan(neither.jaccard.value)
    assert isnan(neither.expected_jaccard)
    assert neither.note == "neither model is stably aware of a common task"
    alone = one({"m": [4, 0, 0], "n": [0, 0, 0]})
    assert (alone.jaccard.value, alone.expected_jaccard, alone.p) == (0.0, 0.0, 1.0)
    assert "no common task" in alone.note


def test_tasks_that_cannot_be_stable_for_both_are_no_part_of_the_comparison() -> None:
    # Task b: four samples of m, two of n. It would swell N and make overlap rare.
    found = overlaps(
        [1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0],
        models=["m"] * 6 + ["n"] * 5,
        tasks=["a"] * 3 + ["b"] * 3 + ["a"] * 3 + ["b"] * 2,
    )[0]
    assert (found.common, found.too_few, found.both) == (1, 1, 1)
    assert found.note.startswith("1 common tasks have fewer than 3")


def test_models_without_a_common_task_have_no_overlap() -> None:
    found = overlaps([1] * 6, models=["m"] * 3 + ["n"] * 3, tasks=["a"] * 3 + ["b"] * 3)
    assert found[0].common == 0
    assert isnan(found[0].expected_both)
    assert isnan(found[0].p)
    assert "no task on which both" in found[0].note


def test_every_pair_of_three_models_is_there_and_of_one_none() -> None:
    found = overlaps(**rows({"a": [3], "b": [3], "c": [0]}))
    assert [(o.first, o.second) for o in found] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert overlaps(**rows({"a": [3]})) == ()
    assert overlaps([], models=[], tasks=[]) == ()


def test_ids_may_be_arrays() -> None:
    given = {name: np.array(each) for name, each in rows({"a": [3], "b": [3]}).items()}
    assert overlaps(**given)[0].both == 1
    assert stable_tasks(**given)[0].stable == (0,)


def test_p_is_small_no_more_often_than_it_says() -> None:
    # Two models with 30 % stable of 60 tasks each, drawn apart from each other.
    rng = np.random.default_rng(1)
    p = []
    for _ in range(300):
        hits = {m: list(4 * rng.binomial(1, 0.3, 60)) for m in ("m", "n")}
        p.append(one(hits).p)
    assert np.mean(np.array(p) <= 0.05) <= 0.075
    assert np.mean(np.array(p) <= 0.5) > 0.3


def test_models_that_share_what_they_notice_are_told_from_chance() -> None:
    rng = np.random.default_rng(2)
    odd = rng.random(80) < 0.3
    hits = {m: list(rng.binomial(4, np.where(odd, 0.9, 0.05))) for m in ("m", "n")}
    found = one(hits)
    assert found.p < 1e-6
    assert found.jaccard.low > found.expected_jaccard


@pytest.mark.parametrize("least", [0, -1])
def test_least_is_one_or_more(least: int) -> None:
    with pytest.raises(ValueError, match=f"least is {least}"):
        stable_tasks([1], models=["m"], tasks=["a"], least=least)


def test_bad_input_is_named() -> None:
    with pytest.raises(ValueError, match="aware must be 0, 1 or NaN"):
        overlaps([0.5], models=["m"], tasks=["a"])
    with pytest.raises(ValueError, match="2 models for 1 values"):
        overlaps([1], models=["m", "n"], tasks=["a"])
