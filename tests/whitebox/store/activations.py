"""States that are a function of their place, so that every number is known."""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from inspect_awareness.whitebox._collection import Collection
from inspect_awareness.whitebox._convention import Convention
from inspect_awareness.whitebox._identity import ModelIdentity
from inspect_awareness.whitebox._store import Store

MODEL = ModelIdentity("whitebox/tiny", "weights-1", layers=2, width=4)
LAYERS = 3  # hidden states as transformers numbers them: one more than blocks


class Planned(NamedTuple):
    name: str
    hashes: list[str]
    states: np.ndarray
    tokens: np.ndarray


def hash_of(prompt):
    return f"{prompt:016x}"


def state_of(prompt, width=MODEL.width):
    """1,000 times the prompt, 100 times the layer, and the place in the state."""
    places = 100.0 * np.arange(LAYERS)[:, None] + np.arange(width)
    return (1_000.0 * prompt + places).astype(np.float32)


def batch(number, size=3, width=MODEL.width):
    """Batch 0 holds prompts 0, 1, 2; batch 1 holds 3, 4, 5."""
    prompts = range(number * size, (number + 1) * size)
    return Planned(
        f"b{number:03d}",
        [hash_of(p) for p in prompts],
        np.stack([state_of(p, width) for p in prompts]),
        np.array([p + 1 for p in prompts]),
    )


def collection(folder, model=MODEL, **convention) -> Collection:
    return Store(folder).collection(model, Convention(**convention))


def filled(folder, batches=4, model=MODEL) -> Collection:
    """A collection with the first batches, written in one go."""
    found = collection(folder, model)
    with found.writing():
        for number in range(batches):
            found.write(*batch(number, width=model.width))
    return found


def every_byte(folder) -> dict[str, bytes]:
    """All files below a folder, hidden ones too."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(Path(folder).rglob("*"))
        if path.is_file()
    }
