"""A collection: the states of one model under one convention, by prompt."""

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from inspect_awareness.errors import StoreError
from inspect_awareness.whitebox._claims import claimed, disk_errors, sweep
from inspect_awareness.whitebox._identity import ModelIdentity
from inspect_awareness.whitebox._manifest import (
    derived_manifest,
    manifest_text,
    part_of,
    write_manifest,
)
from inspect_awareness.whitebox._rows import Rows
from inspect_awareness.whitebox._shards import (
    AXES,
    SCHEMA_VERSION,
    SUFFIX,
    Shard,
    States,
    Tokens,
    write_shard,
)
from inspect_awareness.whitebox._shelf import Shelf


class Collection:
    """Pooled states by the hash of the prompt; `Store.collection` opens one.

    Reading sees what other processes have written since.

    Args:
        folder: Where its shards are, or will be.
        model: Whose states they are.
        convention: How they are made, as the convention's record.
        layers: Numbers of the layers that are kept.
        writer: The program that writes, for the header of new shards.
    """

    def __init__(
        self,
        folder: Path,
        model: ModelIdentity,
        convention: Mapping[str, Any],
        *,
        layers: Sequence[int],
        writer: str,
    ) -> None:
        self.folder = folder
        self.model = model
        self.convention = dict(convention)
        self.layers = tuple(layers)
        """Numbers of the layers, in the order of the layer axis."""
        self.writer = writer
        self._shelf = Shelf(folder, self.layers, model.width)
        self._in_session = False

    @property
    def key(self) -> str:
        """The hash of model revision and convention, which names the folder."""
        return self.folder.name

    def has(self, hashes: Sequence[str]) -> NDArray[np.bool_]:
        """Which prompts are there, shape ``(prompts,)``."""
        places = self._shelf.places()
        return np.array([h in places for h in hashes], dtype=bool)

    @property
    def unfinished(self) -> bool:
        """Whether a run that wrote here has not ended, or was killed before its end.

        All shards may be there and the manifest not: `writing` brings it up to date.
        """
        return any(self.folder.glob(".writing-*.lock"))

    def has_batch(self, batch: str) -> bool:
        """Whether the shard of a batch is there."""
        return f"{batch}{SUFFIX}" in self._shelf.shards()

    def read(
        self, hashes: Sequence[str], layers: Sequence[int] | None = None
    ) -> States:
        """The states of prompts, in the order asked for.

        Only what is asked for is read from the disk.

        Args:
            hashes: Hashes of prompts, in any order; one may stand there twice.
            layers: Numbers of layers; all of them if None.

        Returns:
            Float32, shape ``(prompts, layers, width)``.

        Raises:
            StoreError: A prompt or a layer is not there.
        """
        columns = self._columns(self.layers if layers is None else layers)
        found = np.empty((len(hashes), len(columns), self.model.width), np.float32)
        for shard, into, rows in self._by_shard(hashes):
            found[_run(into)] = _picked(shard.states(), _run(rows), _run(columns))
        return found

    def tokens(self, hashes: Sequence[str]) -> Tokens:
        """How many tokens each prompt's state was pooled over, ``(prompts,)``.

        Raises:
            StoreError: A prompt is not there.
        """
        found = np.empty(len(hashes), np.int64)
        for shard, into, rows in self._by_shard(hashes):
            found[into] = shard.tokens()[rows]
        return found

    def shards(self) -> tuple[Shard, ...]:
        """The whole shards, by the name of their files."""
        found = self._shelf.shards()
        return tuple(found[name] for name in sorted(found))

    def manifest(self) -> dict[str, Any]:
        """What the collection holds, from the shards themselves."""
        shards = self.shards()
        if shards:
            return derived_manifest(shards)
        return {
            "schema_version": SCHEMA_VERSION,
            "collection": self.key,
            "model": self.model.record(),
            "convention": self.convention,
            "axes": list(AXES),
            "layers": list(self.layers),
            "dtype": "float32",
            "prompts": 0,
            "bytes": 0,
            "shards": [],
        }

    def pointer(self) -> dict[str, Any]:
        """What a log keeps instead of tensors: where they are, and what they must be.

        `content` is the sha256 of the shards' own hashes, in the order of their names.
        """
        manifest = self.manifest()
        hashes = "\n".join(shard["sha256"] for shard in manifest["shards"])
        return {
            "store": str(self.folder.parent),
            "collection": self.key,
            "axes": list(AXES),
            "shape": [manifest["prompts"], len(self.layers), self.model.width],
            "content": hashlib.sha256(hashes.encode()).hexdigest(),
        }

    def damaged(self) -> dict[str, str]:
        """Shards that cannot be used, with the reason, by the name of their files.

        What headers and sizes tell, and what `verify` has found.
        """
        self._shelf.shards()
        return dict(sorted(self._shelf.damaged.items()))

    def verify(self) -> dict[str, str]:
        """Read everything; damaged shards count as absent from then on.

        Returns:
            The reason for each damaged shard, by the name of its file.
        """
        return self._shelf.verify()

    @contextmanager
    def writing(self, shard: tuple[int, int] = (0, 1)) -> Iterator[dict[str, str]]:
        """Write one part of the work; the manifest is brought up to date at the end.

        What a killed run left half written is removed, and what is there is verified,
        so that damaged shards are written anew.

        Args:
            shard: ``(i, n)``: the part of the work that this run does. Runs with
                different parts may write at once.

        Yields:
            The damaged shards, as `verify` gives them.

        Raises:
            StoreError: Another run writes this part now, or the folder cannot be
                written.
        """
        part, parts = shard
        if not 0 <= part < parts:
            raise StoreError(
                f"shard {part}/{parts}: shards are numbered from 0, so that n shards "
                "are 0/n to n-1/n"
            )
        with ExitStack() as stack:
            with disk_errors(self.folder):
                self._claim(part, parts, stack)
            self._in_session = True
            try:
                yield self.verify()
            finally:
                self._in_session = False
                with disk_errors(self.folder):
                    self._write_manifest()

    def write(
        self, batch: str, hashes: Sequence[str], states: States, tokens: Tokens
    ) -> None:
        """Write a batch as one shard: all of it, or nothing.

        A batch that is there already is left as it is.

        Args:
            batch: The name of the batch: letters, digits, ``_`` and ``-``. A function
                of the plan of all batches, so that a resumed run gives the same bytes.
            hashes: The hash of each row's prompt, none twice.
            states: Float32, shape ``(prompts, layers, width)``.
            tokens: Tokens that each row was pooled over, shape ``(prompts,)``.

        Raises:
            StoreError: The arrays do not fit, hold NaN or infinite values, or cannot
                be written; or the batch is there with other prompts.
        """
        made = Rows(batch, list(hashes), np.asarray(states), np.asarray(tokens))
        fault = made.fault(self.layers, self.model.width)
        if fault:
            raise StoreError(f"batch {batch!r} was not written: {fault}")
        header = {
            "schema_version": SCHEMA_VERSION,
            "axes": list(AXES),
            "batch": batch,
            "convention": self.convention,
            "layers": list(self.layers),
            "model": self.model.record(),
            "prompts": made.hashes,
            "writer": self.writer,
        }
        path = self.folder / f"{batch}{SUFFIX}"
        with disk_errors(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            write_shard(path, header, made.states, made.tokens)
            if not self._in_session:
                self._write_manifest()
        there = self._shelf.add(path)
        if there.prompts != made.hashes:
            raise StoreError(
                f"{path}: the batch is there with other prompts; a batch's name must "
                "come from the plan of all batches, so that other prompts have another"
            )

    def _claim(self, part: int, parts: int, stack: ExitStack) -> None:
        """Be the only run that writes this part, and tidy up after dead ones."""
        self.folder.mkdir(parents=True, exist_ok=True)
        lock = self.folder / f".writing-{part}-of-{parts}.lock"
        if stack.enter_context(claimed(lock, wait=False)) is None:
            raise StoreError(
                f"{self.folder}: another run writes shard {part}/{parts} of this "
                "collection now; wait for it, or give the runs different shards"
            )
        for pattern in (".writing-*.lock", ".*.part"):
            for leftover in self.folder.glob(pattern):
                if leftover != lock:
                    sweep(leftover)

    def _columns(self, layers: Sequence[int]) -> list[int]:
        """Places of layers on the layer axis."""
        absent = [layer for layer in layers if layer not in self.layers]
        if absent:
            raise StoreError(
                f"layer {absent[0]} is not in collection {self.key}; it holds layers "
                f"{', '.join(map(str, self.layers))}"
            )
        return [self.layers.index(layer) for layer in layers]

    def _by_shard(
        self, hashes: Sequence[str]
    ) -> Iterator[tuple[Shard, list[int], list[int]]]:
        """Each shard, with places in the result and the rows that belong there."""
        places = self._shelf.places()
        absent = [h for h in hashes if h not in places]
        if absent:
            raise StoreError(self._absence(absent, len(hashes)))
        found: dict[str, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
        for place, h in enumerate(hashes):
            name, row = places[h]
            found[name][0].append(place)
            found[name][1].append(row)
        for name, (into, rows) in found.items():
            yield self._shelf.shard(name), into, rows

    def _absence(self, absent: Sequence[str], asked: int) -> str:
        """Which prompts are not there, and whether a damaged shard may be why."""
        said = (
            f"{self.folder}: {len(absent)} of {asked} prompts are not there, first "
            f"{absent[0]}; extract them with the same model revision and convention"
        )
        damaged = self.damaged()
        if damaged:
            first = min(damaged)
            said += f" ({len(damaged)} shards are damaged: {first}: {damaged[first]})"
        return said

    def _write_manifest(self) -> None:
        """One process at a time, so that the last to end has seen all shards."""
        with claimed(part_of(self.folder), wait=True) as held:
            shards = self.shards()
            if held is not None and shards:
                text = manifest_text(derived_manifest(shards))
                write_manifest(self.folder, text, held)


def _run(numbers: list[int]) -> list[int] | slice:
    """Neighbours in order as a slice, which copies nothing."""
    if numbers and numbers == list(range(numbers[0], numbers[0] + len(numbers))):
        return slice(numbers[0], numbers[0] + len(numbers))
    return numbers


def _picked(
    states: States, rows: list[int] | slice, columns: list[int] | slice
) -> States:
    """Rows and layers of a shard, copied at most once."""
    if isinstance(rows, slice) or isinstance(columns, slice):
        return states[rows, columns]
    return states[np.ix_(rows, columns)]
