"""What an extraction gives, and what it tells on the way; needs no torch."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from inspect_awareness.whitebox._convention import Convention


@dataclass(frozen=True)
class Activations:
    """Pooled states of prompts under one convention.

    Args:
        convention: How they were made. It differs from what was asked for where the
            model could not follow a policy: see ``prefix`` and ``batching``.
        hashes: Of each prompt as the model reads it, in the order of the prompts;
            without a store they say nothing of the model.
        states: Float32, shape ``(prompts, layers, width)``.
        layers: Numbers of the layers, in the order of their axis.
        tokens: Tokens that each state was pooled over, shape ``(prompts,)``.
    """

    convention: Convention
    hashes: tuple[str, ...]
    states: NDArray[np.float32]
    layers: tuple[int, ...]
    tokens: NDArray[np.int64]


@dataclass(frozen=True)
class Progress:
    """How far an extraction is.

    Args:
        prompts: Prompts done, those found in a store among them.
        of: Prompts in all.
        tokens: Tokens of the prompts that were run.
        seconds: Since the first of them began.
    """

    prompts: int
    of: int
    tokens: int
    seconds: float

    @property
    def rate(self) -> float:
        """Tokens per second: of the prompts, however many had to be computed."""
        return self.tokens / self.seconds if self.seconds else 0.0
