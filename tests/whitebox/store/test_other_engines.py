"""A store that was filled without this package is read like one of ours."""

import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from inspect_awareness.whitebox._convention import Convention
from inspect_awareness.whitebox._identity import ModelIdentity
from inspect_awareness.whitebox._store import Store
from inspect_awareness.whitebox._store_check import check_store

pytest.importorskip("safetensors", reason="needs the extra `local`: safetensors")

EXAMPLE = Path(__file__).parents[3] / "examples" / "fill_store_from_numpy.py"
NAMES = runpy.run_path(str(EXAMPLE)) if EXAMPLE.exists() else {}

pytestmark = pytest.mark.skipif(not NAMES, reason="needs a checkout with examples/")

PROMPTS = [list(range(1, 5 + number)) for number in range(10)]


def opened(folder):
    """The collection as a study opens it, by model and convention."""
    record = NAMES["CONVENTION"]
    return Store(folder).collection(
        ModelIdentity(**NAMES["MODEL"]), Convention.from_record(record)
    )


def hashes():
    return [NAMES["prompt_hash"](p, list(range(len(p)))) for p in PROMPTS]


def test_the_example_fills_a_store_that_is_sound_and_read_as_ours(tmp_path):
    done = subprocess.run(
        [sys.executable, EXAMPLE, tmp_path], capture_output=True, text=True, check=True
    )
    found = opened(tmp_path)
    assert done.stdout.strip() == str(found.folder)
    (checked,) = check_store(tmp_path)
    assert checked.sound
    assert list(checked.notes) == ["manifest.json"]
    expected = np.stack([NAMES["activations"](p) for p in PROMPTS])
    assert (found.read(hashes()[::-1]) == expected[::-1]).all()
    assert found.tokens(hashes()).tolist() == [len(p) for p in PROMPTS]
    assert found.layers == (0, 1, 2, 3)


def test_our_run_goes_on_in_it(tmp_path):
    NAMES["main"](tmp_path)
    found = opened(tmp_path)
    with found.writing() as damaged:
        assert damaged == {}
        found.write("more", ["ab" * 8], np.ones((1, 4, 16), np.float32), [3])
    (checked,) = check_store(tmp_path)
    assert checked.sound
    assert not checked.notes
    assert found.manifest()["prompts"] == 11


def test_the_example_writes_what_we_would_write(tmp_path):
    NAMES["main"](tmp_path / "theirs")
    theirs = opened(tmp_path / "theirs")
    ours = Store(tmp_path / "ours", writer=NAMES["WRITER"]).collection(
        theirs.model, Convention.from_record(theirs.convention)
    )
    for shard in theirs.shards():
        states = theirs.read(shard.prompts)
        ours.write(shard.header["batch"], shard.prompts, states, shard.tokens())
        twin = ours.folder / shard.path.name
        assert twin.read_bytes() == shard.path.read_bytes()


def test_the_example_imports_nothing_of_this_package():
    assert "import inspect_awareness" not in EXAMPLE.read_text()
    assert "from inspect_awareness" not in EXAMPLE.read_text()


def test_the_example_names_prompts_as_we_do():
    pytest.importorskip("torch", reason="needs the extra `local`: torch")
    from inspect_awareness.whitebox._prompts import KINDS, Rendered

    flags = np.zeros((4, len(KINDS)), dtype=bool)
    ours = Rendered((1, 2, 3, 4), flags, "prompt 0", ("", ""))
    convention = Convention.from_record(NAMES["CONVENTION"])
    assert hashes()[0] == ours.hash(convention, NAMES["MODEL"]["revision"])
