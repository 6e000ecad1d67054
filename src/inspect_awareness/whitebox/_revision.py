"""Which weights a model has: a commit on the hub, or a hash of its files."""

import hashlib
import json
from pathlib import Path

from inspect_awareness.errors import ModelError
from inspect_awareness.whitebox._digests import digests
from inspect_awareness.whitebox._source import Source

_OF_NO_CONSEQUENCE = ("transformers_version", "_name_or_path", "dtype", "torch_dtype")
"""What a configuration says about how it was written, not about what is computed."""


def revision(source: Source) -> str:
    """The commit that a hub id led to, or the sha256 over a folder's files.

    Raises:
        ModelError: A model of the hub was not looked up, so its commit is not known.
    """
    if source.local:
        return of_files(Path(source.path), source.gguf)
    if source.revision is None:
        raise ModelError(
            f"{source.name} does not say which commit it is: name one, as in "
            f"whitebox/{source.path}@COMMIT"
        )
    return source.revision


def of_files(folder: Path, gguf: str | None) -> str:
    """Sha256 over the names and hashes of the weights' files and the configuration.

    The version of ``transformers`` that wrote a configuration does not count, nor the
    dtype that it names: the same weights have the same revision wherever they were
    converted.

    Args:
        folder: Where the model lies.
        gguf: The one file of its weights, which holds its configuration too; None
            for a folder with safetensors files.
    """
    names = [gguf] if gguf else sorted(f.name for f in folder.glob("*.safetensors"))
    found = digests(folder, names)
    parts = [[name, found[name].sha256] for name in names]
    if gguf is None:
        parts.append(["config.json", _configuration(folder / "config.json")])
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _configuration(path: Path) -> str:
    """Hash of what a configuration says about the computation."""
    said = json.loads(path.read_text(encoding="utf-8"))
    for name in _OF_NO_CONSEQUENCE:
        said.pop(name, None)
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()
