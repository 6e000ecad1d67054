"""Loads models, each once per process for everybody who wants the same."""

import struct
import threading
import weakref
from logging import getLogger
from typing import Any

import torch
import transformers
from safetensors import SafetensorError

from inspect_awareness.errors import ModelError
from inspect_awareness.whitebox._checkpoint import check_finite, check_whole
from inspect_awareness.whitebox._dtype import choose_dtype
from inspect_awareness.whitebox._local_model import LocalModel
from inspect_awareness.whitebox._quiet import quiet_transformers
from inspect_awareness.whitebox._source import (
    Settings,
    Source,
    check_hub,
    first_line,
    settings,
)
from inspect_awareness.whitebox._source import source as named

_UNREADABLE = (
    OSError,
    ValueError,
    ImportError,
    KeyError,
    SafetensorError,
    struct.error,
)
_LOADED: weakref.WeakValueDictionary[tuple[str, ...], LocalModel] = (
    weakref.WeakValueDictionary()
)
_LOADING = threading.Lock()


def load(name: str, **arguments: Any) -> LocalModel:
    """Load a model by what stands after `whitebox/`, with the arguments of `-M`.

    Raises:
        ModelError: The model cannot be loaded, or an argument is not allowed.

    Example:
        model = load("smollm2-135m", dtype="float32")
    """
    return local_model(named(name), settings(arguments))


def local_model(source: Source, settings: Settings) -> LocalModel:
    """Load a model, or share it if somebody in this process holds it already.

    Weights are read from safetensors or GGUF only, and no code that comes with a
    model is run.

    Raises:
        ModelError: The model or the device is not there, or the checkpoint is not
            whole.
    """
    source = check_hub(source)
    device = _device(settings)
    dtype = _dtype(settings.dtype, device)
    key = (source.path, source.gguf or "", source.revision or "", dtype, device)
    with _LOADING:
        found = _LOADED.get(key)
        if found is None:
            found = _LOADED[key] = _load(source, dtype, device)
        return found


def _dtype(wanted: str | None, device: str) -> str:
    """The number format that was asked for, or what suits the device."""
    if wanted == "auto":
        # of several GPUs, the first one stands for all
        return choose_dtype("cuda" if device == "auto" else device).chosen
    return wanted or ("float32" if device == "cpu" else "bfloat16")


def _load(source: Source, dtype: str, device: str) -> LocalModel:
    """Read tokenizer and weights."""
    options: dict[str, Any] = {
        "trust_remote_code": False,
        "local_files_only": source.local,
    }
    if source.revision is not None:
        options["revision"] = source.revision
    if source.gguf is not None:
        options["gguf_file"] = source.gguf
    with quiet_transformers():
        tokenizer = _tokenizer(source, options)
        model = _weights(source, options, dtype=getattr(torch, dtype), device=device)
    check_finite(source.name, model)
    if not tokenizer.chat_template:
        getLogger(__name__).warning(
            "%s has no chat template: turns are written as lines of role and text",
            source.name,
        )
    return LocalModel(model, tokenizer, source)


def _tokenizer(source: Source, options: dict[str, Any]) -> Any:
    """The fast tokenizer."""
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(source.path, **options)
    except _UNREADABLE as error:
        raise _unloadable(source, error) from error
    if not tokenizer.is_fast:
        raise ModelError(
            f"the model {source.name!r} has no fast tokenizer (tokenizer.json), which "
            f"whitebox needs to keep transcripts apart from control tokens"
        )
    return tokenizer


def _weights(
    source: Source, options: dict[str, Any], *, dtype: Any, device: str
) -> Any:
    """The model, compared with its configuration, on its device or devices."""
    how: dict[str, Any] = {"dtype": dtype, "ignore_mismatched_sizes": True}
    if source.gguf is None:
        how["use_safetensors"] = True
    else:
        how["quantization_config"] = _whole_gguf()
    if device == "auto":
        how["device_map"] = device
    try:
        model, report = transformers.AutoModelForCausalLM.from_pretrained(
            source.path, output_loading_info=True, **how, **options
        )
    except _UNREADABLE as error:
        raise _unloadable(source, error) from error
    check_whole(source.name, model, report)
    if device == "auto":
        _check_on_gpus(source, model)
        return model
    return model.to(device=device, dtype=dtype)


def _check_on_gpus(source: Source, model: Any) -> None:
    """What does not fit on the GPUs would be moved there anew for every pass."""
    places = set(map(str, getattr(model, "hf_device_map", {}).values()))
    if places & {"cpu", "disk"}:
        raise ModelError(
            f"{source.name} does not fit on the GPUs in {model.dtype}: device_map=auto "
            f"would leave a part on {' and '.join(sorted(places & {'cpu', 'disk'}))}. "
            f"Use more or larger GPUs, -M dtype=bfloat16, or device=cpu"
        )


def _unloadable(source: Source, error: Exception) -> ModelError:
    """One line for the many that transformers says."""
    why = first_line(error)
    if "use_safetensors" in why:
        why = (
            "it has no safetensors weights, and pickle files are refused, since they "
            "can run any code when they are opened"
        )
    return ModelError(
        f"cannot load the model {source.name!r}: {why}. Expected a transformers "
        f"checkpoint with safetensors weights and a tokenizer.json, or a GGUF file"
    )


def _whole_gguf() -> Any:
    """Dequantize on loading: blocks that stay quantized need special kernels."""
    from transformers.utils.quantization_config import GgufConfig

    return GgufConfig(dequantize=True)


def _device(settings: Settings) -> str:
    """The device that was asked for, `auto` for all GPUs, or the best one there is."""
    if settings.device_map == "auto":
        return "auto" if torch.cuda.is_available() else "cpu"
    wanted = settings.device or ("cuda" if torch.cuda.is_available() else "cpu")
    if wanted.startswith("cuda") and not torch.cuda.is_available():
        raise ModelError(
            f"-M device={wanted}: torch finds no CUDA device here; use device=cpu"
        )
    return wanted
