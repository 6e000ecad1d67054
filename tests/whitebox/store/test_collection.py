"""What is written is read back, by hash, in any order, and nothing else is."""

import subprocess
import sys

import numpy as np
import pytest
from whitebox.store.activations import (
    LAYERS,
    MODEL,
    batch,
    collection,
    every_byte,
    filled,
    hash_of,
    state_of,
)

from inspect_awareness.errors import InputError, StoreError
from inspect_awareness.whitebox._convention import Convention
from inspect_awareness.whitebox._identity import ModelIdentity
from inspect_awareness.whitebox._store import Store


@pytest.mark.parametrize("seed", range(20))
def test_any_prompts_in_any_order_and_any_layers(tmp_path, seed):
    rng = np.random.default_rng(seed)
    found = filled(tmp_path, batches=5)
    prompts = rng.integers(0, 15, size=rng.integers(1, 40))  # repeats among them
    layers = rng.permutation(LAYERS)[: rng.integers(1, LAYERS + 1)]
    hashes = [hash_of(p) for p in prompts]
    expected = np.stack([state_of(p) for p in prompts])
    assert (found.read(hashes) == expected).all()
    assert (found.read(hashes, layers.tolist()) == expected[:, layers]).all()
    assert (found.tokens(hashes) == prompts + 1).all()


def test_states_are_float32_of_prompts_layers_width(tmp_path):
    states = filled(tmp_path).read([hash_of(2), hash_of(0)])
    assert states.dtype == np.float32
    assert states.shape == (2, 3, 4)
    assert states[0, 1].tolist() == [2_100, 2_101, 2_102, 2_103]
    assert states[1, 2].tolist() == [200, 201, 202, 203]


def test_nothing_asked_for_is_nothing(tmp_path):
    found = collection(tmp_path)
    assert found.read([]).shape == (0, 3, 4)
    assert found.has([]).shape == (0,)
    assert found.manifest()["prompts"] == 0
    assert not tmp_path.joinpath(found.key).exists()  # reading makes no folder


def test_absent_prompts_are_counted_and_named(tmp_path):
    found = filled(tmp_path, batches=1)
    assert found.has([hash_of(1), hash_of(9)]).tolist() == [True, False]
    with pytest.raises(StoreError, match=f"2 of 3 prompts .* first {hash_of(9)}"):
        found.read([hash_of(9), hash_of(0), hash_of(8)])
    with pytest.raises(StoreError, match="1 of 1 prompts"):
        found.tokens([hash_of(9)])


def test_a_layer_that_is_not_kept_is_named_with_those_that_are(tmp_path):
    with pytest.raises(StoreError, match=r"layer 7 is not in .* layers 0, 1, 2"):
        filled(tmp_path).read([hash_of(0)], [1, 7])


def test_layers_have_the_numbers_of_the_convention(tmp_path):
    found = collection(tmp_path, layers=(1, 2))
    found.write("b", ["aa"], np.stack([[[1.0] * 4, [2.0] * 4]]).astype("f4"), [5])
    assert found.layers == (1, 2)
    assert found.read(["aa"], [2]).tolist() == [[[2.0] * 4]]
    with pytest.raises(StoreError, match="layer 0 is not"):
        found.read(["aa"], [0])
    with pytest.raises(InputError, match="no layer 3"):
        collection(tmp_path, layers=(3,))


def test_another_revision_or_convention_is_another_collection(tmp_path):
    here = filled(tmp_path)
    others = [
        collection(tmp_path, pooling="last"),
        collection(tmp_path, dropped=("bos",)),
        collection(tmp_path, ModelIdentity("whitebox/tiny", "weights-2", 2, 4)),
    ]
    for other in others:
        assert not other.has(batch(0).hashes).any()
    assert len({here.key, *(other.key for other in others)}) == 4
    renamed = ModelIdentity("folder/of/mine", MODEL.revision, 2, 4)
    assert collection(tmp_path, renamed).has(batch(0).hashes).all()


def test_a_batch_that_is_there_is_left_alone(tmp_path):
    found = filled(tmp_path)
    before = every_byte(tmp_path)
    times = [p.stat().st_mtime_ns for p in found.folder.glob("*.safetensors")]
    found.write(*batch(0))
    name, hashes, states, tokens = batch(1)
    found.write(name, hashes, states + 1, tokens)  # the first to write has it
    assert every_byte(tmp_path) == before
    assert [p.stat().st_mtime_ns for p in found.folder.glob("*.safetensors")] == times
    assert found.has_batch("b001")
    assert not found.has_batch("b009")


def test_a_batch_name_with_other_prompts_is_refused(tmp_path):
    found = filled(tmp_path)
    _, hashes, states, tokens = batch(7)
    with pytest.raises(StoreError, match=r"b000\.safetensors: .* other prompts"):
        found.write("b000", hashes, states, tokens)
    assert found.read(batch(0).hashes).tolist() == batch(0).states.tolist()


def test_a_prompt_in_two_shards_is_read_from_the_first_by_name(tmp_path):
    found = collection(tmp_path)
    for name, value in (("z", 1), ("a", 2), ("m", 3)):
        found.write(name, ["aa"], np.full((1, 3, 4), value, np.float32), [1])
        fresh = collection(tmp_path)
        assert found.read(["aa"])[0, 0, 0] == fresh.read(["aa"])[0, 0, 0]
    assert found.read(["aa"])[0, 0, 0] == 2
    assert found.manifest()["prompts"] == 1


GOOD = batch(0)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"states": GOOD.states.astype(float)}, "float64; pool in float32"),
        ({"states": GOOD.states.transpose(0, 2, 1)}, r"\(3, 4, 3\); .* be \(3, 3, 4\)"),
        ({"states": GOOD.states[:2]}, r"it must be \(3, 3, 4\)"),
        ({"tokens": np.array([1, 2])}, "3 whole numbers"),
        ({"tokens": np.array([1.0, 2.0, 3.0])}, "3 whole numbers"),
        ({"tokens": np.array([1, 0, 3])}, f"{hash_of(1)}: pooled over 0 tokens"),
        ({"hashes": ["aa", "bb", "aa"]}, "none of them twice"),
        ({"hashes": []}, "must hold prompts"),
        ({"name": "../b"}, "letters, digits"),
        ({"name": ""}, "letters, digits"),
        ({"name": ".b"}, "letters, digits"),
    ],
)
def test_a_batch_that_does_not_fit_is_refused_and_nothing_is_written(
    tmp_path, change, words
):
    found = collection(tmp_path)
    with pytest.raises(StoreError, match=words):
        found.write(*GOOD._replace(**change))
    assert not found.folder.exists()


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_state_that_is_no_number_is_refused_by_prompt_and_layer(tmp_path, value):
    found = filled(tmp_path, batches=1)
    name, hashes, states, tokens = batch(1)
    states[2, 1, 3] = value
    words = rf"prompt {hash_of(5)}, layer 1: .* NaN or infinite .* \(1 of 9 states"
    with pytest.raises(StoreError, match=words):
        found.write(name, hashes, states, tokens)
    assert not found.has(hashes).any()


def test_arrays_in_any_memory_order_are_stored_by_their_axes(tmp_path):
    found = collection(tmp_path)
    name, hashes, states, tokens = batch(0)
    found.write(name, hashes, np.asfortranarray(states), tokens.astype("i4"))
    assert (found.read(hashes) == states).all()
    big = states.astype(">f4")
    found.write("other", [h + "0" for h in hashes], big, tokens)
    assert (found.read([h + "0" for h in hashes]) == states).all()


def test_the_manifest_says_what_is_there(tmp_path):
    manifest = filled(tmp_path, batches=2).manifest()
    assert manifest["schema_version"] == 1
    assert manifest["axes"] == ["prompt", "layer", "width"]
    assert manifest["layers"] == [0, 1, 2]
    assert manifest["model"] == MODEL.record()
    assert Convention.from_record(manifest["convention"]) == Convention()
    assert manifest["prompts"] == 6
    assert [s["file"] for s in manifest["shards"]] == [
        "b000.safetensors",
        "b001.safetensors",
    ]


def test_a_pointer_holds_no_tensors_and_changes_with_the_content(tmp_path):
    found = filled(tmp_path, batches=2)
    before = found.pointer()
    assert before["shape"] == [6, 3, 4]
    assert before["collection"] == found.key
    found.write(*batch(2))
    assert found.pointer()["shape"] == [9, 3, 4]
    assert found.pointer()["content"] != before["content"]


def test_the_collections_of_a_store_are_found_without_their_conventions(tmp_path):
    mean = filled(tmp_path)
    last = collection(tmp_path, pooling="last")
    last.write(*batch(3))
    (tmp_path / "notes").mkdir()
    found = {c.key: c for c in Store(tmp_path).collections()}
    assert set(found) == {mean.key, last.key}
    assert found[last.key].model == MODEL
    assert found[last.key].convention["pooling"] == "last"
    assert (found[last.key].read(batch(3).hashes) == batch(3).states).all()
    assert Store(tmp_path / "none").collections() == ()


def test_a_file_is_no_store(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match="is no folder"):
        Store(tmp_path / "file")


def test_safetensors_itself_reads_a_shard(tmp_path):
    pytest.importorskip("safetensors", reason="needs the extra `local`: safetensors")
    from safetensors import safe_open

    found = filled(tmp_path)
    with safe_open(found.folder / "b001.safetensors", framework="np") as file:
        assert set(file.keys()) == {"states", "tokens"}
        assert (file.get_tensor("states") == batch(1).states).all()
        assert (file.get_slice("states")[:, 1] == batch(1).states[:, 1]).all()


def test_neither_torch_nor_safetensors_is_needed(tmp_path):
    found = filled(tmp_path)
    program = (
        "import sys; from inspect_awareness.whitebox._store import Store\n"
        f"(found,) = Store({str(tmp_path)!r}).collections()\n"
        f"assert found.read([{hash_of(4)!r}])[0, 1, 2] == 4_102\n"
        "assert not found.verify()\n"
        f"found.write('copy', ['aa'], found.read([{hash_of(4)!r}]), found.tokens([{hash_of(4)!r}]))\n"
        "assert not {'torch', 'transformers', 'safetensors'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
    assert found.read(["aa"])[0, 1, 2] == 4_102
