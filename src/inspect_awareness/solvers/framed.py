"""Solver that has a local model read a message, and keeps where its states are."""

from collections.abc import Mapping
from typing import Any

from inspect_ai.model import get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import StoreModel, display_counter
from pydantic import Field

from inspect_awareness._prerequisites import checked

STORE = "activations"
"""The folder of activations, unless another is named."""


class FramedStore(StoreModel):
    """Where the states of a sample's message are."""

    activations: dict[str, Any] | None = Field(default=None)
    """The collection in the store: path, key, shape, hash of its content."""

    key: str | None = Field(default=None)
    """The state of this message in it; None where it is none of the study's items."""


@solver
@checked
def framed(  # noqa: PLR0913 each is an option of `inspect eval -S`
    framings: str | None = None,
    tasks: str | None = None,
    items: str = "situations",
    refusal: bool = True,  # noqa: FBT001, FBT002 given by name on the command line
    max_tasks: int | None = None,
    convention: Mapping[str, Any] | None = None,
    draws: int = 200,
    seed: int = 0,
    store: str = STORE,
) -> Solver:
    """Read framed tasks and items once for all samples; keep a pointer, no tensor.

    The first sample has everything extracted that the store does not hold; the others
    wait for it. Nothing is generated.

    Args:
        framings: A folder or file of framings; the package's by default.
        tasks: A file of tasks to put under them; the package's by default.
        items: `situations`, or a file of labelled messages.
        refusal: Whether refusal is studied as a second concept.
        max_tasks: Take only the first tasks.
        convention: Fields of the convention that are not the default, such as
            `{pooling: last, dropped: [bos]}`.
        draws: Content-free directions of each floor.
        seed: Seed of these draws.
        store: Folder of activations; results go into `studies` in it.

    Raises:
        InputError: A file or a value cannot be used.
        ModelError: The model is not a local one.
    """
    # statistics, which a registered component loads only when it is used
    from inspect_awareness.framed import asked, study_of

    wanted = asked(
        framings_path=framings,
        tasks_path=tasks,
        items=items,
        refusal=refusal,
        max_tasks=max_tasks,
        convention=convention,
        draws=draws,
        seed=seed,
    )

    async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001
        finished = await study_of(get_model(), wanted, store, _tell)
        kept = state.store_as(FramedStore)
        kept.activations = finished.record["activations"]
        kept.key = finished.item_hashes.get(str(state.sample_id))
        return state

    return solve


def _tell(progress: Any) -> None:
    """How far the extraction is, in Inspect's display."""
    display_counter(
        "extracted", f"{progress.prompts}/{progress.of} ({progress.rate:,.0f} tokens/s)"
    )
