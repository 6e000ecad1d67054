"""Killed, split over processes, or run twice: the bytes are those of one quiet run."""

import functools
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from whitebox.store.activations import batch, collection, every_byte, filled

from inspect_awareness.errors import StoreError

PROGRAM = Path(__file__).with_name("processes.py")


@functools.cache
def results():
    """What became of the processes; one start of Python serves all."""
    done = subprocess.run(
        [sys.executable, PROGRAM, "kills", "50", "shards", "4", "rivals", "2"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(PROGRAM.parents[2])},
    )
    return json.loads(done.stdout)


def test_fifty_kills_at_random_moments_leave_no_trace():
    found = results()["kills"]
    assert found["kills"] == 50
    assert found["torn"] > 0  # some were killed in the middle of a shard
    assert found["faults"] == []


def test_four_shards_at_once_give_the_store_of_one_run():
    assert results()["shards"] == {"statuses": [0, 0, 0, 0], "same": True}


def test_two_runs_that_write_the_same_batches_give_the_same_bytes():
    assert results()["rivals"] == {"statuses": [0, 0], "same": True}


def test_the_same_shard_cannot_be_written_by_two_runs_and_others_can(tmp_path):
    with collection(tmp_path).writing((1, 4)):
        with (
            pytest.raises(StoreError, match=r"another run writes shard 1/4"),
            collection(tmp_path).writing((1, 4)),
        ):
            pass
        with collection(tmp_path).writing((2, 4)):
            pass
    with collection(tmp_path).writing((1, 4)):
        pass  # it is free again


@pytest.mark.parametrize("shard", [(4, 4), (-1, 2), (0, 0)])
def test_a_shard_that_is_none_is_refused(tmp_path, shard):
    with (
        pytest.raises(StoreError, match="0/n to n-1/n"),
        collection(tmp_path).writing(shard),
    ):
        pass


def test_a_reader_sees_what_another_process_has_written_since(tmp_path):
    reader = collection(tmp_path)
    assert not reader.has(batch(0).hashes).any()
    filled(tmp_path, batches=1)
    assert reader.has(batch(0).hashes).all()
    filled(tmp_path, batches=2)
    assert reader.has(batch(1).hashes).all()


def test_an_error_of_the_work_itself_passes_through_and_keeps_what_was_written(
    tmp_path,
):
    found = collection(tmp_path)

    def stopped():
        with found.writing():
            found.write(*batch(0))
            raise OSError("no weights")

    with pytest.raises(OSError, match="no weights"):
        stopped()
    assert found.has(batch(0).hashes).all()
    assert found.manifest()["prompts"] == 3
    assert sorted(p.name for p in found.folder.iterdir()) == [
        "b000.safetensors",
        "manifest.json",
    ]


def test_what_a_killed_run_left_goes_with_the_next(tmp_path):
    whole = every_byte(filled(tmp_path / "quiet").folder)
    found = filled(tmp_path / "killed", batches=2)
    for leftover in (".b007.safetensors.part", ".writing-3-of-4.lock", ".x.part"):
        (found.folder / leftover).write_bytes(b"half a sha")
    assert every_byte(filled(tmp_path / "killed").folder) == whole
