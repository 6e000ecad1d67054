"""The states that a study needs of one model: extracted once, and then read."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from inspect_awareness.datasets.framings import Framing, cross
from inspect_awareness.errors import InputError
from inspect_awareness.framed._asked import Asked
from inspect_awareness.whitebox._convention import DEFAULT

if TYPE_CHECKING:
    from inspect_awareness.whitebox._activations import Progress
    from inspect_awareness.whitebox._convention import Convention
    from inspect_awareness.whitebox._local_model import LocalModel
    from inspect_awareness.whitebox._prompts import FramedPrompt
    from inspect_awareness.whitebox._store import Store

States = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class FramedStates:
    """Pooled states of one model, float32."""

    convention: "Convention"
    """How they were made, as the model settled it."""

    layers: tuple[int, ...]
    """Numbers of the layers, in the order of the axis."""

    evaluation: States
    """Tasks under evaluation framings, shape (framings, tasks, layers, width)."""

    deployment: States
    """The same under deployment framings."""

    items: States
    """Scored items, shape (items, layers, width)."""

    requests: States
    """Requests of the second concept under neutral framings, shape (framings, requests,
    layers, width); empty without it."""

    plain_requests: States
    """The same requests without a framing, shape (requests, layers, width)."""

    item_hashes: tuple[str, ...]
    """Of each item as the model reads it: its key in the store."""

    pointer: dict[str, Any] | None
    """Where the states are kept; None in memory."""


async def framed_states(
    model: "LocalModel",
    asked: Asked,
    store: "Store | None",
    progress: "Callable[[Progress], None] | None" = None,
) -> FramedStates:
    """Extract what is not in the store, and read everything.

    One pass over all prompts: each framing's words are run once for all of its tasks.

    Raises:
        InputError: A prompt does not fit, or has no token left to pool, or the
            convention names another number format than the model's.
        ModelError: The model does not take the convention.
        StoreError: The store cannot be written.
    """
    from inspect_awareness.whitebox._extraction import extract

    wanted = _convention_for(model, asked)
    parts = _prompts(asked)
    every = [prompt for part in parts.values() for prompt in part]
    found = (await extract(model, every, [wanted], store, progress=progress))[wanted]
    ends = np.cumsum([len(part) for part in parts.values()])[:-1]
    pieces = dict(zip(parts, np.split(found.states, ends), strict=True))
    start = len(parts["evaluation"]) + len(parts["deployment"])
    collection = (
        None if store is None else store.collection(model.identity, found.convention)
    )
    return FramedStates(
        convention=found.convention,
        layers=found.layers,
        evaluation=_by_framing(pieces["evaluation"], len(asked.tasks)),
        deployment=_by_framing(pieces["deployment"], len(asked.tasks)),
        items=pieces["items"],
        requests=_by_framing(pieces["requests"], max(len(asked.requests), 1)),
        plain_requests=pieces["plain_requests"],
        item_hashes=found.hashes[start : start + len(asked.items)],
        pointer=None if collection is None else collection.pointer(),
    )


def differing(states: FramedStates) -> FramedStates:
    """The same states, at layers where every pair of framings has a direction.

    Where the last token is pooled and belongs to the template, its embedding is the
    same in every prompt, so that layer 0 has none.

    Raises:
        InputError: No layer is left.
    """
    m_e, m_d = states.evaluation.mean(axis=1), states.deployment.mean(axis=1)
    kept = (m_e[:, None] != m_d[None]).any(axis=-1).all(axis=(0, 1))
    if kept.all():
        return states
    if not kept.any():
        raise InputError(
            "two framings give equal states at every layer, so there is no direction "
            f"between them, with pooling={states.convention.pooling}; give framings "
            "whose words differ, or another convention"
        )
    return replace(
        states,
        layers=tuple(np.array(states.layers)[kept].tolist()),
        evaluation=states.evaluation[:, :, kept],
        deployment=states.deployment[:, :, kept],
        items=states.items[:, kept],
        requests=states.requests[:, :, kept],
        plain_requests=states.plain_requests[:, kept],
    )


async def fill(
    model: "LocalModel",
    asked: Asked,
    store: "Store",
    shard: tuple[int, int] = (0, 1),
    progress: "Callable[[Progress], None] | None" = None,
) -> int:
    """Extract one part of what a study needs into a store, and compute nothing else.

    Args:
        model: A loaded model.
        asked: What the study asks for.
        store: Where states are kept; several machines may write parts of one.
        shard: `(i, n)`: the i-th of n parts, counted from 0.
        progress: Told after each batch.

    Returns:
        How many prompts this part holds.

    Raises:
        InputError: As `framed_states`, or there is no such part.
    """
    from inspect_awareness.whitebox._extraction import extract

    wanted = _convention_for(model, asked)
    every = [prompt for part in _prompts(asked).values() for prompt in part]
    found = await extract(model, every, [wanted], store, shard=shard, progress=progress)
    return len(found[wanted].hashes)


def _convention_for(model: "LocalModel", asked: Asked) -> "Convention":
    """The convention that was asked for, in the model's own format and kernel."""
    from inspect_awareness.whitebox._settling import default_convention

    own = default_convention(model)
    for name in ("dtype", "attention"):
        value, theirs = getattr(asked.convention, name), getattr(own, name)
        if value not in (theirs, getattr(DEFAULT, name)):
            how = f", or load the model so: -M dtype={value}"
            raise InputError(
                f"convention: {name} is {value}, but the model was loaded with "
                f"{theirs}; leave it out{how if name == 'dtype' else ''}"
            )
    return replace(asked.convention, dtype=own.dtype, attention=own.attention)


def _prompts(asked: Asked) -> dict[str, list["FramedPrompt"]]:
    """All prompts by what they are for, in one order."""
    from inspect_awareness.whitebox._prompts import FramedPrompt

    def framed(framings: Sequence[Framing]) -> list[FramedPrompt]:
        return [
            FramedPrompt(
                each.framing.text,
                each.task.text,
                each.framing.before,
                each.framing.after,
            )
            for each in cross(framings, asked.tasks)
        ]

    neutral = asked.arm("neutral")
    return {
        "evaluation": framed(asked.arm("evaluation")),
        "deployment": framed(asked.arm("deployment")),
        "items": [FramedPrompt("", item.text) for item in asked.items],
        "requests": [
            FramedPrompt(framing.text, item.text, framing.before, framing.after)
            for framing in neutral
            for item in asked.requests
        ],
        "plain_requests": [FramedPrompt("", item.text) for item in asked.requests],
    }


def _by_framing(states: States, each: int) -> States:
    """States with an axis for framings in front."""
    return states.reshape(-1, each, *states.shape[1:])
