"""Damage is found, named, never served, and gone after the next run."""

import errno
import json
import os
import resource
import tempfile
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from commands import output_of, page_of, run
from whitebox.store.activations import (
    MODEL,
    batch,
    collection,
    every_byte,
    filled,
    hash_of,
)

from inspect_awareness.cli import main
from inspect_awareness.errors import StoreError
from inspect_awareness.whitebox._store_check import check_store


def cut_off(path):
    path.write_bytes(path.read_bytes()[:-1])


def cut_in_the_header(path):
    path.write_bytes(path.read_bytes()[:100])


def empty(path):
    path.write_bytes(b"")


def longer(path):
    path.write_bytes(path.read_bytes() + b"\0")


def flip_a_bit_of_a_state(path):
    content = bytearray(path.read_bytes())
    content[-2] ^= 1
    path.write_bytes(content)


def no_json(path):
    path.write_bytes((3).to_bytes(8, "little") + b"abc")


def random_bytes(path):
    path.write_bytes(np.random.default_rng(0).bytes(500))


def edit(old, new):
    def edited(path):
        content = path.read_bytes()
        assert old in content
        assert len(old) == len(new)
        path.write_bytes(content.replace(old, new))

    return edited


def of_another_batch(path):
    path.write_bytes((path.parent / "b002.safetensors").read_bytes())


DAMAGE = [
    (cut_off, "bytes; its header makes it"),
    (longer, "bytes; its header makes it"),
    (cut_in_the_header, "cut off in its header"),
    (empty, "cut off in its header"),
    (random_bytes, "cut off in its header"),
    (no_json, "its header is damaged"),
    (flip_a_bit_of_a_state, "the sha256 differs"),
    (edit(hash_of(3).encode(), hash_of(999).encode()), "the sha256 differs"),
    (edit(hash_of(3).encode(), hash_of(4).encode()), "names no prompt, or one twice"),
    (edit(b"[3,3,4]", b"[3,4,3]"), r"states is F32 \[3, 4, 3\]; .* F32 \[3, 3, 4\]"),
    (edit(b'"F32"', b'"I32"'), "states is I32"),
    (edit(b'\\"prompt\\",\\"layer\\"', b'\\"layer\\",\\"prompt\\"'), "its axes are"),
    (edit(b'"states":', b'"statez":'), "must be states and tokens"),
    (edit(b"weights-1", b"weights-9"), "another model revision or convention"),
    (edit(b'\\"mean\\"', b'\\"last\\"'), "another model revision or convention"),
    (
        edit(b'version\\":1', b'version\\":2'),
        "schema_version is 2; this version reads 1",
    ),
    (edit(b'\\"writer', b'\\"wroter'), "has no writer"),
    (edit(b"activations", b"activationz"), "or it is no shard"),
    (of_another_batch, "it is batch b002, under another name"),
]


@pytest.mark.parametrize(("damage", "words"), DAMAGE)
def test_a_damaged_shard_is_named_and_written_anew(tmp_path, damage, words):
    found = filled(tmp_path)
    sound = every_byte(tmp_path)
    assert check_store(tmp_path)[0].sound
    damage(found.folder / "b001.safetensors")

    (checked,) = check_store(tmp_path)
    assert set(checked.faults) == {"b001.safetensors"}

    resumed = collection(tmp_path)
    with resumed.writing() as damaged:
        assert set(damaged) == {"b001.safetensors"}
        with pytest.raises(AssertionError, match=words):
            raise AssertionError(damaged["b001.safetensors"])
        there = [resumed.has(batch(n).hashes).all() for n in range(4)]
        assert there == [True, False, True, True]
        resumed.write(*batch(1))
    assert every_byte(tmp_path) == sound
    assert resumed.verify() == {}


def test_prompts_of_a_damaged_shard_are_absent_and_the_error_says_why(tmp_path):
    found = filled(tmp_path)
    cut_off(found.folder / "b001.safetensors")
    assert found.has(batch(1).hashes).tolist() == [False] * 3
    assert (found.read(batch(2).hashes) == batch(2).states).all()
    with pytest.raises(StoreError, match=r"1 shards are damaged: b001\.safetensors"):
        found.read(batch(1).hashes)


def test_a_shard_of_nan_by_another_writer_is_found(tmp_path):
    from inspect_awareness.whitebox._shards import write_shard

    found = filled(tmp_path, batches=1)
    header = found.shards()[0].header | {"batch": "nan", "prompts": ["aa"]}
    states = np.full((1, 3, 4), np.nan, np.float32)
    path = found.folder / "nan.safetensors"
    write_shard(path, header, states, np.array([1]))
    assert "NaN" in found.verify()["nan.safetensors"]


def test_a_hand_edited_manifest_changes_no_number_and_is_found(tmp_path):
    found = filled(tmp_path)
    sound = every_byte(tmp_path)
    path = found.folder / "manifest.json"
    said = json.loads(path.read_text())
    said["prompts"], said["model"]["name"] = 5_000, "openai/gpt-5"
    path.write_text(json.dumps(said))
    assert collection(tmp_path).manifest()["prompts"] == 12
    assert "derived" in check_store(tmp_path)[0].faults["manifest.json"]
    filled(tmp_path)
    assert every_byte(tmp_path) == sound


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"[]"])
def test_a_manifest_that_is_none_is_a_fault(tmp_path, content):
    found = filled(tmp_path)
    (found.folder / "manifest.json").write_bytes(content)
    assert set(check_store(tmp_path)[0].faults) == {"manifest.json"}


def test_a_lost_manifest_is_a_note(tmp_path):
    found = filled(tmp_path)
    (found.folder / "manifest.json").unlink()
    (checked,) = check_store(tmp_path)
    assert checked.sound
    assert set(checked.notes) == {"manifest.json"}


def test_a_foreign_file_is_left_alone_and_noted(tmp_path):
    found = filled(tmp_path)
    (found.folder / "notes.txt").write_text("mine")
    (tmp_path / "README").write_text("mine")
    filled(tmp_path)
    (checked,) = check_store(tmp_path)
    assert checked.sound
    assert checked.notes == {"notes.txt": "is no part of a store, and is left alone"}
    assert (found.folder / "notes.txt").read_text() == "mine"


def test_foreign_weights_among_the_shards_are_a_fault(tmp_path):
    pytest.importorskip("safetensors", reason="needs the extra `local`: safetensors")
    from safetensors.numpy import save_file

    found = filled(tmp_path)
    save_file({"w": np.zeros(3)}, found.folder / "model.safetensors")
    assert "no shard" in check_store(tmp_path)[0].faults["model.safetensors"]
    assert found.has(batch(0).hashes).all()


def test_a_collection_of_which_nothing_can_be_read(tmp_path):
    found = filled(tmp_path, batches=1)
    empty(found.folder / "b000.safetensors")
    (checked,) = check_store(tmp_path)
    assert checked.manifest is None
    assert set(checked.faults) == {"b000.safetensors"}
    assert "unreadable" in run(main, "store", "check", tmp_path).output


def test_a_prompt_in_two_shards_is_noted(tmp_path):
    found = filled(tmp_path)
    found.write("again", *batch(1)[1:])
    (checked,) = check_store(tmp_path)
    assert checked.sound
    assert "3 are in several shards" in checked.notes["prompts"]


@contextmanager
def files_of_at_most(size):
    """A disk that takes no larger files: the system itself refuses to write."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_disk_without_room_is_one_line_and_the_store_stays_valid(tmp_path):
    wide = type(MODEL)("whitebox/wide", "weights-2", 2, 1_000)
    filled(tmp_path / "quiet", model=wide)
    found = filled(tmp_path / "full", batches=2, model=wide)
    shard = (found.folder / "b000.safetensors").stat().st_size
    with files_of_at_most(shard // 2), pytest.raises(StoreError) as caught:
        found.write(*batch(2, width=1_000))
    assert "no room to write" in str(caught.value)
    assert "continues where it stopped" in str(caught.value)
    assert isinstance(caught.value.__cause__, OSError)
    assert caught.value.__cause__.errno == errno.EFBIG
    assert check_store(tmp_path / "full")[0].sound
    assert not check_store(tmp_path / "full")[0].notes  # the half shard is gone
    filled(tmp_path / "full", model=wide)
    assert every_byte(tmp_path / "full") == every_byte(tmp_path / "quiet")


@contextmanager
def read_only(folder):
    """A folder that this user may read; root gives up its rights for a while."""
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    root = os.geteuid() == 0
    if root:
        os.seteuid(65_534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)
        for path in [folder, *folder.rglob("*")]:
            path.chmod(0o755 if path.is_dir() else 0o644)


def test_a_read_only_store_is_read_checked_and_not_written():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        found = filled(folder)
        with read_only(folder):
            assert (found.read(batch(1).hashes) == batch(1).states).all()
            assert check_store(folder)[0].sound
            with pytest.raises(StoreError, match=r"cannot be written \(Permission"):
                found.write(*batch(9))
            with (
                pytest.raises(StoreError, match=r"cannot be written \(Permission"),
                found.writing(),
            ):
                pass
            with pytest.raises(StoreError, match="cannot be written"):
                collection(folder, pooling="last").write(*batch(0))
        assert check_store(folder)[0].sound


def test_the_command_lists_what_is_there(tmp_path):
    found = filled(tmp_path)
    page = page_of(main, "store", "list", tmp_path)
    assert found.key in page
    assert "whitebox/tiny  12 prompts x 3 layers x 4, 4 shards" in page
    assert "pooling=mean dropped=none states=normed layers=all" in page
    (listed,) = output_of(main, "store", "list", tmp_path)
    assert listed == found.manifest()
    assert "fault" not in page
    cut_off(found.folder / "b001.safetensors")
    page = page_of(main, "store", "list", tmp_path)
    assert "9 prompts" in page
    assert "fault: b001.safetensors: it has" in page


def test_the_command_exits_with_1_on_damage_only(tmp_path):
    found = filled(tmp_path)
    assert "sound" in page_of(main, "store", "check", tmp_path)
    assert output_of(main, "store", "check", tmp_path)[0]["sound"]
    flip_a_bit_of_a_state(found.folder / "b002.safetensors")
    done = run(main, "store", "check", tmp_path)
    assert done.exit_code == 1
    assert "DAMAGED" in done.output
    assert "fault: b002.safetensors: its content is not what was" in done.output
    listed = json.loads(run(main, "store", "check", tmp_path, "--json").output)
    assert list(listed[0]["faults"]) == ["b002.safetensors"]


@pytest.mark.parametrize("command", ["list", "check"])
def test_a_folder_without_activations_is_one_line(tmp_path, command):
    for folder in (tmp_path, tmp_path / "none"):
        done = run(main, "store", command, folder)
        assert done.exit_code == 1
        assert done.stderr.count("\n") == 1
