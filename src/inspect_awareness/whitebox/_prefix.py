"""The common beginning of many prompts, run once.

Keys and values of the prefix are kept whole and shared by all prompts of a batch. A
layer with a sliding window keeps them whole too: the mask of the model hides what lies
beyond the window, which a cache that was cut to the window would get wrong once the
prefix is longer.
"""

from dataclasses import dataclass
from typing import Any

import torch
from transformers import DynamicCache
from transformers.cache_utils import DynamicLayer

from inspect_awareness.whitebox._capture import Stack, pooled_pass
from inspect_awareness.whitebox._local_model import LocalModel
from inspect_awareness.whitebox._tokens import Tokens


@dataclass(frozen=True)
class Start:
    """A prefix that was run.

    Args:
        tokens: Its tokens.
        sums: Its part of every sum, float32 ``(selectors, states, width)``.
        keys: Keys and values of each layer, each ``(1, heads, tokens, width)``.
    """

    tokens: Tokens
    sums: Any
    keys: tuple[tuple[Any, Any], ...]

    def cache(self) -> Any:
        """The prefix as what a batch comes after."""
        cache = DynamicCache()
        cache.layers.extend(_SharedLayer(keys, values) for keys, values in self.keys)
        return cache


def start(model: LocalModel, found: Stack, tokens: Tokens, rows: Any) -> Start:
    """Run a prefix once.

    Args:
        model: The model, whose lock the caller holds.
        found: Its blocks.
        tokens: The prefix.
        rows: Which of its tokens are summed, float32 ``(selectors, tokens)``.
    """
    cache = DynamicCache()  # made without the config: no layer forgets
    ids = torch.tensor([tokens])
    sums = pooled_pass(model, found, ids, rows[None], cache=cache)[0]
    return Start(
        tokens, sums, tuple((layer.keys, layer.values) for layer in cache.layers)
    )


class _SharedLayer(DynamicLayer):  # type: ignore[misc]
    """Keys and values of a prefix, in front of any batch's own and not changed by it."""

    def __init__(self, keys: Any, values: Any) -> None:
        super().__init__()
        self.lazy_initialization(keys, values)
        self.keys, self.values = keys, values

    def update(
        self, key_states: Any, value_states: Any, *_: Any, **__: Any
    ) -> tuple[Any, Any]:
        """The prefix and the batch; nothing is stored."""
        rows = key_states.shape[0]
        return (
            torch.cat([self.keys.expand(rows, -1, -1, -1), key_states], dim=-2),
            torch.cat([self.values.expand(rows, -1, -1, -1), value_states], dim=-2),
        )
