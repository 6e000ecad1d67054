"""What was asked already, on disk, so that an interrupted run can go on."""

import errno
import json
from pathlib import Path
from typing import Any

from inspect_ai.model import Model

from inspect_awareness.errors import InputError
from inspect_awareness.scorers.p_eval import replies_from_record
from inspect_awareness.solvers._asking import Asking
from inspect_awareness.solvers._replies import Replies


class Journal:
    """A file beside the output with one line for each transcript that was asked.

    A line counts for a transcript of the same id and the same words, asked by the same
    rater in the same way. A line that was cut off by a crash does not count.

    Args:
        path: The journal's file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lines: dict[tuple[str, str], dict[str, Any]] = {}
        if path.is_file():
            self._load()

    def __len__(self) -> int:
        """How many transcripts it holds."""
        return len(self._lines)

    def replies(
        self, item: str, words: str, how: Asking, model: Model, view: str
    ) -> Replies | None:
        """What a rater replied about a transcript when asked in this way, or None.

        Args:
            item: The transcript's id.
            words: The digest of its messages.
            how: How it is asked.
            model: The rater.
            view: The transcript's view.
        """
        record = self._lines.get((item, words))
        if record is None:
            return None
        replies = replies_from_record(record)
        same = replies.instrument == how.instrument(model, view)
        return replies if same and replies.rater == str(model) else None

    def add(self, item: str, words: str, record: dict[str, Any]) -> None:
        """Keep what was replied about a transcript.

        Raises:
            InputError: The disk is full or the folder cannot be written.
        """
        line = json.dumps({"item": item, "words": words, "record": record})
        try:
            with self.path.open("a", encoding="utf-8") as journal:
                journal.write(line + "\n")
        except OSError as ex:
            raise InputError(disk_error(self.path, ex)) from ex
        self._lines[item, words] = record

    def remove(self) -> None:
        """Delete the file, once the output is written."""
        self.path.unlink(missing_ok=True)

    def _load(self) -> None:
        """Read what is whole, and cut off a line that a crash left unfinished."""
        whole = 0
        with self.path.open("rb") as journal:
            for line in journal:
                try:
                    entry = json.loads(line)
                    self._lines[entry["item"], entry["words"]] = entry["record"]
                except (ValueError, KeyError, TypeError):
                    break
                if not line.endswith(b"\n"):
                    break
                whole += len(line)
        if whole < self.path.stat().st_size:
            with self.path.open("r+b") as journal:
                journal.truncate(whole)


def disk_error(path: Path, ex: OSError) -> str:
    """One line on why a file could not be written, and what to do."""
    if ex.errno == errno.ENOSPC:
        return (
            f"{path}: the disk is full; free some space and run the same command "
            "again, it continues where it stopped"
        )
    return f"{path}: cannot be written ({ex.strerror or ex})"
