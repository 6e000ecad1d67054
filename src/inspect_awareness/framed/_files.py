"""A study's results as files: tables for the reliability study, and a record."""

import csv
import hashlib
import io
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from inspect_awareness._version import __version__
from inspect_awareness.errors import InputError
from inspect_awareness.framed._asked import BLOCKS, Asked
from inspect_awareness.framed._refusal import Refusal
from inspect_awareness.framed._results import DirectionResults, peak_places
from inspect_awareness.framed._states import FramedStates
from inspect_awareness.stats import Estimate, Floor, folded
from inspect_awareness.surface import SurfaceFloors

if TYPE_CHECKING:
    from inspect_awareness.whitebox._identity import ModelIdentity

SCHEMA_VERSION = 1
"""Version of the record."""

RECORD, STATISTICS, PAIRS, SCORES = (
    "results.json",
    "statistics.csv",
    "pairs.csv",
    "scores.safetensors",
)
"""The files of a study."""


@dataclass(frozen=True, eq=False)
class Finished:
    """A study that was run."""

    folder: Path
    """Where its files are."""

    record: Mapping[str, Any]
    """What `results.json` holds."""

    item_scores: Mapping[str, float]
    """The score of each item, by its id."""

    item_hashes: Mapping[str, str]
    """The key of each item's state in the store."""


def write_study(
    store: Path,
    model: str,
    identity: "ModelIdentity",
    asked: Asked,
    states: FramedStates,
    results: DirectionResults,
    surface: SurfaceFloors,
) -> Finished:
    """Write the results into `studies` in the store, and say where.

    `statistics.csv` has a row for each pair of framings and block of items, for
    `awareness study`; `pairs.csv` one for each pair, with its floor; `results.json`
    everything over pairs; `scores.safetensors` every item's projection on every
    direction at every layer.

    Raises:
        InputError: The folder cannot be written.
    """
    record = _record(model, identity, asked, states, results, surface)
    folder = store / "studies" / str(record["study"])
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _put(folder / STATISTICS, _csv(_statistics(model, results)))
        _put(folder / PAIRS, _csv(_pairs(model, results)))
        _put(folder / SCORES, _scores(results, asked))
        text = json.dumps(record, indent=2, allow_nan=False) + "\n"
        _put(folder / RECORD, text.encode("utf-8"))
    except OSError as ex:
        raise InputError(f"{folder}: cannot be written ({ex.strerror or ex})") from ex
    ids = [item.id for item in asked.items]
    return Finished(
        folder,
        record,
        dict(zip(ids, results.item_scores.tolist(), strict=True)),
        dict(zip(ids, states.item_hashes, strict=True)),
    )


def words_hash(texts: Iterable[str]) -> str:
    """16 hex digits that stand for texts in their order."""
    content = json.dumps(list(texts), ensure_ascii=False)
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _record(
    model: str,
    identity: "ModelIdentity",
    asked: Asked,
    states: FramedStates,
    results: DirectionResults,
    surface: SurfaceFloors,
) -> dict[str, Any]:
    """Everything over pairs of framings, with how it was made."""
    how = {
        "model": identity.record(),
        "convention": states.convention.record(),
        "convention_hash": states.convention.hash,
        "framings": {each.id: each.hash for each in asked.framings},
        "tasks": words_hash(each.text for each in asked.tasks),
        "items": words_hash(f"{each.label} {each.text}" for each in asked.items),
        "requests": words_hash(f"{each.label} {each.text}" for each in asked.requests),
        "draws": asked.draws,
        "seed": asked.seed,
    }
    study = words_hash([json.dumps(how, sort_keys=True)])
    return {
        "schema_version": SCHEMA_VERSION,
        "package": {"name": "inspect-awareness", "version": __version__},
        "study": study,
        "rater": model,
        "instrument": how,
        "activations": states.pointer,
        "layers": list(results.layers),
        "items": len(asked.items),
        "tasks": len(asked.tasks),
        "pairs": results.areas[..., 0].size,
        "peak": _estimate(results.peak),
        "floor": _numbers(results.floor),
        "above_floor": results.above_floor,
        "crossed_peak": _estimate(results.crossed_peak),
        "surface": [
            {"kind": each.kind, **_estimate(each.auroc)} for each in surface.floors
        ],
        "geometry": _geometry(results),
        "refusal": None if results.refusal is None else _refusal(results.refusal),
    }


def _geometry(results: DirectionResults) -> dict[str, Any]:
    """Curves by layer, and means over interior layers."""
    found = results.geometry
    return {
        name: _estimate(value) if isinstance(value, Estimate) else _numbers(value)
        for name, value in vars(found).items()
    } | {"single_task": _numbers(results.single_task)}


def _refusal(found: Refusal) -> dict[str, Any]:
    """The second concept."""
    return {
        "framings": list(found.framings),
        "peak": _estimate(found.peak),
        "floor": _numbers(found.floor),
        "above_floor": found.above_floor,
        "across": _numbers(found.across),
    }


def _statistics(model: str, results: DirectionResults) -> list[dict[str, Any]]:
    """A row for each pair of framings and block of items."""
    peaks = folded(results.block_areas).max(axis=-1)
    layers = np.asarray(results.layers)[peak_places(results.block_areas)]
    return [
        {
            "model": model,
            "evaluation": evaluation,
            "deployment": deployment,
            "block": block,
            "peak": float(peaks[block, e, d]),
            "peak_layer": int(layers[block, e, d]),
        }
        for e, evaluation in enumerate(results.evaluation)
        for d, deployment in enumerate(results.deployment)
        for block in range(BLOCKS)
    ]


def _pairs(model: str, results: DirectionResults) -> list[dict[str, Any]]:
    """A row for each pair of framings, with its floor."""
    at = peak_places(results.areas)
    return [
        {
            "model": model,
            "evaluation": evaluation,
            "deployment": deployment,
            "peak": float(results.peaks[e, d]),
            "peak_layer": int(results.peak_layers[e, d]),
            "auroc": float(results.areas[e, d, at[e, d]]),
            "crossed_auroc": float(results.crossed_areas[e, d, at[e, d]]),
            **_floor(results.floors[e][d]),
        }
        for e, evaluation in enumerate(results.evaluation)
        for d, deployment in enumerate(results.deployment)
    ]


def _floor(found: Floor) -> dict[str, Any]:
    """A floor's cells."""
    return {"floor": found.mean, "floor_sd": found.sd, "z": found.z, "p": found.p}


def _put(path: Path, content: bytes) -> None:
    """Write a file whole or not at all: another run may read the one that is there."""
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        partial.write_bytes(content)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def _csv(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """A table with the keys of its rows as columns."""
    file = io.StringIO(newline="")
    writer = csv.DictWriter(file, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue().encode("utf-8")


def _scores(results: DirectionResults, asked: Asked) -> bytes:
    """Projections in single precision, with the names of all axes."""
    from safetensors.numpy import save

    axes = {
        "axes": ["evaluation", "deployment", "layer", "item"],
        "evaluation": results.evaluation,
        "deployment": results.deployment,
        "layer": results.layers,
        "item": [item.id for item in asked.items],
    }
    scores = np.ascontiguousarray(results.scores, dtype=np.float32)
    return bytes(save({"scores": scores}, {"axes": json.dumps(axes)}))


def _estimate(found: Estimate) -> dict[str, Any]:
    """An estimate as JSON, with NaN as null."""
    return {k: None if v != v else v for k, v in asdict(found).items()}


def _numbers(values: Any) -> Any:
    """A number or a curve, with NaN as null."""
    if np.ndim(values) == 0:
        return None if values != values else float(values)
    return [None if v != v else float(v) for v in values]
