"""The packaged models, where this machine has them: `awareness models get NAME`."""

import asyncio
import json
from importlib.util import find_spec

import pytest
from inspect_ai.model import GenerateConfig, get_model

from inspect_awareness.whitebox._packaged import PINS, PROVENANCE, is_ready
from inspect_awareness.whitebox._revision import revision
from inspect_awareness.whitebox._source import source

SHAPES = {
    "smollm2-135m": (30, 576),
    "gemma3-270m": (18, 640),
    "qwen2.5-coder-1.5b": (28, 1536),
}
REVISIONS = {
    "smollm2-135m": "3e60f881f8d1dc4e99d03e30e87d6cdb1d2198d0f9497748993d0cbad720c6f5",
    "gemma3-270m": "9374117f44dff54dbf35ca3fa0aff07fa4f24868c481e8f3d88d4442f13de38d",
    "qwen2.5-coder-1.5b": (
        "08af078f18a241c07de55a711560f8ec83579b112cdea5b46ff58d639bac1b88"
    ),
}
"""As converted by transformers 5.24.0; the weights of a pin never change."""


def where_ready(name):
    """The name, skipped where the model is not on this machine."""
    reason = f"needs the real model: awareness models get {name}"
    return pytest.param(name, marks=pytest.mark.skipif(not _ready(name), reason=reason))


def _ready(name):
    return find_spec("torch") is not None and is_ready(PINS[name])


@pytest.mark.parametrize("name", [where_ready(name) for name in PINS])
def test_a_packaged_model_is_the_one_that_was_pinned(name):
    folder = PINS[name].folder
    config = json.loads((folder / "config.json").read_text())
    assert (config["num_hidden_layers"], config["hidden_size"]) == SHAPES[name]
    assert json.loads((folder / PROVENANCE).read_text())["sha256"] == PINS[name].sha256
    assert revision(source(name)) == REVISIONS[name]
    assert source(name).short_name == name


@pytest.mark.parametrize("name", [where_ready("gemma3-270m")])
def test_a_base_model_answers_in_lines_of_role_and_text(name):
    model = get_model(f"whitebox/{name}", device="cpu", memoize=False)
    config = GenerateConfig(max_tokens=12, temperature=0)
    reply = asyncio.run(model.generate("What is the capital of France?", config=config))
    assert reply.completion.strip() == "The capital of France is Paris."


@pytest.mark.parametrize("name", [where_ready("gemma3-270m")])
def test_the_terms_lie_beside_the_weights(name):
    assert "Gemma Terms of Use" in (PINS[name].folder / "GEMMA_TERMS.html").read_text()
