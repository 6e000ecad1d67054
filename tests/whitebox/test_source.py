import pytest

from inspect_awareness.errors import ModelError
from inspect_awareness.whitebox._packaged import CACHE_VARIABLE, PROVENANCE
from inspect_awareness.whitebox._source import Settings, settings, source


def test_settings_are_what_was_given():
    given = {"dtype": "bfloat16", "device": "cuda:1", "batch_tokens": 512}
    assert settings(given) == Settings("bfloat16", "cuda:1", 512)
    assert settings({}) == Settings(None, None, None)


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
        ("batch_tokens", 0),
        ("batch_tokens", True),
        ("batch_tokens", "many"),
    ],
)
def test_a_value_that_is_not_allowed_is_shown_with_what_is(name, value):
    with pytest.raises(ModelError, match=f"{name}={value!r}: {name} must be"):
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


def test_a_folder_with_a_config_is_a_checkpoint(tmp_path):
    (tmp_path / "config.json").write_text("{}")
    assert source(str(tmp_path)).path == str(tmp_path)


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


def test_any_other_name_is_left_to_transformers():
    found = source("owner/model")
    assert (found.path, found.local) == ("owner/model", False)
