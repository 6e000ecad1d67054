"""The 36 directions of a study, beside building each one on its own.

Run with ``python benchmarks/directions.py``. The plain way extracts both framings of
every pair, 36 x 2 x 50 = 3,600 passes, one prompt at a time with
``output_hidden_states``; a sample of these is timed, and the rest is extrapolated. Ours
makes one mean for each of twelve framings, whose words are run once for all of their
tasks. Both are timed in seconds of CPU time, which other work on the machine changes
less than the clock's.
"""

import random
import time
from collections.abc import Sequence

import anyio
import numpy as np
import torch

from inspect_awareness.datasets.framings import cross, framings, task_texts
from inspect_awareness.datasets.scoring_sets import scoring_set
from inspect_awareness.stats import pair_directions
from inspect_awareness.whitebox import (
    Convention,
    FramedPrompt,
    extract,
    load,
    packaged_models,
)
from inspect_awareness.whitebox._prompts import render

MODEL = "smollm2-135m"
TASKS, ITEMS, SAMPLED = 50, 200, 24


def main() -> None:
    """Time both, and compare the directions that come out."""
    if not any(m.name == MODEL and m.status == "ready" for m in packaged_models()):
        print(f"{MODEL} is not on this machine: awareness models get {MODEL}")
        return
    model, convention = load(MODEL), Convention()
    arms = ("evaluation", "deployment")
    framed = [
        FramedPrompt(c.framing.text, c.task.text)
        for arm in arms
        for c in cross([f for f in framings() if f.arm == arm], task_texts()[:TASKS])
    ]
    items = [FramedPrompt("", item.text) for item in scoring_set()[:ITEMS]]
    begun = time.process_time()
    states = anyio.run(extract, model, framed, [convention])[convention].states
    built = time.process_time() - begun
    anyio.run(extract, model, items, [convention])
    whole = time.process_time() - begun
    tokens = [one.tokens for one in render(model, framed + items, convention)]
    rows = random.Random(0).sample(range(len(framed)), SAMPLED)
    each, plain = _plain(model, [tokens[row] for row in rows])
    few = random.Random(1).sample(range(len(framed), len(tokens)), SAMPLED // 2)
    item_each, _ = _plain(model, [tokens[row] for row in few])
    gap = np.abs(plain - states[rows]).max() / np.abs(plain).max()
    naive = each * 36 * 2 * TASKS
    print(f"36 directions, {TASKS} tasks: {built:.1f} s, plain {naive:.0f} s")
    print(f"  {naive / built:.1f} times as fast (target 15)")
    everything = naive + item_each * ITEMS
    print(f"with {ITEMS} items: {whole:.1f} s, plain {everything:.0f} s")
    print(f"  {everything / whole:.1f} times as fast (target 10)")
    print(f"largest relative difference of a state {gap:.1e}")
    means = states.reshape(2, 6, TASKS, *states.shape[1:]).mean(axis=2)
    print("directions", pair_directions(means[0], means[1]).shape)


def _plain(model: object, prompts: Sequence[Sequence[int]]) -> tuple[float, np.ndarray]:
    """Seconds a prompt, one at a time with all hidden states, and the means."""
    network = model.model  # type: ignore[attr-defined]
    found = []
    begun = time.process_time()
    with torch.inference_mode():
        for tokens in prompts:
            out = network(torch.tensor([list(tokens)]), output_hidden_states=True)
            found.append(
                np.stack([h[0].float().mean(0).numpy() for h in out.hidden_states])
            )
    return (time.process_time() - begun) / len(prompts), np.stack(found)


if __name__ == "__main__":
    main()
