"""Framings in files: a folder of Markdown, or records in JSON, JSON Lines or YAML."""

import re
from collections import Counter
from collections.abc import Mapping
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from inspect_awareness.datasets._framing import Arm, Framing
from inspect_awareness.datasets._records import (
    ANY_SLOT,
    checked_text,
    parse_yaml,
    read_content,
)
from inspect_awareness.errors import InputError

ARMS: Mapping[str, Arm] = {
    "evaluation": "evaluation",
    "eval": "evaluation",
    "test": "evaluation",
    "deployment": "deployment",
    "deploy": "deployment",
    "neutral": "neutral",
}
"""How the arms are spelt in the wild."""

_FRONT_MATTER = re.compile(
    r"\A---\r?\n(?P<fields>.*?)\r?\n---\r?\n(?P<body>.*)\Z", re.DOTALL
)
_ARM_KEYS = ("arm", "family")
_TEXT_KEYS = ("text", "system", "framing")
_FIELDS = {
    *_ARM_KEYS,
    *_TEXT_KEYS,
    *("id", "version", "before", "after", "user_template", "canary", "label"),
}
_TASK = "{task}"


def framings_of_folder(folder: Path | Traversable) -> list[Framing]:
    """The framings of a folder: one Markdown file each, named by its id.

    Raises:
        InputError: There is none, or a file is not as it must be.
    """
    files = sorted(
        (f for f in folder.iterdir() if f.name.endswith(".md") and f.is_file()),
        key=lambda f: f.name,
    )
    if not files:
        raise InputError(f"{folder}: no framing (*.md) in this folder")
    # bytes, so that line ends stay as they are: they are part of the convention
    return [
        _of_markdown(f.name.removesuffix(".md"), f.read_bytes(), str(f)) for f in files
    ]


def framings_of_file(path: Path) -> list[Framing]:
    """The framings of a file: a list of objects, or objects by id.

    Keys that begin with an underscore are comments.

    Raises:
        InputError: It holds something else, or an entry is not as it must be.
    """
    content = read_content(path)
    if isinstance(content, Mapping):
        entries = [
            {"id": key, **value} if isinstance(value, Mapping) else value
            for key, value in content.items()
            if not str(key).startswith("_")
        ]
    else:
        entries = content if isinstance(content, list) else []
    if not entries:
        raise InputError(f"{path}: expected a list of framings, or framings by id")
    return [_of_record(e, f"{path} entry {n}") for n, e in enumerate(entries, start=1)]


def check_framings(found: list[Framing], where: str) -> tuple[Framing, ...]:
    """The framings, unless they could not be crossed into a balanced design.

    Raises:
        InputError: An id or a text is there twice, an arm has fewer than two framings,
            or the arms differ in size.
    """
    # one file system tells upper and lower case apart, the next one does not
    _check_once([f.id.lower() for f in found], where, "id")
    _check_once([f"{f.text}\n{f.before}\n{f.after}" for f in found], where, "text")
    sizes = Counter(f.arm for f in found)
    counted = ", ".join(f"{n} {arm}" for arm, n in sorted(sizes.items()))
    for arm in (
        "evaluation",
        "deployment",
        *(("neutral",) if sizes["neutral"] else ()),
    ):
        if sizes[arm] < 2:
            raise InputError(
                f"{where}: {sizes[arm]} {arm} framing{'s' * (sizes[arm] != 1)} (it has "
                f"{counted}); give two or more an arm, since with one nothing tells "
                "the arm from its words"
            )
    if len(set(sizes.values())) > 1:
        raise InputError(
            f"{where}: arms of unequal size ({counted}); give each arm as many framings"
        )
    return tuple(found)


def _of_markdown(stem: str, content: bytes, where: str) -> Framing:
    """One framing from its file."""
    try:
        match = _FRONT_MATTER.match(content.decode("utf-8-sig"))
    except UnicodeDecodeError as ex:
        raise InputError(f"{where}: not UTF-8 text ({ex.reason})") from ex
    fields = parse_yaml(match["fields"], where) if match else None
    if match is None or not isinstance(fields, dict):
        raise InputError(f"{where}: expected front matter between two lines of `---`")
    if fields.get("id", stem) != stem:
        raise InputError(
            f"{where}: id {fields['id']!r} is not the file's name; rename one of them"
        )
    for key in _TEXT_KEYS:
        if key in fields:
            raise InputError(
                f"{where}: `{key}` is in the front matter; the words go below it"
            )
    return _of_record({**fields, "id": stem, "text": match["body"].strip()}, where)


def _of_record(record: object, where: str) -> Framing:
    """One framing from its fields."""
    if not isinstance(record, Mapping):
        raise InputError(f"{where}: {record!r} is no framing; expected an object")
    where = f"{where} ({record.get('id', 'no id')})"
    unknown = sorted(str(key) for key in set(record) - _FIELDS)
    if unknown:
        raise InputError(
            f"{where}: unknown field {', '.join(unknown)}; allowed are "
            f"{', '.join(sorted(_FIELDS))}"
        )
    before, after = _around(record, where)
    return Framing(
        id=checked_text(record.get("id"), where, "id"),
        arm=_arm(_one_of(record, _ARM_KEYS, where), where),
        text=checked_text(
            _one_of(record, _TEXT_KEYS, where), where, "the framing", ANY_SLOT
        ),
        before=before,
        after=after,
        version=_version(record.get("version", 1), where),
    )


def _around(record: Mapping[str, Any], where: str) -> tuple[str, str]:
    """The words right before and right after the task, in its own turn."""
    template = record.get("user_template")
    if template is None:
        parts = (record.get("before", ""), record.get("after", ""))
    elif isinstance(template, str) and template.count(_TASK) == 1:
        parts = tuple(template.split(_TASK))  # type: ignore[assignment]  # one slot
    else:
        raise InputError(
            f"{where}: user_template is {template!r}; it must hold {_TASK} once"
        )
    for name, part in zip(("before", "after"), parts, strict=True):
        if part != "":
            checked_text(part, where, f"`{name}`", ANY_SLOT)
    return parts


def _one_of(record: Mapping[str, Any], keys: tuple[str, ...], where: str) -> object:
    """The value under one of several names."""
    given = [key for key in keys if key in record]
    if len(given) > 1:
        raise InputError(f"{where}: {' and '.join(given)} are one field; give one")
    return record[given[0]] if given else None


def _arm(value: object, where: str) -> Arm:
    """The arm, however it is spelt."""
    arm = ARMS.get(value) if isinstance(value, str) else None
    if arm is None:
        raise InputError(
            f"{where}: arm {value!r} is unknown; it must be one of {', '.join(ARMS)}"
        )
    return arm


def _version(value: object, where: str) -> int:
    """The number that is raised with every change of the words."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise InputError(
            f"{where}: version is {value!r}; it must be a number from 1 on"
        )
    return value


def _check_once(values: list[str], where: str, what: str) -> None:
    """No value is there twice."""
    twice = [value for value, n in Counter(values).items() if n > 1]
    if twice:
        shown = twice[0] if len(twice[0]) < 60 else f"{twice[0][:60]}…"
        raise InputError(f"{where}: two framings have the {what} {shown!r}; keep one")
