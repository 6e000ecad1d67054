"""What `awareness select` reads: scored logs, or a table."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inspect_awareness.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pandas as pd

    from inspect_awareness.selections import Origin
    from inspect_awareness.tables import Table

COLUMNS = ("item", "source", "label", "question", "value")

WITHOUT_PRIOR = (
    "these scores have a prior subtracted; the pairs were compared without it, and "
    "p_eval_selected subtracts none"
)
"""What is said of scores of `--prior`."""


@dataclass(frozen=True, eq=False)
class Answered:
    """Answers by transcript and question, and where they came from."""

    values: "npt.NDArray[np.float64]"
    evaluation: "npt.NDArray[np.bool_]"
    sources: list[str]
    questions: list[str]
    rater: str | None = None
    bank: str | None = None
    bank_hash: str | None = None
    asked: dict[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def origin(self, seed: int, folds: int) -> "Origin":
        """Where the answers came from, and what the search is told."""
        from inspect_awareness.selections import Origin

        return Origin(
            "question" if self.rater is None else "pair",
            seed=seed,
            folds=folds,
            rater=self.rater,
            bank=self.bank,
            bank_hash=self.bank_hash,
            asked=self.asked,
            notes=self.notes,
        )


def from_table(path: Path) -> Answered:
    """Answers of a CSV file with a row for each item and question.

    Raises:
        InputError: A column is missing, a cell cannot be used, an item and question
            occur twice, or an item has two labels or two sources.
    """
    import numpy as np

    from inspect_awareness.tables import read_table

    table = read_table(path, *COLUMNS)
    items, questions = table.text("item"), table.text("question")
    _once(table, items, questions)
    source_of = _one_each(table, items, table.text("source"), "source")
    label_of = _one_each(table, items, table.evaluation("label").tolist(), "label")
    rows = {item: row for row, item in enumerate(source_of)}
    columns = {name: column for column, name in enumerate(dict.fromkeys(questions))}
    values = np.full((len(rows), len(columns)), np.nan)
    values[[rows[i] for i in items], [columns[q] for q in questions]] = _values(table)
    return Answered(
        values,
        np.array([label_of[item] for item in rows]),
        [source_of[item] for item in rows],
        list(columns),
    )


def from_scored(paths: Sequence[str]) -> Answered:
    """Answers of scored logs or saved measurements; a question is a pair of them.

    Raises:
        InputError: There is more than one rater, bank or way of asking, or no answer
            to a pair of questions.
    """
    from inspect_awareness.measurements import Measurements, implementation_fields

    read = Measurements.load(paths)
    values = read.values[read.values["channel"] == "pair"]
    if values.empty:
        raise InputError(
            "no pair of opposite questions was answered: score with questions of both "
            "polarities (`awareness score` does, unless --questions leaves some out)"
        )
    rater = _only(values["rater"], "rater")
    ways = [implementation_fields(each) for each in values["implementation"].unique()]
    _same_way(ways)
    asked = dict(ways[0])
    notes = [] if asked.get("prior", "none") == "none" else [WITHOUT_PRIOR]
    return _matrix(
        values,
        read.items,
        notes,
        rater=rater,
        bank=asked.pop("bank", None),
        bank_hash=asked.pop("bank_hash", None),
        asked=asked,
    )


def _matrix(
    values: "pd.DataFrame", items: "pd.DataFrame", notes: list[str], **origin: Any
) -> Answered:
    """The labelled transcripts that were asked about, by pair."""
    import numpy as np

    about = items.set_index("item")
    wide = values.pivot(index="item", columns="instrument", values="value")
    labels = about.loc[wide.index, "label"]
    known = labels.isin(["evaluation", "deployment"]).to_numpy(dtype=bool)
    wide, labels = wide[known], labels[known]
    notes = notes + _counted(
        int((~known).sum()), "transcripts without a label are left out"
    )
    notes += _counted(len(about) - known.size, "transcripts were not asked about")
    return Answered(
        np.asarray(wide.to_numpy(dtype=np.float64)),
        (labels == "evaluation").to_numpy(dtype=bool),
        about.loc[wide.index, "source"].fillna("unknown").tolist(),
        [str(name) for name in wide.columns],
        notes=tuple(notes),
        **origin,
    )


def _counted(number: int, what: str) -> list[str]:
    """A line that says how many, where there are any."""
    return [f"{what}: {number}"] if number else []


def _only(names: "pd.Series[str]", what: str) -> str:
    """The one name that there may be."""
    found = sorted(names.unique())
    if len(found) > 1:
        raise InputError(
            f"more than one {what}: {', '.join(found)}. Questions are selected for "
            f"one {what}: give the logs of each apart"
        )
    return str(found[0])


def _same_way(ways: Sequence[dict[str, str]]) -> None:
    """All answers were asked for in one way."""
    names = sorted({name for way in ways for name in way})
    for name in sorted(names, key=lambda each: not each.startswith("bank")):
        found = sorted({way.get(name, "") for way in ways})
        if len(found) > 1:
            what = "question bank" if name.startswith("bank") else name
            raise InputError(
                f"more than one {what}: {', '.join(found)}. Answers compare only "
                "where all was asked in one way: give the logs of each apart"
            )


def _once(table: "Table", items: list[str], questions: list[str]) -> None:
    """No item answers a question twice."""
    (pair, count), *_ = Counter(zip(items, questions, strict=True)).most_common(1)
    if count > 1:
        lines = [
            table.lines[row]
            for row, each in enumerate(zip(items, questions, strict=True))
            if each == pair
        ]
        raise InputError(
            f"{table.path}: item {pair[0]!r} has {count} values for question "
            f"{pair[1]!r} (lines {', '.join(map(str, lines))}): give their mean"
        )


def _one_each(
    table: "Table", items: list[str], values: Sequence[Any], what: str
) -> dict[str, Any]:
    """The label or source of each item, in the order of the file."""
    found: dict[str, Any] = {}
    for row, (item, value) in enumerate(zip(items, values, strict=True)):
        if found.setdefault(item, value) != value:
            raise InputError(
                f"{table.path}, line {table.lines[row]}: item {item!r} has another "
                f"{what} than before; an item has one {what} in all of its rows, and "
                "no two items share a name"
            )
    return found


def _values(table: "Table") -> "npt.NDArray[np.float64]":
    """The column of values, in [0, 1] or empty."""
    values = table.numbers("value", empty=True)
    for row, value in enumerate(values):
        if value == value and not 0 <= value <= 1:
            raise InputError(
                f"{table.path}, line {table.lines[row]}, column value: {value:g} is "
                "not in [0, 1] (1 means evaluation): rescale it, or leave it empty"
            )
    return values
