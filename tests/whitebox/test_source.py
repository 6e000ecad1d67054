import re

import pytest

from inspect_awareness.errors import ModelError
from inspect_awareness.whitebox._packaged import CACHE_VARIABLE, PROVENANCE
from inspect_awareness.whitebox._source import Settings, settings, source


def test_settings_are_what_was_given():
    given = {"dtype": "bfloat16", "device": "cuda:1", "batch_tokens": 512}
    assert settings(given) == Settings("bfloat16", "cuda:1", 512)
    assert settings({}) == Settings(None, None, None, None)
    assert settings({"device_map": "auto"}).device_map == "auto"


def test_an_unknown_argument_names_the_allowed_ones():
    with pytest.raises(ModelError) as caught:
        settings({"trust_remote_code": True})
    for word in ("'trust_remote_code'", "dtype", "device", "batch_tokens"):
        assert word in str(caught.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("dtype", "int8"),
        ("dtype", 16),
        ("device", "gpu"),
        ("device", 0),
        ("device", "cuda:"),
        ("device_map", "balanced"),
        ("device_map", {"": 0}),
        ("batch_tokens", 0),
        ("batch_tokens", True),
        ("batch_tokens", "many"),
    ],
)
def test_a_value_that_is_not_allowed_is_shown_with_what_is(name, value):
    with pytest.raises(
        ModelError, match=re.escape(f"{name}={value!r}: {name} must be")
    ):
        settings({name: value})


def test_a_packaged_model_that_is_not_fetched_says_how_to_fetch_it(
    tmp_path, monkeypatch
):
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    with pytest.raises(ModelError, match="`awareness models get smollm2-135m`"):
        source("smollm2-135m")


def test_a_fetched_packaged_model_is_found_by_name_in_any_case(tmp_path, monkeypatch):
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    folder = tmp_path / "models" / "smollm2-135m-b179c952"
    folder.mkdir(parents=True)
    (folder / PROVENANCE).write_text("{}")
    found = source("SmolLM2-135M")
    assert (found.path, found.gguf, found.local) == (str(folder), None, True)


def test_a_device_and_a_device_map_exclude_each_other():
    with pytest.raises(ModelError, match="give one of them"):
        settings({"device": "cuda", "device_map": "auto"})


def checkpoint(folder, *files):
    """Empty files with the names of a checkpoint's."""
    folder.mkdir(exist_ok=True)
    for name in files:
        (folder / name).write_text("{}")
    return str(folder)


def test_a_folder_with_configuration_weights_and_tokenizer_is_a_checkpoint(tmp_path):
    whole = ("config.json", "model.safetensors", "tokenizer.json")
    found = source(checkpoint(tmp_path, *whole))
    assert (found.path, found.gguf, found.local) == (str(tmp_path), None, True)
    assert found.short_name == tmp_path.name


def test_a_folder_without_tokenizer_says_what_to_copy(tmp_path):
    halves = ("config.json", "model.safetensors", "tokenizer_config.json")
    with pytest.raises(ModelError, match=r"without its tokenizer: copy .*tokenizer.js"):
        source(checkpoint(tmp_path, *halves))


@pytest.mark.parametrize("name", ["pytorch_model.bin", "model.pt", "model.pth"])
def test_pickled_weights_are_refused_with_the_reason(tmp_path, name):
    folder = checkpoint(tmp_path, "config.json", "tokenizer.json", name)
    for given in (folder, f"{folder}/{name}"):
        with pytest.raises(ModelError) as caught:
            source(given)
        assert name in str(caught.value)
        assert "can run any code when they are opened" in str(caught.value)
        assert "save_pretrained" in str(caught.value)


def test_pickled_weights_beside_safetensors_do_not_matter(tmp_path):
    names = ("config.json", "model.safetensors", "tokenizer.json", "pytorch_model.bin")
    assert source(checkpoint(tmp_path, *names)).gguf is None


def test_a_file_that_is_no_model_is_not_taken_for_a_hub_id(tmp_path):
    with pytest.raises(ModelError, match=r"is no model: give a \.gguf file"):
        source(checkpoint(tmp_path, "notes.txt") + "/notes.txt")


def test_a_gguf_file_is_found_by_its_own_name_and_by_its_folder(tmp_path):
    (tmp_path / "a.gguf").write_bytes(b"")
    by_file, by_folder = source(str(tmp_path / "a.gguf")), source(str(tmp_path))
    assert by_file.gguf == by_folder.gguf == "a.gguf"
    assert by_file.path == by_folder.path == str(tmp_path)


def test_a_folder_without_a_model_says_what_was_expected(tmp_path):
    with pytest.raises(ModelError, match=r"holds no model: expected a config.json"):
        source(str(tmp_path))


def test_two_gguf_files_are_ambiguous(tmp_path):
    for name in ("a.gguf", "b.gguf"):
        (tmp_path / name).write_bytes(b"")
    with pytest.raises(ModelError, match=r"exactly one .gguf file \(found 2\)"):
        source(str(tmp_path))


@pytest.mark.parametrize(
    ("name", "path", "revision"),
    [
        ("owner/model", "owner/model", None),
        ("owner/model@main", "owner/model", "main"),
        ("gpt2@refs/pr/5", "gpt2", "refs/pr/5"),
        ("owner/a-b.c_d@" + "0f" * 20, "owner/a-b.c_d", "0f" * 20),
    ],
)
def test_any_other_name_is_a_hub_id_with_or_without_revision(name, path, revision):
    found = source(name)
    assert (found.path, found.revision, found.local) == (path, revision, False)
    assert found.short_name == path


@pytest.mark.parametrize("name", ["/no/such/folder", "./x", "a/b/c", "a/b@", "a b"])
def test_what_is_neither_a_path_nor_a_hub_id_is_unknown(name):
    with pytest.raises(ModelError, match=r"unknown model .* it is no hub id"):
        source(name)


def test_a_folder_with_an_at_sign_is_a_folder(tmp_path):
    whole = ("config.json", "model.safetensors", "tokenizer.json")
    folder = checkpoint(tmp_path / "model@home", *whole)
    assert (source(folder).path, source(folder).revision) == (folder, None)
