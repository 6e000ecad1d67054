"""The shards of one collection as they are on the disk now."""

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from inspect_awareness.errors import StoreError
from inspect_awareness.whitebox._shards import (
    SUFFIX,
    DamagedShardError,
    Shard,
    read_shard,
)

Stamp = tuple[int, int, int]
"""Inode, size and time of a file: another stamp means other bytes."""


class Shelf:
    """An index of shards that follows what processes add.

    Args:
        folder: The collection's folder; it need not be there.
        layers: The layers that its shards must hold, in order.
        width: Numbers in one state.
    """

    def __init__(self, folder: Path, layers: Sequence[int], width: int) -> None:
        self.damaged: dict[str, str] = {}
        """Why a shard cannot be used, by the name of its file."""
        self._folder = folder
        self._layers = list(layers)
        self._width = width
        self._stamps: dict[str, Stamp] = {}
        self._shards: dict[str, Shard] = {}
        self._places: dict[str, tuple[str, int]] = {}

    def shards(self) -> dict[str, Shard]:
        """Whole shards by the name of their file."""
        self._follow()
        return self._shards

    def shard(self, name: str) -> Shard:
        """One of the shards that were there when the folder was last looked at."""
        return self._shards[name]

    def places(self) -> dict[str, tuple[str, int]]:
        """Shard and row of each prompt; the first shard by name, where several are."""
        self._follow()
        return self._places

    def add(self, path: Path) -> Shard:
        """Take up a shard that was just written."""
        self._follow()
        if path.name not in self._shards:
            why = self.damaged.get(path.name, "it is not there")
            raise StoreError(f"{path}: was written and cannot be read: {why}")
        return self._shards[path.name]

    def verify(self) -> dict[str, str]:
        """Compare the content of every shard with its header."""
        for name, shard in list(self.shards().items()):
            fault = shard.content_fault()
            if fault:
                self.damaged[name] = fault
                del self._shards[name]
        self._index()
        return dict(sorted(self.damaged.items()))

    def _follow(self) -> None:
        """Read the headers of files that are new or changed."""
        found = self._listed()
        if found == self._stamps:
            return
        same = self._stamps.items() & found.items()
        gone = self._stamps.keys() - {name for name, _ in same}
        for name in gone:
            self._shards.pop(name, None)
            self.damaged.pop(name, None)
        new = sorted(found.keys() - {name for name, _ in same})
        for name in new:
            self._load(name)
        self._stamps = found
        if gone:
            self._index()
        else:
            for name in new:
                self._place(name)

    def _listed(self) -> dict[str, Stamp]:
        """The files that are called like shards."""
        found = {}
        try:
            with os.scandir(self._folder) as entries:
                for entry in entries:
                    if _is_shard_name(entry.name):
                        with suppress(FileNotFoundError):
                            s = entry.stat()
                            found[entry.name] = (s.st_ino, s.st_size, s.st_mtime_ns)
        except FileNotFoundError:
            return {}
        except OSError as ex:
            raise StoreError(f"{self._folder}: cannot be read ({ex.strerror})") from ex
        return found

    def _load(self, name: str) -> None:
        """Read one header."""
        try:
            shard = read_shard(self._folder / name)
        except DamagedShardError as ex:
            self.damaged[name] = str(ex)
            return
        except OSError as ex:
            self.damaged[name] = f"cannot be read ({ex.strerror})"
            return
        if shard.shape[1:] != (len(self._layers), self._width) or (
            shard.header["layers"] != self._layers
        ):
            self.damaged[name] = (
                f"it holds layers {shard.header['layers']} of width {shard.shape[2]}; "
                f"the collection has {self._layers} of width {self._width}"
            )
            return
        self._shards[name] = shard

    def _index(self) -> None:
        """All places anew."""
        self._places = {}
        for name in sorted(self._shards):
            self._place(name)

    def _place(self, name: str) -> None:
        """The places of one shard, unless an earlier one by name has the prompt."""
        shard = self._shards.get(name)
        for row, prompt in enumerate(shard.prompts if shard else ()):
            if self._places.setdefault(prompt, (name, row))[0] > name:
                self._places[prompt] = (name, row)


def _is_shard_name(name: str) -> bool:
    """Hidden files are being written."""
    return name.endswith(SUFFIX) and not name.startswith(".")
