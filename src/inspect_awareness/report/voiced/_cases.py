"""Transcripts with what one judge said of each: what all of this section counts."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from inspect_awareness.errors import InputError
from inspect_awareness.measurements import NOT_ASKED, Measurements
from inspect_awareness.report._reference import Made

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas as pd

Floats = npt.NDArray[np.float64]

Decision = Literal["end", "first-action", "none"]
"""What awareness must come before to count as awareness before the decision: the end of
the subject's last turn, its first tool call (the end, where there is none), or nothing.
"""

UNKNOWN = "unknown"
"""A model, benchmark or label that no record names."""

UNTYPED = "none"
"""The type of aware transcripts of which the judge named none."""

_FACTS = (
    "hypothetical",
    "onset_turn",
    "length",
    "turns",
    "first_action",
    "vote_agreement",
)


@dataclass(frozen=True, eq=False)
class Cases:
    """Transcripts with the verdicts of one judge, in one way."""

    made: Made
    """The judge, and how it judged."""

    table: "pd.DataFrame"
    """A row each: item, model, benchmark, task, epoch, label, aware, type, reason,
    outcome, outcome_name, hypothetical, onset_turn, part, length, turns, first_action,
    vote_agreement.
    """

    flags: "pd.DataFrame"
    """A row for each flag of each transcript: item, flag."""

    def where(self, chosen: "pd.Series[bool]") -> "Cases":
        """Some of them."""
        return replace(self, table=self.table[chosen].reset_index(drop=True))

    @cached_property
    def in_question(self) -> "Cases":
        """Those that are not known to come from deployment."""
        return self.where(self.table["label"].ne("deployment"))

    @cached_property
    def deployment(self) -> "Cases":
        """Those that are."""
        return self.where(self.table["label"].eq("deployment"))

    @cached_property
    def models(self) -> tuple[str, ...]:
        """The models that wrote them, in order of appearance."""
        return tuple(dict.fromkeys(self.table["model"]))

    @cached_property
    def benchmarks(self) -> tuple[str, ...]:
        """Where they come from, in order of appearance."""
        return tuple(dict.fromkeys(self.table["benchmark"]))

    def by(self, *columns: str) -> "Iterator[tuple[tuple[str, ...], Cases]]":
        """The cases of each combination of columns, in order of appearance."""
        for key, part in self.table.groupby(list(columns), sort=False):
            names = key if isinstance(key, tuple) else (key,)
            yield (
                tuple(map(str, names)),
                replace(self, table=part.reset_index(drop=True)),
            )

    def column(self, name: str) -> Floats:
        """A column of numbers."""
        return self.table[name].to_numpy(np.float64, na_value=np.nan)

    @property
    def aware(self) -> Floats:
        """1 for aware, 0 for not, NaN where there is no verdict."""
        return self.column("aware")

    @property
    def outcome(self) -> Floats:
        """The tasks' own scores; NaN where there is none."""
        return self.column("outcome")

    @property
    def ids(self) -> dict[str, Any]:
        """Models, benchmarks and tasks, as the statistics take them."""
        names = {"models": "model", "benchmarks": "benchmark", "tasks": "task"}
        return {k: self.table[c].to_numpy(object) for k, c in names.items()}

    @property
    def types(self) -> "npt.NDArray[np.object_]":
        """The type of awareness; `none` where the judge named none, or saw none."""
        return self.table["type"].fillna(UNTYPED).to_numpy(object)

    def before(self, decision: Decision) -> Floats:
        """Awareness that came before the decision, 1 or 0, NaN without a verdict.

        Where a subject first says so is known by the judge's first quote. Reasoning
        comes before the output of its turn. Awareness without a known place counts.
        """
        aware = self.aware
        turn, part = self.column("onset_turn"), self.table["part"]
        at = _decided(self, decision)
        late = (turn > at) | (
            (turn == at) & part.eq("output").fillna(value=False).to_numpy(dtype=bool)
        )
        return np.where((aware == 1) & late, 0.0, aware)

    def unplaced(self) -> int:
        """Aware transcripts of which it is not known where they said so."""
        return int(np.sum((self.aware == 1) & np.isnan(self.column("onset_turn"))))


def checked_decision(decision: str) -> Decision:
    """The decision, or an error that names the allowed ones."""
    for allowed in get_args(Decision):
        if decision == allowed:
            return allowed  # type: ignore[no-any-return]
    allowed = ", ".join(get_args(Decision))
    raise InputError(f"decision {decision!r} is not one of: {allowed}")


def judges(measurements: Measurements) -> list[Made]:
    """All judges, each with how it judged, in order."""
    values = measurements.values
    found = values.loc[values["channel"].eq("verdict"), ["rater", "implementation"]]
    pairs = found.drop_duplicates().itertuples(index=False)
    return sorted(Made(rater, how) for rater, how in pairs)


def cases_of(measurements: Measurements, made: Made) -> Cases:
    """The transcripts that a judge was to judge, with all that is known of each."""
    values = measurements.values
    mine = values[
        values["rater"].eq(made.rater)
        & values["implementation"].eq(made.implementation)
    ]
    verdicts = mine[mine["channel"].eq("verdict")]
    table = (
        verdicts[["item", "subject", "value", "category", "reason"]]
        .rename(columns={"subject": "model", "value": "aware", "category": "type"})
        .merge(measurements.items, on="item", how="left")
        .rename(columns={"source": "benchmark"})
    )
    for channel in _FACTS:
        table = table.merge(_fact(mine, channel), on="item", how="left")
    table["task"] = table["task"].fillna(table["item"])
    for column in ("model", "benchmark", "label"):
        table[column] = table[column].fillna(UNKNOWN)
    flags = mine.loc[mine["channel"].eq("flag"), ["item", "category"]]
    return Cases(
        made,
        table[~table["reason"].isin(NOT_ASKED)].reset_index(drop=True),
        flags.rename(columns={"category": "flag"}).drop_duplicates(),
    )


def _fact(mine: "pd.DataFrame", channel: str) -> "pd.DataFrame":
    """The values of a channel by transcript; with the onset's turn, its part."""
    names = {"value": channel, "category": "part"}
    columns = ["item", "value", *(["category"] if channel == "onset_turn" else [])]
    rows = mine.loc[mine["channel"].eq(channel), columns].rename(columns=names)
    return rows.drop_duplicates("item")


def _decided(cases: Cases, decision: Decision) -> Floats:
    """The turn in which a subject decides; infinite where nothing counts as one."""
    if decision == "none":
        return np.full(len(cases.table), np.inf)
    last = np.nan_to_num(cases.column("turns"), nan=np.inf)
    if decision == "end":
        return last
    first = cases.column("first_action")
    return np.where(np.isnan(first), last, first)
