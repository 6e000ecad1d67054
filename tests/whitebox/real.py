"""The packaged real model, where this machine has it."""

import functools
from importlib.util import find_spec

import pytest

from inspect_awareness.whitebox import packaged_models

NAME = "smollm2-135m"


def _missing():
    if find_spec("torch") is None or find_spec("transformers") is None:
        return "needs the extra `local`: torch and transformers"
    ready = any(m.name == NAME and m.status == "ready" for m in packaged_models())
    return "" if ready else f"needs the real model: awareness models get {NAME}"


why_not = _missing()
needed = pytest.mark.skipif(bool(why_not), reason=why_not or "ready")


@functools.cache
def model():
    """SmolLM2-135M-Instruct in float32 on the CPU, loaded once."""
    from inspect_awareness.whitebox._loading import local_model
    from inspect_awareness.whitebox._source import Settings, source

    return local_model(source(NAME), Settings(dtype="float32", device="cpu"))
