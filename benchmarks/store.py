"""Writing and reading activations: our store beside npy, npz and zarr, in one run.

2,400 prompts x 29 layers x 1,536 numbers in float32 (428 MB). Our store is 24 shards,
each hashed, synced to the disk and moved into place; it reads whole, one layer of all
prompts, 100 prompts in any order, and verifies itself. The peers write one file (zarr a
folder, in chunks of 200 prompts and one layer, where it is installed), and sync it too.
Each way writes into folders of its own, three times in turns, and reads each three times
while it is in the system's cache; the best times are printed.

Then 500 kills at random moments of processes that write a store, each of which must end
as one that was left alone (the test suite does 50).
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from inspect_awareness.whitebox._convention import Convention
from inspect_awareness.whitebox._identity import ModelIdentity
from inspect_awareness.whitebox._store import Store

PROMPTS, LAYERS, WIDTH, SHARD = 2_400, 29, 1_536, 100
LAYER, ROUNDS, KILLS = 17, 3, 500

STATES = np.random.default_rng(0).standard_normal(
    (PROMPTS, LAYERS, WIDTH), dtype=np.float32
)
HASHES = [f"{number:016x}" for number in range(PROMPTS)]
SOME = np.random.default_rng(1).permutation(PROMPTS)[:100]

Way = tuple[
    Callable[[Path], None],
    Callable[[Path], np.ndarray],
    Callable[[Path], np.ndarray],
    Callable[[Path], np.ndarray],
]
"""Write, read everything, read one layer, read some prompts."""


def collection(folder: Path):
    """Ours, opened anew, as another process would."""
    model = ModelIdentity("benchmark", "0", LAYERS - 1, WIDTH)
    return Store(folder).collection(model, Convention())


def write_store(folder: Path) -> None:
    """24 shards in one session."""
    found = collection(folder)
    tokens = np.ones(SHARD, np.int64)
    with found.writing():
        for start in range(0, PROMPTS, SHARD):
            rows = slice(start, start + SHARD)
            found.write(f"b{start:05d}", HASHES[rows], STATES[rows], tokens)


def synced(folder: Path) -> None:
    """What was written is on the disk, as ours is."""
    for path in filter(Path.is_file, folder.rglob("*")):
        with path.open("rb") as file:
            os.fsync(file.fileno())


def write_npy(folder: Path) -> None:
    """One file."""
    np.save(folder / "states.npy", STATES)
    synced(folder)


def write_npz(folder: Path) -> None:
    """One file, compressed."""
    np.savez_compressed(folder / "states.npz", states=STATES)
    synced(folder)


def write_zarr(folder: Path) -> None:
    """Chunks of 200 prompts and one layer, uncompressed."""
    import zarr

    zarr.create_array(
        str(folder / "z"), data=STATES, chunks=(200, 1, WIDTH), compressors=None
    )
    synced(folder)


def opened_npy(folder: Path) -> np.ndarray:
    """A memory map."""
    return np.load(folder / "states.npy", mmap_mode="r")


def opened_npz(folder: Path) -> np.ndarray:
    """All of it: there is no other way."""
    with np.load(folder / "states.npz") as file:
        return file["states"]


def opened_zarr(folder: Path):
    """A lazy array."""
    import zarr

    return zarr.open_array(str(folder / "z"), mode="r")


def ways() -> dict[str, Way]:
    """Each way to store."""
    some = [HASHES[place] for place in SOME]
    found: dict[str, Way] = {
        "our store": (
            write_store,
            lambda f: collection(f).read(HASHES),
            lambda f: collection(f).read(HASHES, [LAYER])[:, 0],
            lambda f: collection(f).read(some),
        ),
        "npy": (
            write_npy,
            lambda f: np.array(opened_npy(f)),
            lambda f: np.array(opened_npy(f)[:, LAYER]),
            lambda f: opened_npy(f)[SOME],
        ),
        "npz": (
            write_npz,
            opened_npz,
            lambda f: opened_npz(f)[:, LAYER],
            lambda f: opened_npz(f)[SOME],
        ),
    }
    if find_spec("zarr"):
        found["zarr"] = (
            write_zarr,
            lambda f: opened_zarr(f)[:],
            lambda f: opened_zarr(f)[:, LAYER],
            lambda f: opened_zarr(f).oindex[SOME],
        )
    return found


def timed(step: Callable[[], object], rounds: int = 1) -> tuple[float, object]:
    """The best time, and the last result."""
    best, result = float("inf"), None
    for _ in range(rounds):
        start = time.perf_counter()
        result = step()
        best = min(best, time.perf_counter() - start)
    return best, result


def measured(way: Way) -> list[float]:
    """Seconds for each step, in a fresh folder; the numbers must be right."""
    write, read, layer, some = way
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        writing, _ = timed(lambda: write(folder))
        steps = [
            timed(lambda step=step: step(folder), ROUNDS)
            for step in (read, layer, some)
        ]
        expected = (STATES, STATES[:, LAYER], STATES[SOME])
        for (_, found), right in zip(steps, expected, strict=True):
            assert np.array_equal(found, right)
        return [writing, *(seconds for seconds, _ in steps)]


def print_times() -> None:
    """Best times and, below, how many times npy's they are."""
    runs: dict[str, list[list[float]]] = {}
    for number in range(ROUNDS):
        for name, way in ways().items():
            if name != "npz" or number == 0:  # it takes longer than all others
                runs.setdefault(name, []).append(measured(way))
    best = {name: np.min(run, axis=0) for name, run in runs.items()}
    print(f"{PROMPTS:,} x {LAYERS} x {WIDTH:,} float32, {STATES.nbytes / 1e6:.0f} MB")
    print(f"{'':12}{'write':>17}{'read all':>17}{'one layer':>17}{'100 prompts':>17}")
    for name, seconds in best.items():
        cells = zip(seconds, seconds / best["npy"], strict=True)
        print(f"{name:12}" + "".join(f"{s:9.3f} s {r:5.1f}x" for s, r in cells))


def print_verify() -> None:
    """Reading everything and comparing it with its hashes."""
    with tempfile.TemporaryDirectory() as name:
        write_store(Path(name))
        seconds, damaged = timed(lambda: collection(Path(name)).verify(), ROUNDS)
        assert not damaged
        size = sum(p.stat().st_size for p in Path(name).rglob("*.safetensors"))
        opening, _ = timed(lambda: collection(Path(name)).has(HASHES), ROUNDS)
        print(f"verify {seconds:.2f} s; open and look up all prompts {opening:.3f} s; "
              f"{100 * (size / STATES.nbytes - 1):.2f} % larger than the numbers")  # fmt: skip


def print_kills() -> None:
    """500 kills, and that none left a trace."""
    tests = Path(__file__).parents[1] / "tests"
    done = subprocess.run(
        [
            sys.executable,
            tests / "whitebox/store/processes.py",
            "kills",
            str(KILLS),
        ],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(tests)},
    )
    found = json.loads(done.stdout)["kills"]
    assert found["faults"] == []
    print(
        f"{found['kills']} kills over {found['stores']} stores, {found['torn']} in the "
        "middle of a shard: every store ended byte for byte as one left alone"
    )


def main() -> None:
    """Print times, then kill."""
    needed = 3 * STATES.nbytes
    if shutil.disk_usage(tempfile.gettempdir()).free < needed:
        print(f"needs {needed / 1e9:.1f} GB of free space for temporary files")
        return
    print_times()
    print_verify()
    print_kills()


if __name__ == "__main__":
    main()
