"""The manifest of a collection: what its shards say, in one JSON file for others.

It is derived. Nothing here reads it back, so that an edited, old or lost manifest
changes no number.
"""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from inspect_awareness.whitebox._claims import sync_folder
from inspect_awareness.whitebox._shards import AXES, SCHEMA_VERSION, Shard

MANIFEST = "manifest.json"


def derived_manifest(shards: Sequence[Shard]) -> dict[str, Any]:
    """What one or more shards of a collection hold, in the order of their names."""
    first = shards[0].header
    return {
        "schema_version": SCHEMA_VERSION,
        "collection": shards[0].path.parent.name,
        "model": first["model"],
        "convention": first["convention"],
        "axes": list(AXES),
        "layers": first["layers"],
        "dtype": "float32",
        "prompts": len({prompt for shard in shards for prompt in shard.prompts}),
        "bytes": sum(shard.size for shard in shards),
        "shards": [
            {
                "file": shard.path.name,
                "prompts": len(shard.prompts),
                "bytes": shard.size,
                "sha256": shard.header["sha256"],
            }
            for shard in shards
        ],
    }


def manifest_text(manifest: dict[str, Any]) -> str:
    """The bytes of the file, one text for one manifest."""
    return json.dumps(manifest, indent=1, sort_keys=True) + "\n"


def write_manifest(folder: Path, text: str, held: int) -> None:
    """Put a manifest in place; `held` is the claimed file at `part_of(folder)`."""
    os.ftruncate(held, 0)
    os.write(held, text.encode())
    os.fsync(held)
    part_of(folder).replace(folder / MANIFEST)
    sync_folder(folder)


def part_of(folder: Path) -> Path:
    """Where a manifest is written before it is moved into place."""
    return folder / f".{MANIFEST}.part"
