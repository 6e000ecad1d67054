"""Whole checkpoints load, and what is wrong with another is said in one line."""

# ruff: noqa: E402 - what follows needs the packages that are looked for first

import json
import logging
import math
import shutil
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="needs the extra `local`: torch")
transformers = pytest.importorskip(
    "transformers", reason="needs the extra `local`: transformers"
)

import tiny
from safetensors.torch import load_file, save_file

from inspect_awareness.errors import ModelError
from inspect_awareness.whitebox._loading import local_model
from inspect_awareness.whitebox._local_model import LocalModel
from inspect_awareness.whitebox._source import Settings, check_hub, source

COMMIT = "0123456789abcdef0123456789abcdef01234567"
CPU = Settings(device="cpu")


def copied(tmp_path, kind="llama"):
    """A tiny checkpoint to be damaged."""
    folder = tmp_path / "model"
    shutil.copytree(tiny.model_folder(kind), folder)
    return folder


def with_weights(folder, change):
    """The same folder with changed weights."""
    weights = load_file(folder / "model.safetensors")
    change(weights)
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    return folder


def configured(folder, **changes):
    """The same folder with another configuration."""
    path = folder / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))
    return folder


def failure(folder):
    """What is said of a checkpoint that cannot be used."""
    with pytest.raises(ModelError) as caught:
        local_model(source(str(folder)), CPU)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("kind", ["llama", "qwen2", "gemma3", "gpt2", "mamba"])
def test_a_whole_checkpoint_of_every_family_loads(kind, tmp_path):
    model = local_model(source(str(copied(tmp_path, kind))), CPU)
    assert model.dtype == torch.float32
    assert model.identity.width == 32


def test_tied_embeddings_are_no_missing_weight(tmp_path):
    folder = copied(tmp_path)
    config = transformers.AutoConfig.from_pretrained(folder)
    config.tie_word_embeddings = True
    transformers.LlamaForCausalLM(config).save_pretrained(folder)
    assert "lm_head.weight" not in load_file(folder / "model.safetensors")
    model = local_model(source(str(folder)), CPU).model
    assert model.lm_head.weight is model.model.embed_tokens.weight


def test_missing_weights_are_named(tmp_path):
    lost = "model.layers.1.mlp.up_proj.weight"
    said = failure(with_weights(copied(tmp_path), lambda w: w.pop(lost)))
    assert f"1 missing weight ({lost})" in said
    assert "config.json says" not in said  # one lost weight is no lost layer


def test_a_missing_head_that_is_not_tied_is_named(tmp_path):
    said = failure(with_weights(copied(tmp_path), lambda w: w.pop("lm_head.weight")))
    assert "1 missing weight (lm_head.weight)" in said


def test_extra_weights_are_named(tmp_path):
    extra = {f"model.more.{i}": torch.ones(2) for i in range(6)}
    said = failure(with_weights(copied(tmp_path), lambda w: w.update(extra)))
    assert "6 extra weights (model.more.0, model.more.1," in said
    assert "model.more.3 and 2 more)" in said


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("llama", "model.layers.0.self_attn.rotary_emb.inv_freq"),
        ("gpt2", "transformer.h.0.attn.masked_bias"),
    ],
)
def test_constants_that_old_checkpoints_carry_are_no_extra_weights(
    tmp_path, kind, name
):
    constant = {name: torch.ones(4)}
    folder = with_weights(copied(tmp_path, kind), lambda w: w.update(constant))
    local_model(source(str(folder)), CPU)


@pytest.mark.parametrize("layers", [3, 5])
def test_another_number_of_layers_than_configured_is_said(tmp_path, layers):
    """Four layers were saved, of nine weights each."""
    said = failure(configured(copied(tmp_path), num_hidden_layers=layers))
    assert f"9 {'extra' if layers == 3 else 'missing'} weights" in said
    assert f"config.json says {layers} layers, the weights have 4" in said


def test_a_weight_of_another_shape_is_named_with_both_shapes(tmp_path):
    def shorten(weights):
        weights["model.norm.weight"] = torch.ones(16)

    said = failure(with_weights(copied(tmp_path), shorten))
    assert "model.norm.weight is (16,), expected (32,)" in said


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_one_number_that_is_not_finite_is_found(tmp_path, bad):
    def spoil(weights):
        weights["model.layers.2.self_attn.k_proj.weight"][3, 5] = bad

    said = failure(with_weights(copied(tmp_path), spoil))
    assert "NaN or infinite in torch.float32" in said
    assert "model.layers.2.self_attn.k_proj.weight" in said


def test_a_number_that_is_too_large_for_the_dtype_is_found(tmp_path):
    """1e6 is more than float16 holds (65,504), and fine in float32."""

    def enlarge(weights):
        weights["model.norm.weight"][0] = 1e6

    folder = str(with_weights(copied(tmp_path), enlarge))
    local_model(source(folder), CPU)
    with pytest.raises(ModelError, match=r"infinite in torch.float16: model.norm.wei"):
        local_model(source(folder), Settings(dtype="float16", device="cpu"))


def test_a_truncated_file_of_weights_is_said(tmp_path):
    folder = copied(tmp_path)
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-100])
    assert "cannot load the model" in failure(folder)
    assert "file not fully covered" in failure(folder)


def test_a_configuration_that_is_no_json_is_said(tmp_path):
    folder = copied(tmp_path)
    (folder / "config.json").write_text("{")
    assert "not a valid JSON" in failure(folder)


@pytest.mark.parametrize("kept", [-100, 3_000, 100, 10, 0])
def test_a_truncated_gguf_file_is_said(tmp_path, kept):
    pytest.importorskip("gguf", reason="needs the extra `local`: gguf")
    file = tiny.gguf_file(tmp_path / "a.gguf")
    file.write_bytes(file.read_bytes()[:kept])
    assert "cannot load the model" in failure(file)


def test_a_model_without_chat_template_says_how_turns_are_written(tmp_path, caplog):
    folder = copied(tmp_path)
    (folder / "chat_template.jinja").unlink()
    with caplog.at_level(logging.WARNING):
        model = local_model(source(str(folder)), CPU)
    assert "has no chat template: turns are written as lines of role and" in caplog.text
    assert model.style.template is None


def test_a_model_with_chat_template_says_nothing(tmp_path, caplog):
    with caplog.at_level(logging.WARNING):
        assert local_model(source(str(copied(tmp_path))), CPU).style.template
    assert caplog.text == ""


@pytest.mark.skipif(torch.cuda.is_available(), reason="needs a machine without CUDA")
def test_a_device_map_without_a_gpu_is_the_cpu(tmp_path):
    folder = str(copied(tmp_path))
    mapped = local_model(source(folder), Settings(device_map="auto"))
    assert mapped.device.type == "cpu"
    assert mapped is local_model(source(folder), CPU)  # and the very same model


@pytest.mark.skipif(
    torch.cuda.device_count() < 2, reason="needs a machine with two CUDA GPUs"
)
def test_a_device_map_spreads_the_layers_and_changes_no_score(tmp_path):
    folder = str(copied(tmp_path))
    tokens = list(range(3, 40))
    spread = local_model(source(folder), Settings("float32", device_map="auto"))
    whole = local_model(source(folder), Settings("float32", "cuda:0"))
    assert len(set(spread.model.hf_device_map.values())) > 1
    a, b = (m.forward(tokens, keep=[36]).cpu() for m in (spread, whole))
    assert torch.allclose(a, b, rtol=1e-4, atol=1e-4)


def test_a_model_that_was_made_in_memory_has_no_identity(tmp_path):
    read = local_model(source(str(copied(tmp_path))), CPU)
    made = LocalModel(read.model, read.tokenizer)
    with pytest.raises(ModelError, match="made in memory has no revision"):
        _ = made.identity


# --- the hub, from its cache ----------------------------------------------------------


@pytest.fixture
def hub(tmp_path, monkeypatch):
    """A hub's cache with `owner/tiny`, whose branch `main` leads to one commit."""
    from huggingface_hub import constants

    root = tmp_path / "hub"
    repository = root / "models--owner--tiny"
    shutil.copytree(tiny.model_folder(), repository / "snapshots" / COMMIT)
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text(COMMIT)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(root))
    return Path(root)


@pytest.mark.parametrize(
    "name", ["owner/tiny", "owner/tiny@main", f"owner/tiny@{COMMIT}"]
)
def test_the_commit_that_a_hub_id_led_to_is_its_revision(hub, name):
    found = check_hub(source(name))
    assert found.revision == COMMIT
    identity = local_model(found, CPU).identity
    assert (identity.name, identity.revision) == ("owner/tiny", COMMIT)


def test_a_model_of_the_hub_that_was_not_looked_up_knows_its_commit_too(hub):
    assert local_model(source("owner/tiny"), CPU).identity.revision == COMMIT


def test_a_revision_that_does_not_exist_is_unknown(hub):
    with pytest.raises(ModelError, match="unknown model 'owner/tiny@no-such-branch'"):
        check_hub(source("owner/tiny@no-such-branch"))


def test_pickled_weights_on_the_hub_are_refused_with_the_reason(hub):
    snapshot = hub / "models--owner--tiny" / "snapshots" / COMMIT
    (snapshot / "model.safetensors").unlink()
    torch.save({}, snapshot / "pytorch_model.bin")
    with pytest.raises(ModelError, match="can run any code when they are opened"):
        local_model(source("owner/tiny"), CPU)


def test_a_model_on_the_hub_without_tokenizer_is_said(hub):
    (hub / "models--owner--tiny" / "snapshots" / COMMIT / "tokenizer.json").unlink()
    with pytest.raises(ModelError, match=r"cannot load .* and a tokenizer.json"):
        local_model(source("owner/tiny"), CPU)
