"""Verdicts on awareness in judged logs, as repeats of tasks."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from inspect_awareness.datasets._log_files import index_logs
from inspect_awareness.datasets._selection import Selection
from inspect_awareness.datasets._transcript import Place
from inspect_awareness.datasets.inspect_logs import read_samples
from inspect_awareness.measurements import (
    Measurements,
    implementation_fields,
    item_of,
    judged_as,
    verdicts_of,
)
from inspect_awareness.stats.cues import (
    Repeat,
)
from inspect_awareness.validation import Frame, frame_of


@dataclass(frozen=True)
class Judgements:
    """The verdicts of one judge, given in one way, on the transcripts of some logs."""

    frame: Frame
    """The transcripts with their verdicts."""

    records: Mapping[Place, Mapping[str, Any]]
    """The record of the verdict on each sample."""

    rows: Mapping[Place, int]
    """The number of each sample in the frame."""

    @cached_property
    def repeats(self) -> tuple[Repeat, ...]:
        """The transcripts as repeats of tasks."""
        frame = self.frame
        return tuple(
            Repeat(model, source, task, None if said != said else bool(said))
            for model, source, task, said in zip(
                frame.models,
                frame.benchmarks,
                frame.tasks,
                frame.verdicts.tolist(),
                strict=True,
            )
        )

    @property
    def selection(self) -> Selection:
        """The view that all were judged in, and the role whose turns were."""
        fields = implementation_fields(self.frame.implementation)
        role = fields["subject_role"]
        return Selection(
            view=fields["view"], subject_role=None if role == "null" else role
        )

    @property
    def most_repeats(self) -> int:
        """Verdicts on the task that has most."""
        known = Counter(each.key for each in self.repeats if each.aware is not None)
        return max(known.values(), default=0)


def read_judgements(paths: Sequence[str], judge: str | None = None) -> Judgements:
    """The verdicts of one judge in some logs.

    Args:
        paths: Judged logs, and folders of them.
        judge: The judge, where several judged.

    Raises:
        InputError: Nothing was judged, not by this judge, or in several ways.
    """
    frame = frame_of(Measurements.load(paths), judge=judge, option="--awareness-judge")
    records: dict[Place, Mapping[str, Any]] = {}
    rows: dict[Place, int] = {}
    for ref, sample in read_samples(index_logs(paths).refs, events=False):
        found = [] if sample is None else [r for _, r in verdicts_of(sample)]
        mine = [r for r in found if _is_of(r, frame)]
        if sample is None or not mine:
            continue
        item = item_of(sample, mine, ref.log.header.eval.eval_id)
        records[ref.place], rows[ref.place] = mine[-1], frame.row[item]
    return Judgements(frame, records, rows)


def _is_of(record: Mapping[str, Any], frame: Frame) -> bool:
    """Whether a verdict is of the frame's judge, given in the frame's way."""
    return record["judge"] == frame.judge and judged_as(record) == frame.implementation
