"""Writing what was scored: a copy of a log, a log of transcripts, or numbers alone.

Several raters' scores of the same transcripts stand beside each other in one output.
"""

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from inspect_ai.log import EvalLog, EvalResults, read_eval_log, write_eval_log

from inspect_awareness.datasets._transcript import Transcript
from inspect_awareness.errors import InputError, OutputExistsError
from inspect_awareness.measurements import Measurements
from inspect_awareness.runs._journal import disk_error
from inspect_awareness.runs._scoring import ScoredLog, transcript_sample
from inspect_awareness.scorers._record import RECORD, without_text


@dataclass(frozen=True)
class Kind:
    """Which of this package's scores is written."""

    scorer: str
    """What the score is called in a log."""

    record: str
    """Where its metadata holds the record."""

    verb: str
    """What was done to a transcript."""


P_EVAL = Kind("p_eval", RECORD, "scored")
"""P(evaluation), from answers to probe questions."""


def write_copy(
    path: str,
    output: Path,
    made: Sequence[ScoredLog],
    *,
    replace: bool,
    overwrite: bool,
    kind: Kind = P_EVAL,
) -> None:
    """Write a copy of a log with scores appended to its samples.

    Nothing else in the log changes, and its models are not loaded.

    Args:
        path: The log.
        output: The copy.
        made: The scores of this log's transcripts, of each rater.
        replace: Whether earlier scores of this kind are dropped.
        overwrite: Whether the copy may take the place of another file.
        kind: Which score it is.

    Raises:
        InputError: The log changed meanwhile, or the copy cannot be written.
    """
    log = read_eval_log(path)
    if replace:
        _drop(log, kind)
    for each in made:
        _append(log, each, path, kind)
    with atomically(output, overwrite=overwrite) as partial:
        write_eval_log(log, partial)


def write_transcripts(
    output: Path,
    made: Sequence[ScoredLog],
    *,
    overwrite: bool,
    kind: Kind = P_EVAL,
) -> None:
    """Write a log whose samples are the scored transcripts."""
    with atomically(output, overwrite=overwrite) as partial:
        write_eval_log(_with_samples(made, kind), partial)


def write_scores_only(
    output: Path, made: Sequence[ScoredLog], *, overwrite: bool
) -> None:
    """Write values, reasons, hashes and sources, and no word of any transcript."""
    bare = [_without_words(each) for each in made]
    with tempfile.TemporaryDirectory() as folder:
        numbers = str(Path(folder) / "numbers.eval")
        write_eval_log(_with_samples(bare, P_EVAL), numbers)
        measured = Measurements.from_logs([numbers]).without_text()
    with atomically(output, overwrite=overwrite) as partial:
        measured.to_parquet(partial)


@contextmanager
def atomically(output: Path, *, overwrite: bool) -> Iterator[str]:
    """A path beside the output to write to, which becomes the output once it is whole.

    Raises:
        OutputExistsError: The output appeared meanwhile, and is not to be overwritten.
        InputError: The disk is full or the folder cannot be written.
    """
    partial = output.with_name(f".{output.stem}.{os.getpid()}{output.suffix}")
    try:
        yield str(partial)
        if output.exists() and not overwrite:
            raise OutputExistsError(_exists(output))
        os.replace(partial, output)
    except OSError as ex:
        raise InputError(disk_error(output, ex)) from ex
    finally:
        partial.unlink(missing_ok=True)


def free_output(output: Path, *, overwrite: bool, endings: Sequence[str]) -> None:
    """Refuse an output that exists, or whose ending says another format.

    Raises:
        OutputExistsError: It exists, and was not to be overwritten.
        InputError: Its ending is not allowed, or its folder is missing.
    """
    if endings and output.suffix not in endings:
        raise InputError(
            f"{output}: the output must end in {' or '.join(endings)} here"
        )
    if output.is_dir():
        raise InputError(f"{output}: is a folder; name a file")
    if output.exists() and not overwrite:
        raise OutputExistsError(_exists(output))
    if not output.absolute().parent.is_dir():
        raise InputError(f"{output.parent}: no such folder")


def _exists(output: Path) -> str:
    """An output is in the way."""
    return f"{output}: exists already; choose another name, or give --overwrite"


def _without_words(made: ScoredLog) -> ScoredLog:
    """The same scores without any text."""
    return ScoredLog(
        made.log,
        tuple(
            type(scored)(
                Transcript((), scored.transcript.origin), without_text(scored.score)
            )
            for scored in made.scored
        ),
    )


def _with_samples(made: Sequence[ScoredLog], kind: Kind) -> EvalLog:
    """The first rater's log with the transcripts as samples, and all raters' scores."""
    first, *others = made
    samples = []
    for scored in first.scored:
        sample = transcript_sample(scored.transcript)
        sample.scores = {kind.scorer: scored.score}
        samples.append(sample)
    by_item = {sample.uuid: sample for sample in samples}
    log = first.log.model_copy(update={"samples": samples})
    for index, other in enumerate(others, 1):
        name = f"{kind.scorer}{index}"
        for scored in other.scored:
            found = by_item[scored.transcript.origin.item]
            found.scores = {**(found.scores or {}), name: scored.score}
        _append_results(log, other.log, name)
    return log


def _append(log: EvalLog, made: ScoredLog, path: str, kind: Kind) -> None:
    """A rater's scores join the samples of a log."""
    samples = {(sample.id, sample.epoch): sample for sample in log.samples or []}
    taken = {n for s in samples.values() for n in s.scores or {}}
    name = _free_name(kind.scorer, taken)
    for scored in made.scored:
        place = scored.transcript.place
        if place is None or (place.id, place.epoch) not in samples:
            raise InputError(f"{path}: changed while it was {kind.verb}; run again")
        sample = samples[place.id, place.epoch]
        sample.scores = {**(sample.scores or {}), name: scored.score}
    _append_results(log, made.log, name)


def _append_results(log: EvalLog, scored: EvalLog, name: str) -> None:
    """The run's metrics join the log's own."""
    results = log.results or EvalResults()
    new = scored.results.scores if scored.results else []
    results.scores = [
        *results.scores,
        *(score.model_copy(update={"name": name}) for score in new),
    ]
    log.results = results
    log.eval.scorers = [*(log.eval.scorers or []), *(scored.eval.scorers or [])]


def _drop(log: EvalLog, kind: Kind) -> None:
    """Remove earlier scores of a kind from samples, results and reductions."""
    dropped: set[str] = set()
    for sample in log.samples or []:
        scores = sample.scores or {}
        ours = {n for n, s in scores.items() if kind.record in (s.metadata or {})}
        dropped |= ours
        sample.scores = {n: score for n, score in scores.items() if n not in ours}
    if log.results:
        log.results.scores = [s for s in log.results.scores if s.name not in dropped]
    if log.reductions:
        log.reductions = [r for r in log.reductions if r.scorer not in dropped]
    log.eval.scorers = [
        s for s in log.eval.scorers or [] if s.name.rsplit("/", 1)[-1] != kind.scorer
    ]


def _free_name(scorer: str, taken: set[str]) -> str:
    """The scorer's name, numbered as Inspect does where it is taken."""
    name, number = scorer, 0
    while name in taken:
        number += 1
        name = f"{scorer}{number}"
    return name
