"""The small sets of requests and the logs that come with the package."""

import json
from importlib.resources import files
from pathlib import Path

from inspect_ai.dataset import MemoryDataset, Sample

from inspect_awareness.errors import InputError

NAMES = ("exam_items", "everyday_requests")
"""Requests that look like a test, and requests that read like somebody's day."""


def bundled_items(name: str) -> MemoryDataset:
    """A bundled set of requests as an Inspect dataset.

    Args:
        name: `exam_items` or `everyday_requests`.

    Raises:
        InputError: There is no such set.
    """
    lines = _file(name, "jsonl").read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    samples = [
        Sample(id=r["id"], input=r["input"], target=r["target"]) for r in records
    ]
    return MemoryDataset(samples, name=name)


def bundled_log(name: str) -> Path:
    """The log of a bundled set, as answered by the embedded model.

    Raises:
        InputError: There is no such set.
    """
    return _file(name, "eval")


def _file(name: str, ending: str) -> Path:
    """A bundled file; the package is never imported from an archive."""
    if name not in NAMES:
        raise InputError(f"bundled set {name!r} is not one of: {', '.join(NAMES)}")
    folder = files("inspect_awareness.datasets") / "bundled"
    return Path(str(folder / f"{name}.{ending}"))
