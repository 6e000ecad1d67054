"""Asking about transcripts one after another, each kept as soon as it is scored."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

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
)
from inspect_ai.model import Model
from inspect_ai.scorer import Score, Scorer
from inspect_ai.viewer import ViewerConfig

from inspect_awareness._counted import counted
from inspect_awareness._version import __version__
from inspect_awareness.datasets._transcript import Transcript
from inspect_awareness.errors import InputError, ModelError
from inspect_awareness.runs._journal import Journal
from inspect_awareness.scorers._awareness import Rule
from inspect_awareness.scorers._record import RECORD
from inspect_awareness.scorers.p_eval import p_eval
from inspect_awareness.solvers._asking import JUDGE, Asking
from inspect_awareness.solvers._replies import ProbeStore, Replies
from inspect_awareness.solvers._words import digest
from inspect_awareness.whitebox import LabelScorer

IN_FLIGHT = 12
"""Transcripts asked about at a time; a model's own connections limit its calls."""

GIVE_UP_AFTER = 3
"""Transcripts in a row without any reply from the provider before giving up."""

Progress = Callable[[int], None]
"""Told after each transcript, with 1; and with 0 when asking begins."""


def silent(done: int) -> None:
    """Tell nobody."""


@dataclass(frozen=True)
class Run:
    """Everything that decides what is asked, of whom, and how it is scored."""

    model: Model
    """The rater."""

    how: Asking
    """How it is asked."""

    rule: Rule
    """When an answer counts."""

    journal: Journal
    """What was asked before, and each new reply at once."""

    progress: Progress
    """Told after each transcript."""

    def way(self, view: str) -> str:
        """Everything that decides a score but the transcript, as one string."""
        instrument = self.how.instrument(self.model, view)
        return f"{instrument.model_dump_json()} {self.rule} {self.how.prior}"

    def scorer(self) -> Scorer:
        """The registered scorer with these settings, as it is named in a log."""
        return p_eval(
            questions=self.how.bank.ids,
            elicitation=self.how.elicitation,
            repeats=self.how.repeats,
            config=self.how.config.model_dump(exclude_none=True),
            min_mass=self.rule.min_mass,
            min_answered=self.rule.min_answered,
            bank=self.how.bank.path,
            compare_with=list(self.how.compared.paths) if self.how.compared else None,
            prior=self.how.prior,
        )


@dataclass(frozen=True)
class ScoredTranscript:
    """A transcript with its score; the transcript's words are kept where wanted."""

    transcript: Transcript
    """Without messages, unless they are wanted."""

    score: Score
    """Its P(eval)."""


@dataclass(frozen=True)
class ScoredLog:
    """What a run over some transcripts gave."""

    log: EvalLog
    """Header and results, without samples."""

    scored: tuple[ScoredTranscript, ...]
    """In the order in which they were done."""


async def score_transcripts(
    run: Run, transcripts: Iterator[Transcript], total: int, *, keep_words: bool
) -> ScoredLog:
    """Score transcripts, asking only where the journal holds no reply.

    Args:
        run: What is asked of whom.
        transcripts: Read one by one.
        total: How many there are.
        keep_words: Whether their messages are wanted afterwards.

    Raises:
        ModelError: The provider stopped replying.
    """
    reader = _Reader(run, transcripts, total, keep_words=keep_words)
    log = await score_async(
        empty_log(
            run.model, total, "probe_log", registered="inspect_awareness/probe_log"
        ),
        [run.scorer()],
        model=run.model,
        model_roles={JUDGE: run.how.grader} if run.how.grader else None,
        action="append",
        display="none",
        copy=False,
        samples=reader.sample,
    )
    return ScoredLog(log.model_copy(update={"status": "success"}), tuple(reader.scored))


class _Reader:
    """Hands transcripts to Inspect one by one, and takes them back scored."""

    def __init__(
        self,
        run: Run,
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
        local = isinstance(run.model.api, LabelScorer)
        self._slots = anyio.Semaphore(1 if local else IN_FLIGHT)
        self._failed_in_a_row = 0
        self.scored: list[ScoredTranscript] = []

    @asynccontextmanager
    async def sample(self, index: int) -> AsyncIterator[EvalSample]:  # noqa: ARG002
        """The next transcript as a sample; afterwards its score is kept."""
        async with self._slots:
            async with self._reading:
                transcript = await run_sync(next, self._transcripts, None)
            if transcript is None:
                raise InputError("an input changed while it was read; run again")
            origin = transcript.origin
            words = digest(transcript.messages)
            earlier = self._run.journal.replies(
                origin.item, words, self._run.how, self._run.model, origin.view
            )
            sample = transcript_sample(transcript, earlier)
            yield sample
            (score,) = (sample.scores or {}).values()
            self._note(score, origin.item, words, new=earlier is None)
            self._keep(transcript, score)

    def _note(self, score: Score, item: str, words: str, *, new: bool) -> None:
        """Replies without an error go into the journal; errors are asked again."""
        record: dict[str, Any] = (score.metadata or {})[RECORD]
        errors = [a["error"] for a in record["answers"] if a["error"]]
        if len(errors) < len(record["answers"]):
            self._failed_in_a_row = 0
        else:
            self._failed_in_a_row += 1
            # a run of fewer transcripts, all of which failed, has given nothing either
            if self._failed_in_a_row >= min(GIVE_UP_AFTER, self._total):
                raise ModelError(
                    _no_replies(self._run.model, self._failed_in_a_row, errors[0])
                )
        if new and not errors:
            self._run.journal.add(item, words, record)

    def _keep(self, transcript: Transcript, score: Score) -> None:
        """Keep the score, and of the transcript what is wanted."""
        if not self._keep_words:
            transcript = Transcript((), transcript.origin, transcript.place)
        self.scored.append(ScoredTranscript(transcript, score))
        self._run.progress(1)


def transcript_sample(
    transcript: Transcript, replies: Replies | None = None
) -> EvalSample:
    """A transcript as the sample of a log, with replies in its store if there are any."""
    sample = transcript.to_sample()
    asked = [] if replies is None else [replies.model_dump()]
    return EvalSample(
        id=str(sample.id),
        epoch=1,
        input=sample.input,
        target=sample.target,
        metadata=sample.metadata or {},
        messages=list(transcript.messages),
        store={f"{ProbeStore.__name__}:asked": asked} if asked else {},
        uuid=str(sample.id),
    )


def _no_replies(model: Model, n: int, error: str) -> str:
    """Why a run ends, and what becomes of it."""
    first = (str(error).splitlines() or [""])[0]
    return (
        f"{model}: no reply to any question about {counted(n, 'transcript')} in a row "
        f"({first}); what was answered before is kept, and the same command continues"
    )


def empty_log(
    model: Model, total: int, task: str, *, registered: str | None = None
) -> EvalLog:
    """The log of a run of a task, before anything is scored."""
    return EvalLog(
        status="started",
        eval=EvalSpec(
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            task=task,
            task_registry_name=registered,
            dataset=EvalDataset(samples=total),
            model=str(model),
            config=EvalConfig(epochs=1),
            packages={"inspect-awareness": __version__},
            viewer=ViewerConfig(trust_content=False),
        ),
        plan=EvalPlan(),
        results=EvalResults(total_samples=total, completed_samples=total),
        stats=EvalStats(),
    )
