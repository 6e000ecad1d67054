"""The scores of one rater asked in one way, beside the transcripts they are about."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from inspect_awareness.claims import Missing
from inspect_awareness.measurements import NOT_ASKED, Measurements
from inspect_awareness.report._reference import Made
from inspect_awareness.stats import Unit, resampling_unit

if TYPE_CHECKING:
    import pandas as pd


APART = ("rating", "pairwise", "open", "indirect", "control", "correct")
"""Channels of what does not make P(evaluation)."""


@dataclass(frozen=True, eq=False)
class Selection:
    """Values of one rater and implementation, joined with their transcripts."""

    made: Made
    """By whom and how."""

    scores: "pd.DataFrame"
    """P(evaluation) of transcripts, a row each, missing ones too."""

    answers: "pd.DataFrame"
    """P(evaluation) of answers, with question, pair, polarity and order."""

    pairs: "pd.DataFrame"
    """P(evaluation) of pairs of questions; `instrument` is the pair."""

    masses: "pd.DataFrame"
    """Probability of the two labels, an answer each."""

    uncorrected: "pd.DataFrame"
    """P(evaluation) before a prior was subtracted, where one was."""

    apart: "pd.DataFrame"
    """What does not make P(evaluation); `channel` is the family, `instrument` the
    pair; the channel `correct` holds the probability of a control's true answer."""

    @property
    def view(self) -> str:
        """Which part of transcripts the rater saw."""
        return self.made.fields.get("view", "full")

    def where(self, chosen: "pd.Series[bool]") -> "Selection":
        """Only the transcripts whose scores are chosen, in all frames."""
        items = set(self.scores.loc[chosen, "item"])
        frames: dict[str, Any] = {
            name: frame[frame["item"].isin(items)]
            for name in ("answers", "pairs", "masses", "uncorrected", "apart")
            for frame in [getattr(self, name)]
        }
        return replace(self, scores=self.scores[chosen], **frames)

    @property
    def asked(self) -> "Selection":
        """Without transcripts that no question was asked about."""
        return replace(self, scores=self.scores[~self.scores["reason"].isin(NOT_ASKED)])

    @property
    def known(self) -> "pd.DataFrame":
        """The transcripts that have a score."""
        return self.scores[self.scores["value"].notna()]


def makers(measurements: Measurements) -> list[Made]:
    """All raters that were asked questions, with how they were, in order."""
    values = measurements.values
    asked = values[values["channel"].isin(("score", *APART))]
    found = asked[["rater", "implementation"]].drop_duplicates()
    return sorted(Made(rater, how) for rater, how in found.itertuples(index=False))


def select(measurements: Measurements, made: Made) -> Selection:
    """The values of one rater asked in one way."""
    values = measurements.values
    mine = values[
        values["rater"].eq(made.rater)
        & values["implementation"].eq(made.implementation)
    ].merge(measurements.items, on="item", how="left")
    mine["label"] = mine["label"].fillna("unknown")
    forms = measurements.instruments
    forms = forms[forms["implementation"].eq(made.implementation)]
    by_channel = {
        channel: mine[mine["channel"].eq(channel)].reset_index(drop=True)
        for channel in ("score", "answer", "pair", "mass", "uncorrected")
    }
    pairs = by_channel["pair"]
    answers = by_channel["answer"].merge(
        forms.drop(columns="implementation").drop_duplicates("instrument"),
        on="instrument",
        how="left",
    )
    # answers to ratings, controls and the like have other scales and other biases
    answers = answers[answers["pair"].isin(pairs["instrument"])]
    masses = by_channel["mass"]
    return Selection(
        made,
        by_channel["score"],
        answers.reset_index(drop=True),
        pairs,
        masses[masses["instrument"].isin(answers["instrument"])],
        by_channel["uncorrected"],
        mine[mine["channel"].isin(APART)].reset_index(drop=True),
    )


def unit_of(*frames: "pd.DataFrame") -> Unit:
    """The resampling unit of the rows of frames, one below the other.

    It is chosen over transcripts: several rows of one are in its cluster.
    """
    import pandas as pd

    rows = pd.concat([frame[["item", "label", "source", "task"]] for frame in frames])
    place, _ = pd.factorize(rows["item"])
    items = rows.drop_duplicates("item")
    unit = resampling_unit(
        optional(items["label"].fillna("unknown")),
        optional(items["source"]),
        optional(items["task"]),
    )
    return replace(unit, clusters=unit.clusters[place])


def one_of(subjects: "pd.Series[str]") -> str | None:
    """The subject, or several of them joined; None where nobody knows."""
    names = sorted(set(subjects.dropna()))
    return ", ".join(names) or None


def optional(column: "pd.Series[Any]") -> list[Any]:
    """A column of text with None where it is missing."""
    return column.astype(object).where(column.notna(), None).tolist()


def missing_by_reason(frame: "pd.DataFrame") -> tuple[Missing, ...]:
    """Missing values by reason, the commonest first."""
    absent = frame[frame["value"].isna()]
    counts = absent["reason"].fillna("unscored").value_counts()
    return tuple(
        Missing(str(reason), int(n), int(n) / len(frame))
        for reason, n in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    )


def distinct(column: "pd.Series[Any]", *, unknown: str = "unknown") -> tuple[str, ...]:
    """The distinct values of a column of text, sorted."""
    return tuple(sorted(set(column.fillna(unknown))))


def tasks_in(frame: "pd.DataFrame") -> int:
    """How many tasks the transcripts repeat; one without an id is its own."""
    names: Sequence[tuple[str | None, str | None]] = [
        (source, item if task is None else task)
        for source, task, item in zip(
            optional(frame["source"]),
            optional(frame["task"]),
            frame["item"],
            strict=True,
        )
    ]
    return len(set(names))
