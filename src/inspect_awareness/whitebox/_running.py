"""One batch through the model, with or without a prefix that was run before."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from inspect_awareness.errors import ModelError
from inspect_awareness.whitebox._batches import Batch
from inspect_awareness.whitebox._capture import attending, pooled_pass, stack
from inspect_awareness.whitebox._local_model import LocalModel
from inspect_awareness.whitebox._pooling import Selectors
from inspect_awareness.whitebox._prefix import Start, start
from inspect_awareness.whitebox._prompts import Rendered
from inspect_awareness.whitebox._tokens import Tokens

Pooled = NDArray[np.float32]


class Runner:
    """Runs batches of one plan; the last prefix is kept for the next batch.

    Args:
        model: A loaded model.
        prompts: The prompts that the plan is about.
        selectors: How they are pooled.
        attention: The attention kernel.
    """

    def __init__(
        self,
        model: LocalModel,
        prompts: Sequence[Rendered],
        selectors: Selectors,
        attention: str,
    ) -> None:
        self.model = model
        self.prompts = prompts
        self.selectors = selectors
        self.stack = stack(model)
        self._attention = attention
        self._start: Start | None = None
        self._started: tuple[Tokens, bytes] | None = None

    def run(self, batch: Batch) -> Pooled:
        """Pooled states of a batch; the caller holds the model's lock.

        Returns:
            Shape ``(prompts, selectors, states, width)``, with the states of
            `Stack`.

        Raises:
            ModelError: A state is not a number.
        """
        with attending(self.model, self._attention):
            pooled = self._pooled(batch)
        _check_finite(pooled, [self.prompts[row] for row in batch.rows])
        return pooled

    def _pooled(self, batch: Batch) -> Pooled:
        """Sums of the batch and its prefix, divided by how many tokens they sum."""
        prompts = [self.prompts[row] for row in batch.rows]
        masks = [self.selectors.rows(prompt) for prompt in prompts]
        longest = max(len(prompt.tokens) for prompt in prompts)
        tokens = torch.zeros(len(prompts), longest, dtype=torch.long)
        rows = torch.zeros(len(prompts), len(self.selectors.each), longest)
        for number, (prompt, mask) in enumerate(zip(prompts, masks, strict=True)):
            tokens[number, : len(prompt.tokens)] = torch.tensor(prompt.tokens)
            rows[number, :, : len(prompt.tokens)] = torch.from_numpy(mask)
        first = self._begun(batch, prompts[0], rows[0])
        sums = pooled_pass(
            self.model,
            self.stack,
            tokens[:, batch.prefix :],
            rows[:, :, batch.prefix :].contiguous(),
            cache=None if first is None else first.cache(),
        )
        if first is not None:
            sums += first.sums
        sums /= rows.sum(dim=2)[:, :, None, None]
        found: Pooled = sums.numpy()
        return found

    def _begun(self, batch: Batch, prompt: Rendered, rows: Any) -> Start | None:
        """The batch's prefix, run now unless the batch before had the same."""
        if not batch.prefix:
            return None
        tokens = prompt.tokens[: batch.prefix]
        summed = rows[:, : batch.prefix].contiguous()
        wanted = (tokens, summed.numpy().tobytes())
        if self._started != wanted:
            self._start = start(self.model, self.stack, tokens, summed)
            self._started = wanted
        return self._start


def _check_finite(pooled: Pooled, prompts: Sequence[Rendered]) -> None:
    """Every number is one, or the error says where the first is that is not."""
    fine = np.isfinite(pooled).all(axis=(1, 3))
    if fine.all():
        return
    row, state = np.argwhere(~fine)[0]
    where = "the embedding" if state == 0 else f"layer {state}"
    raise ModelError(
        f"{prompts[row].name} gives activations that are not finite (NaN or infinite) "
        f"from {where} on. float16 overflows in many models: load the model with "
        f"dtype=float32 or bfloat16. In float32 its weights are damaged"
    )
