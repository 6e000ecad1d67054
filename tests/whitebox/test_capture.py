"""Hooks see every state once, whatever a block returns, and leave nothing behind."""

# ruff: noqa: E402 - what follows needs the packages that are looked for first

import subprocess
import sys

import pytest

torch = pytest.importorskip("torch", reason="needs the extra `local`: torch")
pytest.importorskip("transformers", reason="needs the extra `local`: transformers")

import tiny

from inspect_awareness.errors import ModelError
from inspect_awareness.whitebox._capture import Pooler, stack, watched

BLOCKS = 4


class Doubles(torch.nn.Module):
    """A block that returns a tensor, or a tuple as blocks once did."""

    def __init__(self, *, in_tuple):
        super().__init__()
        self.in_tuple = in_tuple

    def forward(self, hidden_states):
        doubled = 2 * hidden_states
        return (doubled, "attention weights") if self.in_tuple else doubled


@pytest.mark.parametrize("by_name", [True, False])
@pytest.mark.parametrize("in_tuple", [True, False])
def test_the_states_of_three_blocks_that_double(in_tuple, by_name):
    blocks = [Doubles(in_tuple=in_tuple) for _ in range(3)]
    seen = {}
    hidden = torch.ones(2, 5, 3)
    with watched(blocks, seen.__setitem__):
        for block in blocks:
            given = {"hidden_states": hidden} if by_name else {}
            found = block(**given) if by_name else block(hidden)
            hidden = found[0] if in_tuple else found
    assert [float(seen[n].mean()) for n in range(4)] == [1, 2, 4, 8]
    assert all(state.shape == (2, 5, 3) for state in seen.values())


def test_hooks_are_gone_after_an_error():
    blocks = [Doubles(in_tuple=False)]
    with pytest.raises(RuntimeError, match="stop"), watched(blocks, {}.setdefault):
        raise RuntimeError("stop")
    assert not blocks[0]._forward_hooks
    assert not blocks[0]._forward_pre_hooks


def test_the_first_prompt_of_a_batch_is_not_taken_for_the_batch():
    """``output[0]`` of a tensor drops the batch; the pooler does not take that."""
    pooler = Pooler(torch.ones(2, 1, 5))
    states = torch.ones(2, 5, 3)
    pooler.take(0, states)
    with pytest.raises(ModelError, match=r"shape \(5, 3\)"):
        pooler.take(1, states[0])


def test_sums_are_over_the_chosen_tokens_in_float32():
    """Rows 1 1 0 and 0 0 1 over the states 1, 2, 4: sums 3 and 4."""
    pooler = Pooler(torch.tensor([[[1.0, 1, 0], [0, 0, 1]]]))
    pooler.take(0, torch.tensor([[[1.0], [2], [4]]], dtype=torch.bfloat16))
    sums = pooler.sums(1)
    assert sums.dtype == torch.float32
    assert sums.flatten().tolist() == [3, 4]


def test_a_state_that_never_came_is_an_error():
    pooler = Pooler(torch.ones(1, 1, 2))
    pooler.take(0, torch.ones(1, 2, 3))
    with pytest.raises(ModelError, match="without showing its state 1"):
        pooler.sums(2)


@pytest.mark.parametrize(
    "kind",
    ["llama", "qwen2", "qwen3", "olmo2", "gpt_neox", "gemma2", "gemma3"],
)
def test_the_blocks_of_every_family_are_found(kind):
    assert len(stack(tiny.local_model(kind)).blocks) == BLOCKS


def test_a_model_without_a_list_of_blocks_is_refused():
    model = tiny.local_model()
    layers, model.model.model.layers = model.model.model.layers, torch.nn.Identity()
    try:
        with pytest.raises(ModelError, match="no list of 4 blocks"):
            stack(model)
    finally:
        model.model.model.layers = layers


def test_conventions_and_prompts_need_no_torch():
    code = (
        "import sys\n"
        "import inspect_awareness.whitebox._activations\n"
        "import inspect_awareness.whitebox._batches\n"
        "assert 'torch' not in sys.modules and 'transformers' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
