"""Judging transcripts one after another, each kept as soon as it is judged."""

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import anyio
from anyio.to_thread import run_sync
from inspect_ai import score_async
from inspect_ai.log import (
    EvalSample,
)
from inspect_ai.model import Model
from inspect_ai.scorer import Score, Scorer
from pydantic import BaseModel, ValidationError

from inspect_awareness.datasets._reasoning import voice_of
from inspect_awareness.datasets._selection import Selection
from inspect_awareness.datasets._transcript import Transcript
from inspect_awareness.errors import InputError, ModelError
from inspect_awareness.runs._journal import Journal
from inspect_awareness.runs._outputs import Kind
from inspect_awareness.runs._scoring import (
    GIVE_UP_AFTER,
    IN_FLIGHT,
    Progress,
    ScoredLog,
    ScoredTranscript,
    empty_log,
    transcript_sample,
)
from inspect_awareness.scorers.verbalized_awareness import verbalized_awareness
from inspect_awareness.scorers.verdicts._judging import Judging
from inspect_awareness.scorers.verdicts._record import RECORD, votes_from_record
from inspect_awareness.scorers.verdicts._votes import VerdictStore, Votes
from inspect_awareness.solvers._asking import JUDGE
from inspect_awareness.whitebox import LabelScorer

VERDICT = Kind("verbalized_awareness", RECORD, "judged")
"""A verdict on awareness that was voiced."""

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
        record = self.record(item, asked)
        if record is None:
            return None
        try:
            return Votes(**record)
        except (TypeError, ValidationError):
            return None  # written by another version


@dataclass(frozen=True)
class Prepared:
    """A transcript as the sample that is judged."""

    sample: EvalSample
    """The sample."""

    earlier: bool
    """Whether an earlier run's votes are in its store."""


@dataclass(frozen=True)
class JudgeRun:
    """Everything that decides what is judged, by whom, and how."""

    judges: tuple[Model, ...]
    """The judges."""

    scorer: Scorer
    """The registered scorer with these settings."""

    kind: Kind
    """What it is called, and where its record is."""

    prepare: Callable[[Transcript], Prepared]
    """A transcript with what is known of it already."""

    way: str
    """Everything that decides a score but the transcript, as one string."""

    journal: VerdictJournal
    """What was judged before, and each new vote at once."""

    progress: Progress
    """Told after each transcript."""

    def is_done(self, output: Path) -> bool:
        """Whether an earlier run wrote an output in this way, and nothing failed."""
        return self.journal.done.get(str(output)) == self.way


def verdict_run(
    judges: Sequence[Model],
    how: Judging,
    journal: VerdictJournal,
    progress: Progress,
    wanted: Selection,
) -> JudgeRun:
    """A run that asks for verdicts on voiced awareness.

    Args:
        judges: The judges.
        how: How they judge.
        journal: What was judged before.
        progress: Told after each transcript.
        wanted: The view and the role that the transcripts are taken from.
    """
    instrument = how.instrument(
        judges, view=wanted.view, subject_role=wanted.subject_role
    )

    def prepare(transcript: Transcript) -> Prepared:
        """A transcript with an earlier run's votes in its store."""
        asked = how.asked(voice_of(transcript.messages, how.channel), judges)
        earlier = journal.votes(transcript.origin.item, asked)
        sample = transcript_sample(transcript)
        if earlier is not None:
            sample.store[f"{VerdictStore.__name__}:judged"] = [earlier.model_dump()]
        return Prepared(sample, earlier is not None)

    scorer = verbalized_awareness(
        channel=how.channel,
        judges=judges,
        votes=how.votes,
        unsupported=how.unsupported,
        structured=how.structured,
        rubric=how.rubric.path,
        config=how.config.model_dump(exclude_none=True),
    )
    return JudgeRun(
        tuple(judges),
        scorer,
        VERDICT,
        prepare,
        way_of(instrument, judges),
        journal,
        progress,
    )


def way_of(instrument: BaseModel, judges: Sequence[Model]) -> str:
    """How it is asked, and at which addresses, as one string."""
    where = [judge.api.base_url for judge in judges]
    return f"{instrument.model_dump_json()} {where}"


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
    reader = _Reader(run, transcripts, total, keep_words=keep_words)
    log = await score_async(
        empty_log(run.judges[0], total, "judge_log"),
        [run.scorer],
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
            made = run.prepare(transcript)
            yield made.sample
            score = (made.sample.scores or {})[run.kind.scorer]
            self._note(score, transcript.origin.item, new=not made.earlier)
            self._keep(transcript, score)

    def _note(self, score: Score, item: str, *, new: bool) -> None:
        """Votes go into the journal; where a provider failed they are asked again.

        A policy that withholds a verdict is a reply, and no failure.
        """
        record = (score.metadata or {}).get(self._run.kind.record)
        if record is None or not record["votes"]:
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


def _no_replies(judges: str, n: int, errors: Sequence[str]) -> str:
    """Why a run ends, and what becomes of it."""
    first = (str(errors[0]).splitlines() or [""])[0]
    return (
        f"{judges}: no reply about {n} transcripts in a row ({first}); what was judged "
        "before is kept, and the same command continues"
    )
