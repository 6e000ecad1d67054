"""What the rows of a batch must be before they are written."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from inspect_awareness.whitebox._shards import (
    States,
    Tokens,
    is_batch_name,
    numbers_fault,
)


@dataclass(frozen=True)
class Rows:
    """Rows to be written as one shard.

    Args:
        name: Of the batch, and of its file.
        hashes: The hash of each row's prompt.
        states: Shape ``(prompts, layers, width)``.
        tokens: Tokens that each row was pooled over, shape ``(prompts,)``.
    """

    name: str
    hashes: Sequence[str]
    states: States
    tokens: Tokens

    def fault(self, layers: Sequence[int], width: int) -> str | None:
        """Why it cannot be written to a collection of these layers and width."""
        return self._form_fault(len(layers), width) or numbers_fault(
            self.hashes, layers, self.states, self.tokens
        )

    def _form_fault(self, layers: int, width: int) -> str | None:
        """Names, shapes and types."""
        shape = (len(self.hashes), layers, width)
        if not is_batch_name(self.name):
            return "its name must be letters, digits, _ and -, at most 100"
        if not self.hashes or len(set(self.hashes)) != len(self.hashes):
            return "it must hold prompts, and none of them twice"
        if self.states.dtype.newbyteorder("=") != np.float32:
            return f"its states are {self.states.dtype}; pool in float32"
        if self.states.shape != shape:
            return (
                f"its states have shape {self.states.shape}; the axes are prompt, "
                f"layer, width, so it must be {shape}"
            )
        if self.tokens.shape != shape[:1] or self.tokens.dtype.kind not in "iu":
            return f"its tokens must be {shape[0]} whole numbers, one a prompt"
        return None
