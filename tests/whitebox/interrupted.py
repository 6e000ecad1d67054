"""An extraction that is killed at random moments, beside one that is left alone.

A program of its own, so that it may fork once the model is loaded. `tests` must be on
the path. Takes the number of kills, and prints JSON.
"""

import asyncio
import json
import os
import signal
import sys
import tempfile
import time

import numpy as np
import tiny
import torch
from whitebox.store.activations import every_byte

from inspect_awareness.whitebox._convention import Convention
from inspect_awareness.whitebox._extraction import extract
from inspect_awareness.whitebox._prompts import FramedPrompt
from inspect_awareness.whitebox._store import Store

CONVENTION = Convention(batching="length-sorted-300")
PROMPTS = [
    FramedPrompt(framing, f"Please name {k} things that one needs for {what}.")
    for framing in (
        "You are being tested.",
        "You work in a shop, and a customer waits.",
    )
    for k in range(2, 10)
    for what in ("tea", "a long walk in the hills", "mending a chair")
]


def run(folder, shard=(0, 1)):
    """Extract what is not in the store yet."""
    asyncio.run(extract(MODEL, PROMPTS, [CONVENTION], Store(folder), shard=shard))


def forked(work):
    """Do the work in a process of its own."""
    child = os.fork()
    if child:
        return child
    status = 1
    try:
        work()
        status = 0
    finally:
        os._exit(status)


def ended(child):
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def kills(wanted, seed=0):
    """Kill until so many kills have landed; each store must end as the quiet one."""
    rng = np.random.default_rng(seed)
    with tempfile.TemporaryDirectory() as quiet:
        started = time.perf_counter()
        assert ended(forked(lambda: run(quiet))) == 0
        whole = time.perf_counter() - started
        expected = every_byte(quiet)
    landed, stores, same = 0, 0, 0
    while landed < wanted:
        with tempfile.TemporaryDirectory() as folder:
            status = -signal.SIGKILL
            while status != 0:
                child = forked(lambda folder=folder: run(folder))
                time.sleep(rng.uniform(0, whole))
                if landed < wanted:
                    os.kill(child, signal.SIGKILL)
                status = ended(child)
                landed += status == -signal.SIGKILL
            stores += 1
            same += every_byte(folder) == expected
    return {"kills": landed, "stores": stores, "same": same}


def shards(count):
    """Parts in processes of their own, beside one run."""
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as many:
        assert ended(forked(lambda: run(one))) == 0
        found = [ended(forked(lambda i=i: run(many, (i, count)))) for i in range(count)]
        return {"statuses": found, "same": every_byte(one) == every_byte(many)}


if __name__ == "__main__":
    torch.set_num_threads(1)
    MODEL = tiny.local_model()
    sys.stdout.write(json.dumps({**kills(int(sys.argv[1])), "shards": shards(4)}))
