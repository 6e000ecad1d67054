"""Score files: plan, ask, write."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import isnan
from pathlib import Path

import anyio
from inspect_ai.model import Model

from inspect_awareness.datasets._inputs import Inputs
from inspect_awareness.datasets._transcript import Transcript
from inspect_awareness.errors import InputError
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
    ScoredLog,
    ScoredTranscript,
    score_transcripts,
)
from inspect_awareness.runs._tokens import Tokens, tokens_of
from inspect_awareness.scorers._awareness import Rule
from inspect_awareness.scorers._record import RECORD
from inspect_awareness.scorers.p_eval import NOBODY
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
    """Drop earlier awareness scores."""

    overwrite: bool = False
    """Replace an output that exists."""


@dataclass(frozen=True)
class Rated:
    """What came of one rater."""

    rater: str
    """The model that was asked."""

    scored: int
    """Transcripts with a number."""

    unscored: Counter[str]
    """Transcripts without, by reason."""

    mean: Estimate
    """Mean P(eval) with its interval."""

    tokens: Tokens
    """Tokens of all these replies, those of an earlier run among them."""

    resumed: int
    """Transcripts whose replies an earlier, interrupted run left."""

    unseen: Counter[str]
    """Answers whose labels' probabilities were asked for and not given, by reason."""


@dataclass(frozen=True)
class Scored:
    """What came of a run."""

    outputs: tuple[Path, ...]
    """The files that were written."""

    skipped: Counter[str]
    """Samples left out, by reason."""

    journals: tuple[Path, ...]
    """Kept where the provider failed on some: with them only those are asked again."""

    raters: tuple[Rated, ...]
    """What came of each rater; the first is the one that was asked first."""

    @property
    def scored(self) -> int:
        """Transcripts with a number of the first rater."""
        return self.raters[0].scored

    @property
    def unscored(self) -> Counter[str]:
        """Transcripts without, by reason."""
        return self.raters[0].unscored

    @property
    def mean(self) -> Estimate:
        """Mean P(eval) of the first rater with its interval."""
        return self.raters[0].mean

    @property
    def resumed(self) -> int:
        """Transcripts whose replies by the first rater an earlier run left."""
        return self.raters[0].resumed

    @property
    def journal(self) -> Path | None:
        """The first journal that was kept, if any was."""
        return self.journals[0] if self.journals else None


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


def inventory(inputs: Inputs) -> Inventory:
    """Count what the inputs hold.

    Raises:
        InputError: They hold no transcript.
    """
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


def plan_raters(inputs: Inputs, how: Asking, raters: Sequence[Model]) -> list[Plan]:
    """What several raters would be asked about the same transcripts."""
    found = inventory(inputs)
    return [plan(found, how, rater) for rater in raters]


def journal_path(output: Path, also: Model | None = None) -> Path:
    """Where the replies of a run are kept until its output is whole.

    Args:
        output: What is written.
        also: A further rater, whose replies are kept beside the first's.
    """
    if also is None:
        return output.with_name(f"{output.name}.partial")
    name = re.sub(r"[^\w.-]+", "-", str(also))
    return output.with_name(f"{output.name}.{name}.partial")


def score_files(
    inputs: Inputs,
    model: Model,
    how: Asking,
    target: Target,
    *,
    also: Sequence[Model] = (),
    rule: Rule | None = None,
    planned: Plan | None = None,
    progress: Progress | None = None,
) -> Scored:
    """Ask a rater about every transcript, and write the scores.

    One log is copied with the scores appended to its samples, several into a folder.
    A chat file, or the view `turns`, becomes a log of transcripts. Input files are
    never changed; an output appears whole or not at all, and an interrupted run goes
    on where it stopped when it is started again. Further raters are asked the same
    about the same transcripts, one after the other, and their scores stand beside the
    first's.

    Args:
        inputs: The transcripts.
        model: The rater.
        how: The questions and how they are asked.
        target: Where the scores go.
        also: Further raters.
        rule: When an answer counts.
        planned: The plan, if it was made already.
        progress: Told after each transcript and rater, with 1.

    Raises:
        OutputExistsError: An output exists.
        InputError: Input or output cannot be used, or a rater is given twice.
        ModelError: A rater cannot be asked.
    """
    raters = [model, *also]
    check_raters(raters)
    check_target(inputs, target)
    planned = planned or plan_run(inputs, how, model)
    journals = _journals(raters, target.output)
    try:
        resumed = [len(journal) for journal in journals]
        runs = [
            Run(rater, how, rule or Rule(), journal, progress or silent)
            for rater, journal in zip(raters, journals, strict=True)
        ]
        view = inputs.wanted.view
        _check_free(inputs, target, runs)
        made = [
            _score_part(runs, part, view)
            for part in _parts(inputs, target, planned.inventory)
            if target.overwrite or not _is_done(part.output, runs, view)
        ]
        by_rater = [
            [transcript for part in made for transcript in part[index].scored]
            for index in range(len(raters))
        ]
        failed = any(map(_provider_failed, by_rater))
        if not failed:
            for journal in journals:
                journal.remove()
    finally:
        for journal in journals:
            journal.close()
    return Scored(
        outputs=tuple(outputs_of(inputs, target)),
        skipped=planned.inventory.skipped,
        journals=tuple(journal.path for journal in journals) if failed else (),
        raters=tuple(
            _rated(rater, scored, left)
            for rater, scored, left in zip(raters, by_rater, resumed, strict=True)
        ),
    )


def check_raters(raters: Sequence[Model]) -> None:
    """Refuse nobody, and the same rater twice.

    Raises:
        InputError: A rater is `none/none`, or is given twice.
    """
    names = [str(rater) for rater in raters]
    if NOBODY in names:
        raise InputError("none/none is nobody; give the model that is to be asked")
    twice = sorted(name for name, n in Counter(names).items() if n > 1)
    if twice:
        raise InputError(
            f"{', '.join(twice)} is given twice; a rater is asked once about each "
            "transcript (more often with --repeats)"
        )


def check_target(inputs: Inputs, target: Target) -> None:
    """Refuse an output that cannot be written, before anything is read or asked.

    Raises:
        InputError: Its ending or its folder is wrong for these inputs.
    """
    output = target.output
    if target.scores_only:
        endings = [".parquet"]
    elif _is_one_file(inputs):
        endings = [".eval", ".json"]
    else:
        if output.suffix in (".eval", ".json", ".parquet"):
            raise InputError(
                f"{output}: {len(inputs.logs)} logs were given, so the output is a "
                "folder for their copies; name one (or use --scores-only for one file)"
            )
        names = Counter(log.rsplit("/", 1)[-1] for log in inputs.logs)
        twice = sorted(name for name, n in names.items() if n > 1)
        if twice:
            raise InputError(
                f"several of the logs are called {', '.join(twice)}; score them apart"
            )
        output.mkdir(parents=True, exist_ok=True)
        return
    free_output(output, overwrite=True, endings=endings)


def mean_of(scored: list[ScoredTranscript]) -> Estimate:
    """Mean P(eval) of scored transcripts, by the ladder of the design."""
    found = [(s.score.as_float(), s.transcript.origin) for s in scored]
    kept = [(p, origin) for p, origin in found if not isnan(p)]
    unit = resampling_unit(
        [origin.label for _, origin in kept],
        [origin.source or "unknown" for _, origin in kept],
        [origin.task_id for _, origin in kept],
    )
    mean = clustered_mean([p for p, _ in kept], unit.clusters)
    note = "; ".join(words for words in (unit.sentence, mean.note) if words)
    return replace(mean, unit=unit.name, note=note)


def _journals(raters: Sequence[Model], output: Path) -> list[Journal]:
    """A journal for each rater, all of them or none."""
    made: list[Journal] = []
    try:
        for index, rater in enumerate(raters):
            path = journal_path(output, rater if index else None)
            made.append(Journal(path, rater))
    except BaseException:
        for journal in made:
            journal.close()
        raise
    return made


def _is_done(output: Path, runs: Sequence[Run], view: str) -> bool:
    """Whether an earlier run wrote an output, asked in this way, and nothing failed."""
    return all(run.journal.done.get(str(output)) == run.way(view) for run in runs)


def _check_free(inputs: Inputs, target: Target, runs: Sequence[Run]) -> None:
    """Outputs that exist are in the way, unless this very run wrote them before."""
    for output in outputs_of(inputs, target):
        if not _is_done(output, runs, inputs.wanted.view):
            free_output(output, overwrite=target.overwrite, endings=[])


def _score_part(runs: Sequence[Run], part: Part, view: str) -> list[ScoredLog]:
    """Score transcripts by each rater, and write them together."""
    made = [
        anyio.run(
            partial(score_transcripts, keep_words=part.keep_words),
            run,
            part.transcripts(),
            part.total,
        )
        for run in runs
    ]
    part.write(made)
    for run, scored in zip(runs, made, strict=True):
        if not _provider_failed(list(scored.scored)):
            run.journal.finish(str(part.output), run.way(view))
    return made


def _parts(inputs: Inputs, target: Target, found: Inventory) -> Iterator[Part]:
    """What is written together: each log's transcripts, or all of them."""
    output, overwrite, whole = target.output, target.overwrite, partial(iter, inputs)
    if target.scores_only:
        write: Callable[[list[ScoredLog]], None] = partial(
            write_scores_only, output, overwrite=overwrite
        )
        yield Part(output, whole, found.transcripts, write)
    elif _is_log_of_transcripts(inputs):
        write = partial(write_transcripts, output, overwrite=overwrite)
        yield Part(output, whole, found.transcripts, write, keep_words=True)
    else:
        for log, copy in zip(inputs.logs, outputs_of(inputs, target), strict=True):
            write = partial(
                write_copy, log, copy, replace=target.replace, overwrite=overwrite
            )
            total = found.by_log[log]
            yield Part(copy, partial(inputs.of_log, log), total, write)


def outputs_of(inputs: Inputs, target: Target) -> list[Path]:
    """The files that will be written."""
    if target.scores_only or _is_one_file(inputs):
        return [target.output]
    return [target.output / log.rsplit("/", 1)[-1] for log in inputs.logs]


def _is_log_of_transcripts(inputs: Inputs) -> bool:
    """Whether the output is a log of transcripts, and no copy of the input."""
    return inputs.kind == "chats" or inputs.wanted.view == "turns"


def _is_one_file(inputs: Inputs) -> bool:
    """Whether one log or one log of transcripts is written, and no folder."""
    if _is_log_of_transcripts(inputs):
        return True
    return len(inputs.logs) == 1 and not Path(inputs.paths[0]).is_dir()


def silent(done: int) -> None:
    """Tell nobody."""


def _provider_failed(scored: list[ScoredTranscript]) -> bool:
    """Whether a transcript has no number because the provider failed."""
    return any(s.score.reason == "provider_error" for s in scored)


def _rated(rater: Model, scored: list[ScoredTranscript], left: int) -> Rated:
    """What came of a rater."""
    return Rated(
        rater=str(rater),
        scored=sum(not isnan(s.score.as_float()) for s in scored),
        unscored=_unscored(scored),
        mean=mean_of(scored),
        tokens=tokens_of(rater, [s.score for s in scored]),
        resumed=min(left, len(scored)),
        unseen=Counter(
            answer["unseen"]
            for s in scored
            for answer in (s.score.metadata or {}).get(RECORD, {}).get("answers", [])
            if answer.get("unseen")
        ),
    )


def _unscored(scored: list[ScoredTranscript]) -> Counter[str]:
    """Reasons of the transcripts without a number."""
    return Counter(
        str(s.score.reason or "unknown") for s in scored if isnan(s.score.as_float())
    )
