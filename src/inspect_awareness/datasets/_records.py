"""Records in files: JSON, JSON Lines, YAML and Parquet, read without silent losses.

A key that is given twice in one object is an error: JSON and YAML readers keep the last
one and say nothing.
"""

import json
import re
from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from inspect_awareness.errors import InputError

JSON_ENDINGS = (".json",)
LINE_ENDINGS = (".jsonl", ".ndjson")
YAML_ENDINGS = (".yaml", ".yml")
ENDINGS = (*JSON_ENDINGS, *LINE_ENDINGS, *YAML_ENDINGS)
"""What files of records are called."""

SLOT = re.compile(r"\{[A-Z][A-Z0-9_]*\}")
"""A place in a template that nobody has filled, such as {NAME}."""

ANY_SLOT = re.compile(r"\{[A-Za-z_][A-Za-z0-9_]*\}")
"""The same in a text that holds no code, where {name} is one too."""


def read_content(path: Path) -> Any:
    """What a JSON, JSON Lines or YAML file holds; lines become a list.

    Raises:
        InputError: There is no such file, its ending is another, or it is malformed.
    """
    text = read_text(path)
    if path.suffix in LINE_ENDINGS:
        lines = enumerate(text.split("\n"), start=1)
        return [_json(li, f"{path} line {n}") for n, li in lines if li.strip()]
    if path.suffix in JSON_ENDINGS:
        return _json(text, str(path))
    if path.suffix in YAML_ENDINGS:
        return parse_yaml(text, str(path))
    raise InputError(f"{path}: expected a file that ends in {', '.join(ENDINGS)}")


def read_list(path: Path) -> list[Mapping[str, Any]]:
    """The records of a file that holds a list of objects.

    Raises:
        InputError: It holds something else, or nothing.
    """
    found = read_content(path)
    if not isinstance(found, list) or not found:
        raise InputError(f"{path}: expected a list of objects with one entry or more")
    for number, record in enumerate(found, start=1):
        if not isinstance(record, Mapping):
            raise InputError(f"{path} entry {number}: {record!r} is no object")
    return found


def read_columns(path: Path, columns: Sequence[str]) -> list[Mapping[str, Any]]:
    """The rows of a Parquet file, with some of its columns.

    Raises:
        InputError: It cannot be read, or lacks a column.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    if not path.is_file():
        raise InputError(f"{path}: no such file")
    try:
        present = pq.read_schema(path).names
        missing = [name for name in columns if name not in present]
        if missing:
            raise InputError(
                f"{path}: no column {', '.join(missing)}; it has {', '.join(present)}"
            )
        rows: list[Mapping[str, Any]] = pq.read_table(
            path, columns=list(columns)
        ).to_pylist()
    except pa.ArrowException as ex:
        raise InputError(f"{path}: cannot be read as Parquet ({ex})") from ex
    return rows


def read_text(path: Path) -> str:
    """A file's text with its line ends as they are.

    Raises:
        InputError: There is no such file, or it is not UTF-8.
    """
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as ex:
        raise InputError(f"{path}: not UTF-8 text ({ex.reason})") from ex
    except OSError as ex:
        raise InputError(f"{path}: cannot be read ({ex.strerror or ex})") from ex


def parse_yaml(text: str, where: str) -> Any:
    """What YAML text holds.

    Raises:
        InputError: It is no YAML, or gives a key twice.
    """
    try:
        # a subclass of SafeLoader is as safe as it is
        return yaml.load(text, _Loader)
    except yaml.YAMLError as ex:
        raise InputError(f"{where}: not YAML ({' '.join(str(ex).split())})") from ex


def checked_text(
    value: object, where: str, name: str, slots: re.Pattern[str] = SLOT
) -> str:
    """Text that says something and has no slot left in it.

    Raises:
        InputError: It is no text, is blank, or holds a leftover slot.
    """
    if not isinstance(value, str) or not value.strip():
        raise InputError(
            f"{where}: {name} is {value!r}; it must be text, and not blank"
        )
    slot = slots.search(value)
    if slot:
        raise InputError(
            f"{where}: {name} has a slot left in it, {slot[0]}; fill it, since a model "
            "that sees a template sees that it is tested"
        )
    return value


class _Loader(yaml.SafeLoader):
    """YAML in which no key is given twice."""

    def construct_mapping(
        self,
        node: yaml.MappingNode,
        deep: bool = False,  # noqa: FBT001, FBT002  # as PyYAML calls it
    ) -> dict[Hashable, Any]:
        seen = set()
        for key, _ in node.value:
            name = self.construct_object(key, deep=True)
            if name in seen:
                raise yaml.YAMLError(f"key {name!r} is given twice")
            seen.add(name)
        return super().construct_mapping(node, deep=deep)


def _json(text: str, where: str) -> Any:
    """What JSON text holds; a key twice is an error."""
    try:
        return json.loads(text, object_pairs_hook=_once)
    except json.JSONDecodeError as ex:
        place = f"{ex.msg} at line {ex.lineno} column {ex.colno}"
        raise InputError(f"{where}: not JSON ({place})") from ex
    except _TwiceError as ex:
        raise InputError(f"{where}: {ex}") from None


class _TwiceError(ValueError):
    """A key is given twice in one object."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object, unless it gives a key twice."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise _TwiceError(f"key {key!r} is given twice")
        found[key] = value
    return found
