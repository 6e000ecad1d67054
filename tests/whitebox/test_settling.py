"""A policy that a model cannot follow is found out, left, and recorded as left."""

import copy

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra `local`: torch")
pytest.importorskip("transformers", reason="needs the extra `local`: transformers")

import tiny
from whitebox.test_extraction import EXACT, FRAMINGS, PROMPTS, gap, only, plain

from inspect_awareness.whitebox._batches import common_start
from inspect_awareness.whitebox._convention import DEFAULT
from inspect_awareness.whitebox._local_model import LocalModel
from inspect_awareness.whitebox._prompts import render
from inspect_awareness.whitebox._settling import default_convention


def broken(*, kind="llama"):
    """A model of one's own, to break."""
    sound = tiny.local_model(kind)
    return LocalModel(copy.deepcopy(sound.model), sound.tokenizer)


def test_a_sound_model_does_what_was_asked():
    assert only(tiny.local_model()).convention == DEFAULT


def test_a_model_that_ignores_the_prefix_is_run_whole():
    model = broken()
    model.model.model.register_forward_pre_hook(
        lambda _, args, kwargs: (args, {**kwargs, model.cache_name: None}),
        with_kwargs=True,
    )
    found = only(model)
    assert (found.convention.prefix, found.convention.batching) == (
        "whole",
        "length-sorted-800",
    )
    assert found.convention.hash != DEFAULT.hash
    assert gap(found.states, plain(model, DEFAULT)) < EXACT


def test_a_model_whose_prompts_see_each_other_is_run_one_by_one():
    model = broken()
    model.model.model.embed_tokens.register_forward_hook(
        lambda _, __, embedded: embedded + embedded.mean(dim=(0, 1))
    )
    found = only(model)
    assert (found.convention.prefix, found.convention.batching) == ("whole", "single")
    assert gap(found.states, plain(model, DEFAULT)) < EXACT


def test_rotations_that_depend_on_the_length_are_run_one_by_one():
    found = only(tiny.local_model("longrope"))
    assert (found.convention.prefix, found.convention.batching) == ("whole", "single")


def test_what_is_no_attention_has_no_prefix():
    assert only(tiny.local_model("mamba")).convention.prefix == "whole"


def long_framing():
    """Prompts with a common beginning that is longer than the sliding window."""
    prompts = PROMPTS[len(PROMPTS) // 2 :]
    assert {one.framing for one in prompts} == {FRAMINGS[1]}
    rendered = render(tiny.local_model("gemma3"), prompts, DEFAULT)
    assert common_start(rendered) > 1.5 * tiny.WINDOW
    return prompts


def test_a_prefix_beyond_a_sliding_window_is_shared_and_exact():
    prompts = long_framing()
    model = tiny.local_model("gemma3")
    found = only(model, prompts)
    assert found.convention.prefix == "shared"
    assert gap(found.states, plain(model, DEFAULT, prompts)) < EXACT


def test_at_this_length_the_window_matters():
    """The negative control: the same weights without a window give other states."""
    prompts = long_framing()
    wide = broken(kind="gemma3")
    for module in (wide.model.config, wide.model.model.config):
        module.sliding_window = tiny.CONTEXT
    for block in wide.model.model.layers:
        block.self_attn.sliding_window = tiny.CONTEXT
    assert gap(only(wide, prompts).states, plain(wide, DEFAULT, prompts)) < EXACT
    narrow = only(tiny.local_model("gemma3"), prompts).states
    assert gap(only(wide, prompts).states, narrow) > 100 * EXACT


@pytest.mark.parametrize(
    ("kind", "dtype", "attention"),
    [("llama", "bfloat16", "sdpa"), ("gemma2", "float32", "eager")],
)
def test_the_default_convention_is_in_the_models_own_format(kind, dtype, attention):
    convention = default_convention(tiny.local_model(kind, dtype=dtype))
    assert (convention.dtype, convention.attention) == (dtype, attention)


def test_huge_states_that_differ_are_not_taken_for_equal() -> None:
    from inspect_awareness.whitebox._settling import relative_difference

    one, twice = np.float32([[1e25, 0.0]]), np.float32([[2e25, 0.0]])
    assert relative_difference(twice, one) == pytest.approx(1.0)  # |2 - 1| / |1|
    assert relative_difference(one, one) == 0.0
