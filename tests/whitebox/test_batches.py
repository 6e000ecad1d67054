"""The plan of batches is a function of the set of prompts, and pads little."""

import random

import pytest

pytest.importorskip("torch", reason="needs the extra `local`: torch")
pytest.importorskip("transformers", reason="needs the extra `local`: transformers")

import numpy as np

from inspect_awareness.whitebox._batches import common_start, plan
from inspect_awareness.whitebox._prompts import Rendered


def prompt(tokens, *, framing="", template=()):
    """Tokens, of which those at some places come from the template."""
    flags = np.zeros((len(tokens), 3), dtype=bool)
    flags[list(template), 2] = True
    return Rendered(tuple(tokens), flags, "a prompt", (framing, ""))


def mixed(*, seed=0):
    """Three framings of 20 tokens with ten tasks each, and five prompts alone."""
    rng = random.Random(seed)
    prompts = []
    for number, framing in enumerate("ABC"):
        begin = [100 + number] * 20
        for _ in range(10):
            task = [rng.randrange(50) for _ in range(rng.randrange(2, 30))]
            prompts.append(prompt([*begin, *task], framing=framing))
    for number in range(5):
        alone = [rng.randrange(50) for _ in range(40)]
        prompts.append(prompt(alone, framing=f"alone {number}"))
    return prompts


def named(prompts, batches):
    return [(batch.name, [prompts[row].key for row in batch.rows]) for batch in batches]


def test_every_prompt_is_in_one_batch():
    prompts = mixed()
    batches = plan(prompts, budget=100, share=True)
    rows = sorted(row for batch in batches for row in batch.rows)
    assert rows == list(range(35))


def test_no_batch_of_several_prompts_exceeds_the_budget():
    batches = plan(mixed(), budget=100, share=True)
    assert all(batch.padded <= 100 for batch in batches if len(batch.rows) > 1)
    assert {batch.prefix for batch in batches} == {0, 20}


def test_a_prompt_beyond_the_budget_runs_on_its_own():
    batches = plan([prompt(range(50)), prompt(range(3))], budget=10, share=True)
    assert [batch.padded for batch in batches] == [3, 50]


def test_without_a_budget_each_prompt_runs_on_its_own():
    batches = plan(mixed(), budget=None, share=False)
    assert [len(batch.rows) for batch in batches] == [1] * 35


def test_neighbours_are_of_similar_length():
    """Sorted, 35 prompts of 22 to 50 tokens need under 15 % of padding."""
    prompts = mixed()
    batches = plan(prompts, budget=200, share=False)
    padded = sum(batch.padded for batch in batches)
    real = sum(len(one.tokens) for one in prompts)
    assert real <= padded < 1.15 * real


def test_the_order_of_the_list_changes_nothing():
    prompts = mixed()
    shuffled = random.Random(1).sample(prompts, len(prompts))
    there, here = (
        named(some, plan(some, budget=100, share=True)) for some in (prompts, shuffled)
    )
    assert there == here


def test_another_prompt_gives_all_batches_other_names():
    prompts = mixed()
    names = {batch.name for batch in plan(prompts, budget=100, share=True)}
    others = {batch.name for batch in plan(prompts[:-1], budget=100, share=True)}
    assert not names & others


def test_prompts_of_one_framing_share_what_they_begin_with():
    prompts = [prompt([*[9] * 20, n, 5, 6], framing="A") for n in range(4)]
    (batch,) = plan(prompts, budget=800, share=True)
    assert (batch.prefix, batch.padded) == (20, 4 * 3)


def test_too_few_prompts_and_too_short_prefixes_are_not_worth_it():
    few = [prompt([*[9] * 20, n, 5], framing="A") for n in range(3)]
    short = [prompt([*[9] * 15, n, 5], framing="A") for n in range(4)]
    for prompts in (few, short):
        assert [one.prefix for one in plan(prompts, budget=800, share=True)] == [0]


def test_a_prefix_ends_before_the_last_token_that_any_pooling_wants():
    """Two equal tasks and template behind them: the tasks' last token is not shared."""
    prompts = [prompt([9] * 20 + [n], template=[20]) for n in range(2)]
    assert common_start(prompts) == 19


def test_a_prefix_ends_where_equal_tokens_come_from_different_places():
    prompts = [prompt([9] * 20, template=[12]), prompt([9] * 20)]
    assert common_start(prompts) == 12
