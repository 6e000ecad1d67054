"""What was asked already, on disk, so that an interrupted run can go on."""

import errno
import fcntl
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from inspect_ai.model import Model
from pydantic import ValidationError

from inspect_awareness.errors import InputError
from inspect_awareness.scorers._record import replies_from_record
from inspect_awareness.solvers._asking import Asking
from inspect_awareness.solvers._replies import Replies

VERSION = 1
"""Version of the journal's lines."""


class Journal:
    """A file beside the output with one line for each transcript that was asked.

    A line counts for a transcript of the same id and the same words, asked by the same
    rater in the same way. A line that was cut off by a crash does not count. The file
    is locked while it is open: two runs cannot write one output.

    Args:
        path: The journal's file.
        model: The rater, with its address and arguments.

    Raises:
        InputError: The file is no journal, is of another rater, or is in use.
    """

    def __init__(self, path: Path, model: Model) -> None:
        self.path = path
        self.done: dict[str, str] = {}
        """Names of outputs that an earlier run finished, and how it asked."""
        self._lines: dict[tuple[str, str], dict[str, Any]] = {}
        self._header = {
            "journal": "inspect-awareness",
            "version": VERSION,
            "rater": str(model),
            "address": model.api.base_url,
            "arguments": {
                name: value
                for name, value in sorted(model.model_args.items())
                if isinstance(value, str | int | float)
            },
        }
        try:
            self._file = path.open("a+", encoding="utf-8")
        except OSError as ex:
            raise InputError(disk_error(path, ex)) from ex
        try:
            self._lock()
            self._load()
        except BaseException:
            self._file.close()
            raise

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
        record = self.record(item, words)
        if record is None:
            return None
        try:
            replies = replies_from_record(record)
        except (KeyError, TypeError, ValidationError):
            return None  # written by another version
        same = replies.instrument == how.instrument(model, view)
        return replies if same and replies.rater == str(model) else None

    def record(self, item: str, words: str) -> dict[str, Any] | None:
        """What is kept about a transcript of these words, or None.

        Args:
            item: The transcript's id.
            words: The digest that its line was added under.
        """
        return self._lines.get((item, words))

    def add(self, item: str, words: str, record: dict[str, Any]) -> None:
        """Keep what was replied about a transcript.

        Raises:
            InputError: The disk is full or the folder cannot be written.
        """
        self._write({"item": item, "words": words, "record": record})
        self._lines[item, words] = record

    def finish(self, output: str, way: str = "") -> None:
        """Note that an output is whole, and how its transcripts were asked about."""
        self._write({"done": output, "way": way})
        self.done[output] = way

    def remove(self) -> None:
        """Delete the file, once all is written."""
        self.path.unlink(missing_ok=True)
        self._file.close()

    def close(self) -> None:
        """Let go of the file and keep it, unless nothing is in it."""
        if not self._lines and not self.done:
            self.path.unlink(missing_ok=True)
        self._file.close()

    def _lock(self) -> None:
        """Be the only run that writes here."""
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as ex:
            raise InputError(f"{self.path}: another run writes this output") from ex

    def _write(self, entry: Mapping[str, Any]) -> None:
        """Append a line."""
        try:
            self._file.write(json.dumps(entry) + "\n")
            self._file.flush()
        except OSError as ex:
            raise InputError(disk_error(self.path, ex)) from ex

    def _load(self) -> None:
        """Read the lines that are whole, and cut off one that a crash left."""
        self._file.seek(0)
        content = self._file.read()
        if not content:
            self._write(self._header)
            return
        *lines, torn = content.split("\n")
        self._check_header(lines[0] if lines else torn)
        for line in lines[1:]:
            try:
                entry = json.loads(line)
                if "done" in entry:
                    self.done[entry["done"]] = entry.get("way", "")
                else:
                    self._lines[entry["item"], entry["words"]] = entry["record"]
            except (ValueError, KeyError, TypeError):
                continue
        if torn:
            self._file.truncate(len(content.removesuffix(torn).encode()))

    def _check_header(self, line: str) -> None:
        """Nobody's file is taken for a journal, and no other rater's journal."""
        try:
            header = json.loads(line)
        except ValueError:
            header = None
        if not isinstance(header, dict) or header.get("journal") is None:
            raise InputError(
                f"{self.path}: is in the way of this run's journal, and is none; move "
                "it away or choose another output"
            )
        if header != self._header:
            raise InputError(
                f"{self.path}: was begun with {header.get('rater')} under other "
                "settings; give the same model, address and arguments, or delete it"
            )


def disk_error(path: Path, ex: OSError) -> str:
    """One line on why a file could not be written, and what to do."""
    if ex.errno == errno.ENOSPC:
        return (
            f"{path}: the disk is full; free some space and run the same command "
            "again, it continues where it stopped"
        )
    return f"{path}: cannot be written ({ex.strerror or ex})"
