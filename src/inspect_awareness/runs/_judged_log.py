"""Judging transcripts one after another, each kept at once, and writing the verdicts."""

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import anyio
from anyio.to_thread import run_sync
from inspect_ai import score_async
from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalLog,
    EvalPlan,
    EvalResults,
    EvalSample,
    EvalSpec,
    EvalStats,
    read_eval_log,
    write_eval_log,
)
from inspect_ai.model import Model
from inspect_ai.scorer import Score
from inspect_ai.viewer import ViewerConfig
from pydantic import ValidationError

from inspect_awareness._version import __version__
from inspect_awareness.datasets._reasoning import voice_of
from inspect_awareness.datasets._transcript import Transcript
from inspect_awareness.errors import InputError, ModelError
from inspect_awareness.runs._journal import Journal
from inspect_awareness.runs._outputs import atomically
from inspect_awareness.runs._scoring import (
    GIVE_UP_AFTER,
    IN_FLIGHT,
    Progress,
    ScoredLog,
    ScoredTranscript,
    transcript_sample,
)
from inspect_awareness.scorers.verbalized_awareness import verbalized_awareness
from inspect_awareness.scorers.verdicts._judging import Judging
from inspect_awareness.scorers.verdicts._record import RECORD, votes_from_record
from inspect_awareness.scorers.verdicts._votes import VerdictStore, Votes
from inspect_awareness.solvers._asking import JUDGE
from inspect_awareness.whitebox import LabelScorer

SCORER = "verbalized_awareness"
"""What the score is called in a log."""

FAILED = "provider_error"
"""Reason of a vote that can be had another time."""


class VerdictJournal(Journal):
    """Votes on disk, so that an interrupted run can go on.

    A line counts for a transcript whose judged text, rubric, judges and config are the
    same: their common hash is its key. A changed prompt is never "done already".
    """

    def votes(self, item: str, asked: str) -> Votes | None:
        """The votes about a transcript that was judged in this way, or None.

        Args:
            item: The transcript's id.
            asked: Hash of what is judged and of how.
        """
        try:
            return Votes(**self._lines[item, asked])
        except (KeyError, TypeError, ValidationError):
            return None  # not judged, or written by another version


@dataclass(frozen=True)
class JudgeRun:
    """Everything that decides what is judged, by whom, and how."""

    judges: tuple[Model, ...]
    """The judges."""

    how: Judging
    """How they judge."""

    journal: VerdictJournal
    """What was judged before, and each new vote at once."""

    progress: Progress
    """Told after each transcript."""


async def judge_transcripts(
    run: JudgeRun, transcripts: Iterator[Transcript], total: int, *, keep_words: bool
) -> ScoredLog:
    """Judge transcripts, asking only where the journal holds no votes.

    Args:
        run: How it is judged.
        transcripts: Read one by one.
        total: How many there are.
        keep_words: Whether their messages are wanted afterwards.

    Raises:
        ModelError: The providers stopped replying.
    """
    how = run.how
    reader = _Reader(run, transcripts, total, keep_words=keep_words)
    scorer = verbalized_awareness(
        channel=how.channel,
        judges=run.judges,
        votes=how.votes,
        unsupported=how.unsupported,
        structured=how.structured,
        rubric=how.rubric.path,
        config=how.config.model_dump(exclude_none=True),
    )
    log = await score_async(
        _empty_log(run.judges[0], total),
        [scorer],
        model=run.judges[0],
        model_roles={JUDGE: run.judges[0]},
        action="append",
        display="none",
        copy=False,
        samples=reader.sample,
    )
    for made in log.eval.scorers or []:
        # Inspect writes no model into a scorer's options
        made.options = {**(made.options or {}), "judges": [str(j) for j in run.judges]}
    return ScoredLog(log.model_copy(update={"status": "success"}), tuple(reader.scored))


class _Reader:
    """Hands transcripts to Inspect one by one, and takes them back judged."""

    def __init__(
        self,
        run: JudgeRun,
        transcripts: Iterator[Transcript],
        total: int,
        *,
        keep_words: bool,
    ) -> None:
        self._run = run
        self._total = total
        self._transcripts = transcripts
        self._keep_words = keep_words
        self._reading = anyio.Lock()
        local = any(isinstance(judge.api, LabelScorer) for judge in run.judges)
        self._slots = anyio.Semaphore(1 if local else IN_FLIGHT)
        self._failed_in_a_row = 0
        self.scored: list[ScoredTranscript] = []

    @asynccontextmanager
    async def sample(self, index: int) -> AsyncIterator[EvalSample]:  # noqa: ARG002
        """The next transcript as a sample; afterwards its score is kept."""
        run = self._run
        async with self._slots:
            async with self._reading:
                transcript = await run_sync(next, self._transcripts, None)
            if transcript is None:
                raise InputError("an input changed while it was read; run again")
            asked = run.how.asked(
                voice_of(transcript.messages, run.how.channel), run.judges
            )
            earlier = run.journal.votes(transcript.origin.item, asked)
            sample = _with_votes(transcript_sample(transcript), earlier)
            yield sample
            (score,) = (sample.scores or {}).values()
            self._note(score, transcript.origin.item, new=earlier is None)
            self._keep(transcript, score)

    def _note(self, score: Score, item: str, *, new: bool) -> None:
        """Votes go into the journal; where a provider failed they are asked again.

        A policy that withholds a verdict is a reply, and no failure.
        """
        record = (score.metadata or {})[RECORD]
        if not record["votes"]:
            return  # nothing to judge
        errors = [v["error"] for v in record["votes"] if v["reason"] == FAILED]
        failed = len(errors) == len(record["votes"])
        self._failed_in_a_row = self._failed_in_a_row + 1 if failed else 0
        # a run of fewer transcripts, all of which failed, has given nothing either
        if self._failed_in_a_row >= min(GIVE_UP_AFTER, self._total):
            raise ModelError(
                _no_replies(record["judge"], self._failed_in_a_row, errors)
            )
        if new and not errors:
            votes = votes_from_record(record)
            self._run.journal.add(item, votes.asked, votes.model_dump())

    def _keep(self, transcript: Transcript, score: Score) -> None:
        """Keep the score, and of the transcript what is wanted."""
        if not self._keep_words:
            transcript = Transcript((), transcript.origin, transcript.place)
        self.scored.append(ScoredTranscript(transcript, score))
        self._run.progress(1)


def write_copy(
    path: str, output: Path, made: ScoredLog, *, replace: bool, overwrite: bool
) -> None:
    """Write a copy of a log with verdicts appended to its samples.

    Args:
        path: The log.
        output: The copy.
        made: The verdicts about this log's transcripts.
        replace: Whether earlier verdicts are dropped.
        overwrite: Whether the copy may take the place of another file.

    Raises:
        InputError: The log changed meanwhile, or the copy cannot be written.
    """
    log = read_eval_log(path)
    if replace:
        _drop(log)
    samples = {(sample.id, sample.epoch): sample for sample in log.samples or []}
    name = _free_name({n for s in samples.values() for n in s.scores or {}})
    for scored in made.scored:
        place = scored.transcript.place
        if place is None or (place.id, place.epoch) not in samples:
            raise InputError(f"{path}: changed while it was judged; run again")
        sample = samples[place.id, place.epoch]
        sample.scores = {**(sample.scores or {}), name: scored.score}
    _append_results(log, made.log, name)
    with atomically(output, overwrite=overwrite) as partial:
        write_eval_log(log, partial)


def write_transcripts(output: Path, made: ScoredLog, *, overwrite: bool) -> None:
    """Write a log whose samples are the judged transcripts."""
    samples = []
    for scored in made.scored:
        sample = transcript_sample(scored.transcript)
        sample.scores = {SCORER: scored.score}
        samples.append(sample)
    with atomically(output, overwrite=overwrite) as partial:
        write_eval_log(made.log.model_copy(update={"samples": samples}), partial)


def _with_votes(sample: EvalSample, votes: Votes | None) -> EvalSample:
    """A sample with an earlier run's votes in its store."""
    if votes is not None:
        sample.store[f"{VerdictStore.__name__}:judged"] = [votes.model_dump()]
    return sample


def _append_results(log: EvalLog, judged: EvalLog, name: str) -> None:
    """The run's metrics join the log's own."""
    results = log.results or EvalResults()
    new = judged.results.scores if judged.results else []
    results.scores = [
        *results.scores,
        *(score.model_copy(update={"name": name}) for score in new),
    ]
    log.results = results
    log.eval.scorers = [*(log.eval.scorers or []), *(judged.eval.scorers or [])]


def _drop(log: EvalLog) -> None:
    """Remove earlier verdicts from samples, results and reductions."""
    dropped: set[str] = set()
    for sample in log.samples or []:
        scores = sample.scores or {}
        ours = {n for n, score in scores.items() if RECORD in (score.metadata or {})}
        dropped |= ours
        sample.scores = {n: score for n, score in scores.items() if n not in ours}
    if log.results:
        log.results.scores = [s for s in log.results.scores if s.name not in dropped]
    if log.reductions:
        log.reductions = [r for r in log.reductions if r.scorer not in dropped]
    log.eval.scorers = [
        s for s in log.eval.scorers or [] if s.name.rsplit("/", 1)[-1] != SCORER
    ]


def _free_name(taken: Sequence[str] | set[str]) -> str:
    """The scorer's name, numbered as Inspect does where it is taken."""
    name, number = SCORER, 0
    while name in taken:
        number += 1
        name = f"{SCORER}{number}"
    return name


def _no_replies(judges: str, n: int, errors: Sequence[str]) -> str:
    """Why a run ends, and what becomes of it."""
    first = (str(errors[0]).splitlines() or [""])[0]
    return (
        f"{judges}: no verdict on {n} transcripts in a row ({first}); what was judged "
        "before is kept, and the same command continues"
    )


def _empty_log(judge: Model, total: int) -> EvalLog:
    """The log of a run, before anything is judged."""
    return EvalLog(
        status="started",
        eval=EvalSpec(
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            task="judge_log",
            dataset=EvalDataset(samples=total),
            model=str(judge),
            config=EvalConfig(epochs=1),
            packages={"inspect-awareness": __version__},
            viewer=ViewerConfig(trust_content=False),
        ),
        plan=EvalPlan(),
        results=EvalResults(total_samples=total, completed_samples=total),
        stats=EvalStats(),
    )
