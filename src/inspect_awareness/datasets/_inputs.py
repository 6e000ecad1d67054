"""What a user points at: logs, folders of logs, or chat files."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Literal

from inspect_awareness.datasets._log_files import LOG_ENDINGS, is_remote
from inspect_awareness.datasets._selection import Selection
from inspect_awareness.datasets._transcript import Transcript
from inspect_awareness.datasets.chat_files import CHAT_ENDINGS, iter_chats
from inspect_awareness.datasets.inspect_logs import LogTranscripts
from inspect_awareness.errors import InputError

Kind = Literal["logs", "chats"]
"""What the paths are."""


@dataclass
class Inputs:
    """Transcripts of the paths, read anew each time they are iterated.

    Raises:
        InputError: Logs and chat files are mixed, or a path is neither.
    """

    paths: Sequence[str]
    """Logs and folders of logs, or chat files."""

    wanted: Selection = field(default_factory=Selection)
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

    def of_log(self, log: str) -> Iterator[Transcript]:
        """Read the transcripts of one of the logs only."""
        yield from islice(self._transcripts.of_log(log), self.wanted.limit)

    @property
    def logs(self) -> list[str]:
        """The logs that hold transcripts, in order; none for chat files."""
        if self.kind == "chats":
            return []
        return list(dict.fromkeys(ref.log.path for ref in self._transcripts.refs))

    @cached_property
    def _transcripts(self) -> LogTranscripts:
        """The logs with headers and summaries read, once."""
        return LogTranscripts(self.paths, self.wanted)

    def _logs(self) -> Iterator[Transcript]:
        try:
            yield from self._transcripts
        finally:
            self.skipped = self._transcripts.skipped

    def _chats(self) -> Iterator[Transcript]:
        self.skipped = Counter()
        yield from iter_chats(self.paths, self.wanted, self.skipped)


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
    if not is_remote(path) and not Path(path).exists():
        raise InputError(f"{path}: no such file or folder")
    if path.endswith(CHAT_ENDINGS):
        return "chats"
    if path.endswith(LOG_ENDINGS) or is_remote(path) or Path(path).is_dir():
        return "logs"
    endings = ", ".join((*LOG_ENDINGS, *CHAT_ENDINGS))
    raise InputError(f"{path}: neither a log nor a chat file (expected {endings})")
