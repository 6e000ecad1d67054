"""The one table: every answer and score, beside the transcripts that they are about.

Three frames belong together: `values` in long form, the `items` (transcripts) that they
are about, and the `instruments` (forms of questions) that they were taken with.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from inspect_awareness.errors import InputError, LogError
from inspect_awareness.measurements._logs import (
    NOT_ASKED,
    read_log,
)
from inspect_awareness.measurements._tables import (
    ITEM_COLUMNS,
    SCHEMA_VERSION,
    Frames,
    read_frames,
    typed,
    write_frames,
)

if TYPE_CHECKING:
    import pandas as pd

_KEY = ["item", "rater", "implementation", "channel", "instrument", "repeat"]


@dataclass(frozen=True)
class InputFile:
    """A file that measurements were read from."""

    name: str
    """Its name, without the folder."""

    digest: str
    """First 16 hex digits of its SHA-256; empty for a remote file."""

    scored_with: tuple[str, ...]
    """Versions of this package that wrote the scores in it."""

    scores: tuple[str, ...] = ()
    """Names of all scores of a log's samples, `name.key` for those of several values."""


@dataclass(frozen=True, eq=False)
class Measurements:
    """Answers and scores in long form, with the transcripts that they are about."""

    values: "pd.DataFrame"
    """One row a value; see `VALUE_COLUMNS`."""

    items: "pd.DataFrame"
    """One row a transcript, whether it has a value or not; see `ITEM_COLUMNS`."""

    instruments: "pd.DataFrame"
    """One row a form of a question; see `INSTRUMENT_COLUMNS`."""

    inputs: tuple[InputFile, ...] = ()
    """The files that they were read from."""

    skipped: tuple[str, ...] = ()
    """Logs in the folders given that hold no awareness score."""

    duplicates: int = 0
    """Scores dropped because the same transcript had the same score already."""

    schema_version: int = SCHEMA_VERSION
    """Version of the columns."""

    @classmethod
    def load(
        cls, paths: Iterable[str | Path], *, outcomes: Sequence[str] = ()
    ) -> "Measurements":
        """Read logs, folders of logs, and saved measurements alike.

        The same answer of the same rater about the same transcript counts once,
        however many files hold it; `duplicates` counts what was dropped.

        Args:
            paths: The files and folders.
            outcomes: Which of the tasks' own scores is the outcome: the first of these
                that a sample has, `name.key` for a value of a score of several. Without
                any it is the first score. Saved measurements keep theirs.

        Raises:
            InputError: A path is missing or is no such file, two files disagree about
                a transcript, or no transcript has such an outcome.
            LogError: A log, or every log of a folder, holds no awareness score.
        """
        found = cls.concat([cls._load_one(str(path), outcomes) for path in paths])
        found._check_outcomes(outcomes)
        return found

    @classmethod
    def from_logs(cls, paths: Iterable[str | Path]) -> "Measurements":
        """Read the awareness scores and verdicts of Inspect logs, however named.

        A score is one of awareness if its metadata says so; several raters and judges
        may be in one log. Samples are read a few at a time, without messages and
        events, and no model is instantiated. What the record does not know is filled
        in from the log: the source is the task's name, the task the sample's id, the
        label `evaluation`.

        Raises:
            LogError: A path is no readable log, or holds no awareness score.
        """
        return cls.concat([cls._from_log(str(path), ()) for path in paths])

    @classmethod
    def from_parquet(cls, path: str | Path) -> "Measurements":
        """Read what `to_parquet` wrote.

        Raises:
            InputError: The file is missing, is something else, or was written by a
                newer version of this package.
        """
        file = Path(path)
        stored = read_frames(file)
        versions = tuple(stored.about["scored_with"])
        return cls(
            stored.frames.values,
            stored.frames.items,
            stored.frames.instruments,
            (InputFile(file.name, _digest(str(file)), versions),),
            duplicates=stored.about["duplicates"],
        )

    @classmethod
    def concat(cls, parts: Sequence["Measurements"]) -> "Measurements":
        """Join measurements; what is in several of them counts once.

        Raises:
            InputError: There is nothing to join, or two parts disagree about the
                label, source or task of a transcript.
        """
        import pandas as pd

        if not parts:
            raise InputError(
                "no file was given; name scored logs (.eval), folders of them, or "
                "saved measurements (.parquet)"
            )
        values, dropped = _deduplicated(
            pd.concat([part.values for part in parts], ignore_index=True)
        )
        items = pd.concat([part.items for part in parts], ignore_index=True)
        _check_agreement(items)
        instruments = pd.concat([part.instruments for part in parts], ignore_index=True)
        return cls(
            values,
            items.drop_duplicates("item", ignore_index=True),
            instruments.drop_duplicates(ignore_index=True),
            tuple(dict.fromkeys(file for part in parts for file in part.inputs)),
            tuple(dict.fromkeys(name for part in parts for name in part.skipped)),
            dropped + sum(part.duplicates for part in parts),
        )

    def to_parquet(self, path: str | Path) -> None:
        """Write everything to one file, without loss and atomically.

        The rows of the three frames stand below each other, told apart by the column
        `table`, so that any reader of parquet can take them apart.

        Raises:
            InputError: The folder does not exist.
        """
        about = {
            "schema_version": self.schema_version,
            "scored_with": list(self._versions),
            "duplicates": self.duplicates,
        }
        frames = Frames(self.values, self.items, self.instruments)
        write_frames(frames, about, Path(path))

    def without_text(self) -> "Measurements":
        """A copy that can leave the house: numbers, classes and hashed ids.

        What stays: values, categories, reasons, the names of models, sources and
        questions, labels, epochs and outcomes. Ids of transcripts and tasks become
        hashes that still match across files, and beginnings of one transcript keep a
        hash in common; file names, and what is known of tools and reasoning, go. A
        hash hides an id only as well as the id resists guessing.
        """
        items = self.items.copy()
        items["task"] = _hashed(items["source"].fillna("") + "\0" + items["task"])
        known = _hashed_items(items)
        items["item"] = items["item"].map(known).astype(items["item"].dtype)
        for column in ("has_tools", "reasoning", "origin"):
            items[column] = typed([None] * len(items), ITEM_COLUMNS[column])
        told = self.values["item"].map(known).astype(self.values["item"].dtype)
        return replace(
            self,
            values=self.values.assign(item=told),
            items=items,
            inputs=(InputFile("scores only", "", self._versions),),
            skipped=(),
        )

    def _check_outcomes(self, outcomes: Sequence[str]) -> None:
        """Each outcome that was asked for is some transcript's."""
        found = set(self.items["outcome_name"].dropna())
        for name in outcomes:
            if name not in found:
                known = sorted({each for file in self.inputs for each in file.scores})
                raise InputError(
                    f"no transcript has the score {name!r} as its outcome; scores in "
                    f"these files: {', '.join(known) or 'none'}"
                )

    @property
    def _versions(self) -> tuple[str, ...]:
        """The versions of this package that wrote the scores."""
        return tuple(sorted({v for file in self.inputs for v in file.scored_with}))

    @classmethod
    def _from_log(cls, path: str, outcomes: Sequence[str]) -> "Measurements":
        """The scores of one log."""
        read = read_log(path, outcomes)
        file = InputFile(read.name, _digest(path), read.scored_with, read.scores)
        frames = read.frames
        return cls(frames.values, frames.items, frames.instruments, (file,))

    @classmethod
    def _load_one(cls, path: str, outcomes: Sequence[str]) -> "Measurements":
        """A log, a folder, or saved measurements."""
        if path.endswith(".parquet"):
            return cls.from_parquet(path)
        if "://" not in path and Path(path).is_dir():
            return cls._from_folder(path, outcomes)
        return cls.concat([cls._from_log(path, outcomes)])

    @classmethod
    def _from_folder(cls, path: str, outcomes: Sequence[str]) -> "Measurements":
        """Every scored log and saved measurements in a folder; others are named."""
        parts, skipped = [], []
        for file in _scored_files(path):
            try:
                parts.append(cls._load_one(file, outcomes))
            except LogError:
                skipped.append(Path(file).name)
        if not parts:
            found = f"{len(skipped)} logs without one" if skipped else "no logs"
            raise LogError(
                f"{path}: no awareness scores in this folder ({found}). Score a log "
                "first: awareness score LOG --model MODEL -o SCORED.eval"
            )
        return replace(cls.concat(parts), skipped=tuple(skipped))


def _scored_files(folder: str) -> list[str]:
    """Logs and saved measurements in a folder and below it, by name."""
    from inspect_ai.log import list_eval_logs

    logs = [info.name.removeprefix("file://") for info in list_eval_logs(folder)]
    saved = [str(path) for path in Path(folder).rglob("*.parquet")]
    return sorted([*logs, *saved])


def _deduplicated(values: "pd.DataFrame") -> tuple["pd.DataFrame", int]:
    """Values with each key once, a real score before a missing one; scores dropped."""
    absent = values["reason"].isin(NOT_ASKED)
    ordered = values.loc[absent.sort_values(kind="stable").index]
    again = ordered.duplicated(_KEY, keep="first").sort_index()
    scores = values["channel"].isin(("score", "verdict")) & ~absent
    return values[~again].reset_index(drop=True), int((again & scores).sum())


def _check_agreement(items: "pd.DataFrame") -> None:
    """A transcript has one label, one source and one task, whichever file says so."""
    repeated = items[items.duplicated("item", keep=False)]
    for column in ("label", "source", "task"):
        kinds = repeated.groupby("item")[column].nunique()
        for item in kinds.index[kinds > 1]:
            said = sorted(repeated.loc[repeated["item"] == item, column].dropna())
            raise InputError(
                f"transcript {item} has the {column} {said[0]!r} in one file and "
                f"{said[-1]!r} in another; give it once, or score it again"
            )


def _hashed_items(items: "pd.DataFrame") -> dict[str, str]:
    """For each transcript's id its hash; that of a beginning ends in `#` and the turn."""
    ends = ("#" + items["turn"].astype("string")).fillna("")
    pairs = zip(items["item"], ends, strict=True)
    whole = typed([item.removesuffix(end) for item, end in pairs], "string")
    told = _hashed(whole).tolist()
    return {
        item: hashed + end
        for item, hashed, end in zip(items["item"], told, ends, strict=True)
    }


def _hashed(ids: "pd.Series[str]") -> "pd.Series[str]":
    """First 16 hex digits of the SHA-256 of each id."""
    known = {
        value: hashlib.sha256(value.encode()).hexdigest()[:16]
        for value in ids.dropna().unique()
    }
    return ids.map(known, na_action="ignore").astype(ids.dtype)


def _digest(path: str) -> str:
    """Digest of a local file's content; empty for a remote one."""
    if "://" in path:
        return ""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:16]
