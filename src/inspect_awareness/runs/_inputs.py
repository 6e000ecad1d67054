"""What a user points at: logs, folders of logs, or chat files."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Literal

from inspect_awareness.datasets._log_files import LOG_ENDINGS
from inspect_awareness.datasets._transcript import Transcript
from inspect_awareness.datasets.chat_files import (
    CHAT_ENDINGS,
    ChatSelection,
    iter_chats,
)
from inspect_awareness.datasets.inspect_logs import LogSelection, LogTranscripts
from inspect_awareness.errors import InputError

Kind = Literal["logs", "chats"]
"""What the paths are."""


@dataclass(frozen=True)
class Wanted:
    """Which transcripts are wanted of the inputs, and in which form."""

    label: str | None = None
    """Label for all; None keeps their own."""

    source: str | None = None
    """Source for all; None keeps their own."""

    view: str = "full"
    """The view of each transcript."""

    subject_role: str | None = None
    """The model role that wrote the transcripts of a log."""

    sample: int | None = None
    """Draw this many, stratified by source."""

    limit: int | None = None
    """Take only this many, from the first."""

    seed: int = 0
    """Seed of the draw."""

    def __post_init__(self) -> None:
        """A limit takes at least one."""
        if self.limit is not None and self.limit < 1:
            raise InputError(f"limit is {self.limit}; it must be 1 or more")


@dataclass
class Inputs:
    """Transcripts of the paths, read anew each time they are iterated.

    Raises:
        InputError: Logs and chat files are mixed, or a path is neither.
    """

    paths: Sequence[str]
    """Logs and folders of logs, or chat files."""

    wanted: Wanted = field(default_factory=Wanted)
    """What is wanted of them."""

    skipped: Counter[str] = field(default_factory=Counter)
    """How many samples were left out, by reason; complete after an iteration."""

    def __post_init__(self) -> None:
        """Tell the kind before anything is read."""
        self.kind: Kind = kind_of(self.paths)

    def __iter__(self) -> Iterator[Transcript]:
        """Read the transcripts."""
        found = self._chats() if self.kind == "chats" else self._logs()
        yield from islice(found, self.wanted.limit)

    def _logs(self) -> Iterator[Transcript]:
        w = self.wanted
        selection = LogSelection(
            w.label, w.source, w.view, w.subject_role, w.sample, w.seed
        )
        transcripts = LogTranscripts(self.paths, selection)
        try:
            yield from transcripts
        finally:
            self.skipped = transcripts.skipped

    def _chats(self) -> Iterator[Transcript]:
        w = self.wanted
        self.skipped = Counter()
        selection = ChatSelection(w.label, w.source, w.view, w.sample, w.seed)
        yield from iter_chats(self.paths, selection, self.skipped)


def kind_of(paths: Sequence[str]) -> Kind:
    """Whether paths are logs or chat files.

    Raises:
        InputError: They are mixed, missing, or neither.
    """
    if not paths:
        raise InputError("no input; give a log, a folder of logs, or a chat file")
    kinds = {_kind(path) for path in paths}
    if len(kinds) > 1:
        raise InputError("logs and chat files cannot be mixed; score them one by one")
    return kinds.pop()


def _kind(path: str) -> Kind:
    """The kind of one path, by its ending; a folder holds logs."""
    if "://" not in path and not Path(path).exists():
        raise InputError(f"{path}: no such file or folder")
    if path.endswith(CHAT_ENDINGS):
        return "chats"
    if path.endswith(LOG_ENDINGS) or "://" in path or Path(path).is_dir():
        return "logs"
    endings = ", ".join((*LOG_ENDINGS, *CHAT_ENDINGS))
    raise InputError(f"{path}: neither a log nor a chat file (expected {endings})")
