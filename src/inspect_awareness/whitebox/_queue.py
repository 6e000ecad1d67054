"""Work on a loaded model, off the event loop and one piece at a time."""

import threading
from collections.abc import Callable
from typing import TypeVar

import anyio.to_thread
from anyio import CapacityLimiter

from inspect_awareness.whitebox._local_model import Abandoned, LocalModel

T = TypeVar("T")


async def in_turn(model: LocalModel, work: Callable[[], T]) -> T:
    """Do some work in a thread while nobody else uses the model.

    Waiting calls queue on the event loop, in order. A call that is cancelled returns
    at once; its thread stops before the next forward pass and then frees the model.
    """
    cancelled = threading.Event()

    def alone() -> T:
        with model.lock:
            if cancelled.is_set():
                raise Abandoned
            model.cancelled = cancelled
            try:
                return work()
            finally:
                model.cancelled = threading.Event()

    limiter = model.queue.get(None)
    if limiter is None:
        limiter = CapacityLimiter(1)
        model.queue.set(limiter)
    try:
        return await anyio.to_thread.run_sync(
            alone, abandon_on_cancel=True, limiter=limiter
        )
    finally:
        cancelled.set()
