"""The local model: labels scored exactly, replies generated, models fetched.

Nothing here imports torch or transformers until a model is loaded. `load`, which
loads one, and `extract`, which has it read prompts, are imported when they are asked for.
"""

from typing import Any

from inspect_awareness.whitebox._activations import Activations, Progress
from inspect_awareness.whitebox._collection import Collection
from inspect_awareness.whitebox._convention import Convention
from inspect_awareness.whitebox._fetch import fetch_model
from inspect_awareness.whitebox._identity import ModelIdentity
from inspect_awareness.whitebox._labels import LabelLogprobs, LabelRequest, LabelScorer
from inspect_awareness.whitebox._packaged import PackagedModel, packaged_models
from inspect_awareness.whitebox._prompts import FramedPrompt
from inspect_awareness.whitebox._store import Store
from inspect_awareness.whitebox._store_check import CollectionCheck, check_store

__all__ = [
    "Activations",
    "Collection",
    "CollectionCheck",
    "Convention",
    "FramedPrompt",
    "LabelLogprobs",
    "LabelRequest",
    "LabelScorer",
    "ModelIdentity",
    "PackagedModel",
    "Progress",
    "Store",
    "check_store",
    "fetch_model",
    "packaged_models",
]


def __getattr__(name: str) -> Any:
    """What needs torch, when it is asked for."""
    if name == "extract":
        from inspect_awareness.whitebox._extraction import extract

        return extract
    if name == "load":
        from inspect_awareness.whitebox._loading import load

        return load
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
