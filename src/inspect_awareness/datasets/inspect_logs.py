"""Transcripts from Inspect logs."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from inspect_ai.log import (
    EvalSample,
    read_eval_log,
    read_eval_log_samples_by_id,
)
from inspect_ai.model import ChatMessage
from more_itertools import chunked

from inspect_awareness.datasets._log_files import LogIndex, SampleRef, index_logs
from inspect_awareness.datasets._outcomes import outcome_of
from inspect_awareness.datasets._sampling import stratified
from inspect_awareness.datasets._selection import Selection
from inspect_awareness.datasets._threads import model_view
from inspect_awareness.datasets._transcript import (
    Origin,
    Place,
    Transcript,
    TranscriptDataset,
    checked_view,
    has_tools,
    origin_from_metadata,
    reasoning_kind,
)
from inspect_awareness.datasets._views import simple_view, turn_views
from inspect_awareness.errors import LogError

CHUNK = 48
"""Samples in memory at a time."""


class LogTranscripts:
    """Transcripts of logs, read in chunks each time they are iterated.

    Memory holds the logs' headers and one chunk of samples. What had to be left out
    is counted in `skipped`, complete once the iteration is.

    Args:
        logs: Logs and folders of logs, in any form that Inspect reads.
        selection: What is wanted of them.

    Raises:
        LogError: A path is no readable log, or no sample can be read.
    """

    def __init__(
        self, logs: str | Path | Iterable[str | Path], selection: Selection
    ) -> None:
        paths = [logs] if isinstance(logs, str | Path) else list(logs)
        self.selection = selection
        index = index_logs(paths)
        for ref in {ref.log.path: ref for ref in index.refs}.values():
            _subject(ref, selection.subject_role)  # an unknown role ends it here
        self._index = _drawn(index, selection)
        self._owner: dict[str, Place] = {}
        self.skipped: Counter[str] = Counter(self._index.skipped)
        """How many samples or logs were left out, by reason."""

    @property
    def refs(self) -> tuple[SampleRef, ...]:
        """The samples that will be read."""
        return self._index.refs

    def __len__(self) -> int:
        """How many samples will be read (with view `turns`, each has several)."""
        return len(self.refs)

    def __iter__(self) -> Iterator[Transcript]:
        """Read the transcripts, in the logs' order."""
        self.skipped = Counter(self._index.skipped)
        yield from self._read(self.refs)

    def of_log(self, log: str) -> Iterator[Transcript]:
        """Read the transcripts of one of the logs only."""
        yield from self._read(ref for ref in self.refs if ref.log.path == log)

    def _read(self, refs: Iterable[SampleRef]) -> Iterator[Transcript]:
        """Read samples; a transcript belongs to the place where it was met first."""
        for ref, sample in read_samples(refs, events=self._needs_events):
            if sample is None:
                self.skipped["unreadable_sample"] += 1
                continue
            yield from self._transcripts(ref, sample)

    @property
    def _needs_events(self) -> bool:
        """Only what the model saw is in the events; they are most of a log's size."""
        return self.selection.view == "model" or self.selection.subject_role is not None

    def _transcripts(self, ref: SampleRef, sample: EvalSample) -> Iterator[Transcript]:
        """One transcript a sample, or one a turn; none leaves its reason."""
        thread = self._thread(sample)
        if thread is None:
            self.skipped["no_model_call_of_the_subject"] += 1
            return
        origin = sample_origin(ref, sample, self.selection)
        count = 0
        for count, messages in enumerate(self._views(thread), start=1):
            made = self._view_origin(origin, messages, count)
            if self._owner.setdefault(made.item, ref.place) != ref.place:
                self.skipped["duplicate"] += 1
                continue
            yield Transcript(tuple(messages), made, ref.place)
        if count == 0:
            self.skipped["no_messages"] += 1

    def _thread(self, sample: EvalSample) -> Sequence[ChatMessage] | None:
        """The messages that the view is taken from."""
        if self._needs_events:
            return model_view(sample, role=self.selection.subject_role)
        return sample.messages

    def _views(self, thread: Sequence[ChatMessage]) -> Iterator[list[ChatMessage]]:
        """The views of a thread that hold any message."""
        if self.selection.view == "turns":
            yield from turn_views(thread)
        elif messages := simple_view(thread, self.selection.view):
            yield messages

    def _view_origin(
        self, origin: Origin, messages: Sequence[ChatMessage], count: int
    ) -> Origin:
        """The origin of one view: prefixes get an id and a turn of their own."""
        turns = self.selection.view == "turns"
        return replace(
            origin,
            item=f"{origin.item}#{count}" if turns else origin.item,
            turn=count if turns else None,
            view=checked_view(self.selection.view),
            subject_role=self.selection.subject_role,
            has_tools=has_tools(messages),
            reasoning=reasoning_kind(messages),
        )


def transcripts_from_logs(
    logs: str | Path | Iterable[str | Path],
    *,
    label: str | None = None,
    source: str | None = None,
    view: str = "full",
    subject_role: str | None = None,
    sample: int | None = None,
    seed: int = 0,
) -> TranscriptDataset:
    """The transcripts of Inspect logs as an Inspect dataset.

    One transcript for each sample and epoch (with view `turns`, one for each turn of
    the subject). Samples that ended in an error, or without messages, are left out
    and counted in the dataset's `skipped`.

    Args:
        logs: Logs (`.eval` or `.json`, local or any path that Inspect reads), or
            folders of logs.
        label: `evaluation`, `deployment` or `unknown` for all of them. By default a
            log's transcripts are evaluations, unless they carry a label already.
        source: Name of the source for all of them; the task's name by default.
        view: `full`; `prompt`, up to the subject's first turn; `no_self`, without its
            own turns; `model`, exactly what it saw last; `turns`, growing prefixes.
        subject_role: The model role that wrote the transcript (`target` in logs of
            Petri), where it is not the main model.
        sample: Draw this many samples, stratified by source.
        seed: Seed of the draw.

    Returns:
        A dataset whose samples carry their origin (see `Origin`) in the metadata.

    Raises:
        LogError: A path is no readable log, or holds no sample.
        InputError: An unknown label or view.
    """
    selection = Selection(label, source, view, subject_role, sample, seed=seed)
    transcripts = LogTranscripts(logs, selection)
    samples = [transcript.to_sample() for transcript in transcripts]
    if not samples:
        reasons = ", ".join(f"{k}: {n}" for k, n in sorted(transcripts.skipped.items()))
        raise LogError(f"{logs}: no transcript is left ({reasons})")
    name = transcripts.refs[0].log.header.eval.task
    return TranscriptDataset(samples, name=name, skipped=transcripts.skipped)


def read_samples(
    refs: Iterable[SampleRef], *, events: bool
) -> Iterator[tuple[SampleRef, EvalSample | None]]:
    """Read samples in chunks, in order; None stands for one that cannot be read.

    Args:
        refs: The samples.
        events: Whether events are wanted; without them reading is faster.
    """
    by_log: dict[str, list[SampleRef]] = {}
    for ref in refs:
        by_log.setdefault(ref.log.path, []).append(ref)
    for path, members in by_log.items():
        if path.endswith(".json"):
            yield from _read_json(path, members)
        else:
            for chunk in chunked(members, CHUNK):
                yield from zip(chunk, _read_chunk(chunk, events=events), strict=True)


def sample_origin(ref: SampleRef, sample: EvalSample, selection: Selection) -> Origin:
    """Where a sample comes from: its own record if it has one, else the log's header."""
    spec = ref.log.header.eval
    known = origin_from_metadata(sample.metadata or {})
    origin = known or Origin(
        item=ref.item,
        label="evaluation",
        source=spec.task,
        task_id=str(sample.id),
        subject=_subject(ref, selection.subject_role),
        epoch=sample.epoch,
        outcome=outcome_of(sample.scores).value,
        log=ref.log.name,
    )
    return replace(
        origin,
        label=selection.checked_label or origin.label,
        source=selection.source or origin.source,
    )


def _subject(ref: SampleRef, role: str | None) -> str:
    """The model that wrote the transcript: of the role, or the evaluated one."""
    spec = ref.log.header.eval
    if role is None:
        return spec.model
    roles = spec.model_roles or {}
    if role not in roles:
        known = ", ".join(sorted(roles)) or "none"
        raise LogError(
            f"{ref.log.name}: no model role {role!r}; the log's roles: {known}"
        )
    config = roles[role]
    return config[0].model if isinstance(config, list) else config.model


def _drawn(index: LogIndex, selection: Selection) -> LogIndex:
    """The index with only the samples that the seeded draw keeps."""
    if selection.sample is None:
        return index
    refs = stratified(
        index.refs,
        selection.sample,
        key=lambda ref: ref.log.header.eval.task,
        seed=selection.seed,
    )
    return replace(index, refs=tuple(refs))


def _read_json(
    path: str, refs: Sequence[SampleRef]
) -> Iterator[tuple[SampleRef, EvalSample | None]]:
    """A `.json` log has no index, so it is parsed once, whole."""
    log = read_eval_log(path, resolve_attachments=True)
    samples = {(sample.id, sample.epoch): sample for sample in log.samples or []}
    for ref in refs:
        yield ref, samples.get((ref.id, ref.epoch))


def _read_chunk(
    refs: Sequence[SampleRef], *, events: bool
) -> Sequence[EvalSample | None]:
    """A chunk of one log; a damaged sample is read apart from the others."""
    exclude = {"store"} if events else {"store", "events"}
    try:
        return read_eval_log_samples_by_id(
            refs[0].log.path,
            [(ref.id, ref.epoch) for ref in refs],
            resolve_attachments=True,
            exclude_fields=exclude,
        )
    except Exception:  # noqa: BLE001 a damaged sample raises anything
        if len(refs) == 1:
            return [None]
        return [_read_chunk([ref], events=events)[0] for ref in refs]
