"""Transcripts that are written together: a log's, or all of them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from inspect_awareness.datasets._inputs import Inputs
from inspect_awareness.datasets._transcript import Transcript
from inspect_awareness.runs._outputs import (
    write_copy,
    write_scores_only,
    write_transcripts,
)
from inspect_awareness.runs._plan import Inventory
from inspect_awareness.runs._scoring import ScoredLog
from inspect_awareness.runs._target import Target, is_log_of_transcripts, outputs_of


@dataclass(frozen=True)
class Part:
    """Transcripts that are written together."""

    output: Path
    """Where to."""

    transcripts: Callable[[], Iterator[Transcript]]
    """What is scored, read anew for each rater."""

    total: int
    """How many."""

    write: Callable[[list[ScoredLog]], None]
    """How it is written."""

    keep_words: bool = False
    """Whether writing needs the messages."""


def parts_of(inputs: Inputs, target: Target, found: Inventory) -> Iterator[Part]:
    """What is written together: each log's transcripts, or all of them."""
    output, overwrite, whole = target.output, target.overwrite, partial(iter, inputs)
    if target.scores_only:
        write: Callable[[list[ScoredLog]], None] = partial(
            write_scores_only, output, overwrite=overwrite
        )
        yield Part(output, whole, found.transcripts, write)
    elif is_log_of_transcripts(inputs):
        write = partial(write_transcripts, output, overwrite=overwrite)
        yield Part(output, whole, found.transcripts, write, keep_words=True)
    else:
        for log, copy in zip(inputs.logs, outputs_of(inputs, target), strict=True):
            write = partial(
                write_copy, log, copy, replace=target.replace, overwrite=overwrite
            )
            total = found.by_log[log]
            yield Part(copy, partial(inputs.of_log, log), total, write)
