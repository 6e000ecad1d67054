"""What a model can do of a convention, found out before anything is stored.

A policy that a model cannot follow gives wrong numbers in silence: a prefix whose keys
a model does not share, rotations that depend on the longest prompt of a batch. So two
prompts are run both ways, each on its own and as the convention says, and where the
states differ the plain way is taken and the record says so.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from inspect_awareness.errors import ModelError
from inspect_awareness.whitebox._batches import Batch
from inspect_awareness.whitebox._convention import DEFAULT, Convention
from inspect_awareness.whitebox._local_model import LocalModel
from inspect_awareness.whitebox._pooling import Selectors
from inspect_awareness.whitebox._prompts import Rendered
from inspect_awareness.whitebox._running import Pooled, Runner
from inspect_awareness.whitebox._scoring import attends, rotates_by_length

# Largest relative difference of a state between two ways to compute it. Rounding stays
# a tenth below; keys cut to a sliding window are off by .03 in a tiny model, and a
# rotation of the wrong length by more.
_TOLERANCE = {"float32": 1e-4, "bfloat16": 0.05, "float16": 0.01}
_MEANS = Selectors((("mean", ()),))


def dtype_name(model: LocalModel) -> str:
    """The model's number format, as a convention writes it."""
    return str(model.dtype).removeprefix("torch.")


def default_convention(model: LocalModel) -> Convention:
    """The default, in the model's own number format and attention kernel.

    A GPU gets ten times as many tokens in a batch as fit the caches of a CPU.
    """
    record = DEFAULT.record() | {"dtype": dtype_name(model)}
    own = model.model.config._attn_implementation
    if own is not None:
        record["attention"] = own
    if model.device.type != "cpu":
        record["batching"] = "length-sorted-8192"
    return Convention.from_record(record)


def check_dtype(model: LocalModel, convention: Convention) -> None:
    """The model is in the format that the convention says.

    Raises:
        ModelError: It is in another.
    """
    found = dtype_name(model)
    if found != convention.dtype:
        raise ModelError(
            f"the convention says dtype={convention.dtype}, and the model is loaded in "
            f"{found}: load it with dtype={convention.dtype}, or ask for a convention "
            f"with dtype={found}"
        )


def settled(
    model: LocalModel,
    prompts: Sequence[Rendered],
    batches: Sequence[Batch],
    passes: Convention,
) -> Convention:
    """The convention with the policies that hold for this model and these prompts.

    Args:
        model: The model, whose lock the caller holds.
        prompts: All prompts.
        batches: The plan that the convention leads to.
        passes: What was asked for.

    Returns:
        The same, or with ``prefix="whole"``, or with ``batching="single"`` as well.
    """
    if rotates_by_length(model.config):
        return replace(passes, prefix="whole", batching="single")
    runner = Runner(model, prompts, _MEANS, passes.attention)
    shared = max(batches, key=lambda batch: batch.prefix)
    pair = _pair(prompts, batches, shared)
    alone = np.concatenate(
        [runner.run(replace(pair, rows=(row,), prefix=0)) for row in pair.rows]
    )
    agrees = partial(_agrees, runner, alone, _TOLERANCE[passes.dtype])
    if shared.prefix and not (attends(model.config) and agrees(pair)):
        passes = replace(passes, prefix="whole")
    if passes.budget is None or agrees(replace(pair, prefix=0)):
        return passes
    return replace(passes, prefix="whole", batching="single")


def _pair(
    prompts: Sequence[Rendered], batches: Sequence[Batch], shared: Batch
) -> Batch:
    """The shortest and the longest prompt with the longest prefix, if there is one."""
    begin = prompts[shared.rows[0]].tokens[: shared.prefix]
    rows = [
        row
        for batch in batches
        for row in batch.rows
        if batch.prefix == shared.prefix
        and prompts[row].tokens[: shared.prefix] == begin
    ]
    return replace(shared, rows=(rows[0], rows[-1]))


def _agrees(runner: Runner, alone: Pooled, tolerance: float, pair: Batch) -> bool:
    """Whether two prompts have the same states in one batch as each on its own."""
    try:
        together = runner.run(pair)
    except (TypeError, ValueError, RuntimeError, AttributeError, IndexError):
        return False  # an architecture that takes no such cache
    return relative_difference(together, alone) <= tolerance


def relative_difference(found: Pooled, expected: Pooled) -> float:
    """``max |found - expected| / |expected|`` over the vectors of the last axis."""
    # squares of huge states overflow in float32
    exact = expected.astype(np.float64)
    gaps = np.linalg.norm(found - exact, axis=-1)
    sizes = np.linalg.norm(exact, axis=-1)
    return float(np.max(gaps / np.maximum(sizes, np.finfo(np.float32).tiny)))
