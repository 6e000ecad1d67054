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

from inspect_awareness._version import __version__
from inspect_awareness.datasets._transcript import Transcript
from inspect_awareness.errors import InputError, ModelError
from inspect_awareness.runs._inputs import Inputs
from inspect_awareness.runs._journal import Journal
from inspect_awareness.scorers._metrics import RECORD
from inspect_awareness.scorers.p_eval import Rule, p_eval
from inspect_awareness.solvers._asking import Asking, digest
from inspect_awareness.solvers._replies import ProbeStore, Replies
from inspect_awareness.whitebox import LabelScorer

IN_FLIGHT = 12
"""Transcripts asked about at a time; a model's own connections limit its calls."""

GIVE_UP_AFTER = 3
"""Transcripts without any reply from the provider, from the first, before giving up."""

Progress = Callable[[int, int], None]
"""Told how many transcripts are done, of how many."""


@dataclass(frozen=True)
class Run:
    """Everything that decides what is asked, of whom, and how it is scored."""

    inputs: Inputs
    """The transcripts."""

    model: Model
    """The rater."""

    how: Asking
    """How it is asked."""

    rule: Rule
    """When an answer counts."""

    total: int
    """How many transcripts there are."""

    def scorer(self) -> Scorer:
        """The registered scorer with these settings, as it is named in a log."""
        return p_eval(
            questions=self.how.bank.ids,
            elicitation=self.how.elicitation,
            repeats=self.how.repeats,
            config=self.how.config.model_dump(exclude_none=True),
            min_mass=self.rule.min_mass,
            min_answered=self.rule.min_answered,
        )


async def score_transcripts(
    run: Run, journal: Journal, keep: Callable[[EvalSample], None], progress: Progress
) -> EvalLog:
    """Score every transcript, asking only where the journal holds no reply.

    Args:
        run: What is asked of whom.
        journal: What was asked before; each new reply is added at once.
        keep: Given each scored sample, in the order in which they are done.
        progress: Told after each transcript.

    Returns:
        A log of the transcripts with its results, without the samples.

    Raises:
        ModelError: The provider gave nothing for the first transcripts.
    """
    reader = _Reader(run, journal, keep, progress)
    log = _empty_log(run)
    scored = await score_async(
        log,
        [run.scorer()],
        model=run.model,
        action="append",
        display="none",
        copy=False,
        samples=reader.sample,
    )
    return scored.model_copy(update={"status": "success"})


class _Reader:
    """Hands transcripts to Inspect one by one, and takes them back scored."""

    def __init__(
        self,
        run: Run,
        journal: Journal,
        keep: Callable[[EvalSample], None],
        progress: Progress,
    ) -> None:
        self._run = run
        self._journal = journal
        self._keep = keep
        self._progress = progress
        self._transcripts: Iterator[Transcript] = iter(run.inputs)
        self._reading = anyio.Lock()
        local = isinstance(run.model.api, LabelScorer)
        self._slots = anyio.Semaphore(1 if local else IN_FLIGHT)
        self._done = 0
        self._answered = False

    @asynccontextmanager
    async def sample(self, index: int) -> AsyncIterator[EvalSample]:  # noqa: ARG002
        """The next transcript as a sample; afterwards its score is kept."""
        async with self._slots:
            async with self._reading:
                transcript = await run_sync(next, self._transcripts, None)
            if transcript is None:
                raise InputError("an input changed while it was read; run again")
            words = digest(transcript.messages)
            earlier = self._journal.replies(
                transcript.origin.item,
                words,
                self._run.how,
                self._run.model,
                transcript.origin.view,
            )
            sample = _sample(transcript, earlier)
            yield sample
            sample.store = {}
            self._finish(sample, words, new=earlier is None)

    def _finish(self, sample: EvalSample, words: str, *, new: bool) -> None:
        """Keep a scored sample; a transcript without any reply is asked again later."""
        (score,) = (sample.scores or {}).values()
        record = (score.metadata or {})[RECORD]
        self._done += 1
        if all(answer["error"] for answer in record["answers"]):
            self._give_up(record)
        else:
            self._answered = True
            if new:
                self._journal.add(str(sample.id), words, record)
        self._keep(sample)
        self._progress(self._done, self._run.total)

    def _give_up(self, record: dict[str, Any]) -> None:
        """Stop when the provider has not given anything at all."""
        enough = min(GIVE_UP_AFTER, self._run.total)
        if not self._answered and self._done >= enough:
            error = str(record["answers"][0]["error"]).splitlines()[0]
            raise ModelError(
                f"{self._run.model}: no reply to any question about the first "
                f"{self._done} transcripts ({error}); nothing was written"
            )


def _sample(transcript: Transcript, earlier: Replies | None) -> EvalSample:
    """A transcript as the sample of a log."""
    sample = transcript.to_sample()
    store: dict[str, Any] = {}
    if earlier is not None:
        store[f"{ProbeStore.__name__}:asked"] = [earlier.model_dump()]
    return EvalSample(
        id=str(sample.id),
        epoch=1,
        input=sample.input,
        target=sample.target,
        metadata=sample.metadata or {},
        messages=list(transcript.messages),
        store=store,
        uuid=str(sample.id),
    )


def _empty_log(run: Run) -> EvalLog:
    """The log of a run, before anything is scored."""
    return EvalLog(
        status="started",
        eval=EvalSpec(
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            task="probe_log",
            task_registry_name="inspect_awareness/probe_log",
            dataset=EvalDataset(samples=run.total),
            model=str(run.model),
            config=EvalConfig(epochs=1),
            packages={"inspect-awareness": __version__},
            viewer=ViewerConfig(trust_content=False),
        ),
        plan=EvalPlan(),
        results=EvalResults(total_samples=run.total, completed_samples=run.total),
        stats=EvalStats(),
    )


def score_of(sample: EvalSample) -> Score:
    """The one score of a sample of a run."""
    (score,) = (sample.scores or {}).values()
    return score
