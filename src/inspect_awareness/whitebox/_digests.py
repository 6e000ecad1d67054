"""What the files of a model hash to, remembered while their size and time stay.

Reading the weights of a large model takes minutes, so each file's sha256 is kept with
its size and its time of change: for a packaged model in the provenance file beside
the weights, for any other folder in the cache. A file that differs in either is read
anew. A cache that cannot be written costs time and nothing else.
"""

import hashlib
import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from inspect_awareness.whitebox._packaged import PROVENANCE, cache_folder


@dataclass(frozen=True)
class Digest:
    """One file's hash, and what it looked like then.

    Args:
        sha256: Of the file's bytes.
        size: In bytes.
        changed: Time of the last change, in nanoseconds.
    """

    sha256: str
    size: int
    changed: int

    def fits(self, path: Path) -> bool:
        """Whether the file still looks as it did."""
        stat = path.stat()
        return (self.size, self.changed) == (stat.st_size, stat.st_mtime_ns)


def digests(folder: Path, names: Iterable[str]) -> dict[str, Digest]:
    """The hash of each file, read only where it is not known."""
    sources = [_read(folder / PROVENANCE), _read(_cache_file(folder))]
    found, fresh = {}, False
    for name in names:
        known = [source[name] for source in sources if name in source]
        fitting = next((one for one in known if one.fits(folder / name)), None)
        fresh = fresh or fitting is None
        found[name] = fitting or digest_of(folder / name)
    if fresh:
        _remember(_cache_file(folder), found)
    return found


def digest_of(path: Path) -> Digest:
    """Hash a file, with the size and time that it had before it was read."""
    stat = path.stat()
    return Digest(sha256_of(path), stat.st_size, stat.st_mtime_ns)


def sha256_of(path: Path) -> str:
    """Hex digest of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _cache_file(folder: Path) -> Path:
    """Where the hashes of a folder are remembered."""
    key = hashlib.sha256(str(folder.resolve()).encode()).hexdigest()[:16]
    return cache_folder() / "digests" / f"{key}.json"


def _read(path: Path) -> dict[str, Digest]:
    """The digests in a JSON file's ``files``; none where it cannot be read."""
    try:
        files: Mapping[str, Mapping[str, Any]] = json.loads(path.read_text())["files"]
        return {name: Digest(**record) for name, record in files.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def _remember(path: Path, found: Mapping[str, Digest]) -> None:
    """Write the digests in one move, if the cache can be written."""
    record = {"files": {name: asdict(digest) for name, digest in found.items()}}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        with os.fdopen(handle, "w") as file:
            file.write(json.dumps(record, indent=2) + "\n")
        os.replace(name, path)
    except OSError:
        return
