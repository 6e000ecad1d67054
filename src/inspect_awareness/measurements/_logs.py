"""From a scored Inspect log to rows, a few samples at a time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isnan, nan
from typing import TYPE_CHECKING, Any, TypeGuard

from inspect_awareness.errors import LogError
from inspect_awareness.measurements._directions import (
    DIRECTION_RECORD,
    INSTRUMENT,
    direction_row,
    directions_of,
)
from inspect_awareness.measurements._factors import CUE, cue_rows, cues_of
from inspect_awareness.measurements._implementation import implementation_of, judged_as
from inspect_awareness.measurements._items import item_of, known_transcript
from inspect_awareness.measurements._tables import Frames, Rows, check_schema
from inspect_awareness.measurements._verdicts import verdict_rows, verdicts_of

if TYPE_CHECKING:
    from inspect_ai.log import EvalSample
    from inspect_ai.scorer import Score

    from inspect_awareness.datasets._log_files import IndexedLog

RECORD = "awareness"
"""Where a score's metadata holds the record of how it came about."""

NOT_SCORED = "not_scored"
"""Reason of a transcript without the score that others in its log have."""

SAMPLE_ERROR = "sample_error"
"""The same for a sample that ended in an error."""

NOT_ASKED = (NOT_SCORED, SAMPLE_ERROR)
"""Reasons of transcripts that no question was asked about."""

_CHUNK = 32
_UNREAD = {"messages", "events", "attachments", "store", "timelines"}


@dataclass(frozen=True, eq=False)
class ReadLog:
    """What a log held."""

    name: str
    """The file's name."""

    frames: Frames
    """Its values, items and instruments."""

    scored_with: tuple[str, ...]
    """Versions of this package that wrote its scores."""

    scores: tuple[str, ...] = ()
    """Names of all scores of its samples, `name.key` for those of several values."""


@dataclass(frozen=True)
class _Way:
    """All that tells the scores of one transcript apart."""

    rater: str
    implementation: str
    channel: str
    instrument: str


def read_log(path: str, outcomes: Sequence[str] = ()) -> ReadLog:
    """Read all awareness scores and verdicts of a log.

    Args:
        path: The log.
        outcomes: Which of the task's own scores is the outcome: the first of these that
            a sample has; without any the task's first score.

    Raises:
        LogError: The path is no readable log, or holds no awareness score.
    """
    from inspect_awareness.datasets._log_files import open_log

    log = open_log(path)
    reader = _Reader(log, outcomes)
    for sample in _samples(path):
        reader.read(sample)
    return reader.finished()


class _Reader:
    """Turns the samples of one log into rows."""

    def __init__(self, log: "IndexedLog", outcomes: Sequence[str]) -> None:
        self._log = log
        self._outcomes = outcomes
        self._names: dict[str, None] = {}
        self._items: list[dict[str, Any]] = []
        self._rows = Rows()
        self._scored_with: set[str] = set()
        self._subjects: dict[_Way, str | None] = {}
        self._scored: set[tuple[str, _Way]] = set()
        self._why_not: dict[str, str] = {}

    def read(self, sample: "EvalSample") -> None:
        """Add a sample with all its awareness scores and verdicts."""
        scores = [(s, s.metadata or {}) for s in (sample.scores or {}).values()]
        asked = [(s, r) for s, known in scores if _is_ours(r := known.get(RECORD))]
        judged, cues, read = verdicts_of(sample), cues_of(sample), directions_of(sample)
        every = (*asked, *judged, *cues, *read)
        item = self._item(sample, [record for _, record in every])
        self._why_not[item] = SAMPLE_ERROR if sample.error else NOT_SCORED
        for score, record in asked:
            self._score(item, score, record)
        for score, record in judged:
            self._judged(item, score, record)
        for score, record in cues:
            self._attributed(item, score, record)
        for score, record in read:
            way = self._way(record, "rater", DIRECTION_RECORD, INSTRUMENT)
            who = self._noted(item, way, record)
            self._value(who, way.channel, way.instrument, **direction_row(score))

    def finished(self) -> ReadLog:
        """Everything read, with a reason for each score that a sample lacks."""
        if not self._subjects:
            raise LogError(
                f"{self._log.path}: holds no awareness scores. Score it first: "
                f"awareness score {self._log.path} --model MODEL -o SCORED.eval"
            )
        for way, subject in self._subjects.items():
            for item, reason in self._why_not.items():
                if (item, way) not in self._scored:
                    who = self._who(subject, way, item)
                    self._value(who, way.channel, way.instrument, reason=reason)
        versions = tuple(sorted(self._scored_with))
        self._add_items()
        names = tuple(self._names)
        return ReadLog(self._log.name, self._rows.frames(), versions, names)

    def _add_items(self) -> None:
        """The transcripts; one that nobody was asked about has the others' label."""
        told = {row["label"] for row in self._items} - {None}
        usual = told.pop() if len(told) == 1 else "evaluation"
        for row in self._items:
            self._rows.add("items", **{**row, "label": row["label"] or usual})

    def _item(self, sample: "EvalSample", records: Sequence[dict[str, Any]]) -> str:
        """Add the transcript, from the record that knows it or else from the log."""
        from inspect_awareness.datasets._outcomes import outcome_names, outcome_of

        spec = self._log.header.eval
        known = known_transcript(sample, records)
        placed = bool(known.get("item"))
        item = item_of(sample, records, spec.eval_id)
        self._names |= dict.fromkeys(outcome_names(sample.scores))
        outcome = outcome_of(sample.scores, self._outcomes)
        told = outcome.value
        if outcome.name is None and not self._outcomes:
            told = known.get("outcome")
        row = {
            "item": item,
            "label": (known.get("label") or "unknown") if placed else None,
            "source": known.get("source") or spec.task,
            "task": str(known.get("task_id") or sample.id),
            "epoch": known.get("epoch") or sample.epoch,
            "outcome": told,
            "outcome_name": outcome.name,
            "has_tools": known.get("has_tools"),
            "reasoning": known.get("reasoning"),
            "origin": f"{known.get('log') or self._log.name}#{item}",
            "turn": known.get("turn"),
        }
        self._items.append(row)
        return item

    def _score(self, item: str, score: "Score", record: dict[str, Any]) -> None:
        """Add the rows of one score: its answers, its pairs, and itself."""
        way = self._way(record, "rater", "score", "p_eval")
        who = self._noted(item, way, record)
        for answer in record.get("answers") or []:
            self._answer(who, answer)
        for pair, p in (record.get("pairs") or {}).items():
            self._value(who, "pair", pair, value=p)
        for pair, found in (record.get("apart") or {}).items():
            self._apart(who, pair, found)
        uncorrected = (record.get("prior") or {}).get("p_uncorrected")
        if uncorrected is not None:
            self._value(who, "uncorrected", "p_eval", value=uncorrected)
        value = self._probability(score, item)
        reason = (score.reason or "unscored") if isnan(value) else None
        self._value(who, "score", "p_eval", value=value, reason=reason)

    def _judged(self, item: str, score: "Score", record: dict[str, Any]) -> None:
        """Add the rows of one verdict; the rubric is the instrument."""
        rubric = str(record["instrument"].get("rubric") or "unknown")
        who = self._noted(item, self._way(record, "judge", "verdict", rubric), record)
        where = f"{self._log.path}: transcript {item}"
        for channel, row in verdict_rows(score, record, where):
            self._value(who, channel, rubric, **row)

    def _attributed(self, item: str, score: "Score", record: dict[str, Any]) -> None:
        """Add the rows of one attribution; the rubric is the instrument."""
        rubric = str(record["instrument"].get("rubric") or "unknown")
        who = self._noted(item, self._way(record, "judge", CUE, rubric), record)
        where = f"{self._log.path}: transcript {item}"
        for channel, row in cue_rows(score, record, where):
            self._value(who, channel, rubric, **row)

    def _way(
        self, record: dict[str, Any], rater: str, channel: str, instrument: str
    ) -> _Way:
        """How a score was made, by its record."""
        check_schema(record.get("schema_version", 1), self._log.path)
        judged = rater == "judge"
        how = judged_as(record) if judged else implementation_of(record["instrument"])
        return _Way(str(record[rater]), how, channel, instrument)

    def _noted(self, item: str, way: _Way, record: dict[str, Any]) -> dict[str, Any]:
        """Note that a transcript has this score; what all its rows have in common."""
        package = record.get("package") or {}
        self._scored_with.add(str(package.get("version", "unknown")))
        subject = self._subject(record)
        self._scored.add((item, way))
        self._subjects.setdefault(way, subject)
        return self._who(subject, way, item)

    def _who(self, subject: str | None, way: _Way, item: str) -> dict[str, Any]:
        """Who was rated by whom, and how."""
        return {
            "subject": subject,
            "rater": way.rater,
            "item": item,
            "implementation": way.implementation,
        }

    def _answer(self, who: dict[str, Any], answer: dict[str, Any]) -> None:
        """Add one answer, the mass of its labels, and the form of its question."""
        form = f"{answer['question']}:{answer['order']}"
        repeat = answer.get("repeat") or 0
        self._value(
            who,
            "answer",
            form,
            repeat=repeat,
            value=answer.get("p"),
            category=answer.get("category"),
            reason=answer.get("reason"),
        )
        if answer.get("mass") is not None:
            self._value(who, "mass", form, repeat=repeat, value=answer["mass"])
        asked = {k: answer.get(k) for k in ("question", "pair", "polarity", "order")}
        self._rows.add(
            "instruments",
            implementation=who["implementation"],
            instrument=form,
            **asked,
        )

    def _apart(self, who: dict[str, Any], pair: str, found: dict[str, Any]) -> None:
        """Add what stands apart from P(eval), in the channel of its family."""
        row = {"value": found.get("p"), "reason": found.get("reason")}
        self._value(who, str(found["family"]), pair, **row)
        if found.get("correct") is not None:
            self._value(who, "correct", pair, value=found["correct"])

    def _value(
        self, who: dict[str, Any], channel: str, instrument: str, **row: Any
    ) -> None:
        """Add one value; repeat 0 unless it says otherwise."""
        self._rows.add(
            "values",
            **{"repeat": 0, **who, "channel": channel, "instrument": instrument, **row},
        )

    def _subject(self, record: dict[str, Any]) -> str | None:
        """Who wrote the transcript: for one scored in its own log, the log's model."""
        known = record.get("subject")
        if known or (record.get("transcript") or {}).get("item"):
            return str(known) if known else None
        return self._log.header.eval.model

    def _probability(self, score: "Score", item: str) -> float:
        """The score in [0, 1], or NaN where there is none."""
        value = nan if score.value is None else score.value
        if isinstance(value, int | float) and (isnan(value) or 0 <= value <= 1):
            return float(value)
        raise LogError(
            f"{self._log.path}: transcript {item} has the awareness score {value!r}; "
            "a score is a number in [0, 1], or NaN"
        )


def _samples(path: str) -> Iterator["EvalSample"]:
    """All samples of a log, without their messages and events."""
    from inspect_ai.log import (
        read_eval_log,
        read_eval_log_sample_summaries,
        read_eval_log_samples_by_id,
    )

    try:
        if path.endswith(".json"):
            yield from read_eval_log(path).samples or []
            return
        ids = [(s.id, s.epoch) for s in read_eval_log_sample_summaries(path)]
        for start in range(0, len(ids), _CHUNK):
            yield from read_eval_log_samples_by_id(
                path, ids[start : start + _CHUNK], exclude_fields=_UNREAD
            )
    except Exception as ex:
        raise LogError(f"{path}: a sample cannot be read ({ex})") from ex


def _is_ours(record: Any) -> TypeGuard[dict[str, Any]]:
    """Whether a score's metadata holds a record of this package, not a namesake."""
    return (
        isinstance(record, dict)
        and isinstance(record.get("instrument"), dict)
        and bool(record.get("rater"))
    )
