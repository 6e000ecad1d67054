"""A folder of pooled states: safetensors shards that one run or many may write.

`docs/activation-store.md` describes the format, for other engines that write it.
Reading and writing need numpy alone.
"""

import json
from pathlib import Path

from inspect_awareness.errors import StoreError
from inspect_awareness.whitebox._collection import Collection
from inspect_awareness.whitebox._convention import Convention
from inspect_awareness.whitebox._identity import (
    ModelIdentity,
    canonical,
    collection_key,
)
from inspect_awareness.whitebox._shards import (
    SUFFIX,
    DamagedShardError,
    Shard,
    read_shard,
)


class Store:
    """Collections of pooled states in one folder.

    Args:
        folder: The store's folder; made when something is written.
        writer: The program that writes, with the versions that matter; a note in the
            header of each new shard.

    Raises:
        StoreError: The path is no folder.
    """

    def __init__(
        self, folder: str | Path, *, writer: str = "inspect-awareness"
    ) -> None:
        self.folder = Path(folder)
        self.writer = writer
        if self.folder.exists() and not self.folder.is_dir():
            raise StoreError(f"{folder}: is no folder; a store of activations is one")

    def collection(self, model: ModelIdentity, convention: Convention) -> Collection:
        """The states of a model under a convention, empty if none were written."""
        record = json.loads(canonical(convention.record()))
        key = collection_key(model.revision, record)
        return Collection(
            self.folder / key,
            model,
            record,
            layers=convention.layer_numbers(model.layers),
            writer=self.writer,
        )

    def collections(self) -> tuple[Collection, ...]:
        """The collections with a shard that can be read, by key.

        Those of other engines are among them: their conventions are records, and may
        have fields that `Convention` does not know.
        """
        folders = sorted(self.folder.iterdir()) if self.folder.is_dir() else []
        firsts = (first_shard(path) for path in folders if path.is_dir())
        return tuple(
            Collection(
                first.path.parent,
                ModelIdentity(**first.header["model"]),
                first.header["convention"],
                layers=first.header["layers"],
                writer=self.writer,
            )
            for first in firsts
            if first is not None
        )


def first_shard(folder: Path) -> Shard | None:
    """The first shard of a folder that can be read."""
    for path in sorted(folder.glob(f"[!.]*{SUFFIX}")):
        try:
            return read_shard(path)
        except (DamagedShardError, OSError):
            continue
    return None
