"""What a collection of activations is of: one model's weights and one convention."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from inspect_awareness.whitebox._convention import digest


@dataclass(frozen=True)
class ModelIdentity:
    """The model whose states are stored.

    Args:
        name: What a user calls it; no part of the key.
        revision: What its numbers depend on: a hub commit, or the sha256 of the
            weights' files.
        layers: Decoder blocks.
        width: Numbers in one state.
    """

    name: str
    revision: str
    layers: int
    width: int

    def record(self) -> dict[str, Any]:
        """The fields by name, as JSON takes them."""
        return asdict(self)


def canonical(value: Any) -> str:
    """JSON with sorted keys and no spaces: one text for one value.

    >>> canonical({"b": (1, 2), "a": "x"})
    '{"a":"x","b":[1,2]}'
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def collection_key(revision: str, convention: Mapping[str, Any]) -> str:
    """The name of a collection's folder: 16 hex digits of what makes its numbers.

    >>> collection_key("abc", {"pooling": "mean"})
    '942a4e4041be8a1e'
    """
    return digest({"convention": convention, "revision": revision})
