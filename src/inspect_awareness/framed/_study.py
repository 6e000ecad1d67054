"""A study of one model: run by whoever asks first, and shared by all who ask."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
import numpy as np
from anyio.to_thread import run_sync

from inspect_awareness.errors import ModelError
from inspect_awareness.framed._asked import Asked
from inspect_awareness.framed._files import Finished, write_study
from inspect_awareness.framed._results import DirectionResults, direction_results
from inspect_awareness.framed._states import FramedStates, framed_states
from inspect_awareness.framed._surface import surface_of

if TYPE_CHECKING:
    from inspect_ai.model import Model

    from inspect_awareness.whitebox._activations import Progress
    from inspect_awareness.whitebox._local_model import LocalModel


@dataclass
class _Running:
    """A study that somebody asked for."""

    lock: anyio.Lock
    finished: Finished | None = None


_STUDIES: dict[tuple[str, Asked, str], _Running] = {}
"""By model, what was asked, and store: the samples of a task share one."""


async def study_of(
    model: "Model",
    asked: Asked,
    store: str,
    progress: "Callable[[Progress], None] | None" = None,
) -> Finished:
    """The study of a model: what is in the store is read, the rest is computed.

    Args:
        model: A local model, `whitebox/...`.
        asked: What the study asks for.
        store: The folder of activations; results go into `studies` in it.
        progress: Told after each batch of prompts.

    Raises:
        ModelError: The model is none whose activations can be had.
        InputError: A prompt cannot be used.
        StoreError: The store cannot be written.
    """
    key = (str(model), asked, str(Path(store).absolute()))
    running = _STUDIES.setdefault(key, _Running(anyio.Lock()))
    async with running.lock:
        if running.finished is None:
            running.finished = await _run(model, asked, store, progress)
    return running.finished


async def _run(
    model: "Model",
    asked: Asked,
    store: str,
    progress: "Callable[[Progress], None] | None",
) -> Finished:
    """Extract, compute, and write the results beside the activations."""
    from inspect_awareness.whitebox._store import Store

    local = await _loaded(model)
    kept = Store(store)
    states = await framed_states(local, asked, kept, progress)
    results = await run_sync(partial(_computed, str(model), states, asked))
    surface = await run_sync(partial(surface_of, asked.items, seed=asked.seed))
    return await run_sync(
        partial(
            write_study,
            Path(store),
            str(model),
            local.identity,
            asked,
            states,
            results,
            surface,
        )
    )


def _computed(model: str, states: FramedStates, asked: Asked) -> DirectionResults:
    """The results; states are finite, but products of huge ones may not be.

    Raises:
        ModelError: They are not.
    """
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            return direction_results(states, asked)
    except ValueError as ex:
        raise ModelError(f"{model}: its states give no directions ({ex})") from ex


async def _loaded(model: "Model") -> "LocalModel":
    """The weights behind a model of ours.

    Raises:
        ModelError: It is another kind of model.
    """
    from inspect_awareness.whitebox._provider import WhiteboxAPI

    if not isinstance(model.api, WhiteboxAPI):
        raise ModelError(
            f"{model} gives no activations: name a local model, such as "
            "--model whitebox/smollm2-135m"
        )
    return await model.api.loaded()
