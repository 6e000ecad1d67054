"""Pooled states of many prompts, beside a plain script and other libraries.

Run with ``python benchmarks/extraction.py``. The plain script runs one prompt at a time
with ``output_hidden_states`` and keeps what it gets, as published scripts do. It must
give our numbers. Both take turns, and the best of two counts, in seconds of CPU time:
other work on the machine changes these less than the clock's. Libraries that are not
installed are passed over with a line, and so is everything where the packaged model is
not on this machine.
"""

import asyncio
import ctypes
import gc
import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from itertools import product
from typing import Any

import numpy as np
import psutil

from inspect_awareness.whitebox import packaged_models
from inspect_awareness.whitebox._convention import DEFAULT, Convention

MODEL = "smollm2-135m"
PROMPTS = 60
PEER_PROMPTS = 8
REPEATS = 2
TARGETS = {"float32": 1.5, "bfloat16": 1.8}
BOUNDS = {"float32": 1e-4, "bfloat16": 0.03}  # largest relative difference of a state
WORDS = [
    "please",
    "tell",
    "me",
    "how",
    "the",
    "northern",
    "harbour",
    "counted",
    "its",
    "ships",
    "last",
    "winter",
    "and",
    "what",
    "the",
    "clerk",
    "wrote",
    "in",
    "the",
    "long",
    "report",
    "about",
    "tea,",
    "rope,",
    "salt",
    "and",
    "the",
    "price",
    "of",
    "lamps",
]
TWELVE = tuple(
    replace(DEFAULT, pooling=pooling, dropped=dropped, states=states)
    for pooling, dropped, states in product(
        ("mean", "last"),
        ((), ("bos", "white_space"), ("template",)),
        ("outputs", "normed"),
    )
)


@dataclass
class Cost:
    """What one way costs: the least of several times."""

    seconds: float = float("inf")
    megabytes: float = 0.0
    states: Any = field(default=None, repr=False)

    def of(self, work: Callable[[], Any]) -> None:
        """Do it once more."""
        gc.collect()
        give_back()
        process = psutil.Process()
        before = top = process.memory_info().rss
        done = threading.Event()

        def watch() -> None:
            nonlocal top
            while not done.wait(0.002):
                top = max(top, process.memory_info().rss)

        watching = threading.Thread(target=watch)
        watching.start()
        begin = time.process_time()
        self.states = None
        self.states = work()
        self.seconds = min(self.seconds, time.process_time() - begin)
        done.set()
        watching.join()
        self.megabytes = max(self.megabytes, (top - before) / 1e6)


def give_back() -> None:
    """Return what was freed to the system, so that it does not count as free room."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL("libc.so.6").malloc_trim(0)


def prompts(framings: int) -> list[Any]:
    """Tasks of 30 to 80 tokens, behind no framing or one of several."""
    from inspect_awareness.whitebox._prompts import FramedPrompt

    rng = random.Random(0)
    said = [" ".join(rng.choices(WORDS, k=45)) + "." for _ in range(framings)]
    return [
        FramedPrompt(
            said[n % framings] if framings else "",
            " ".join(rng.choices(WORDS, k=rng.randrange(30, 80))),
        )
        for n in range(PROMPTS)
    ]


def model(dtype: str) -> Any:
    """The packaged model, as the package loads it."""
    from inspect_awareness.whitebox._loading import local_model
    from inspect_awareness.whitebox._source import Settings, source

    return local_model(source(MODEL), Settings(dtype=dtype, device="cpu"))


def ours(local: Any, asked: Sequence[Any], *conventions: Convention) -> Any:
    """Our states under the first of the conventions."""
    from inspect_awareness.whitebox._extraction import extract

    return asyncio.run(extract(local, asked, conventions))[conventions[0]].states


def naive(local: Any, tokens: Sequence[Sequence[int]]) -> Any:
    """One prompt at a time; everything is kept until the end."""
    import torch

    kept = []
    for ids in tokens:
        with torch.inference_mode():
            kept.append(local.model(torch.tensor([ids]), output_hidden_states=True))
    means = [[h[0].float().mean(dim=0) for h in one.hidden_states] for one in kept]
    return np.stack([torch.stack(one).numpy() for one in means])


def beside_naive(dtype: str, local: Any, framings: int) -> Cost:
    """Print our cost beside the plain script's, for one set of prompts."""
    from inspect_awareness.whitebox._prompts import render

    asked = prompts(framings)
    convention = replace(DEFAULT, dtype=dtype)
    tokens = [one.tokens for one in render(local, asked, convention)]
    count = sum(map(len, tokens))
    mine, plain = Cost(), Cost()
    ours(local, asked[:2], convention)  # what is made once, at first use
    for _ in range(REPEATS):
        mine.of(lambda: ours(local, asked, convention))
        plain.of(lambda: naive(local, tokens))
    gap = difference(mine.states, plain.states)
    if gap > BOUNDS[dtype]:
        raise SystemExit(f"the states differ by {gap:.1e} in {dtype}")
    what = f"{framings} framings" if framings else "no framing"
    print(f"\n{dtype}, {len(asked)} prompts, {what}, {count:,} tokens")
    for name, cost in (("ours", mine), ("plain script", plain)):
        print(
            f"  {name:14}{cost.seconds:7.2f} s{count / cost.seconds:8,.0f} tokens/s"
            f"{cost.megabytes:8,.0f} MB above the model"
        )
    print(
        f"  ratio         {plain.seconds / mine.seconds:7.2f}   (target "
        f"{TARGETS[dtype]}; memory target 150 MB; largest difference {gap:.0e})"
    )
    return mine


def difference(found: Any, expected: Any) -> float:
    """The largest relative difference of a state."""
    sizes = np.linalg.norm(expected, axis=-1)
    return float((np.linalg.norm(found - expected, axis=-1) / sizes).max())


def twelve(dtype: str, local: Any) -> None:
    """Print what twelve conventions cost, as a multiple of one."""
    asked = prompts(3)
    conventions = [replace(one, dtype=dtype) for one in TWELVE]
    one, many = Cost(), Cost()
    for _ in range(REPEATS):
        one.of(lambda: ours(local, asked, *conventions[:1]))
        many.of(lambda: ours(local, asked, *conventions))
    print(f"\n{dtype}, {len(conventions)} conventions from one pass")
    print(f"  times one     {many.seconds / one.seconds:7.2f}   (target 3)")


def beside_matmul(dtype: str, local: Any) -> None:
    """Print how far we are from nothing but the model's matrix products."""
    import torch

    asked = prompts(0)
    convention = replace(DEFAULT, dtype=dtype, prefix="whole")
    mine, products = Cost(), Cost()
    padded = padded_tokens(local, asked, convention)
    layers = [
        module
        for module in local.model.get_decoder().modules()
        if isinstance(module, torch.nn.Linear)
    ]
    inputs = {
        layer.in_features: torch.ones(400, layer.in_features, dtype=local.dtype)
        for layer in layers
    }

    def multiply() -> None:
        with torch.inference_mode():
            for layer in layers:
                torch.nn.functional.linear(inputs[layer.in_features], layer.weight)

    for _ in range(REPEATS):
        mine.of(lambda: ours(local, asked, convention))
        products.of(multiply)
    share = products.seconds * padded / 400 / mine.seconds
    print(f"\n{dtype}, nothing shared: share of the speed of its matrix products alone")
    print(f"  share         {share:7.0%}")


def padded_tokens(local: Any, asked: Sequence[Any], convention: Convention) -> int:
    """Tokens that the batches compute, padding included."""
    from inspect_awareness.whitebox._batches import plan
    from inspect_awareness.whitebox._prompts import render

    rendered = render(local, asked, convention)
    batches = plan(rendered, budget=convention.budget, share=False)
    return sum(batch.padded for batch in batches)


def nnsight_states(local: Any, tokens: Sequence[Sequence[int]]) -> Any:
    """Mean states of every block's output, one trace a prompt."""
    import torch
    from nnsight import TransformersModel

    traced = TransformersModel(
        local.model, tokenizer=local.tokenizer, task="text-generation"
    )
    means = []
    for ids in tokens:
        with torch.inference_mode(), traced.trace(torch.tensor([ids])):
            found = [b.output.float().mean(dim=1)[0] for b in traced.model.layers]
            saved = torch.stack(found).save()
        means.append(saved.numpy())
    return np.stack(means)


def transformer_lens_states(local: Any, tokens: Sequence[Sequence[int]]) -> Any:
    """Mean states of every block's output, one cached run a prompt."""
    import torch
    from transformer_lens.model_bridge import TransformerBridge

    bridge = TransformerBridge.boot_transformers(
        MODEL,
        hf_model=local.model,
        tokenizer=local.tokenizer,
        device="cpu",
        dtype=local.dtype,
    )
    means = []
    for ids in tokens:
        with torch.inference_mode():
            _, cache = bridge.run_with_cache(
                torch.tensor([ids]), names_filter=lambda n: n.endswith("resid_post")
            )
        found = [state[0].float().mean(dim=0) for state in cache.values()]
        means.append(torch.stack(found).numpy())
    return np.stack(means)


def inspect_states(asked: Sequence[Any]) -> int:
    """Inspect's own provider; returns the bytes that its answers add to a log."""
    from inspect_ai.model import ChatMessageUser, GenerateConfig, get_model

    folder = next(m.folder for m in packaged_models() if m.name == MODEL)
    peer = get_model(
        f"hf/{MODEL}", model_path=str(folder), hidden_states=True, device="cpu"
    )
    config = GenerateConfig(max_tokens=1)

    async def answers() -> int:
        size = 0
        for prompt in asked:
            output = await peer.generate(
                [ChatMessageUser(content=prompt.task)], config=config
            )
            size += len(output.model_dump_json())
        return size

    return asyncio.run(answers())


def beside_libraries(local: Any) -> None:
    """Print what other libraries cost for a few prompts, in float32."""
    from inspect_awareness.whitebox._prompts import render

    asked = prompts(0)[:PEER_PROMPTS]
    tokens = [one.tokens for one in render(local, asked, DEFAULT)]
    count = sum(map(len, tokens))
    mine = Cost()
    outputs = replace(DEFAULT, states="outputs")
    for _ in range(REPEATS):
        mine.of(lambda: ours(local, asked, outputs))
    print(f"\nfloat32, {len(asked)} prompts, {count:,} tokens; a few, so that our")
    print("  check of two prompts beforehand weighs much")
    print(f"  {'ours':24}{mine.seconds:7.2f} s{mine.megabytes:8,.0f} MB")
    peers: dict[str, Callable[[], Any]] = {
        "nnsight": lambda: nnsight_states(local, tokens),
        "transformer_lens": lambda: transformer_lens_states(local, tokens),
        "inspect_ai": lambda: inspect_states(asked),
    }
    for name, work in peers.items():
        if find_spec(name) is None:
            print(f"  {name:24}skipped: it is not installed")
            continue
        cost = Cost()
        try:
            with quiet():
                cost.of(work)
        except Exception as error:  # noqa: BLE001 - a peer that breaks is reported
            print(f"  {name:24}skipped: {type(error).__name__}: {error}"[:88])
            continue
        print(
            f"  {name:24}{cost.seconds:7.2f} s{cost.megabytes:8,.0f} MB"
            f"{cost.seconds / mine.seconds:8.1f} times ours{_note(cost, mine)}"
        )


def _note(cost: Cost, mine: Cost) -> str:
    """Whether the peer's states are ours, or how much it writes into a log."""
    if isinstance(cost.states, int):
        return f", {cost.states / 1e6 / PEER_PROMPTS:.1f} MB of JSON a prompt"
    return f", largest difference {difference(mine.states, cost.states):.0e}"


@contextmanager
def quiet() -> Iterator[None]:
    """Peers warn and draw bars."""
    import warnings
    from contextlib import redirect_stderr
    from io import StringIO

    with warnings.catch_warnings(), redirect_stderr(StringIO()):
        warnings.simplefilter("ignore")
        yield


def main() -> None:
    """Print all comparisons."""
    if not any(m.name == MODEL and m.status == "ready" for m in packaged_models()):
        print(f"skipped: {MODEL} is not here; run `awareness models get {MODEL}`")
        return
    import torch

    from inspect_awareness.whitebox._dtype import choose_dtype

    trial = choose_dtype("cpu")
    said = ", ".join(f"{name} {1e3 * s:.1f} ms" for name, s in trial.seconds.items())
    print(f"{MODEL}, {torch.get_num_threads()} threads, seconds of CPU time")
    print(f"one matrix product: {said}; dtype=auto would choose {trial.chosen}")
    for dtype in ("float32", "bfloat16"):
        local = model(dtype)
        for framings in (0, 3):
            beside_naive(dtype, local, framings)
        twelve(dtype, local)
        beside_matmul(dtype, local)
        if dtype == "float32":
            beside_libraries(local)


if __name__ == "__main__":
    main()
