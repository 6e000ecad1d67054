"""What is pooled: sums over tokens, in float32, several poolings at once.

A pooling is a row of zeros and ones over the tokens of a prompt, so that any number of
conventions are one small matrix product with a layer's states. Sums over the tokens
of a prefix and sums over the rest add up to the sums over the prompt.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from inspect_awareness.whitebox._convention import Convention
from inspect_awareness.whitebox._prompts import Rendered

Selector = tuple[str, tuple[str, ...]]


@dataclass(frozen=True)
class Selectors:
    """The different ways to pool that some conventions ask for.

    Args:
        each: Pooling and dropped kinds, without repetition.
    """

    each: tuple[Selector, ...]

    @classmethod
    def of(cls, conventions: Sequence[Convention]) -> "Selectors":
        """The selectors of conventions, in their order."""
        return cls(tuple(dict.fromkeys(map(selector, conventions))))

    def rows(self, prompt: Rendered) -> NDArray[np.float32]:
        """Which tokens each selector sums: zeros and ones ``(selectors, tokens)``.

        Raises:
            InputError: A selector leaves no token of the prompt.
        """
        rows = np.zeros((len(self.each), len(prompt.tokens)), dtype=np.float32)
        for row, (pooling, dropped) in zip(rows, self.each, strict=True):
            kept = prompt.kept(dropped)
            if pooling == "mean":
                row[kept] = 1
            else:
                row[np.flatnonzero(kept)[-1]] = 1
        return rows


def selector(convention: Convention) -> Selector:
    """How a convention pools."""
    return convention.pooling, convention.dropped


def last_text_token(prompt: Rendered) -> int:
    """Index of the last token that no selector drops; 0 where there is none."""
    kept = np.flatnonzero(~prompt.flags.any(axis=1))
    return int(kept[-1]) if len(kept) else 0
