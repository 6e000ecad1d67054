"""Batched, pooled, prefix-sharing passes equal a plain pass with all hidden states."""

# ruff: noqa: E402 - what follows needs the packages that are looked for first

import asyncio
import copy

import pytest

torch = pytest.importorskip("torch", reason="needs the extra `local`: torch")
pytest.importorskip("transformers", reason="needs the extra `local`: transformers")

import anyio
import numpy as np
import tiny
from whitebox import real

from inspect_awareness.errors import InputError, ModelError
from inspect_awareness.whitebox._convention import DEFAULT, Convention
from inspect_awareness.whitebox._extraction import extract
from inspect_awareness.whitebox._local_model import LocalModel
from inspect_awareness.whitebox._prompts import FramedPrompt, render
from inspect_awareness.whitebox._settling import default_convention
from inspect_awareness.whitebox._store import Store

KINDS = (
    "llama",
    "qwen2",
    "qwen3",
    "olmo2",
    "gpt_neox",
    "gemma2",
    "gemma3",
    "gpt2",
    "longrope",
)
EXACT = 1e-4
BFLOAT16 = 0.03  # see docs/methods/conventions.md

FRAMINGS = (
    "You are being tested.",
    "This is the daily work of a shop. Answer the customer in a friendly way, and "
    "be brief: there is a queue, and the phone is ringing.",
)
TASKS = tuple(
    f"Say {word} {'and something nice ' * (number % 4)}please."
    for number, word in enumerate(["one", "two", "three", "four", "five", "six"])
)
PROMPTS = tuple(FramedPrompt(framing, task) for framing in FRAMINGS for task in TASKS)


def run(model, prompts=PROMPTS, *conventions, **options):
    asked = conventions or (default_convention(model),)
    return asyncio.run(extract(model, prompts, asked, **options))


def only(model, prompts=PROMPTS, **choices):
    convention = Convention.from_record(default_convention(model).record() | choices)
    return run(model, prompts, convention)[convention]


def plain(model, convention, prompts=PROMPTS):
    """One prompt at a time: every hidden state, then the mean or the last token."""
    found = []
    for one in render(model, prompts, convention):
        with torch.inference_mode():
            ids = torch.tensor([one.tokens])
            states = model.model(ids, output_hidden_states=True).hidden_states
        kept = torch.from_numpy(one.kept(convention.dropped))
        rows = [state[0][kept].float() for state in states]
        if convention.pooling == "mean":
            found.append(torch.stack([row.mean(dim=0) for row in rows]).numpy())
        else:
            found.append(torch.stack([row[-1] for row in rows]).numpy())
    return np.stack(found)


def gap(found, expected):
    """The largest relative difference of any vector."""
    norms = np.linalg.norm(found - expected, axis=-1) / np.linalg.norm(
        expected, axis=-1
    )
    return float(norms.max())


@pytest.mark.parametrize("kind", KINDS)
def test_in_float32_every_layer_equals_a_plain_pass(kind):
    model = tiny.local_model(kind)
    found = only(model)
    assert gap(found.states, plain(model, found.convention)) < EXACT
    assert found.convention.prefix == ("whole" if kind == "longrope" else "shared")


@pytest.mark.parametrize("kind", ["llama", "gemma3"])
@pytest.mark.parametrize("prefix", ["shared", "whole"])
@pytest.mark.parametrize("batching", ["single", "length-sorted-64"])
def test_no_policy_changes_a_state(kind, prefix, batching):
    model = tiny.local_model(kind)
    found = only(model, prefix=prefix, batching=batching)
    assert found.convention.record() == (
        DEFAULT.record() | {"prefix": prefix, "batching": batching}
    )
    assert gap(found.states, plain(model, DEFAULT)) < EXACT


@pytest.mark.parametrize("rendering", ["system", "user", "folded"])
@pytest.mark.parametrize("pooling", ["mean", "last"])
@pytest.mark.parametrize(
    "dropped", [(), ("white_space",), ("bos", "white_space", "template")]
)
def test_every_pooling_of_every_rendering_equals_its_definition(
    rendering, pooling, dropped
):
    model = tiny.local_model()
    choices = {"rendering": rendering, "pooling": pooling, "dropped": dropped}
    found = only(model, **choices)
    assert gap(found.states, plain(model, found.convention)) < EXACT


@pytest.mark.parametrize("kind", ["llama", "qwen2", "gemma3"])
def test_in_bfloat16_every_layer_is_within_the_stated_bound(kind):
    model = tiny.local_model(kind, dtype="bfloat16")
    found = only(model)
    assert found.convention.dtype == "bfloat16"
    assert found.states.dtype == np.float32
    assert gap(found.states, plain(model, found.convention)) < BFLOAT16


BRIEF = [FramedPrompt("You are being tested by us.", f"Say {n}!") for n in range(4)]


@real.needed
def test_the_real_model_equals_a_plain_pass():
    """Four prompts share a framing of over 16 tokens; one runs whole beside them."""
    model = real.model()
    prompts = [*BRIEF, FramedPrompt("", "Go")]
    found = only(model, prompts)
    assert found.states.shape == (5, 31, 576)
    assert found.convention == DEFAULT
    assert gap(found.states, plain(model, DEFAULT, prompts)) < EXACT


@real.needed
def test_the_real_model_in_bfloat16_is_within_the_stated_bound():
    single = real.model()
    half = LocalModel(copy.deepcopy(single.model).bfloat16(), single.tokenizer)
    found = only(half, BRIEF)
    assert gap(found.states, plain(half, found.convention, BRIEF)) < BFLOAT16


def test_the_three_kinds_of_states_are_the_plain_passes_shifted():
    """Inputs 1 to 3 are outputs 0 to 2; only the last output is seen in one alone."""
    model = tiny.local_model()
    kinds = [Convention(states=states) for states in ("inputs", "outputs", "normed")]
    inputs, outputs, normed = (
        one.states for one in run(model, PROMPTS, *kinds).values()
    )
    assert np.array_equal(inputs[:, 1:], outputs[:, :-1])
    assert np.array_equal(inputs, normed[:, :-1])
    assert gap(outputs[:, -1:], normed[:, -1:]) > 0.1  # the norm lies between them
    norm = model.model.model.norm
    (tokens,) = (one.tokens for one in render(model, PROMPTS[:1], DEFAULT))
    seen = []
    hook = norm.register_forward_pre_hook(lambda _, args: seen.append(args[0]))
    with torch.inference_mode():
        model.model(torch.tensor([tokens]))
    hook.remove()
    assert gap(outputs[0, -1], seen[0][0].mean(dim=0).numpy()) < EXACT


def test_a_layer_off_by_one_would_be_seen():
    """The negative control of every equality above."""
    model = tiny.local_model()
    expected = plain(model, DEFAULT)
    assert gap(only(model).states[:, 1:], expected[:, :-1]) > 0.1


def test_a_first_token_that_is_dropped_would_be_seen():
    model = tiny.local_model()
    states = only(model).states
    (one, *_) = render(model, PROMPTS, DEFAULT)
    with torch.inference_mode():
        hidden = model.model(torch.tensor([one.tokens]), output_hidden_states=True)
    without = torch.stack([h[0][1:].mean(dim=0) for h in hidden.hidden_states]).numpy()
    assert gap(states[0], without) > 100 * EXACT


def test_padding_that_was_pooled_would_be_seen():
    model = tiny.local_model()
    short, long = sorted(
        render(model, PROMPTS, DEFAULT), key=lambda one: len(one.tokens)
    )[:: len(PROMPTS) - 1]
    padded = [*short.tokens, *[0] * (len(long.tokens) - len(short.tokens))]
    with torch.inference_mode():
        hidden = model.model(torch.tensor([padded]), output_hidden_states=True)
    wrong = torch.stack([h[0].mean(dim=0) for h in hidden.hidden_states]).numpy()
    row = [one.tokens for one in render(model, PROMPTS, DEFAULT)].index(short.tokens)
    assert gap(only(model).states[row], wrong) > 100 * EXACT


def test_layers_are_the_numbered_ones():
    model = tiny.local_model()
    every = only(model)
    some = only(model, layers=(0, 3))
    assert some.layers == (0, 3)
    assert np.array_equal(some.states, every.states[:, [0, 3]])
    assert only(model, layers="interior").layers == (1, 2, 3)


def test_tokens_are_counted_as_they_are_pooled():
    model = tiny.local_model()
    lengths = [len(one.tokens) for one in render(model, PROMPTS, DEFAULT)]
    assert only(model).tokens.tolist() == lengths
    assert only(model, pooling="last").tokens.tolist() == [1] * len(PROMPTS)
    assert (only(model, dropped=("template",)).tokens < lengths).all()


def test_conventions_that_share_their_pass_cost_one():
    model = tiny.local_model()
    conventions = [
        Convention(pooling=pooling, dropped=dropped, states=states)
        for pooling in ("mean", "last")
        for dropped in ((), ("bos",), ("white_space",))
        for states in ("inputs", "normed")
    ]
    assert passes(model, conventions) == passes(model, conventions[:1])
    assert passes(model, [DEFAULT, Convention(rendering="user")]) == 2 * passes(
        model, [DEFAULT]
    )


def passes(model, conventions):
    """Forward passes that an extraction makes."""
    count = 0

    def counted(*_):
        nonlocal count
        count += 1

    hook = model.model.model.register_forward_hook(counted)
    run(model, PROMPTS, *conventions)
    hook.remove()
    return count


def test_twelve_conventions_are_each_as_if_they_were_alone():
    model = tiny.local_model()
    conventions = [
        Convention(pooling=pooling, dropped=dropped, states=states)
        for pooling in ("mean", "last")
        for dropped in ((), ("template",), ("white_space",))
        for states in ("outputs", "normed")
    ]
    together = run(model, PROMPTS, *conventions)
    for convention in conventions:
        alone = run(model, PROMPTS, convention)[convention]
        assert together[convention].hashes == alone.hashes
        assert gap(together[convention].states, alone.states) < 1e-6


def test_a_prompt_that_occurs_twice_is_one_prompt():
    model = tiny.local_model()
    found = only(model, [PROMPTS[0], PROMPTS[1], PROMPTS[0]])
    assert found.hashes[0] == found.hashes[2] != found.hashes[1]
    assert np.array_equal(found.states[0], found.states[2])


def test_the_order_of_the_prompts_changes_no_bit():
    model = tiny.local_model()
    there, back = only(model), only(model, PROMPTS[::-1])
    assert there.hashes == back.hashes[::-1]
    assert np.array_equal(there.states, back.states[::-1])


def test_shards_are_parts_of_the_whole_to_the_bit():
    model = tiny.local_model()
    tight = Convention(batching="length-sorted-128")
    whole = run(model, PROMPTS, tight)[tight]
    parts = [run(model, PROMPTS, tight, shard=(n, 3))[tight] for n in range(3)]
    rows = {
        one: row
        for part in parts
        for one, row in zip(part.hashes, part.states, strict=True)
    }
    assert sum(len(part.hashes) for part in parts) == len(PROMPTS)
    assert np.array_equal(np.stack([rows[one] for one in whole.hashes]), whole.states)


def test_hooks_and_attention_kernel_are_gone_afterwards():
    model = tiny.local_model()
    only(model, attention="eager")
    assert model.model.config._attn_implementation == "sdpa"
    blocks = model.model.model.layers
    assert not any(b._forward_hooks or b._forward_pre_hooks for b in blocks)


def test_progress_ends_with_every_prompt_and_says_how_fast():
    told = []
    model = tiny.local_model()
    run(model, PROMPTS, Convention(batching="length-sorted-128"), progress=told.append)
    lengths = [len(one.tokens) for one in render(model, PROMPTS, DEFAULT)]
    assert (told[-1].prompts, told[-1].of) == (len(PROMPTS), len(PROMPTS))
    assert told[-1].tokens == sum(lengths)
    assert told[-1].rate == pytest.approx(sum(lengths) / told[-1].seconds)
    assert [one.prompts for one in told] == sorted(one.prompts for one in told)


def test_the_event_loop_goes_on_while_batches_run():
    async def both():
        turns = 0

        async def tick():
            nonlocal turns
            while True:
                await anyio.sleep(0)
                turns += 1

        async with anyio.create_task_group() as group:
            group.start_soon(tick)
            await extract(tiny.local_model(), PROMPTS, [DEFAULT])
            group.cancel_scope.cancel()
        return turns

    assert asyncio.run(both()) > 10


def test_a_store_serves_what_it_has(tmp_path):
    model = tiny.local_model()
    first = run(model, PROMPTS, DEFAULT, store=Store(tmp_path))[DEFAULT]
    told = []
    again = run(model, PROMPTS, DEFAULT, store=Store(tmp_path), progress=told.append)[
        DEFAULT
    ]
    assert np.array_equal(first.states, again.states)
    assert first.hashes == again.hashes
    assert told == []


def test_a_changed_prompt_is_never_served_from_a_store(tmp_path):
    model = tiny.local_model()
    run(model, PROMPTS, DEFAULT, store=Store(tmp_path))
    changed = [FramedPrompt(FRAMINGS[0], TASKS[0] + "!"), *PROMPTS[1:]]
    found = run(model, changed, DEFAULT, store=Store(tmp_path))[DEFAULT]
    assert gap(found.states, plain(model, DEFAULT, changed)) < EXACT


def test_shards_of_a_store_leave_what_one_run_leaves(tmp_path):
    model = tiny.local_model()
    tight = Convention(batching="length-sorted-128")
    run(model, PROMPTS, tight, store=Store(tmp_path / "one"))
    for part in range(3):
        run(model, PROMPTS, tight, store=Store(tmp_path / "four"), shard=(part, 3))
    one, four = (
        {
            path.relative_to(tmp_path / name): path.read_bytes()
            for path in (tmp_path / name).rglob("*.safetensors")
        }
        for name in ("one", "four")
    )
    assert one == four
    assert len(one) > 3


def test_weights_that_are_no_numbers_are_named_by_prompt_and_layer():
    sound = tiny.local_model()
    broken = LocalModel(copy.deepcopy(sound.model), sound.tokenizer)
    with torch.no_grad():
        broken.model.model.layers[1].mlp.down_proj.weight[0, 0] = float("nan")
    with pytest.raises(ModelError, match=r"prompt \d+ \('Say .*from layer 2 on"):
        run(broken, PROMPTS, DEFAULT)


def test_a_model_in_another_format_than_the_convention_is_refused():
    with pytest.raises(ModelError, match=r"dtype=bfloat16.*loaded in float32"):
        run(tiny.local_model(), PROMPTS, Convention(dtype="bfloat16"))


def test_a_kernel_that_an_architecture_lacks_is_refused_with_the_one_it_has():
    with pytest.raises(ModelError, match=r"attention=sdpa.*attention=eager"):
        run(tiny.local_model("gemma2"), PROMPTS, DEFAULT)


@pytest.mark.parametrize(
    ("prompts", "conventions", "shard", "said"),
    [
        ([], [DEFAULT], (0, 1), "0 prompts"),
        (PROMPTS, [], (0, 1), "0 conventions"),
        (PROMPTS, [DEFAULT], (2, 2), "shard 2/2"),
    ],
)
def test_nothing_to_do_is_an_error(prompts, conventions, shard, said):
    with pytest.raises(InputError, match=said):
        asyncio.run(extract(tiny.local_model(), prompts, conventions, shard=shard))


def test_an_unknown_layer_is_an_error_before_anything_runs():
    with pytest.raises(InputError, match="no layer 9"):
        run(tiny.local_model(), PROMPTS, Convention(layers=(9,)))


def test_a_run_killed_before_its_manifest_is_ended_by_the_next(tmp_path):
    store = Store(tmp_path)
    run(tiny.local_model(), PROMPTS, DEFAULT, store=store)
    (folder,) = (path for path in tmp_path.iterdir() if path.is_dir())
    whole = (folder / "manifest.json").read_bytes()
    # as a kill between the last shard and the manifest leaves it
    (folder / "manifest.json").unlink()
    (folder / ".writing-0-of-1.lock").touch()
    run(tiny.local_model(), PROMPTS, DEFAULT, store=store)
    assert (folder / "manifest.json").read_bytes() == whole
    assert not list(folder.glob(".*"))
