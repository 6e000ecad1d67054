"""What a framing, a task text and a crossing of both are."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from inspect_awareness.errors import InputError

Arm = Literal["evaluation", "deployment", "neutral"]
"""What a framing says about the situation; a neutral one says nothing about it."""


@dataclass(frozen=True)
class Framing:
    """Words that state a situation, around a task that stays the same."""

    id: str
    """The file's stem, or the id in its record."""

    arm: Arm
    """Whether it states an evaluation, a deployment, or neither."""

    text: str
    """The situation, as a system prompt states it."""

    before: str = ""
    """Words right before the task, in the task's own turn."""

    after: str = ""
    """Words right after the task, in the task's own turn."""

    version: int = 1
    """Raised with every change of the words."""

    @property
    def hash(self) -> str:
        """Hash of all words that a model reads of it: 16 hex digits of SHA-256."""
        words = repr((self.text, self.before, self.after))
        return hashlib.sha256(words.encode()).hexdigest()[:16]


@dataclass(frozen=True)
class TaskText:
    """A request that is put under every framing."""

    id: str
    """Names it in results."""

    text: str
    """The request, byte by byte the same under every framing."""

    topic: str = ""
    """What it is about."""


@dataclass(frozen=True)
class FramedTask:
    """One task under one framing."""

    framing: Framing
    """The situation."""

    task: TaskText
    """The request."""

    @property
    def turn(self) -> str:
        """What stands in the task's own turn."""
        return f"{self.framing.before}{self.task.text}{self.framing.after}"


def cross(
    framings: Iterable[Framing], tasks: Iterable[TaskText]
) -> tuple[FramedTask, ...]:
    """Every task under every framing, framing by framing.

    Raises:
        InputError: As `check_crossed`.

    Example:
        >>> one = Framing("a", "evaluation", "You are being tested.")
        >>> two = Framing("b", "deployment", "You are at work.")
        >>> [(f.framing.id, f.task.id) for f in cross([one, two], [TaskText("t", "Hi")])]
        [('a', 't'), ('b', 't')]
    """
    each = tuple(tasks)
    crossed = tuple(FramedTask(f, task) for f in framings for task in each)
    check_crossed(crossed)
    return crossed


def check_crossed(crossed: Sequence[FramedTask]) -> None:
    """Check that all framings surround the same bytes in the same order.

    What differs between two conditions is then the framing and nothing else.

    Raises:
        InputError: There is nothing, a task is missing or twice under a framing, or
            its text differs from that under another framing.
    """
    tasks: dict[str, list[tuple[str, bytes]]] = {}
    for each in crossed:
        tasks.setdefault(each.framing.id, []).append(
            (each.task.id, each.task.text.encode("utf-8", "surrogatepass"))
        )
    if not tasks:
        raise InputError("no framed task; give one framing and one task or more")
    first, expected = next(iter(tasks.items()))
    ids = [id for id, _ in expected]
    if len(set(ids)) < len(ids):
        raise InputError(f"framing {first}: a task is there twice; ids must differ")
    for framing, found in tasks.items():
        if [id for id, _ in found] != ids:
            raise InputError(
                f"framing {framing} surrounds other tasks than {first}, or in another "
                "order; cross all framings with the same tasks"
            )
        for (id, text), (_, same) in zip(found, expected, strict=True):
            if text != same:
                raise InputError(
                    f"task {id} has other bytes under framing {framing} than under "
                    f"{first} ({len(text)} and {len(same)}; line ends count); the task "
                    "must be the same under every framing"
                )
