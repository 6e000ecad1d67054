"""Judge files: plan, ask, write."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import isnan
from pathlib import Path

import anyio
from inspect_ai.model import Model
from inspect_ai.scorer import Score

from inspect_awareness.datasets._inputs import Inputs
from inspect_awareness.datasets._reasoning import voice_of
from inspect_awareness.errors import InputError
from inspect_awareness.runs._judged_log import (
    FAILED,
    VERDICT,
    JudgeRun,
    VerdictJournal,
    judge_transcripts,
    verdict_run,
)
from inspect_awareness.runs._outputs import (
    Kind,
    free_output,
    write_copy,
    write_transcripts,
)
from inspect_awareness.runs._parts import Part
from inspect_awareness.runs._scoring import Progress, ScoredTranscript, silent
from inspect_awareness.runs._target import Target, check_target, outputs_of
from inspect_awareness.scorers.p_eval import NOBODY
from inspect_awareness.scorers.verdicts._flags import flags_of
from inspect_awareness.scorers.verdicts._judging import Judging
from inspect_awareness.scorers.verdicts._metrics import rate_of
from inspect_awareness.scorers.verdicts._record import RECORD
from inspect_awareness.stats import Estimate

VIEWS = ("full", "model")
"""Views that hold the subject's own turns with their reasoning."""

_CHARACTERS_A_TOKEN = 4
"""English text in common tokenisers; an estimate, and called one."""

_VERDICT_TOKENS = 100
"""A verdict with two quotes; a judge that reasons first writes more."""


@dataclass
class JudgePlan:
    """What will be judged, and about how much that costs."""

    transcripts: int = 0
    """How many there are."""

    judged: int = 0
    """How many of them have something to judge."""

    characters: int = 0
    """Length of what is judged."""

    kinds: Counter[str] = field(default_factory=Counter)
    """Transcripts by the best kind of reasoning that they hold."""

    missing: Counter[str] = field(default_factory=Counter)
    """Transcripts with nothing to judge, by reason."""

    flags: Counter[str] = field(default_factory=Counter)
    """Transcripts by flag."""

    by_log: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)
    """Samples left out, by reason."""

    calls: int = 0
    """Verdicts asked for in all, over judges and votes."""

    input_tokens: int = 0
    """About how many tokens the judges read."""

    output_tokens: int = 0
    """About how many tokens they write."""


@dataclass(frozen=True)
class Judged:
    """What came of a run."""

    outputs: tuple[Path, ...]
    """The files that were written."""

    rate: Estimate
    """The share of aware transcripts among those with a verdict, with its interval."""

    types: Counter[str]
    """Aware transcripts by type; `none` where none was named."""

    hypothetical: int
    """Transcripts that raise the thought of a test, aware or not."""

    unscored: Counter[str]
    """Transcripts without a verdict, by reason."""

    flags: Counter[str]
    """Transcripts by flag."""

    skipped: Counter[str]
    """Samples left out, by reason."""

    tokens: Counter[str]
    """Tokens of all votes, those of an earlier run among them."""

    resumed: int
    """Transcripts whose votes an earlier, interrupted run left."""

    journal: Path | None
    """Kept where a provider failed on some: with it only those are asked again."""

    @property
    def scored(self) -> int:
        """Transcripts with a verdict."""
        return self.rate.n


def plan_judging(inputs: Inputs, how: Judging, judges: Sequence[Model]) -> JudgePlan:
    """What a run would ask, without asking.

    Args:
        inputs: The transcripts.
        how: How they are judged.
        judges: The judges.

    Raises:
        InputError: The inputs hold no transcript, or a view without the subject's
            reasoning is asked for.
    """
    _check_view(inputs)
    found = JudgePlan()
    prompt = 0
    for transcript in inputs:
        voice = voice_of(transcript.messages, how.channel)
        found.transcripts += 1
        found.kinds[voice.kind] += 1
        if transcript.place is not None:
            found.by_log[transcript.place.log] += 1
        if voice.missing is not None:
            found.missing[voice.missing] += 1
            continue
        found.flags.update(flags_of(voice))
        found.judged += 1
        found.characters += voice.characters
        prompt += len(how.rubric.render(voice))
    found.skipped = inputs.skipped
    if found.transcripts == 0:
        raise InputError(f"{', '.join(inputs.paths)}: no transcript to judge")
    often = len(judges) * how.votes
    found.calls = often * found.judged
    found.input_tokens = often * prompt // _CHARACTERS_A_TOKEN
    found.output_tokens = _VERDICT_TOKENS * found.calls
    return found


def judging_journal(output: Path) -> Path:
    """Where the votes of a run are kept until its output is whole."""
    return output.with_name(f"{output.name}.verdicts.partial")


def judge_files(
    inputs: Inputs,
    judges: Sequence[Model],
    how: Judging,
    target: Target,
    *,
    planned: JudgePlan | None = None,
    progress: Progress | None = None,
) -> Judged:
    """Have every transcript judged, and write the verdicts.

    One log is copied with the verdicts appended to its samples, several into a folder;
    a chat file becomes a log of transcripts. Input files are never changed; an output
    appears whole or not at all, and an interrupted run goes on where it stopped when it
    is started again.

    Args:
        inputs: The transcripts.
        judges: The judges.
        how: How they judge.
        target: Where the verdicts go.
        planned: The plan, if it was made already.
        progress: Told after each transcript, with 1.

    Raises:
        OutputExistsError: An output exists.
        InputError: Input or output cannot be used, or a judge is nobody.
        ModelError: A judge cannot be asked.
    """
    if NOBODY in map(str, judges):
        raise InputError("none/none is nobody; give the model that is to judge")
    check_target(inputs, target)
    planned = planned or plan_judging(inputs, how, judges)
    journal = VerdictJournal(judging_journal(target.output), judges[0])
    run = verdict_run(judges, how, journal, progress or silent, inputs.wanted)
    done = carry_out(run, list(_parts(inputs, target, planned)), target)
    return _judged(done, inputs, target, planned)


@dataclass(frozen=True)
class Done:
    """What came of a run over parts."""

    scored: tuple[ScoredTranscript, ...]
    """The transcripts of the parts that were not done before."""

    resumed: int
    """Transcripts whose votes an earlier, interrupted run left."""

    journal: Path | None
    """Kept where a provider failed on some."""


def carry_out(run: JudgeRun, parts: Sequence[Part], target: Target) -> Done:
    """Judge and write each part that is not done, and close the journal.

    An output that an earlier run wrote counts as done only if that run judged in the
    same way; any other file in the way is refused, unless it may be overwritten.

    Args:
        run: How it is judged.
        parts: What is written together.
        target: Where to, and whether files may be replaced.

    Raises:
        OutputExistsError: An output exists.
        ModelError: A judge cannot be asked.
    """
    journal = run.journal
    try:
        for part in parts:
            if not run.is_done(part.output):
                free_output(part.output, overwrite=target.overwrite, endings=[])
        run.progress(0)
        resumed = len(journal)
        scored = [
            each
            for part in parts
            if target.overwrite or not run.is_done(part.output)
            for each in _judge_part(run, part)
        ]
        failed = any(_failed(each.score, run.kind) for each in scored)
        if not failed:
            journal.remove()
    finally:
        journal.close()
    return Done(tuple(scored), resumed, journal.path if failed else None)


def _check_view(inputs: Inputs) -> None:
    """Refuse views in which the subject does not speak, or speaks in pieces."""
    if inputs.wanted.view not in VIEWS:
        raise InputError(
            f"view {inputs.wanted.view!r} is not one of: {', '.join(VIEWS)}; a judge "
            "reads the subject's own turns, with their reasoning"
        )


def _judge_part(run: JudgeRun, part: Part) -> Sequence[ScoredTranscript]:
    """Judge transcripts, and write them together."""
    made = anyio.run(
        partial(judge_transcripts, keep_words=part.keep_words),
        run,
        part.transcripts(),
        part.total,
    )
    part.write([made])
    if not any(_failed(each.score, run.kind) for each in made.scored):
        run.journal.finish(str(part.output), run.way)
    return made.scored


def _parts(inputs: Inputs, target: Target, planned: JudgePlan) -> Iterator[Part]:
    """What is written together: each log's transcripts, or all of a chat file's."""
    overwrite = target.overwrite
    if inputs.kind == "chats":
        yield Part(
            target.output,
            partial(iter, inputs),
            planned.transcripts,
            partial(
                write_transcripts, target.output, overwrite=overwrite, kind=VERDICT
            ),
            keep_words=True,
        )
        return
    for log, copy in zip(inputs.logs, outputs_of(inputs, target), strict=True):
        write = partial(
            write_copy,
            log,
            copy,
            replace=target.replace,
            overwrite=overwrite,
            kind=VERDICT,
        )
        yield Part(copy, partial(inputs.of_log, log), planned.by_log[log], write)


def _judged(done: Done, inputs: Inputs, target: Target, planned: JudgePlan) -> Judged:
    """Everything that is said of a run."""
    scored = done.scored
    records = [(s.score.metadata or {})[RECORD] for s in scored]
    known = [s for s in scored if not isnan(s.score.as_float())]
    origins = [s.transcript.origin for s in known]
    tokens: Counter[str] = Counter()
    for record in records:
        tokens.update(record["tokens"])
    return Judged(
        outputs=tuple(outputs_of(inputs, target)),
        rate=rate_of(
            [s.score.as_float() for s in known],
            [(o.label, o.source or "unknown", o.task_id) for o in origins],
        ),
        types=Counter(str(r["type"] or "none") for r in records if r["verdict"]),
        hypothetical=sum(bool(r["hypothetical"]) for r in records),
        unscored=Counter(
            str(s.score.reason) for s in scored if isnan(s.score.as_float())
        ),
        flags=Counter(flag for record in records for flag in record["flags"]),
        skipped=planned.skipped,
        tokens=tokens,
        resumed=min(done.resumed, len(scored)),
        journal=done.journal,
    )


def _failed(score: Score, kind: Kind) -> bool:
    """Whether a provider failed on a vote, be there a verdict without it or not."""
    record = (score.metadata or {}).get(kind.record) or {}
    return any(vote["reason"] == FAILED for vote in record.get("votes") or [])
