"""Task: the directions of all pairs of framings, scored on labelled messages."""

from collections.abc import Mapping
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample

from inspect_awareness._prerequisites import checked
from inspect_awareness._version import __version__
from inspect_awareness.scorers.direction import direction
from inspect_awareness.solvers.framed import STORE, framed


@task
@checked
def directions(  # noqa: PLR0913 each is an option of `inspect eval -T`
    framings: str | None = None,
    tasks: str | None = None,
    items: str = "situations",
    refusal: bool = True,  # noqa: FBT001, FBT002 given by name on the command line
    max_tasks: int | None = None,
    convention: Mapping[str, Any] | None = None,
    draws: int = 200,
    seed: int = 0,
    store: str = STORE,
) -> Task:
    """Do activations tell evaluation from deployment beyond what chance and form give?

    Six evaluation and six deployment framings around the same tasks give 36
    difference-of-means directions; each scores every item at every layer, beside
    floors of directions without content, and the same for refusal. Activations and
    tables for `awareness study` are left in the store.

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
    """
    how: dict[str, Any] = {
        "framings": framings,
        "tasks": tasks,
        "items": items,
        "refusal": refusal,
        "max_tasks": max_tasks,
        "convention": convention,
        "draws": draws,
        "seed": seed,
        "store": store,
    }
    return Task(
        dataset=_dataset(items),
        solver=framed(**how),
        scorer=direction(**how),
        metadata={"inspect_awareness": __version__},
    )


def _dataset(items: str) -> MemoryDataset:
    """The items as samples, with their labels as targets."""
    from inspect_awareness.datasets.scoring_sets import scoring_set

    samples = [
        Sample(
            id=item.id,
            input=item.text,
            target=item.label,
            metadata={"source": item.source, "label": item.label, "form": item.format},
        )
        for item in scoring_set(items)
    ]
    return MemoryDataset(samples, name=items)
