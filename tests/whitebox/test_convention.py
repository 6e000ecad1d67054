"""A convention is a record: every choice is in it, and its hash stands for all."""

import itertools
import json
from dataclasses import fields, replace

import pytest

from inspect_awareness.errors import InputError
from inspect_awareness.whitebox._convention import DEFAULT, Convention

OTHER = {
    "rendering": "user",
    "newlines": "crlf",
    "dropped": ("bos",),
    "pooling": "last",
    "layers": (3,),
    "states": "inputs",
    "dtype": "bfloat16",
    "attention": "eager",
    "batching": "single",
    "prefix": "whole",
}


def test_the_record_goes_through_json_and_back():
    convention = Convention(**OTHER)
    there = json.loads(json.dumps(convention.record()))
    assert Convention.from_record(there) == convention
    assert Convention.from_record(there).hash == convention.hash


def test_every_field_but_the_only_truncation_changes_the_hash():
    assert {field.name for field in fields(Convention)} == {*OTHER, "truncation"}
    hashes = {replace(DEFAULT, **{name: value}).hash for name, value in OTHER.items()}
    assert len(hashes | {DEFAULT.hash}) == len(OTHER) + 1


def test_the_hash_of_the_default_is_what_stores_are_named_by():
    """It changes only with a new field: stores of before are then of another name."""
    assert DEFAULT.hash == "f0bef458a6fbc93f"
    assert len(DEFAULT.hash) == 16


def test_the_order_and_repetition_of_what_is_dropped_play_no_part():
    kinds = ("bos", "white_space", "template")
    hashes = {Convention(dropped=order).hash for order in itertools.permutations(kinds)}
    assert hashes == {Convention(dropped=(*kinds, "bos")).hash}


def test_pooling_dropping_layers_and_states_share_a_pass_and_nothing_else_does():
    passes = {
        name: replace(DEFAULT, **{name: value}).passes for name, value in OTHER.items()
    }
    free = {name for name, one in passes.items() if one == DEFAULT.passes}
    assert free == {"dropped", "pooling", "layers", "states"}


@pytest.mark.parametrize(
    ("states", "layers", "numbers"),
    [
        ("inputs", "all", (0, 1, 2, 3)),
        ("outputs", "all", (0, 1, 2, 3)),
        ("normed", "all", (0, 1, 2, 3, 4)),
        ("normed", "interior", (1, 2, 3)),
        ("outputs", "interior", (1, 2)),
        ("normed", (4, 0, 4), (0, 4)),
    ],
)
def test_layers_of_a_model_with_four_blocks(states, layers, numbers):
    assert Convention(states=states, layers=layers).layer_numbers(4) == numbers


@pytest.mark.parametrize(("states", "highest"), [("outputs", 3), ("normed", 4)])
def test_a_layer_that_the_model_lacks_is_an_error_with_those_it_has(states, highest):
    convention = Convention(states=states, layers=(highest + 1,))
    with pytest.raises(InputError, match=f"no layer {highest + 1}.*0 to {highest}"):
        convention.layer_numbers(4)


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("rendering", "assistant", "system, user, folded"),
        ("newlines", "cr", "lf, crlf, as_is"),
        ("truncation", "left", "never cut"),
        ("dropped", ("eos",), "bos, white_space, template"),
        ("dropped", "bos", "a tuple"),
        ("pooling", "max", "mean, last"),
        ("layers", "middle", "interior"),
        ("layers", (), "layer numbers"),
        ("layers", (-1,), "layer numbers"),
        ("layers", (True,), "layer numbers"),
        ("states", "resid_pre", "inputs, outputs, normed"),
        ("dtype", "auto", "the record says what it chose"),
        ("attention", "flash", "sdpa, eager"),
        ("batching", "length-sorted-0", "length-sorted-800"),
        ("prefix", "cached", "shared, whole"),
    ],
)
def test_a_value_that_is_not_allowed_is_named_with_those_that_are(field, value, said):
    with pytest.raises(InputError, match=said) as caught:
        Convention(**{field: value})
    assert repr(value) in str(caught.value)


def test_a_record_with_a_field_too_few_or_too_many_is_refused():
    record = DEFAULT.record()
    with pytest.raises(InputError, match="fields: seed"):
        Convention.from_record({**record, "seed": 1})
    del record["pooling"]
    with pytest.raises(InputError, match="fields: pooling"):
        Convention.from_record(record)
