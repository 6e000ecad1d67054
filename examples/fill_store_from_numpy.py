"""Fill an activation store from another engine, with numpy and safetensors alone.

Nothing of inspect-awareness is imported: this is what a program beside vLLM, or on
another machine, has to do. `activations` below makes numbers up; put your engine's
pooled states in its place. The format is described in docs/activation-store.md.

    python examples/fill_store_from_numpy.py FOLDER
"""

import hashlib
import json
import os
import sys
from pathlib import Path

import numpy as np
from safetensors.numpy import save

MODEL = {
    "name": "vllm/my-model",
    # all that the numbers depend on and the convention does not say
    "revision": "0123abcd, made-up engine 1.0",
    "layers": 4,
    "width": 16,
}
CONVENTION = {
    "attention": "sdpa",
    "batching": "single",
    "dropped": [],
    "dtype": "bfloat16",
    "layers": "all",
    "newlines": "lf",
    "pooling": "mean",
    "prefix": "whole",
    "rendering": "system",
    "states": "outputs",
    "truncation": "none",
}
LAYERS = [0, 1, 2, 3]
WRITER = "fill_store_from_numpy"


def canonical(value):
    """JSON with sorted keys and no spaces."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def short_hash(value):
    """16 hex digits of the sha256 of canonical JSON."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()[:16]


def prompt_hash(tokens, pooled):
    """The key of a prompt: its token ids, and the places of those that are pooled."""
    return short_hash(
        {
            "model": MODEL["revision"],
            "convention": short_hash(CONVENTION),
            "tokens": tokens,
            "pooled": pooled,
        }
    )


def activations(tokens):
    """What an engine gives for one prompt: one state a layer, made up here."""
    rng = np.random.default_rng(tokens)
    states = rng.standard_normal((len(LAYERS), len(tokens), MODEL["width"]))
    return states.mean(axis=1, dtype=np.float32)


def write_shard(folder, prompts):
    """Write prompts as one shard: beside its name, to the disk, then into place."""
    hashes = [prompt_hash(tokens, list(range(len(tokens)))) for tokens in prompts]
    states = np.stack([activations(tokens) for tokens in prompts]).astype("<f4")
    counts = np.array([len(tokens) for tokens in prompts], dtype="<i8")
    content = hashlib.sha256("\n".join(hashes).encode())
    content.update(states.tobytes())
    content.update(counts.tobytes())
    batch = short_hash(hashes)
    header = {
        "schema_version": 1,
        "axes": ["prompt", "layer", "width"],
        "batch": batch,
        "convention": CONVENTION,
        "layers": LAYERS,
        "model": MODEL,
        "prompts": hashes,
        "sha256": content.hexdigest(),
        "writer": WRITER,
    }
    tensors = {"states": states, "tokens": counts}
    part = folder / f".{batch}.safetensors.part"
    with part.open("wb") as file:
        file.write(save(tensors, {"activations": canonical(header)}))
        file.flush()
        os.fsync(file.fileno())
    part.replace(folder / f"{batch}.safetensors")


def main(store):
    """Write ten prompts in shards of four."""
    key = short_hash({"convention": CONVENTION, "revision": MODEL["revision"]})
    folder = Path(store) / key
    folder.mkdir(parents=True, exist_ok=True)
    prompts = [list(range(1, 5 + number)) for number in range(10)]
    for start in range(0, len(prompts), 4):
        write_shard(folder, prompts[start : start + 4])
    print(folder)


if __name__ == "__main__":
    main(sys.argv[1])
