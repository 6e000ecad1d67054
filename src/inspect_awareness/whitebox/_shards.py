"""One shard of a store: a safetensors file that says what it holds, and proves it.

`docs/activation-store.md` is the format. Shards are read and written with numpy alone,
and written once: a whole shard never changes.
"""

import hashlib
import json
import math
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from inspect_awareness.whitebox._claims import claimed, sync_folder
from inspect_awareness.whitebox._identity import (
    ModelIdentity,
    canonical,
    collection_key,
)

SCHEMA_VERSION = 1
SUFFIX = ".safetensors"
AXES = ("prompt", "layer", "width")
METADATA = "activations"
"""The one key of the file's metadata: safetensors writes several in any order."""

_BATCH = re.compile(r"[0-9A-Za-z][0-9A-Za-z_-]{0,99}")
_FIELDS = {
    "schema_version": int,
    "axes": list,
    "batch": str,
    "convention": dict,
    "layers": list,
    "model": dict,
    "prompts": list,
    "sha256": str,
    "writer": str,
}

States = NDArray[np.float32]
Tokens = NDArray[np.int64]


class DamagedShardError(Exception):
    """A file is no whole shard; the message is the reason."""


@dataclass(frozen=True)
class Shard:
    """The header of a shard that is whole by its size.

    Args:
        path: The file.
        header: The fields of its metadata.
        size: Bytes of the file.
        starts: Where states and tokens begin in the file.
    """

    path: Path
    header: dict[str, Any]
    size: int
    starts: tuple[int, int]

    @property
    def prompts(self) -> list[str]:
        """The hash of each row's prompt."""
        prompts: list[str] = self.header["prompts"]
        return prompts

    @property
    def shape(self) -> tuple[int, int, int]:
        """Prompts, layers, width."""
        return (
            len(self.prompts),
            len(self.header["layers"]),
            self.header["model"]["width"],
        )

    def states(self) -> States:
        """The states, ``(prompts, layers, width)``, read from the disk on use."""
        return np.memmap(self.path, "<f4", "r", self.starts[0], self.shape)

    def tokens(self) -> Tokens:
        """Tokens pooled in each row, ``(prompts,)``."""
        size = len(self.prompts)
        return np.fromfile(self.path, "<i8", count=size, offset=self.starts[1])

    def content_fault(self) -> str | None:
        """What is wrong with the numbers themselves; reads all of them."""
        states, tokens = self.states(), self.tokens()
        if digest(self.prompts, states, tokens) != self.header["sha256"]:
            return "its content is not what was written: the sha256 differs"
        return numbers_fault(self.prompts, self.header["layers"], states, tokens)


def digest(prompts: Sequence[str], states: States, tokens: Tokens) -> str:
    """The sha256 of what a shard holds: hashes line by line, states, tokens."""
    found = hashlib.sha256("\n".join(prompts).encode())
    found.update(states.data)
    found.update(tokens.data)
    return found.hexdigest()


def numbers_fault(
    prompts: Sequence[str], layers: Sequence[int], states: States, tokens: Tokens
) -> str | None:
    """The first state that is no number, or row that pools nothing."""
    finite = np.isfinite(states).all(axis=-1)
    if not finite.all():
        row, layer = np.argwhere(~finite)[0]
        return (
            f"prompt {prompts[row]}, layer {layers[layer]}: the state has NaN or "
            f"infinite values ({np.sum(~finite)} of {finite.size} states have)"
        )
    if (tokens < 1).any():
        row = int(np.argmax(tokens < 1))
        return f"prompt {prompts[row]}: pooled over {tokens[row]} tokens"
    return None


def is_batch_name(name: str) -> bool:
    """Whether a batch may be called this: it becomes the name of a file."""
    return _BATCH.fullmatch(name) is not None


def write_shard(
    path: Path, header: dict[str, Any], states: States, tokens: Tokens
) -> None:
    """Write a whole shard or nothing, unless a whole one is there.

    The caller has checked the arrays. Another process that writes the same shard is
    waited for.

    Raises:
        OSError: The disk is full, or the folder cannot be written.
    """
    states = np.ascontiguousarray(states, "<f4")
    tokens = np.ascontiguousarray(tokens, "<i8")
    header = header | {"sha256": digest(header["prompts"], states, tokens)}
    part = path.with_name(f".{path.name}.part")
    with claimed(part, wait=True) as held:
        if held is None or is_whole(path):
            return
        os.ftruncate(held, 0)
        for piece in (_head(header, states, tokens), tokens.data, states.data):
            _write(held, memoryview(piece).cast("B"))
        os.fsync(held)
        part.replace(path)
        sync_folder(path.parent)


def _head(header: dict[str, Any], states: States, tokens: Tokens) -> bytes:
    """What a safetensors file begins with, as the library writes it.

    The library wants all of a file in memory, twice; a shard is written from the
    arrays as they are.
    """
    data: dict[str, tuple[str, NDArray[Any]]] = {
        "tokens": ("I64", tokens),
        "states": ("F32", states),
    }
    described: dict[str, Any] = {"__metadata__": {METADATA: canonical(header)}}
    start = 0
    for name, (dtype, array) in data.items():
        end = start + array.nbytes
        described[name] = {
            "dtype": dtype,
            "shape": list(array.shape),
            "data_offsets": [start, end],
        }
        start = end
    text = json.dumps(described, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text


def _write(opened: int, rest: memoryview) -> None:
    """All of it: the system may take a part at a time."""
    while rest:
        rest = rest[os.write(opened, rest) :]


def is_whole(path: Path) -> bool:
    """Whether a shard is there, with the content that was written; reads all of it."""
    try:
        return path.exists() and read_shard(path).content_fault() is None
    except DamagedShardError:
        return False


def read_shard(path: Path) -> Shard:
    """Read the header of a shard and compare it with the file's size and place.

    Raises:
        DamagedShardError: It is no whole shard of the folder that it is in.
        OSError: The file cannot be read.
    """
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        length = int.from_bytes(file.read(8), "little")
        if size < 8 or length > size - 8:
            raise DamagedShardError("the file was cut off in its header")
        text = file.read(length)
    try:
        tensors = json.loads(text)
        header = json.loads(tensors["__metadata__"][METADATA])
        _check_fields(header)
        _check_place(path, header)
        found = Shard(path, header, size, (0, 0))
        starts = _starts(tensors, found.shape, 8 + length, size)
    except (ValueError, KeyError, TypeError) as ex:
        raise DamagedShardError(
            f"its header is damaged, or it is no shard of activations (metadata "
            f"{METADATA!r})"
        ) from ex
    return replace(found, starts=starts)


def _check_fields(header: dict[str, Any]) -> None:
    """Every field is there, and means what this version takes it for."""
    version = header["schema_version"]
    if version != SCHEMA_VERSION:
        raise DamagedShardError(
            f"schema_version is {version!r}; this version reads {SCHEMA_VERSION}"
        )
    for name, kind in _FIELDS.items():
        if not isinstance(header.get(name), kind):
            raise DamagedShardError(f"its header has no {name} ({kind.__name__})")
    if header["axes"] != list(AXES):
        raise DamagedShardError(
            f"its axes are {header['axes']}; they must be {list(AXES)}"
        )
    prompts: list[str] = header["prompts"]
    if not prompts or len(set(prompts)) != len(prompts):
        raise DamagedShardError("its header names no prompt, or one twice")


def _check_place(path: Path, header: dict[str, Any]) -> None:
    """A shard that was renamed or moved to another collection is none."""
    model = ModelIdentity(**header["model"])
    key = collection_key(model.revision, header["convention"])
    if key != path.parent.name:
        raise DamagedShardError(
            f"it is of another model revision or convention (collection {key})"
        )
    if header["batch"] != path.name.removesuffix(SUFFIX):
        raise DamagedShardError(f"it is batch {header['batch']}, under another name")


def _starts(
    tensors: dict[str, Any], shape: tuple[int, int, int], data: int, size: int
) -> tuple[int, int]:
    """Where states and tokens begin; both must be whole, and nothing else there."""
    wanted = {"states": ("F32", list(shape), 4), "tokens": ("I64", [shape[0]], 8)}
    if set(tensors) - {"__metadata__"} != set(wanted):
        raise DamagedShardError("its tensors must be states and tokens, and no others")
    spans = []
    for name, (dtype, expected, item) in wanted.items():
        found = tensors[name]
        if (found["dtype"], found["shape"]) != (dtype, expected):
            raise DamagedShardError(
                f"{name} is {found['dtype']} {found['shape']}; its header makes it "
                f"{dtype} {expected}"
            )
        start, end = found["data_offsets"]
        spans.append((data + start, data + end))
        if end - start != item * math.prod(expected):
            raise DamagedShardError(f"the offsets of {name} do not fit its shape")
    (first, middle), (second, end) = sorted(spans)
    if (first, middle) != (data, second) or end != size:
        raise DamagedShardError(f"it has {size:,} bytes; its header makes it {end:,}")
    return spans[0][0], spans[1][0]
