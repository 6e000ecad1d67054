"""Where a model name leads, and what may be set about loading it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from inspect_awareness.errors import ModelError
from inspect_awareness.whitebox._packaged import PINS, is_ready

MAX_TOKENS = 2_048  # of a reply, where nobody sets a limit
DTYPES = ("bfloat16", "float16", "float32")
_DEVICE = re.compile(r"cpu|mps|cuda(:\d+)?")
_HUB = re.compile(r"(?P<path>\w[\w.-]*(/\w[\w.-]*)?)(@(?P<revision>[\w./-]+))?")
_COMMIT = re.compile(r"[0-9a-f]{40}")
_PICKLES = (".bin", ".pt", ".pth", ".ckpt", ".pkl")
_TOKENIZERS = (
    *("tokenizer.json", "tokenizer.model", "vocab.json", "vocab.txt"),
    *("spiece.model", "sentencepiece.bpe.model", "tekken.json"),
)
_ARGUMENTS = {
    "dtype": f"one of {', '.join(DTYPES)}, or auto",
    "device": "cpu, cuda, cuda:N or mps",
    "device_map": "auto, which spreads the layers over the GPUs there are",
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
        revision: Commit, branch or tag on the hub; None for its default branch.
            ``check_hub`` makes a commit of it.
    """

    name: str
    path: str
    gguf: str | None
    local: bool
    revision: str | None = None

    @property
    def short_name(self) -> str:
        """What the model is called, wherever on this machine it lies."""
        pin = PINS.get(self.name.lower())
        if pin is not None:
            return pin.name
        if self.gguf is not None:
            return self.gguf.removesuffix(".gguf")
        return Path(self.path).resolve().name if self.local else self.path


@dataclass(frozen=True)
class Settings:
    """What ``-M`` may set.

    Args:
        dtype: Of the weights; None for float32 on a CPU and bfloat16 elsewhere, and
            `auto` for what a short timing of both finds fast.
        device: Where the model runs; None for CUDA where there is one, else CPU.
        batch_tokens: Most tokens of questions and labels in one forward pass;
            None for 1,024 on a CPU and 8,192 elsewhere.
        device_map: ``auto`` spreads the layers over all GPUs; where there is none,
            the model runs on the CPU as without it.
    """

    dtype: str | None = None
    device: str | None = None
    batch_tokens: int | None = None
    device_map: str | None = None


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
    if found.dtype not in (None, "auto", *DTYPES):
        raise _wrong("dtype", found.dtype)
    if found.device is not None and not _DEVICE.fullmatch(str(found.device)):
        raise _wrong("device", found.device)
    if found.device_map not in (None, "auto"):
        raise _wrong("device_map", found.device_map)
    if found.device_map is not None and found.device is not None:
        raise ModelError(
            f"-M device={found.device} and -M device_map={found.device_map}: give one "
            f"of them, since device_map chooses the devices"
        )
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
    if path.is_file():
        return _file(name, path)
    if path.is_dir():
        return _folder(name, path)
    found = _HUB.fullmatch(name)
    if found is None:
        raise unknown_model(name, "there is no such file, and it is no hub id")
    return Source(
        name, found["path"], gguf=None, local=False, revision=found["revision"]
    )


def check_hub(found: Source) -> Source:
    """Ask transformers for the model's configuration, which needs no weights.

    Returns:
        The source at the commit that its revision leads to now, so that tokenizer
        and weights cannot come from different ones; a source with a commit as it is.

    Raises:
        ModelError: Neither the hub nor its local cache has the model.
    """
    if found.local or _COMMIT.fullmatch(found.revision or ""):
        return found
    from transformers import AutoConfig
    from transformers.utils import cached_file

    try:
        AutoConfig.from_pretrained(
            found.path, revision=found.revision, trust_remote_code=False
        )
        file = cached_file(found.path, "config.json", revision=found.revision)
    except (OSError, ValueError, KeyError) as error:
        raise unknown_model(found.name, first_line(error)) from error
    # the hub's cache keeps a commit's files in snapshots/COMMIT
    return replace(found, revision=Path(str(file)).parent.name)


def first_line(error: Exception) -> str:
    """The first of the many lines that transformers says."""
    return (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".: ")


def unknown_model(name: str, why: str) -> ModelError:
    """What to say of a name that leads nowhere."""
    return ModelError(
        f"unknown model {name!r}: not a packaged model ({', '.join(sorted(PINS))}), "
        f"not a folder, and transformers cannot load it from the hub ({why}). "
        f"Give one of the packaged names, the folder of a checkpoint, or a hub id "
        f"with a network connection"
    )


def _file(name: str, path: Path) -> Source:
    """One GGUF file; no other file is a model."""
    if path.suffix == ".gguf":
        return Source(name, str(path.parent), gguf=path.name, local=True)
    if path.suffix in _PICKLES:
        raise _pickled(name, [path])
    raise ModelError(
        f"the file {name!r} is no model: give a .gguf file, or the folder of a "
        f"checkpoint with its config.json, safetensors weights and tokenizer"
    )


def _folder(name: str, path: Path) -> Source:
    """A checkpoint folder, or a folder with one GGUF file."""
    ggufs = sorted(path.glob("*.gguf"))
    if (path / "config.json").is_file() and any(path.glob("*.safetensors")):
        _check_tokenizer(name, path)
        return Source(name, str(path), gguf=None, local=True)
    if len(ggufs) == 1:
        return Source(name, str(path), gguf=ggufs[0].name, local=True)
    pickles = sorted(f for f in path.iterdir() if f.suffix in _PICKLES)
    if pickles:
        raise _pickled(name, pickles)
    raise ModelError(
        f"the folder {name!r} holds no model: expected a config.json with "
        f"safetensors weights, or exactly one .gguf file (found {len(ggufs)})"
    )


def _check_tokenizer(name: str, path: Path) -> None:
    """Without its files, transformers may make up an empty tokenizer in silence."""
    if not any((path / file).is_file() for file in _TOKENIZERS):
        raise ModelError(
            f"the folder {name!r} holds a model without its tokenizer: copy the "
            f"model's tokenizer.json and tokenizer_config.json into it"
        )


def _pickled(name: str, files: Sequence[Path]) -> ModelError:
    """Why a pickle is refused, and how to do without."""
    return ModelError(
        f"the weights of {name!r} are pickle files "
        f"({', '.join(file.name for file in files)}), which can run any code when "
        f"they are opened, so they are refused. Use the model's safetensors weights; "
        f"where there are none, load it with transformers on a machine that you can "
        f"lose, and write it with save_pretrained"
    )


def _is_count(value: object) -> bool:
    """A whole number of at least one; True is none."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def _wrong(name: str, value: object) -> ModelError:
    """A model argument with a value that is not allowed."""
    return ModelError(f"-M {name}={value!r}: {name} must be {_ARGUMENTS[name]}")
