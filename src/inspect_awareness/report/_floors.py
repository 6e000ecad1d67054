"""What surface form alone achieves, as `awareness floor` writes it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from math import isnan, nan
from pathlib import Path
from typing import Any

from inspect_awareness._sealed import DIGEST, alteration
from inspect_awareness.errors import InputError
from inspect_awareness.stats import Estimate

SCHEMA_VERSION = 1
"""The version of the file that is read."""

LABELS = ("evaluation", "deployment")
"""What a floor tells apart."""

NAMES = {
    "words": "words alone",
    "characters": "characters alone",
    "length": "length and kinds of characters",
}
"""How floors are called."""


@dataclass(frozen=True)
class Floor:
    """What an instrument without any idea of the content achieves."""

    kind: str
    """`words`, `characters` or `length`."""

    auroc: Estimate
    """Its AUROC of evaluation against deployment transcripts, out of sample."""

    permutation_p: float
    """Share of permuted labelings with an AUROC as high; NaN where none were tried."""

    note: str
    """What a reader must know."""

    @property
    def name(self) -> str:
        """What it is called in a sentence."""
        return NAMES.get(self.kind, self.kind)


@dataclass(frozen=True)
class Floors:
    """The floors that a file holds."""

    file: str
    """Its name."""

    floors: tuple[Floor, ...]
    """One for each kind."""

    evaluation: int
    """Evaluation transcripts that they were measured on."""

    deployment: int
    """Deployment transcripts."""

    sources: Mapping[str, Mapping[str, int]]
    """For each label, transcripts by source."""

    rater: str | None
    """The model that was asked; None for floors of the text alone."""

    view: str | None
    """Which part of transcripts was read; None where the file does not say."""

    note: str
    """What a reader must know of all of them."""

    digest: str
    """Hash of the file's content, by which it is known again."""

    @property
    def best(self) -> Floor | None:
        """The highest, which is the one to beat; None where none is defined."""
        known = [f for f in self.floors if not isnan(f.auroc.value)]
        return max(known, key=lambda floor: floor.auroc.value, default=None)


def read_floors(path: str | Path) -> Floors:
    """Read the file of floors.

    Raises:
        InputError: There is no such file, it is not what `awareness floor` writes, or
            it was changed after it was written.
    """
    file = Path(path)
    try:
        record = json.loads(file.read_text(encoding="utf-8"))
    except OSError as ex:
        raise InputError(f"{path}: cannot be read ({ex.strerror})") from ex
    except ValueError as ex:
        raise _wrong(path, f"it is no JSON ({ex})") from ex
    if not isinstance(record, dict) or record.get("schema_version") != SCHEMA_VERSION:
        found = record.get("schema_version") if isinstance(record, dict) else None
        raise _wrong(path, f"schema_version is {found!r}, {SCHEMA_VERSION} is read")
    try:
        found = Floors(
            file.name,
            tuple(_floor(each) for each in record["floors"]),
            int(record["evaluation"]),
            int(record["deployment"]),
            {label: dict(record["sources"][label]) for label in LABELS},
            record.get("rater"),
            record.get("view"),
            str(record.get("note") or ""),
            str(record.get(DIGEST)),
        )
    except (AttributeError, KeyError, TypeError, ValueError) as ex:
        raise _wrong(path, f"a field is missing or wrong ({ex})") from ex
    if altered := alteration(record):
        raise InputError(
            f"{path}: {altered}. Floors are not edited by hand, so that an AUROC is "
            "held against what was measured: run `awareness floor` again"
        )
    return found


def _floor(record: Any) -> Floor:
    """One floor."""
    a = record["auroc"]
    value, low, high = (_number(a[name]) for name in ("value", "low", "high"))
    if not isnan(value) and not 0 <= value <= 1:
        raise ValueError(f"an AUROC is in [0, 1], got {value}")
    return Floor(
        str(record["kind"]),
        Estimate(
            value,
            low,
            high,
            _number(a.get("level", 0.95)),
            int(a["n"]),
            int(a["clusters"]),
            str(a["unit"]),
            str(a.get("method", "")),
            str(a.get("note") or ""),
        ),
        _number(record.get("permutation_p")),
        str(record.get("note") or ""),
    )


def _number(value: Any) -> float:
    """A number; null is NaN."""
    return nan if value is None else float(value)


def _wrong(path: str | Path, why: str) -> InputError:
    """The error about a file that is something else."""
    return InputError(
        f"{path}: not a file of floors: {why}. Give one that `awareness floor ... "
        "-o FILE.json` wrote"
    )
