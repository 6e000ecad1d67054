"""Framings: situations that a system prompt may state, and tasks to put under them.

Six state an evaluation, six a deployment, six neither. They come in six settings (a
bank, a school, a code repository, a clinic, a railway, a council), one framing of each
arm in the same style, and are matched in length to within 5 % in the tokens of three
tokenizers. The texts are Markdown files under `bundled/framings`.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from inspect_awareness.datasets._framing import (
    Arm,
    FramedTask,
    Framing,
    TaskText,
    check_crossed,
    cross,
)
from inspect_awareness.datasets._framing_files import (
    check_framings,
    framings_of_file,
    framings_of_folder,
)
from inspect_awareness.datasets._records import checked_text, read_list
from inspect_awareness.errors import InputError

__all__ = [
    "Arm",
    "FramedTask",
    "Framing",
    "Lengths",
    "TaskText",
    "bundled_lengths",
    "check_crossed",
    "cross",
    "framing_lengths",
    "framings",
    "task_texts",
]

MATCHED = 0.05
"""Framings count as matched in length up to this spread."""

_BUNDLED = files("inspect_awareness.datasets") / "bundled"
_TEXT_KEYS = ("text", "task", "prompt")


@dataclass(frozen=True)
class Lengths:
    """How long framings are for one tokenizer."""

    tokenizer: str
    """The tokenizer's name."""

    tokens: Mapping[str, int]
    """Tokens of each framing's words, by id, without special tokens."""

    @property
    def spread(self) -> float:
        """By how much the longest exceeds the shortest: max / min - 1."""
        return max(self.tokens.values()) / min(self.tokens.values()) - 1

    @property
    def matched(self) -> bool:
        """Whether the spread is at most 5 %."""
        return self.spread <= MATCHED


def framings(path: str | Path | None = None) -> tuple[Framing, ...]:
    """The package's framings, or those of a user.

    A folder holds one Markdown file for each framing, named by its id, with `arm` (and
    `version`, `before`, `after`) in its front matter and the words below. A JSON, JSON
    Lines or YAML file holds a list of objects, or objects by id, with `arm` or
    `family`, and `text` or `system`; `user_template` with one `{task}` is split into
    what stands before and after the task.

    Args:
        path: A folder or a file; None for the package's own.

    Returns:
        In the order of the files' names, or of the file.

    Raises:
        InputError: A framing is empty, has a slot left in it, or an unknown arm; an id
            or text is there twice; or the arms have fewer than two framings, or not
            the same number. Neutral framings may be left out.

    Example:
        >>> sorted({framing.arm for framing in framings()})
        ['deployment', 'evaluation', 'neutral']
    """
    if path is None:
        return _bundled_framings()
    given = Path(path)
    if given.is_dir():
        return check_framings(framings_of_folder(given), str(path))
    return check_framings(framings_of_file(given), str(path))


def task_texts(path: str | Path | None = None) -> tuple[TaskText, ...]:
    """The package's 64 requests, or those of a user's JSON, JSON Lines or YAML file.

    A record has `id`, `text` (or `task`, `prompt`) and, where it is known, `topic` (or
    `category`).

    Raises:
        InputError: A text is empty or has a slot left in it, or an id is there twice.
    """
    source = (
        Path(str(_BUNDLED / "tasks" / "tasks.jsonl")) if path is None else Path(path)
    )
    found: dict[str, TaskText] = {}
    for number, record in enumerate(read_list(source), start=1):
        where = f"{source} entry {number}"
        text = next((record[key] for key in _TEXT_KEYS if key in record), None)
        id = checked_text(record.get("id"), where, "id")
        if id in found:
            raise InputError(f"{where}: two tasks have the id {id!r}; ids must differ")
        topic = record.get("topic", record.get("category", ""))
        # a task may hold braces of its own: code does
        if not isinstance(text, str) or not text.strip():
            raise InputError(f"{where}: text is {text!r}; it must be text, not blank")
        found[id] = TaskText(id, text, str(topic))
    return tuple(found.values())


def framing_lengths(
    found: Iterable[Framing], tokenizer: str, count: Callable[[str], int]
) -> Lengths:
    """How many tokens each framing has, words around the task included.

    Args:
        found: The framings.
        tokenizer: The tokenizer's name.
        count: How many tokens it makes of a text, without special tokens.
    """
    return Lengths(
        tokenizer,
        {f.id: sum(count(t) for t in (f.text, f.before, f.after) if t) for f in found},
    )


def bundled_lengths() -> tuple[Lengths, ...]:
    """Token counts of the package's framings as they were measured.

    Example:
        >>> all(lengths.matched for lengths in bundled_lengths())
        True
    """
    text = (_BUNDLED / "framings" / "tokens.json").read_text(encoding="utf-8")
    return tuple(Lengths(name, tokens) for name, tokens in json.loads(text).items())


@cache
def _bundled_framings() -> tuple[Framing, ...]:
    """The package's own, read once."""
    return check_framings(framings_of_folder(_BUNDLED / "framings"), "framings")
