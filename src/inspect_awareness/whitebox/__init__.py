"""The local model: labels scored exactly, replies generated, models fetched.

Nothing here imports torch or transformers until a model is loaded.
"""

from inspect_awareness.whitebox._collection import Collection
from inspect_awareness.whitebox._convention import Convention
from inspect_awareness.whitebox._fetch import fetch_model
from inspect_awareness.whitebox._identity import ModelIdentity
from inspect_awareness.whitebox._labels import LabelLogprobs, LabelRequest, LabelScorer
from inspect_awareness.whitebox._packaged import PackagedModel, packaged_models
from inspect_awareness.whitebox._store import Store
from inspect_awareness.whitebox._store_check import CollectionCheck, check_store

__all__ = [
    "Collection",
    "CollectionCheck",
    "Convention",
    "LabelLogprobs",
    "LabelRequest",
    "LabelScorer",
    "ModelIdentity",
    "PackagedModel",
    "Store",
    "check_store",
    "fetch_model",
    "packaged_models",
]
