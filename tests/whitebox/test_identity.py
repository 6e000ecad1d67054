"""A model's revision changes with what it computes, and with nothing else."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from inspect_awareness.whitebox import _digests
from inspect_awareness.whitebox._digests import digest_of, sha256_of
from inspect_awareness.whitebox._packaged import CACHE_VARIABLE, PROVENANCE
from inspect_awareness.whitebox._revision import of_files


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Something that looks like a checkpoint of two files, and an empty cache."""
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    made = tmp_path / "model"
    made.mkdir()
    (made / "a.safetensors").write_bytes(b"first")
    (made / "b.safetensors").write_bytes(b"second")
    (made / "config.json").write_text(
        json.dumps({"rope_theta": 1e4, "transformers_version": "5.24.0"})
    )
    return made


@pytest.fixture
def read(monkeypatch):
    """The names of files whose bytes were read to hash them."""
    names = []

    def counting(path):
        names.append(path.name)
        return sha256_of(path)

    monkeypatch.setattr(_digests, "sha256_of", counting)
    return names


def test_a_revision_is_64_hex_digits_and_the_same_wherever_the_files_lie(
    folder, tmp_path
):
    revision = of_files(folder, None)
    assert len(revision) == 64
    shutil.copytree(folder, tmp_path / "elsewhere")
    assert of_files(tmp_path / "elsewhere", None) == revision


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("a.safetensors", "First"),
        ("b.safetensors", "seconds"),
        ("c.safetensors", ""),
        ("config.json", '{"rope_theta": 5e5}'),
    ],
)
def test_other_weights_or_another_configuration_are_another_revision(
    folder, file, text
):
    before = of_files(folder, None)
    (folder / file).write_text(text)
    assert of_files(folder, None) != before


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("config.json", '{"transformers_version": "6", "rope_theta": 10000.0}'),
        ("tokenizer.json", "{}"),
        ("README.md", "hello"),
    ],
)
def test_what_is_not_computed_with_does_not_count(folder, file, text):
    before = of_files(folder, None)
    (folder / file).write_text(text)
    assert of_files(folder, None) == before


def test_a_gguf_file_is_hashed_alone(folder):
    (folder / "x.gguf").write_bytes(b"weights")
    before = of_files(folder, "x.gguf")
    (folder / "a.safetensors").write_bytes(b"other")
    assert of_files(folder, "x.gguf") == before
    (folder / "x.gguf").write_bytes(b"Weights")
    assert of_files(folder, "x.gguf") != before


def test_files_are_read_once(folder, read):
    first = of_files(folder, None)
    assert read == ["a.safetensors", "b.safetensors"]
    assert of_files(folder, None) == first
    assert len(read) == 2


def test_a_file_that_changed_is_read_again_and_only_that(folder, read):
    before = of_files(folder, None)
    (folder / "b.safetensors").write_bytes(b"SECOND")  # as long as before
    later = (folder / "b.safetensors").stat().st_mtime_ns + 10**9
    os.utime(folder / "b.safetensors", ns=(later, later))
    assert of_files(folder, None) != before
    assert read == ["a.safetensors", "b.safetensors", "b.safetensors"]


def test_the_provenance_of_a_packaged_model_spares_the_reading(folder, read):
    names = ("a.safetensors", "b.safetensors")
    known = {name: vars(digest_of(folder / name)) for name in names}
    (folder / PROVENANCE).write_text(json.dumps({"files": known}))
    read.clear()
    of_files(folder, None)
    assert read == []
    (folder / "a.safetensors").write_bytes(b"another length")
    of_files(folder, None)
    assert read == ["a.safetensors"]


def test_a_cache_that_cannot_be_written_costs_time_only(folder, read, monkeypatch):
    (folder.parent / "cache").write_text("this is a file")
    revision = of_files(folder, None)
    assert of_files(folder, None) == revision
    assert len(read) == 4


@pytest.mark.parametrize("text", ["", "[]", '{"files": {"a.safetensors": {"x": 1}}}'])
def test_a_damaged_cache_is_no_cache(folder, read, text):
    revision = of_files(folder, None)
    (cache,) = (folder.parent / "cache" / "digests").iterdir()
    cache.write_text(text)
    assert of_files(folder, None) == revision
    assert len(read) == 4


def test_an_identity_needs_no_torch():
    code = (
        "import sys\n"
        "from inspect_awareness.whitebox import _revision, _source\n"
        "from inspect_awareness.whitebox._identity import ModelIdentity\n"
        "ModelIdentity('m', 'r', layers=2, width=32)\n"
        "sys.exit('torch' in sys.modules or 'transformers' in sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.returncode == 0
