"""What is in a store's folder, and whether all of it can be trusted."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspect_awareness.errors import StoreError
from inspect_awareness.whitebox._collection import Collection
from inspect_awareness.whitebox._manifest import MANIFEST, manifest_text
from inspect_awareness.whitebox._shards import SUFFIX, DamagedShardError, read_shard
from inspect_awareness.whitebox._store import Store


@dataclass(frozen=True)
class CollectionCheck:
    """What was found in the folder of one collection.

    Args:
        key: The folder's name.
        manifest: What its whole shards hold; None where none is whole.
        faults: What is wrong, by file. Nothing of a faulty shard is ever served.
        notes: What is odd and harms nothing, by file.
    """

    key: str
    manifest: Mapping[str, Any] | None
    faults: Mapping[str, str]
    notes: Mapping[str, str]

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults


def check_store(folder: str | Path) -> tuple[CollectionCheck, ...]:
    """Read everything in a store: headers, shapes, hashes, numbers, manifests.

    Raises:
        StoreError: There is no such folder, or nothing in it looks like a collection.
    """
    store = Store(folder)
    if not store.folder.is_dir():
        raise StoreError(f"{folder}: no such folder")
    readable = {found.key: found for found in store.collections()}
    shelves = [path.parent.name for path in store.folder.glob(f"*/[!.]*{SUFFIX}")]
    keys = sorted({*readable, *shelves})
    if not keys:
        raise StoreError(f"{folder}: no activations are stored here")
    return tuple(
        _checked(readable[key]) if key in readable else _unreadable(store.folder / key)
        for key in keys
    )


def _checked(collection: Collection) -> CollectionCheck:
    """A collection with a shard that can be read."""
    faults = collection.verify()
    manifest = collection.manifest()
    notes = _odd_files(collection.folder)
    said = _manifest_fault(collection, faults)
    if said:
        faults[MANIFEST] = said
    elif not (collection.folder / MANIFEST).exists():
        notes[MANIFEST] = "is not there; the next run that writes here makes it"
    times = Counter(p for shard in collection.shards() for p in shard.prompts)
    twice = sum(count > 1 for count in times.values())
    if twice:
        notes["prompts"] = f"{twice} are in several shards; the first by name is read"
    return CollectionCheck(collection.key, manifest, faults, notes)


def _manifest_fault(collection: Collection, damaged: Mapping[str, str]) -> str | None:
    """Whether the manifest says something else than the shards."""
    try:
        said = (collection.folder / MANIFEST).read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        said = ""
    if damaged or said == manifest_text(collection.manifest()):
        return None
    return (
        "does not say what the shards hold; it is derived from them and may be "
        "deleted: the next run that writes here makes it anew"
    )


def _unreadable(folder: Path) -> CollectionCheck:
    """A folder in which no shard can be read."""
    faults = {}
    for path in sorted(folder.glob(f"[!.]*{SUFFIX}")):
        try:
            read_shard(path)
        except DamagedShardError as ex:
            faults[path.name] = str(ex)
        except OSError as ex:
            faults[path.name] = f"cannot be read ({ex.strerror})"
    return CollectionCheck(folder.name, None, faults, _odd_files(folder))


def _odd_files(folder: Path) -> dict[str, str]:
    """Files that are no part of the format."""
    notes = {}
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") and path.suffix in (".part", ".lock"):
            notes[path.name] = "of a run that is writing now, or was stopped"
        elif path.name != MANIFEST and path.suffix != SUFFIX:
            notes[path.name] = "is no part of a store, and is left alone"
    return notes
