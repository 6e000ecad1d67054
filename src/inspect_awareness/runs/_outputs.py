"""Writing what was scored: a copy of a log, a log of transcripts, or numbers alone."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from inspect_ai.log import (
    EvalLog,
    EvalResults,
    EvalSample,
    read_eval_log,
    write_eval_log,
)
from inspect_ai.scorer import Score

from inspect_awareness.errors import InputError, OutputExistsError
from inspect_awareness.measurements import Measurements
from inspect_awareness.runs._journal import disk_error
from inspect_awareness.scorers._metrics import RECORD

SCORER = "p_eval"
"""What the score is called in a log."""


def write_copy(
    path: str,
    output: Path,
    scores: Mapping[str, Score],
    scored: EvalLog,
    *,
    replace: bool,
) -> None:
    """Write a copy of a log with scores appended to its samples.

    Nothing else in the log changes, and its models are not loaded.

    Args:
        path: The log.
        output: The copy.
        scores: The scores, by transcript id.
        scored: The log of the run, for its metrics.
        replace: Whether earlier scores of the same name are dropped.
    """
    log = read_eval_log(path)
    if replace:
        _drop(log)
    taken = {name for sample in log.samples or [] for name in sample.scores or {}}
    name = _free_name(taken)
    for sample in log.samples or []:
        item = sample.uuid or f"{log.eval.eval_id}:{sample.id}:{sample.epoch}"
        if item in scores:
            sample.scores = {**(sample.scores or {}), name: scores[item]}
    _append_results(log, scored, name)
    with atomically(output) as partial:
        write_eval_log(log, partial)


def write_transcripts(
    output: Path, samples: Sequence[EvalSample], scored: EvalLog
) -> None:
    """Write a log whose samples are the scored transcripts."""
    log = scored.model_copy(update={"samples": list(samples)})
    with atomically(output) as partial:
        write_eval_log(log, partial)


def write_scores_only(
    output: Path, samples: Sequence[EvalSample], scored: EvalLog
) -> None:
    """Write values, reasons, hashes and sources, and no word of any transcript."""
    with atomically(output.with_suffix(".eval")) as partial:
        write_eval_log(scored.model_copy(update={"samples": list(samples)}), partial)
        measured = Measurements.from_logs([partial]).without_text()
        Path(partial).unlink()
    with atomically(output) as partial:
        measured.to_parquet(partial)


@contextmanager
def atomically(output: Path) -> Iterator[str]:
    """A path beside the output to write to, which becomes the output once it is whole.

    Raises:
        InputError: The disk is full or the folder cannot be written.
    """
    partial = output.with_name(f".{output.stem}.{os.getpid()}{output.suffix}")
    try:
        yield str(partial)
        if partial.exists():
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
    if output.exists() and not overwrite:
        raise OutputExistsError(
            f"{output}: exists already; choose another name, or give --overwrite"
        )
    if not output.absolute().parent.is_dir():
        raise InputError(f"{output.parent}: no such folder")


def has_scores(path: str) -> bool:
    """Whether a log has an awareness score of this name already, by its header."""
    results = read_eval_log(path, header_only=True).results
    return any(s.name == SCORER for s in (results.scores if results else []))


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


def _drop(log: EvalLog) -> None:
    """Remove earlier awareness scores of this name from samples and results."""
    for sample in log.samples or []:
        sample.scores = _without(sample.scores or {}, lambda s: not _is_ours(s))
    if log.results:
        log.results.scores = [s for s in log.results.scores if s.scorer != SCORER]
    log.eval.scorers = [s for s in log.eval.scorers or [] if _name(s.name) != SCORER]


def _without(
    scores: Mapping[str, Score], keep: Callable[[Score], bool]
) -> dict[str, Score]:
    """The scores that are kept."""
    return {name: score for name, score in scores.items() if keep(score)}


def _is_ours(score: Score) -> bool:
    """Whether a score carries our record."""
    return RECORD in (score.metadata or {})


def _name(registered: str) -> str:
    """A registered name without its package."""
    return registered.rsplit("/", 1)[-1]


def _free_name(taken: set[str]) -> str:
    """The scorer's name, numbered as Inspect does where it is taken."""
    name, number = SCORER, 0
    while name in taken:
        number += 1
        name = f"{SCORER}{number}"
    return name
