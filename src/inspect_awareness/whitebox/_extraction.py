"""Activations of many prompts: planned, run batch by batch, kept or stored.

All prompts are rendered and planned first. Then each batch is one turn on the model,
in a thread, so that an event loop goes on and others may use the model in between.
Conventions that share their forward pass come out of one.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

import anyio.to_thread
import numpy as np
from numpy.typing import NDArray

from inspect_awareness.errors import InputError
from inspect_awareness.whitebox._activations import Activations, Progress
from inspect_awareness.whitebox._batches import Batch, plan
from inspect_awareness.whitebox._collection import Collection
from inspect_awareness.whitebox._convention import Convention
from inspect_awareness.whitebox._local_model import LocalModel
from inspect_awareness.whitebox._pooling import Selectors, selector
from inspect_awareness.whitebox._prompts import FramedPrompt, Rendered, render
from inspect_awareness.whitebox._queue import in_turn
from inspect_awareness.whitebox._running import Pooled, Runner
from inspect_awareness.whitebox._settling import check_dtype, settled
from inspect_awareness.whitebox._store import Store


class Kept(Protocol):
    """Where states go, and come from: a collection of a store, or memory."""

    def has(self, hashes: Sequence[str]) -> NDArray[np.bool_]:
        """Which prompts are there."""

    def write(
        self,
        batch: str,
        hashes: Sequence[str],
        states: NDArray[np.float32],
        tokens: NDArray[np.int64],
    ) -> None:
        """Keep a batch, all of it or nothing."""

    def read(self, hashes: Sequence[str]) -> NDArray[np.float32]:
        """States in the order of the hashes."""


@dataclass(frozen=True)
class _Target:
    """One convention: what becomes of its states."""

    asked: Convention
    used: Convention
    kept: Kept
    hashes: tuple[str, ...]


async def extract(
    model: LocalModel,
    prompts: Sequence[FramedPrompt],
    conventions: Sequence[Convention],
    store: Store | None = None,
    *,
    shard: tuple[int, int] = (0, 1),
    progress: Callable[[Progress], None] | None = None,
) -> Mapping[Convention, Activations]:
    """Pooled states of every prompt under every convention.

    Args:
        model: A loaded model.
        prompts: Framed tasks. A prompt that occurs twice is run once.
        conventions: What to make of them. Those with equal ``passes`` cost one
            forward pass together.
        store: Where the states are kept. What is there is not computed again.
        shard: ``(i, n)``: run the i-th of n parts of the batches, counted from 0.
        progress: Called after each batch.

    Returns:
        Activations for each convention, in the order of the prompts; of this part's
        prompts only where there are several parts.

    Raises:
        InputError: A prompt is empty, too long, or has no token left to pool; or
            nothing was asked for.
        ModelError: The model does not take a convention, or its activations are not
            numbers.
        StoreError: The store cannot be written.
    """
    _check_request(prompts, conventions, shard)
    groups: dict[Convention, list[Convention]] = defaultdict(list)
    for convention in dict.fromkeys(conventions):
        groups[convention.passes].append(convention)
    found: dict[Convention, Activations] = {}
    for passes, asked in groups.items():
        job = await in_turn(
            model, partial(_job, model, prompts, passes, asked, store, shard)
        )
        found |= await job.done(progress)
    return {convention: found[convention] for convention in conventions}


@dataclass(frozen=True)
class _Job:
    """The passes of some conventions over all prompts."""

    runner: Runner
    batches: tuple[Batch, ...]
    targets: tuple[_Target, ...]
    order: tuple[int, ...]
    shard: tuple[int, int]

    async def done(
        self, progress: Callable[[Progress], None] | None
    ) -> dict[Convention, Activations]:
        """Run what is missing, then read everything."""
        report = _Report(self, progress)
        lacking = await anyio.to_thread.run_sync(self._missing)
        if lacking or self._unfinished():
            with self._writing():
                # looked up again: what is damaged counts as missing from here on
                missing = await anyio.to_thread.run_sync(self._missing)
                report.begin(missing)
                for batch in missing:
                    pooled = await in_turn(
                        self.runner.model, partial(self.runner.run, batch)
                    )
                    await anyio.to_thread.run_sync(self._keep, batch, pooled)
                    report.ran(batch)
        return await anyio.to_thread.run_sync(self._read)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Collections of a store are held while they are written."""
        with ExitStack() as held:
            for target in self.targets:
                if isinstance(target.kept, Collection):
                    held.enter_context(target.kept.writing(self.shard))
            yield

    def _unfinished(self) -> bool:
        """Whether a run was killed when all was written but the manifest."""
        kept = (target.kept for target in self.targets)
        return any(isinstance(one, Collection) and one.unfinished for one in kept)

    def _missing(self) -> list[Batch]:
        """The batches of which some convention lacks a prompt."""
        return [
            batch
            for batch in self.batches
            if not all(
                target.kept.has([target.hashes[row] for row in batch.rows]).all()
                for target in self.targets
            )
        ]

    def _keep(self, batch: Batch, pooled: Pooled) -> None:
        """Give each convention its share: a batch is always kept as a whole."""
        for target in self.targets:
            target.kept.write(
                batch.name,
                [target.hashes[row] for row in batch.rows],
                self._states(target, pooled),
                self._counts(target, batch.rows),
            )

    def _states(self, target: _Target, pooled: Pooled) -> Pooled:
        """One convention's share of a pass: ``(prompts, layers, width)``."""
        way = self.runner.selectors.each.index(selector(target.used))
        return pooled[:, way, self.runner.stack.picked(target.used)]

    def _counts(self, target: _Target, rows: Sequence[int]) -> NDArray[np.int64]:
        """Tokens pooled for each prompt."""
        if target.used.pooling == "last":
            return np.ones(len(rows), dtype=np.int64)
        prompts = self.runner.prompts
        return np.array(
            [prompts[row].kept(target.used.dropped).sum() for row in rows],
            dtype=np.int64,
        )

    def _read(self) -> dict[Convention, Activations]:
        """Everything this part was to do, in the order of the prompts."""
        mine = {row for batch in self.batches for row in batch.rows}
        rows = [row for row in self.order if row in mine]
        blocks = len(self.runner.stack.blocks)
        found = {}
        for target in self.targets:
            hashes = tuple(target.hashes[row] for row in rows)
            found[target.asked] = Activations(
                convention=target.used,
                hashes=hashes,
                states=target.kept.read(hashes),
                layers=target.used.layer_numbers(blocks),
                tokens=self._counts(target, rows),
            )
        return found


class _Report:
    """Tells how far a job is."""

    def __init__(self, job: _Job, progress: Callable[[Progress], None] | None) -> None:
        self._prompts = job.runner.prompts
        self._tell = progress
        self._of = sum(len(batch.rows) for batch in job.batches)
        self._done = 0
        self._tokens = 0
        self._begun = time.perf_counter()

    def begin(self, missing: Sequence[Batch]) -> None:
        """Everything else is there already."""
        self._done = self._of - sum(len(batch.rows) for batch in missing)
        self._begun = time.perf_counter()

    def ran(self, batch: Batch) -> None:
        """One more batch is done."""
        self._done += len(batch.rows)
        self._tokens += sum(len(self._prompts[row].tokens) for row in batch.rows)
        if self._tell is not None:
            seconds = time.perf_counter() - self._begun
            self._tell(Progress(self._done, self._of, self._tokens, seconds))


def _check_request(
    prompts: Sequence[FramedPrompt],
    conventions: Sequence[Convention],
    shard: tuple[int, int],
) -> None:
    """There is something to do, and a part of it to do it for."""
    if not prompts or not conventions:
        raise InputError(
            f"nothing to extract: {len(prompts)} prompts and {len(conventions)} "
            f"conventions were given, and at least one of each is needed"
        )
    part, parts = shard
    if not 0 <= part < parts:
        raise InputError(
            f"shard {part}/{parts}: shards are numbered from 0, so that n shards are "
            f"0/n to n-1/n"
        )


def _job(
    model: LocalModel,
    prompts: Sequence[FramedPrompt],
    passes: Convention,
    asked: Sequence[Convention],
    store: Store | None,
    shard: tuple[int, int],
) -> _Job:
    """Render and plan; the caller holds the model's lock."""
    check_dtype(model, passes)
    rendered = render(model, prompts, passes)
    place: dict[str, int] = {}
    order = [place.setdefault(one.key, len(place)) for one in rendered]
    unique = list({one.key: one for one in reversed(rendered)}.values())[::-1]
    revision = model.identity.revision if store is not None else ""
    passes, batches = _planned(model, unique, passes)
    used = [
        replace(one, prefix=passes.prefix, batching=passes.batching) for one in asked
    ]
    selectors = Selectors.of(used)
    targets = []
    for one, settled_one in zip(asked, used, strict=True):
        settled_one.layer_numbers(model.config.num_hidden_layers)
        hashes = tuple(row.hash(settled_one, revision) for row in unique)
        kept = _kept(model, settled_one, store)
        targets.append(_Target(one, settled_one, kept, hashes))
    runner = Runner(model, unique, selectors, passes.attention)
    part, parts = shard
    return _Job(runner, batches[part::parts], tuple(targets), tuple(order), shard)


def _planned(
    model: LocalModel, prompts: Sequence[Rendered], passes: Convention
) -> tuple[Convention, tuple[Batch, ...]]:
    """The policies that hold, and the plan that they lead to."""
    wanted = plan(prompts, budget=passes.budget, share=passes.prefix == "shared")
    holds = settled(model, prompts, wanted, passes)
    if holds == passes:
        return passes, wanted
    return holds, plan(prompts, budget=holds.budget, share=holds.prefix == "shared")


def _kept(model: LocalModel, convention: Convention, store: Store | None) -> Kept:
    """A collection of the store, or memory."""
    return Memory() if store is None else store.collection(model.identity, convention)


class Memory:
    """States that nobody stores."""

    def __init__(self) -> None:
        self._rows: dict[str, NDArray[np.float32]] = {}

    def has(self, hashes: Sequence[str]) -> NDArray[np.bool_]:
        """Which prompts are there."""
        return np.array([one in self._rows for one in hashes], dtype=np.bool_)

    def write(
        self,
        batch: str,
        hashes: Sequence[str],
        states: NDArray[np.float32],
        tokens: NDArray[np.int64],
    ) -> None:
        """Keep a batch."""
        del batch, tokens
        self._rows |= zip(hashes, states, strict=True)

    def read(self, hashes: Sequence[str]) -> NDArray[np.float32]:
        """States in the order of the hashes."""
        return np.stack([self._rows[one] for one in hashes])
