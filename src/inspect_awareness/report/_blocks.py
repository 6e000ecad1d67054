"""One block of a report: everything said by one rater asked in one way."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from inspect_awareness.claims import counted
from inspect_awareness.report._apart import apart, controls
from inspect_awareness.report._cautions import same_view
from inspect_awareness.report._contents import Block, Row
from inspect_awareness.report._floors import Floors
from inspect_awareness.report._habits import off_label, order_bias, sampled, yes_bias
from inspect_awareness.report._onset import onset
from inspect_awareness.report._over_questions import design_sentence, over_questions
from inspect_awareness.report._raters import RaterDifference
from inspect_awareness.report._reading import reading
from inspect_awareness.report._reference import Made, nearest_differences
from inspect_awareness.report._rows import placed_rows, question_rows, row, with_design
from inspect_awareness.report._selection import Selection
from inspect_awareness.report._standard import Standard
from inspect_awareness.report._terms import Terms

if TYPE_CHECKING:
    import pandas as pd


def block(
    chosen: Selection,
    mine: "pd.Series[bool]",
    references: Iterable[Made],
    raters: Sequence[RaterDifference],
    terms: Terms,
) -> Block:
    """Everything about the scores of one rater asked in one way.

    Args:
        chosen: Its scores of the files in question and of the reference.
        mine: Which of its transcripts are of the files in question.
        references: How the deployment transcripts of all files were scored.
        raters: How raters differ on the same transcripts.
        terms: Coverage, seed and floors.
    """
    deployment = chosen.scores["label"].eq("deployment")
    usable = deployment & chosen.scores["value"].notna()
    standard = Standard(
        terms.level, chosen.where(deployment).asked if usable.any() else None
    )
    in_question = chosen.where(mine & ~deployment)
    design = over_questions(
        in_question if len(in_question.known) else chosen.where(deployment),
        level=terms.level,
        rng=terms.rng,
    )
    rows = tuple(
        with_design(each, design_sentence(design))
        for each in _rows(in_question, standard)
    )
    reference_rows = _rows(chosen.where(deployment), standard)
    everything = chosen.where(mine)
    habits = (yes_bias(everything, standard), order_bias(everything, standard))
    uncalibrated = "" if usable.any() else _why_not(chosen.made, references)
    made = Block(
        chosen.made.rater,
        {k: v for k, v in chosen.made.fields.items() if k != "rater"},
        standard.reference,
        uncalibrated,
        rows,
        reference_rows,
        question_rows(everything, standard),
        habits,
        off_label(everything, standard),
        sampled(everything, standard),
        placed_rows(in_question, standard),
        design,
        onset(everything, standard, rng=terms.rng),
        apart(chosen, level=terms.level),
        controls(chosen, level=terms.level),
        (),
    )
    return reading(with_floor(made, terms.floors), terms.floors, raters)


def with_floor(made: Block, floors: Floors | None) -> Block:
    """The block with the best floor beside the AUROCs of its leading rows.

    Floors are measured over all evaluation transcripts, so that rows of single sources
    among several have none.
    """
    best = floors.best if floors and same_view(made, floors) else None
    if best is None:
        return made
    leading = set(map(id, made.leading_rows))
    rows = tuple(
        replace(row, auroc=replace(row.auroc, floor=best.auroc, floor_name=best.name))
        if row.auroc is not None and id(row) in leading
        else row
        for row in made.rows
    )
    return replace(made, rows=rows)


def _rows(chosen: Selection, standard: Standard) -> tuple[Row, ...]:
    """Pooled rows, then a row for each subject, label and source."""
    single = [
        row(str(source), part, standard, pooled=False)
        for _, source, part in _parts(chosen, ["subject", "label"], "source")
    ]
    pooled = []
    for _, _, part in _parts(chosen, ["subject"], "label"):
        sources = part.scores["source"].fillna("unknown").nunique()
        if sources > 1:
            name = f"all {counted(int(sources), 'source')}"
            pooled.append(row(name, part, standard, pooled=True))
    return (*_by_mean(pooled), *_by_mean(single))


def _parts(
    chosen: Selection, outer: Sequence[str], inner: str
) -> Iterable[tuple[object, object, Selection]]:
    """The selection, taken apart by columns."""
    columns = [*outer, inner]
    keys = chosen.scores[columns].fillna("unknown")
    for key in sorted(set(keys.itertuples(index=False, name=None))):
        same = keys.eq(list(key)).all(axis=1)
        yield key[:-1], key[-1], chosen.where(same)


def _by_mean(rows: Iterable[Row]) -> list[Row]:
    """The highest mean first; rows without one last."""

    def rank(r: Row) -> tuple[str, float]:
        value = r.mean.estimate.value
        return r.subject or "", -value if value == value else 2.0

    return sorted(rows, key=rank)


def _why_not(made: Made, references: Iterable[Made]) -> str:
    """Why a block has no reference."""
    differing = nearest_differences(made, references)
    if not differing:
        return "no deployment transcript was given"
    return f"the deployment transcripts were scored differently: {differing}"
