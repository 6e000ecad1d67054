"""Score files: plan, ask, write."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import anyio
from inspect_ai.model import Model

from inspect_awareness.datasets._inputs import Inputs
from inspect_awareness.runs._outputs import free_output
from inspect_awareness.runs._parts import Part, parts_of
from inspect_awareness.runs._plan import Plan, plan_run
from inspect_awareness.runs._rated import Scored, provider_failed, rated_by
from inspect_awareness.runs._raters import check_raters, journals_of
from inspect_awareness.runs._scoring import (
    Progress,
    Run,
    ScoredLog,
    score_transcripts,
    silent,
)
from inspect_awareness.runs._target import Target, check_target, outputs_of
from inspect_awareness.scorers._awareness import Rule
from inspect_awareness.solvers._asking import Asking


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
        progress: Told with 0 when asking begins, and with 1 after each transcript and
            rater.

    Raises:
        OutputExistsError: An output exists.
        InputError: Input or output cannot be used, or a rater is given twice.
        ModelError: A rater cannot be asked.
    """
    raters = [model, *also]
    check_raters(raters)
    check_target(inputs, target)
    planned = planned or plan_run(inputs, how, model)
    journals = journals_of(raters, target.output)
    try:
        resumed = [len(journal) for journal in journals]
        runs = [
            Run(rater, how, rule or Rule(), journal, progress or silent)
            for rater, journal in zip(raters, journals, strict=True)
        ]
        view = inputs.wanted.view
        _check_free(inputs, target, runs)
        (progress or silent)(0)
        made = [
            _score_part(runs, part, view)
            for part in parts_of(inputs, target, planned.inventory)
            if target.overwrite or not _is_done(part.output, runs, view)
        ]
        by_rater = [
            [transcript for part in made for transcript in part[index].scored]
            for index in range(len(raters))
        ]
        failed = any(map(provider_failed, by_rater))
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
            rated_by(rater, scored, left)
            for rater, scored, left in zip(raters, by_rater, resumed, strict=True)
        ),
    )


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
        if not provider_failed(list(scored.scored)):
            run.journal.finish(str(part.output), run.way(view))
    return made
