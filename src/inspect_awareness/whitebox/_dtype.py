"""Which number format is fast here: measured, since processors differ by ten times.

A CPU with bfloat16 instructions multiplies in it twice to four times as fast as in
float32; one without takes four times as long. float16 is slow on every CPU.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass

import torch

_ROWS, _WIDTH = 256, 1024  # about what one layer of a small model multiplies
_REPEATS = 5
_WORTH = 1.2  # bfloat16 rounds to 3 digits: it has to be this many times as fast


@dataclass(frozen=True)
class DtypeTrial:
    """What a short timing found.

    Args:
        chosen: ``float32`` or ``bfloat16``, as a convention writes it.
        seconds: The best time of one matrix product in each.
    """

    chosen: str
    seconds: Mapping[str, float]


def choose_dtype(device: str) -> DtypeTrial:
    """Time a matrix product in float32 and bfloat16; about 50 ms on a CPU.

    Args:
        device: As torch writes it.

    Returns:
        bfloat16 where it is at least 1.2 times as fast, else float32.
    """
    seconds = {
        name: _best(device, getattr(torch, name)) for name in ("float32", "bfloat16")
    }
    return DtypeTrial(chosen(seconds), seconds)


def chosen(seconds: Mapping[str, float]) -> str:
    """bfloat16 where it is worth its rounding.

    >>> chosen({"float32": 5.5e-3, "bfloat16": 2.4e-3})
    'bfloat16'
    """
    worth = seconds["float32"] >= _WORTH * seconds["bfloat16"]
    return "bfloat16" if worth else "float32"


def _best(device: str, dtype: torch.dtype) -> float:
    """The best of a few products, the first of which only warms up."""
    left = torch.ones(_ROWS, _WIDTH, device=device, dtype=dtype)
    right = torch.ones(_WIDTH, _WIDTH, device=device, dtype=dtype)
    times = []
    with torch.inference_mode():
        for _ in range(_REPEATS + 1):
            begin = time.perf_counter()
            # reading one number waits for a device that works in the background
            float(torch.nn.functional.linear(left, right)[0, 0])
            times.append(time.perf_counter() - begin)
    return min(times[1:])
