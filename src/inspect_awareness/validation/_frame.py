"""The transcripts that one judge judged in one way: what is drawn from."""

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from inspect_awareness.errors import InputError
from inspect_awareness.measurements import Measurements, implementation_fields

if TYPE_CHECKING:
    import pandas as pd

Stratum = tuple[str, str]
"""A model and a benchmark."""

Rows = npt.NDArray[np.intp]
"""Numbers of transcripts in a frame."""


@dataclass(frozen=True)
class Wanted:
    """What is looked for in measurements, in the words of an error."""

    name: str
    """What there are several of."""

    none: str
    """That there are none, and what to do."""

    option: str = "--judge"
    """The option that names the judge."""


VERDICTS = Wanted(
    "verdicts",
    "no verdict of a judge in these files; judge them first: awareness judge run LOG "
    "--judge MODEL -o JUDGED.eval",
)
"""Verdicts on voiced awareness."""

UNKNOWN = "unknown"
"""A model or benchmark that no record names."""


@dataclass(frozen=True, eq=False)
class Frame:
    """Transcripts with what one judge said of each."""

    judge: str
    """The judge, or several with commas between them."""

    implementation: str
    """How it judged, as in `Measurements`."""

    items: tuple[str, ...]
    """Id of each transcript."""

    models: tuple[str, ...]
    """The model that wrote each."""

    benchmarks: tuple[str, ...]
    """The source of each."""

    tasks: tuple[str, ...]
    """The task of each, within its source."""

    verdicts: npt.NDArray[np.float64]
    """1 for aware, 0 for not, NaN where there is no verdict."""

    missing: Mapping[str, int]
    """How many have no verdict, by reason."""

    @cached_property
    def strata(self) -> dict[Stratum, Rows]:
        """The transcripts of each model on each benchmark, in order of appearance."""
        found: dict[Stratum, list[int]] = {}
        pairs = zip(self.models, self.benchmarks, strict=True)
        for row, stratum in enumerate(pairs):
            found.setdefault(stratum, []).append(row)
        return {stratum: np.array(rows) for stratum, rows in found.items()}

    @cached_property
    def known(self) -> npt.NDArray[np.bool_]:
        """Which transcripts have a verdict."""
        return ~np.isnan(self.verdicts)

    @cached_property
    def row(self) -> dict[str, int]:
        """The number of each transcript, by its id."""
        return {item: row for row, item in enumerate(self.items)}

    @cached_property
    def digest(self) -> str:
        """Hash of judge, way and verdicts, whatever their order."""
        said = sorted(zip(self.items, map(str, self.verdicts), strict=True))
        return hashed([self.judge, self.implementation, said])


def frame_of(
    measured: Measurements, *, judge: str | None = None, option: str = "--judge"
) -> Frame:
    """The transcripts with the verdicts of one judge.

    Args:
        measured: What was read from judged logs.
        judge: The judge, where several judged.
        option: What an error names, with which one is chosen.

    Raises:
        InputError: Nothing was judged, not by this judge, or in several ways.
    """
    values = measured.values
    verdicts = values[values["channel"].eq("verdict")]
    name, implementation = only_way(verdicts, judge, replace(VERDICTS, option=option))
    mine = verdicts[
        verdicts["rater"].eq(name) & verdicts["implementation"].eq(implementation)
    ].merge(measured.items, on="item", how="left")
    lost = mine["value"].isna()
    reasons = mine.loc[lost, "reason"].fillna("unscored")
    return Frame(
        judge=name,
        implementation=implementation,
        items=_texts(mine["item"]),
        models=_texts(mine["subject"]),
        benchmarks=_texts(mine["source"]),
        tasks=_texts(mine["task"]),
        verdicts=mine["value"].to_numpy(np.float64),
        missing=dict(Counter(map(str, reasons))),
    )


def hashed(content: Any) -> str:
    """16 hex digits after an h: a spreadsheet takes digits with an e for a number."""
    return "h" + hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]


def _texts(column: "pd.Series[str]") -> tuple[str, ...]:
    """A column as names."""
    return tuple(map(str, column.fillna(UNKNOWN)))


def only_way(rows: "pd.DataFrame", judge: str | None, what: Wanted) -> tuple[str, str]:
    """The one judge and way, or an error that says which there are.

    Args:
        rows: Values of one channel.
        judge: The judge, where several judged.
        what: What an error calls them.

    Raises:
        InputError: There are none, or none of this judge, or of several ways.
    """
    pairs = rows[["rater", "implementation"]].drop_duplicates()
    found = [(str(r), str(how)) for r, how in pairs.itertuples(index=False)]
    if not found:
        raise InputError(what.none)
    judges = list(dict.fromkeys(name for name, _ in found))
    if judge is not None and judge not in judges:
        raise InputError(f"no {what.name} of {judge!r}; judges: {'; '.join(judges)}")
    if judge is None and len(judges) > 1:
        raise InputError(
            f"{what.name} of {len(judges)} judges ({'; '.join(judges)}): choose one "
            f"with {what.option}"
        )
    name = judge or judges[0]
    ways = [how for rater, how in found if rater == name]
    if len(ways) > 1:
        raise InputError(
            f"{name} judged in {len(ways)} ways that differ in {_differences(ways)}; "
            "give logs that were judged in one"
        )
    return name, ways[0]


def _differences(ways: Sequence[str]) -> str:
    """The fields in which ways of judging differ."""
    fields = [implementation_fields(how) for how in ways]
    names = sorted({name for each in fields for name in each})
    differ = [name for name in names if len({each.get(name) for each in fields}) > 1]
    return ", ".join(differ)
