"""The deployment transcripts that a transcript is compared with."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from inspect_ai.model import ChatMessage

from inspect_awareness.datasets._inputs import Inputs
from inspect_awareness.datasets._selection import Selection
from inspect_awareness.errors import InputError
from inspect_awareness.solvers._words import digest

Messages = tuple[ChatMessage, ...]


@dataclass(frozen=True)
class Compared:
    """Deployment transcripts, in order of their hashes."""

    transcripts: tuple[Messages, ...]
    """Their messages."""

    hash: str
    """Hash of all of them: 16 hex digits of SHA-256."""

    paths: tuple[str, ...]
    """Where they were read."""

    def other_than(self, messages: Sequence[ChatMessage], repeat: int) -> Messages:
        """The one that a transcript is compared with in a repeat.

        Its own hash decides, so that the same transcript always meets the same others;
        it is never compared with itself while there is another.
        """
        own = digest(messages)
        start = int(own, 16) + repeat
        others = [t for t in self.transcripts if digest(t) != own]
        return (others or list(self.transcripts))[
            start % len(others or self.transcripts)
        ]


def compared_with(paths: str | Sequence[str]) -> Compared:
    """Read the transcripts of logs and chat files that count as deployment.

    Raises:
        InputError: There is none.
    """
    return _read(tuple([paths] if isinstance(paths, str) else paths))


@lru_cache(maxsize=8)
def _read(paths: tuple[str, ...]) -> Compared:
    """The same, once for each set of paths."""
    inputs = Inputs(list(paths), Selection())
    found = {}
    for transcript in inputs:
        # a log counts as evaluation unless it says otherwise; a chat file says it
        if inputs.kind == "chats" and transcript.origin.label == "evaluation":
            raise InputError(
                f"{', '.join(paths)}: {transcript.origin.item} is labelled evaluation; "
                "comparisons are with deployment transcripts"
            )
        found[digest(transcript.messages)] = tuple(transcript.messages)
    if not found:
        raise InputError(
            f"{', '.join(paths)}: no deployment transcript to compare with"
        )
    hashes = sorted(found)
    whole = hashlib.sha256("".join(hashes).encode()).hexdigest()[:16]
    return Compared(tuple(found[h] for h in hashes), whole, paths)
