"""The `whitebox` model provider, as Inspect registers it; light until it is used."""

from importlib.util import find_spec

from inspect_ai.model import ModelAPI, modelapi

from inspect_awareness.whitebox._prerequisites import MissingLocalExtraError
from inspect_awareness.whitebox._threads import wait_patiently

_NEEDED = ("torch", "transformers", "safetensors")


@modelapi(name="whitebox")
def whitebox() -> type[ModelAPI]:
    """Local models that score labels exactly: ``--model whitebox/smollm2-135m``.

    The name after the slash is a packaged model, a local folder (or GGUF file), or a
    hub id, with ``@`` and a revision. ``-M`` takes ``dtype``, ``device``,
    ``device_map`` and ``batch_tokens``.

    Raises:
        MissingExtraError: The extra ``local`` is not installed.
    """
    if any(find_spec(module) is None for module in _NEEDED):
        raise MissingLocalExtraError
    wait_patiently()
    from inspect_awareness.whitebox._provider import WhiteboxAPI

    return WhiteboxAPI
