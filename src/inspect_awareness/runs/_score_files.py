"""Score files: plan, ask, write."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import isnan
from pathlib import Path

import anyio
from inspect_ai.log import EvalLog, EvalSample
from inspect_ai.model import Model
from inspect_ai.scorer import Score

from inspect_awareness.datasets._log_files import index_logs
from inspect_awareness.datasets._transcript import origin_from_metadata
from inspect_awareness.errors import InputError
from inspect_awareness.runs._inputs import Inputs
from inspect_awareness.runs._journal import Journal
from inspect_awareness.runs._outputs import (
    free_output,
    write_copy,
    write_scores_only,
    write_transcripts,
)
from inspect_awareness.runs._plan import Inventory, Plan, plan, take_inventory
from inspect_awareness.runs._scoring import (
    Progress,
    Run,
    score_of,
    score_transcripts,
)
from inspect_awareness.scorers.p_eval import Rule
from inspect_awareness.solvers._asking import Asking
from inspect_awareness.stats import Estimate, clustered_mean, resampling_unit


@dataclass(frozen=True)
class Target:
    """Where scores go, and in which form."""

    output: Path
    """A log, a folder for several logs, or a `.parquet` file of numbers alone."""

    scores_only: bool = False
    """Write values, hashes and sources, and no text."""

    replace: bool = False
    """Drop earlier scores of the same name."""

    overwrite: bool = False
    """Replace an output that exists."""


@dataclass(frozen=True)
class Scored:
    """What came of a run."""

    outputs: tuple[Path, ...]
    """The files that were written."""

    scored: int
    """Transcripts with a number."""

    unscored: Counter[str]
    """Transcripts without, by reason."""

    skipped: Counter[str]
    """Samples left out, by reason."""

    mean: Estimate
    """Mean P(eval) with its interval."""

    resumed: int
    """Transcripts whose replies an earlier, interrupted run left."""


def inventory(inputs: Inputs) -> Inventory:
    """Count what the inputs hold."""
    found = take_inventory(inputs)
    found.skipped = inputs.skipped
    if found.transcripts == 0:
        reasons = ", ".join(f"{k}: {n}" for k, n in sorted(found.skipped.items()))
        raise InputError(
            f"{', '.join(inputs.paths)}: no transcript to ask about"
            + (f" ({reasons})" if reasons else "")
        )
    return found


def plan_run(inputs: Inputs, how: Asking, model: Model) -> Plan:
    """What a run would ask, without asking."""
    return plan(inventory(inputs), how, model)


def journal_path(output: Path) -> Path:
    """The file beside the output that keeps what was asked until all is written."""
    return output.with_name(f"{output.name}.partial")


def score_files(
    inputs: Inputs,
    model: Model,
    how: Asking,
    target: Target,
    *,
    rule: Rule | None = None,
    planned: Plan | None = None,
    progress: Progress | None = None,
) -> Scored:
    """Ask a rater about every transcript, and write the scores.

    One log is copied with the scores appended to its samples, several into a folder.
    A chat file, or the view `turns`, becomes a log of transcripts. Input files are
    never changed; an output appears whole or not at all, and an interrupted run goes
    on where it stopped when it is started again.

    Args:
        inputs: The transcripts.
        model: The rater.
        how: The questions and how they are asked.
        target: Where the scores go.
        rule: When an answer counts.
        planned: The plan, if it was made already.
        progress: Told how many transcripts are done, of how many.

    Raises:
        OutputExistsError: An output exists.
        InputError: Input or output cannot be used.
        ModelError: The rater cannot be asked.
    """
    writer = _writer(inputs, target)
    planned = planned or plan_run(inputs, how, model)
    journal = Journal(journal_path(target.output))
    resumed = len(journal)
    samples: list[EvalSample] = []
    run = Run(inputs, model, how, rule or Rule(), planned.inventory.transcripts)
    scored = anyio.run(
        score_transcripts, run, journal, samples.append, progress or _silent
    )
    outputs = writer(samples, scored)
    journal.remove()
    return Scored(
        outputs=tuple(outputs),
        scored=sum(not isnan(score_of(s).as_float()) for s in samples),
        unscored=_unscored(samples),
        skipped=inputs.skipped,
        mean=mean_of(samples),
        resumed=min(resumed, len(samples)),
    )


def _silent(done: int, total: int) -> None:
    """Tell nobody."""


def mean_of(samples: list[EvalSample]) -> Estimate:
    """Mean P(eval) of scored transcripts, by the ladder of the design."""
    found = [
        (score_of(sample).as_float(), origin_from_metadata(sample.metadata))
        for sample in samples
    ]
    kept = [(p, o) for p, o in found if o is not None and not isnan(p)]
    unit = resampling_unit(
        [origin.label for _, origin in kept],
        [origin.source or "unknown" for _, origin in kept],
        [origin.task_id for _, origin in kept],
    )
    mean = clustered_mean([p for p, _ in kept], unit.clusters)
    note = "; ".join(words for words in (unit.sentence, mean.note) if words)
    return replace(mean, unit=unit.name, note=note)


Writer = Callable[[list[EvalSample], EvalLog], list[Path]]
"""Writes scored transcripts, and says which files."""


def _writer(inputs: Inputs, target: Target) -> Writer:
    """How the output is written; refuses one that cannot be, before anything is asked."""
    output = target.output
    if target.scores_only:
        free_output(output, overwrite=target.overwrite, endings=[".parquet"])
        return partial(_write_one, write_scores_only, output)
    if inputs.kind == "chats" or inputs.wanted.view == "turns":
        free_output(output, overwrite=target.overwrite, endings=[".eval", ".json"])
        return partial(_write_one, write_transcripts, output)
    copies = _copies(inputs, target)

    def write(samples: list[EvalSample], scored: EvalLog) -> list[Path]:
        scores = {str(sample.id): score_of(sample) for sample in samples}
        for path, copy in copies.items():
            copy.parent.mkdir(parents=True, exist_ok=True)
            write_copy(path, copy, scores, scored, replace=target.replace)
        return list(copies.values())

    return write


def _write_one(
    write: Callable[[Path, Sequence[EvalSample], EvalLog], None],
    output: Path,
    samples: list[EvalSample],
    scored: EvalLog,
) -> list[Path]:
    """Write one file, and say which."""
    write(output, samples, scored)
    return [output]


def _copies(inputs: Inputs, target: Target) -> dict[str, Path]:
    """Which log is copied where: one log to a file, several into a folder."""
    refs = index_logs(inputs.paths).refs
    logs = list(dict.fromkeys(ref.log.path for ref in refs))
    single = len(logs) == 1 and not Path(inputs.paths[0]).is_dir()
    if single:
        free_output(
            target.output, overwrite=target.overwrite, endings=[".eval", ".json"]
        )
        return {logs[0]: target.output}
    if target.output.suffix in (".eval", ".json", ".parquet"):
        raise InputError(
            f"{target.output}: {len(logs)} logs were given, so the output is a folder "
            "for their copies; name one (or use --scores-only for one file of numbers)"
        )
    copies = {log: target.output / log.rsplit("/", 1)[-1] for log in logs}
    if len(set(copies.values())) < len(copies):
        raise InputError("two of the logs have the same file name; score them apart")
    for copy in copies.values():
        copy.parent.mkdir(parents=True, exist_ok=True)
        free_output(copy, overwrite=target.overwrite, endings=[])
    return copies


def _unscored(samples: list[EvalSample]) -> Counter[str]:
    """Reasons of the transcripts without a number."""
    scores: list[Score] = [score_of(sample) for sample in samples]
    return Counter(
        str(score.reason or "unknown") for score in scores if isnan(score.as_float())
    )
