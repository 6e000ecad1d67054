"""Selections as JSON files: written whole, and checked when they are read."""

import json
import os
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from inspect_awareness._sealed import alteration
from inspect_awareness.errors import InputError, SelectionError
from inspect_awareness.selections._selection import SCHEMA_VERSION, Selection


def write_selection(selection: Selection, path: str | Path) -> None:
    """Write a selection as JSON; an older file is replaced whole.

    Raises:
        InputError: The folder does not exist.
    """
    target = Path(path)
    if not target.parent.is_dir():
        raise InputError(f"{target.parent}: no such folder; create it first")
    record = selection.sealed().model_dump(mode="json")
    text = json.dumps(record, indent=2, ensure_ascii=False) + "\n"
    temporary = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        temporary.write_text(text, encoding="utf-8", newline="\n")
        temporary.replace(target)
    except OSError as ex:
        raise InputError(f"{target}: cannot be written ({ex.strerror})") from ex
    finally:
        temporary.unlink(missing_ok=True)


def read_selection(path: str | Path) -> Selection:
    """Read a selection and check it.

    Raises:
        InputError: There is no such file, it is no selection, or it was written by a
            newer version of this package.
        SelectionError: It was changed after it was written.
    """
    file = Path(path)
    record = _json(file)
    version = record.get("schema_version")
    if not isinstance(version, int) or not 1 <= version <= SCHEMA_VERSION:
        raise InputError(
            f"{file}: schema version {version!r}, this version of inspect-awareness "
            f"reads 1 to {SCHEMA_VERSION}; upgrade with "
            "`pip install -U inspect-awareness`, or select again"
        )
    try:
        found = Selection.model_validate(record)
    except ValidationError as ex:
        raise SelectionError(f"{file}: {_first(ex)}. {_AGAIN}") from ex
    if altered := alteration(found.model_dump(mode="json")):
        raise SelectionError(f"{file}: {altered}. {_AGAIN}")
    return found


_AGAIN = (
    "A selection is not edited by hand, so that it was fixed before it is used: "
    "run `awareness select` again"
)


def _json(file: Path) -> dict[str, Any]:
    """The file's JSON object."""
    try:
        record = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError as ex:
        raise InputError(f"{file}: no such file") from ex
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as ex:
        raise InputError(f"{file}: not readable as JSON ({ex})") from ex
    if not isinstance(record, dict) or "chosen" not in record:
        raise InputError(
            f"{file}: no selection of questions; `awareness select ... -o FILE` "
            "writes one"
        )
    return record


def _first(ex: ValidationError) -> str:
    """The first thing that is wrong, on one line."""
    error = ex.errors(include_url=False)[0]
    place = ".".join(str(part) for part in error["loc"])
    return f"{place}: {error['msg']}" if place else str(error["msg"])
