"""Floors as JSON: what `awareness floor` writes and `awareness report` reads."""

import json
from pathlib import Path
from typing import Any

from inspect_awareness._sealed import DIGEST, content_digest
from inspect_awareness.errors import InputError
from inspect_awareness.stats import Estimate
from inspect_awareness.surface._floors import SurfaceFloor, SurfaceFloors

SCHEMA_VERSION = 1
"""Version of the record."""


def floors_record(found: SurfaceFloors) -> dict[str, Any]:
    """The floors as plain values, with a digest of them; NaN becomes null."""
    record = {
        "schema_version": SCHEMA_VERSION,
        "floors": [_floor(floor) for floor in found.floors],
        "evaluation": found.evaluation,
        "deployment": found.deployment,
        "sources": {label: dict(by) for label, by in found.sources.items()},
        "folds": found.folds,
        "permutations": found.permutations,
        "view": found.view,
        "seed": found.seed,
        "note": found.note,
    }
    return {**record, DIGEST: content_digest(record)}


def write_floors(found: SurfaceFloors, path: Path) -> None:
    """Write the record to a `.json` file.

    Raises:
        InputError: The ending is another, or the file cannot be written.
    """
    if path.suffix != ".json":
        raise InputError(f"{path}: floors are written to a .json file")
    text = json.dumps(floors_record(found), indent=2, allow_nan=False) + "\n"
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as ex:
        raise InputError(f"{path}: cannot be written ({ex.strerror or ex})") from ex


def _floor(floor: SurfaceFloor) -> dict[str, Any]:
    """One floor."""
    return {
        "kind": floor.kind,
        "auroc": _estimate(floor.auroc),
        "permutation_p": _known(floor.permutation_p),
        "note": floor.note,
    }


def _estimate(estimate: Estimate) -> dict[str, Any]:
    """An area with its interval, and what the interval is over."""
    return {
        "value": _known(estimate.value),
        "low": _known(estimate.low),
        "high": _known(estimate.high),
        "n": estimate.n,
        "unit": estimate.unit,
        "clusters": estimate.clusters,
        "note": estimate.note,
    }


def _known(value: float) -> float | None:
    """A number, or null where there is none."""
    return None if value != value else value
