"""What a study of directions asks for, checked once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from inspect_awareness.datasets.framings import Framing, TaskText, framings, task_texts
from inspect_awareness.datasets.scoring_sets import ScoringItem, scoring_set
from inspect_awareness.errors import InputError
from inspect_awareness.whitebox._convention import DEFAULT, Convention

BLOCKS = 4
"""Disjoint blocks of tasks, and of items."""


@dataclass(frozen=True)
class Asked:
    """Framings crossed with tasks, the items that are scored, and the convention."""

    framings: tuple[Framing, ...]
    """Framings of all arms."""

    tasks: tuple[TaskText, ...]
    """What every framing is put around."""

    items: tuple[ScoringItem, ...]
    """Labelled messages that directions score."""

    requests: tuple[ScoringItem, ...]
    """Harmful and harmless requests, for the second concept; empty without it."""

    convention: Convention
    """How activations are made; its number format and kernel are the model's."""

    draws: int
    """Content-free directions of each floor."""

    seed: int
    """Of these draws."""

    def arm(self, name: str) -> tuple[Framing, ...]:
        """The framings of an arm, in order."""
        return tuple(each for each in self.framings if each.arm == name)


def asked(
    *,
    framings_path: str | None = None,
    tasks_path: str | None = None,
    items: str = "situations",
    refusal: bool = True,
    max_tasks: int | None = None,
    convention: Mapping[str, Any] | None = None,
    draws: int = 200,
    seed: int = 0,
) -> Asked:
    """Read and check everything that a study needs but the model.

    Raises:
        InputError: A file or a value cannot be used.
    """
    _check_whole("draws", draws, 2, "a floor needs 2 or more")
    _check_whole("seed", seed, 0, "a seed is not negative")
    return Asked(
        framings(framings_path),
        _first(task_texts(tasks_path), max_tasks),
        _scored(items),
        scoring_set("refusal") if refusal else (),
        _convention(convention or {}),
        draws,
        seed,
    )


def blocks_of(items: Sequence[ScoringItem], count: int = BLOCKS) -> list[int]:
    """A block for each item, as even as can be within each label and form.

    Example:
        >>> one = ScoringItem("a", "x", "evaluation", "free", "s")
        >>> blocks_of([one] * 5, 2)
        [0, 1, 0, 1, 0]
    """
    seen: dict[tuple[str, str], int] = {}
    found = []
    for item in items:
        cell = (item.label, item.format)
        found.append(seen.get(cell, 0) % count)
        seen[cell] = seen.get(cell, 0) + 1
    return found


def _check_whole(name: str, value: object, least: int, why: str) -> None:
    """Refuse what is no whole number, or too small."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise InputError(f"{name} is {value!r}; give a whole number")
    if value < least:
        raise InputError(f"{name} is {value}; {why}")


def _first(tasks: tuple[TaskText, ...], most: int | None) -> tuple[TaskText, ...]:
    """The first tasks, enough for all blocks."""
    why = f"tasks are cut into {BLOCKS} blocks, so {BLOCKS} or more are needed"
    if most is not None:
        _check_whole("max_tasks", most, BLOCKS, why)
        tasks = tasks[:most]
    _check_whole("the number of tasks", len(tasks), BLOCKS, why)
    return tasks


def _scored(name: str) -> tuple[ScoringItem, ...]:
    """Items of both classes of the first concept."""
    found = scoring_set(name)
    labels = {item.label for item in found}
    if labels != {"evaluation", "deployment"}:
        raise InputError(
            f"items {name!r} have the labels {', '.join(sorted(labels))}; directions of "
            "evaluation framings score evaluation and deployment"
        )
    blocks = {(item.label, k) for item, k in zip(found, blocks_of(found), strict=True)}
    if len(blocks) < 2 * BLOCKS:
        raise InputError(
            f"items {name!r} are {len(found)}; they are cut into {BLOCKS} blocks within "
            f"each label and form, so give {BLOCKS} or more of either label in one form"
        )
    return found


def _convention(changes: Mapping[str, Any]) -> Convention:
    """The default convention with what the user changed."""
    if not isinstance(changes, Mapping):
        raise InputError(
            f"convention is {changes!r}; give its fields, such as {{pooling: last}}"
        )
    record = DEFAULT.record()
    for name, value in changes.items():
        if name not in record:
            raise InputError(
                f"convention: no field {name!r}; its fields: {', '.join(sorted(record))}"
            )
        record[name] = (
            value.split(",") if name == "dropped" and isinstance(value, str) else value
        )
    return Convention.from_record(record)
