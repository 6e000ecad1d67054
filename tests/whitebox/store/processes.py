"""Processes that write one store: killed at random, in shards, or all the same.

A program of its own, so that it may fork: importing takes longer than what is tested.
`tests` must be on the path. Takes names and numbers, as in `kills 50 shards 4`, and
prints JSON.
"""

import json
import os
import signal
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from more_itertools import batched
from whitebox.store.activations import (
    MODEL,
    batch,
    collection,
    every_byte,
    hash_of,
    state_of,
)

from inspect_awareness.errors import StoreError

BATCHES = 24
WIDTH = 1_024
WIDE = type(MODEL)("whitebox/wide", "weights-2", layers=2, width=WIDTH)


def resume(folder, shard=(0, 1)):
    """What an extraction does: write the batches of its part that are not there."""
    found = collection(folder, WIDE)
    with found.writing(shard):
        for number in range(shard[0], BATCHES, shard[1]):
            planned = batch(number, width=WIDTH)
            if not found.has(planned.hashes).all():
                found.write(*planned)


def forked(work):
    """Do the work in a process of its own: exit status 0, or 3 for a clear error."""
    child = os.fork()
    if child:
        return child
    status = 4
    try:
        work()
        status = 0
    except StoreError as ex:
        sys.stderr.write(f"{ex}\n")
        status = 3
    finally:
        os._exit(status)


def statuses(children):
    return [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]


def fault_after_kill(folder):
    """What a reader would find wrong; batches that are there are right."""
    found = collection(folder, WIDE)
    if found.verify():
        return str(found.verify())
    there = [p for p in range(3 * BATCHES) if found.has([hash_of(p)])[0]]
    states = found.read([hash_of(p) for p in there])
    right = all(
        (s == state_of(p, WIDTH)).all() for s, p in zip(states, there, strict=True)
    )
    return "" if right else "other numbers"


def kills(wanted, seed=0):
    """Kill at random moments; every store must end as one that was left alone."""
    rng = np.random.default_rng(seed)
    with tempfile.TemporaryDirectory() as undisturbed:
        started = time.perf_counter()
        statuses([forked(lambda: resume(undisturbed))])
        whole = time.perf_counter() - started
        expected = every_byte(undisturbed)
    landed, stores, torn, faults = 0, 0, 0, []
    while landed < wanted:
        with tempfile.TemporaryDirectory() as folder:
            status = -signal.SIGKILL
            while status != 0:
                child = forked(lambda folder=folder: resume(folder))
                time.sleep(rng.uniform(0, whole / 3))
                if landed < wanted:
                    os.kill(child, signal.SIGKILL)
                (status,) = statuses([child])
                landed += status == -signal.SIGKILL
                torn += any(Path(folder).rglob(".*.part"))
                faults += filter(None, [fault_after_kill(folder)])
            stores += 1
            if every_byte(folder) != expected:
                faults.append("the store differs")
    return {"kills": landed, "stores": stores, "torn": torn, "faults": faults}


def shards(count):
    """One run beside several runs at once."""
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as many:
        resume(one)
        found = statuses(
            [forked(lambda i=i: resume(many, (i, count))) for i in range(count)]
        )
        return {"statuses": found, "same": every_byte(one) == every_byte(many)}


def rivals(count):
    """Runs that do not know of each other write the same batches at once."""

    def all_of_it(folder):
        found = collection(folder, WIDE)
        for number in range(BATCHES):
            found.write(*batch(number, width=WIDTH))

    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as both:
        all_of_it(one)
        found = statuses([forked(lambda: all_of_it(both)) for _ in range(count)])
        return {"statuses": found, "same": every_byte(one) == every_byte(both)}


if __name__ == "__main__":
    pairs = batched(sys.argv[1:], 2)
    given = {name: int(number) for name, number in pairs}
    made = {"kills": kills, "shards": shards, "rivals": rivals}
    found = {name: made[name](number) for name, number in given.items()}
    sys.stdout.write(json.dumps(found))
