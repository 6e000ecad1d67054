"""Finding and indexing Inspect logs: headers and summaries, no samples yet."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from inspect_ai.log import (
    EvalLog,
    list_eval_logs,
    read_eval_log,
    read_eval_log_sample_summaries,
)

from inspect_awareness.datasets._transcript import Place
from inspect_awareness.errors import LogError

LOG_ENDINGS = (".eval", ".json")
"""What Inspect logs are called."""


@dataclass(frozen=True)
class SampleRef:
    """One sample of one log, by name."""

    log: "IndexedLog"
    """The log that holds it."""

    id: int | str
    """Sample id."""

    epoch: int
    """Repeat, from 1."""

    uuid: str | None
    """The run's unique id; None before Inspect 0.3.70."""

    @property
    def place(self) -> Place:
        """Which sample of which log it is."""
        return Place(self.log.path, self.id, self.epoch)

    @property
    def item(self) -> str:
        """The transcript's id: the uuid, or what identifies the run without one."""
        return self.uuid or f"{self.log.header.eval.eval_id}:{self.id}:{self.epoch}"


@dataclass(frozen=True, eq=False)
class IndexedLog:
    """A log of which only the header has been read."""

    path: str
    """Where it is, in any form that Inspect reads."""

    header: EvalLog
    """Everything but the samples."""

    @property
    def name(self) -> str:
        """The file's name."""
        return self.path.rstrip("/").rsplit("/", 1)[-1]


@dataclass(frozen=True)
class LogIndex:
    """Which samples can be read, and how many were left out already."""

    refs: tuple[SampleRef, ...]
    """The samples, log by log."""

    skipped: Counter[str]
    """Samples or logs left out, by reason."""


def index_logs(paths: Iterable[str | Path]) -> LogIndex:
    """Read headers and summaries of logs and of all logs in folders.

    Args:
        paths: Logs (`.eval` or `.json`, local or remote) and folders of logs.

    Raises:
        LogError: A path is missing, is no log, or nothing holds any sample.
    """
    refs: list[SampleRef] = []
    skipped: Counter[str] = Counter()
    names: list[str] = []
    for path in paths:
        names.append(str(path))
        for found, in_folder in _expand(str(path)):
            try:
                refs.extend(_index_log(found, skipped))
            except LogError:
                if not in_folder:
                    raise
                skipped["unreadable_log"] += 1
    if not refs:
        raise LogError(_nothing_to_read(names, skipped))
    return LogIndex(tuple(refs), skipped)


def is_remote(path: str) -> bool:
    """Whether a path is an address of a file system (`s3://...`)."""
    return "://" in path


def open_log(path: str) -> IndexedLog:
    """Read a log's header.

    Raises:
        LogError: The file is missing or is no readable Inspect log.
    """
    if not is_remote(path) and not Path(path).exists():
        raise LogError(f"{path}: no such file or folder")
    if not path.endswith(LOG_ENDINGS):
        raise LogError(
            f"{path}: not an Inspect log (expected a file ending in .eval or .json)"
        )
    try:
        header = read_eval_log(path, header_only=True)
    except Exception as ex:  # a damaged file raises anything
        raise LogError(_damaged(path, ex)) from ex
    return IndexedLog(path, header)


def _expand(path: str) -> Iterator[tuple[str, bool]]:
    """A log as itself; a folder as its logs, in order of name."""
    if path.endswith(LOG_ENDINGS) or not (is_remote(path) or Path(path).is_dir()):
        yield path, False
        return
    found = sorted(info.name for info in list_eval_logs(path, recursive=True))
    if not found:
        raise LogError(f"{path}: the folder holds no Inspect logs (.eval or .json)")
    for name in found:
        yield name.removeprefix("file://"), True


def _index_log(path: str, skipped: Counter[str]) -> list[SampleRef]:
    """The samples of a log that can be read; errors and empty ones are counted."""
    log = open_log(path)
    try:
        summaries = read_eval_log_sample_summaries(path)
    except Exception as ex:  # a damaged file raises anything
        raise LogError(_damaged(path, ex)) from ex
    if not summaries:
        skipped["log_without_samples"] += 1
    refs = []
    for summary in summaries:
        if summary.error:
            skipped["sample_error"] += 1
        elif summary.message_count == 0:
            skipped["no_messages"] += 1
        else:
            refs.append(SampleRef(log, summary.id, summary.epoch, summary.uuid))
    return refs


def _damaged(path: str, ex: Exception) -> str:
    """One line that says that a file cannot be read as a log, and what may help."""
    detail = (str(ex).splitlines() or [""])[0][:120] or type(ex).__name__
    hint = "if the run crashed, try `inspect log recover`"
    return f"{path}: not a readable Inspect log ({detail}); {hint}"


def _nothing_to_read(names: Sequence[str], skipped: Counter[str]) -> str:
    """Why no transcript is left."""
    reasons = ", ".join(f"{reason}: {n}" for reason, n in sorted(skipped.items()))
    return (
        f"{', '.join(names) or 'no path'}: no samples to read"
        + (f" ({reasons})" if reasons else "")
        + "; give logs whose samples hold messages"
    )
