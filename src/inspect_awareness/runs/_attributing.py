"""Attribute awareness in judged logs to cues: ask, write, count."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import nan
from pathlib import Path
from typing import Any

from inspect_ai.model import Model
from inspect_ai.scorer import Score

from inspect_awareness.datasets._inputs import Inputs
from inspect_awareness.datasets._transcript import Transcript
from inspect_awareness.errors import InputError
from inspect_awareness.measurements import (
    Measurements,
    cue_repeats,
    judged_as,
)
from inspect_awareness.runs._cue_plan import CuePlan, place_of
from inspect_awareness.runs._judged_log import (
    JudgeRun,
    Prepared,
    VerdictJournal,
    way_of,
)
from inspect_awareness.runs._judging import Done, carry_out
from inspect_awareness.runs._outputs import Kind, write_copy
from inspect_awareness.runs._parts import Part
from inspect_awareness.runs._scoring import Progress, silent, transcript_sample
from inspect_awareness.runs._target import Target, check_target, outputs_of
from inspect_awareness.scorers.factor_attribution import factor_attribution
from inspect_awareness.scorers.factors._attributing import (
    VERDICT,
    Attributing,
    CueInstrument,
    CueStore,
)
from inspect_awareness.scorers.factors._record import RECORD
from inspect_awareness.scorers.p_eval import NOBODY
from inspect_awareness.scorers.verdicts._record import RECORD as VERDICT_RECORD
from inspect_awareness.stats.cues import (
    TaskCue,
    TaskKey,
    task_cues,
)

CUE = Kind("factor_attribution", RECORD, "attributed")
"""An attribution of awareness to a cue."""


@dataclass(frozen=True)
class Attributed:
    """What came of a run."""

    outputs: tuple[Path, ...]
    """The files that were written."""

    tasks: tuple[TaskCue, ...]
    """The stably aware tasks of all outputs, each with its cue or a reason."""

    unscored: Counter[str]
    """Transcripts without a cue, by reason, of the parts that this run wrote."""

    skipped: Counter[str]
    """Samples left out, by reason."""

    tokens: Counter[str]
    """Tokens of all votes, those of an earlier run among them."""

    resumed: int
    """Transcripts whose votes an earlier, interrupted run left."""

    journal: Path | None
    """Kept where a provider failed on some."""


def cue_journal(output: Path) -> Path:
    """Where the votes of a run are kept until its output is whole."""
    return output.with_name(f"{output.name}.cues.partial")


def attribute_files(
    planned: CuePlan,
    judges: Sequence[Model],
    how: Attributing,
    target: Target,
    *,
    progress: Progress | None = None,
) -> Attributed:
    """Ask about the cue of every aware transcript of a stably aware task, and write it.

    One log is copied with the cue appended to its samples, several into a folder. Input
    files are never changed; an output appears whole or not at all, and an interrupted
    run goes on where it stopped when it is started again.

    Args:
        planned: What is asked.
        judges: The judges.
        how: How they are asked.
        target: Where the cues go.
        progress: Told after each transcript, with 1.

    Raises:
        OutputExistsError: An output exists.
        InputError: Input or output cannot be used, or a judge is nobody.
        ModelError: A judge cannot be asked.
    """
    if NOBODY in map(str, judges):
        raise InputError("none/none is nobody; give the model that is to judge")
    inputs = planned.inputs
    check_target(inputs, target)
    instrument = _instrument(planned, judges, how)
    journal = VerdictJournal(cue_journal(target.output), judges[0])
    run = JudgeRun(
        judges=tuple(judges),
        scorer=_scorer(judges, how),
        kind=CUE,
        prepare=partial(_prepared, planned, how, judges, journal),
        way=f"{way_of(instrument, judges)} {_tasks(planned)}",
        journal=journal,
        progress=progress or silent,
    )
    done = carry_out(run, list(_parts(inputs, target, planned)), target)
    return _attributed(done, planned, instrument, how, outputs_of(inputs, target))


def _tasks(planned: CuePlan) -> list[TaskKey]:
    """The stably aware tasks, of which a change makes another run."""
    return sorted(planned.stable)


def _instrument(
    planned: CuePlan, judges: Sequence[Model], how: Attributing
) -> CueInstrument:
    """How it is asked, on verdicts that were all given in one way."""
    return how.instrument(judges, next(iter(planned.judged.records.values())))


def _scorer(judges: Sequence[Model], how: Attributing) -> Any:
    """The registered scorer with these settings."""
    return factor_attribution(
        judges=judges,
        votes=how.how.votes,
        min_aware=how.min_aware,
        structured=how.how.structured,
        rubric=how.how.rubric.path,
        config=how.how.config.model_dump(exclude_none=True),
    )


def _prepared(
    planned: CuePlan,
    how: Attributing,
    judges: Sequence[Model],
    journal: VerdictJournal,
    transcript: Transcript,
) -> Prepared:
    """A transcript with its verdict among the scores, and earlier votes in its store."""
    record = planned.judged.records.get(place_of(transcript))
    sample = transcript_sample(transcript)
    if record is None:
        return Prepared(sample, earlier=False)
    said = record["verdict"]
    verdict = Score(
        value=nan if said is None else float(said), metadata={VERDICT_RECORD: record}
    )
    sample.scores = {VERDICT: verdict}
    found = planned.found(transcript)
    if isinstance(found, str):
        sample.store[f"{CueStore.__name__}:left_out"] = found
        return Prepared(sample, earlier=False)
    earlier = journal.votes(transcript.origin.item, how.asked(found, judges))
    if earlier is not None:
        sample.store[f"{CueStore.__name__}:asked"] = [earlier.model_dump()]
    return Prepared(sample, earlier=earlier is not None)


def _parts(inputs: Inputs, target: Target, planned: CuePlan) -> Iterator[Part]:
    """What is written together: each log's transcripts."""
    for log, copy in zip(inputs.logs, outputs_of(inputs, target), strict=True):
        write = partial(
            write_copy,
            log,
            copy,
            replace=target.replace,
            overwrite=target.overwrite,
            kind=CUE,
        )
        yield Part(copy, partial(inputs.of_log, log), planned.by_log[log], write)


def _attributed(
    done: Done,
    planned: CuePlan,
    instrument: CueInstrument,
    how: Attributing,
    outputs: Sequence[Path],
) -> Attributed:
    """Everything that is said of a run; the tasks are read from what was written."""
    records = [(s.score.metadata or {}).get(RECORD) or {} for s in done.scored]
    tokens: Counter[str] = Counter()
    for record in records:
        tokens.update(record.get("tokens") or {})
    return Attributed(
        outputs=tuple(outputs),
        tasks=written_tasks(outputs, instrument, min_aware=how.min_aware),
        unscored=Counter(
            str(s.score.reason)
            for s in done.scored
            if not isinstance(s.score.value, str)
        ),
        skipped=planned.skipped,
        tokens=tokens,
        resumed=min(done.resumed, len(done.scored)),
        journal=done.journal,
    )


def written_tasks(
    outputs: Sequence[Path], instrument: CueInstrument, *, min_aware: int
) -> tuple[TaskCue, ...]:
    """The stably aware tasks of some logs, attributed in one way.

    Args:
        outputs: The logs.
        instrument: How their cues were asked about.
        min_aware: Aware repeats that make a task stably aware.
    """
    measured = Measurements.load(outputs)
    values = measured.values
    judge = ", ".join(instrument.judges)
    way = judged_as({"instrument": instrument.model_dump()})
    mine = values[values["rater"].eq(judge) & values["implementation"].eq(way)]
    return task_cues(cue_repeats(mine, measured.items), min_aware=min_aware)
