"""The local model: labels scored exactly, replies generated, models fetched.

Nothing here imports torch or transformers until a model is loaded.
"""

from inspect_awareness.whitebox._fetch import fetch_model
from inspect_awareness.whitebox._labels import LabelLogprobs, LabelRequest, LabelScorer
from inspect_awareness.whitebox._packaged import PackagedModel, packaged_models

__all__ = [
    "LabelLogprobs",
    "LabelRequest",
    "LabelScorer",
    "PackagedModel",
    "fetch_model",
    "packaged_models",
]
