"""Loads models, each once per process for everybody who wants the same."""

import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
import transformers
from transformers.utils import logging as transformers_logging

from inspect_awareness.errors import ModelError
from inspect_awareness.whitebox._local_model import LocalModel
from inspect_awareness.whitebox._source import (
    Settings,
    Source,
    first_line,
    unknown_model,
)

_LOADED: weakref.WeakValueDictionary[tuple[str, ...], LocalModel] = (
    weakref.WeakValueDictionary()
)
_LOADING = threading.Lock()


def local_model(source: Source, settings: Settings) -> LocalModel:
    """Load a model, or share it if somebody in this process holds it already.

    Weights are read from safetensors or GGUF only, and no code that comes with a
    model is run.

    Raises:
        ModelError: The model or the device is not there.
    """
    device = _device(settings)
    dtype = settings.dtype or ("float32" if device == "cpu" else "bfloat16")
    key = (source.path, source.gguf or "", dtype, device)
    with _LOADING:
        found = _LOADED.get(key)
        if found is None:
            found = _LOADED[key] = _load(source, dtype, device)
        return found


def _load(source: Source, dtype: str, device: str) -> LocalModel:
    """Read tokenizer and weights."""
    options: dict[str, Any] = {
        "trust_remote_code": False,
        "local_files_only": source.local,
    }
    if source.gguf is not None:
        options["gguf_file"] = source.gguf
    weights: dict[str, Any] = {**options, "dtype": getattr(torch, dtype)}
    if source.gguf is None:
        weights["use_safetensors"] = True
    else:
        weights["quantization_config"] = _whole_gguf()
    try:
        with no_progress_bars():
            tokenizer = transformers.AutoTokenizer.from_pretrained(
                source.path, **options
            )
            model = transformers.AutoModelForCausalLM.from_pretrained(
                source.path, **weights
            )
    except (OSError, ValueError, ImportError, KeyError) as error:
        raise _unloadable(source, error) from error
    if not tokenizer.is_fast:
        raise ModelError(
            f"the model {source.name!r} has no fast tokenizer (tokenizer.json), which "
            f"whitebox needs to keep transcripts apart from control tokens"
        )
    return LocalModel(model.to(device=device, dtype=getattr(torch, dtype)), tokenizer)


def _unloadable(source: Source, error: Exception) -> ModelError:
    """One line for the many that transformers says."""
    why = first_line(error)
    if source.local:
        return ModelError(
            f"cannot load the model {source.name!r}: {why}. Expected a transformers "
            f"checkpoint with safetensors weights, or a GGUF file"
        )
    return unknown_model(source.name, why)


def _whole_gguf() -> Any:
    """Dequantize on loading: blocks that stay quantized need special kernels."""
    from transformers.utils.quantization_config import GgufConfig

    return GgufConfig(dequantize=True)


def _device(settings: Settings) -> str:
    """The device that was asked for, or the best one there is."""
    wanted = settings.device or ("cuda" if torch.cuda.is_available() else "cpu")
    if wanted.startswith("cuda") and not torch.cuda.is_available():
        raise ModelError(
            f"-M device={wanted}: torch finds no CUDA device here; use device=cpu"
        )
    return wanted


@contextmanager
def no_progress_bars() -> Iterator[None]:
    """Loading is quick, and a bar would break other displays of progress."""
    enabled = transformers_logging.is_progress_bar_enabled()
    transformers_logging.disable_progress_bar()
    try:
        yield
    finally:
        if enabled:
            transformers_logging.enable_progress_bar()
