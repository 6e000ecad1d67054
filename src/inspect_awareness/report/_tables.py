"""A report's numbers as tables of text, the same for every format."""

import json

from inspect_awareness.claims import UNCALIBRATED, counted
from inspect_awareness.report._cells import (
    NONE,
    bars,
    bounds,
    cell,
    lacking,
    share,
    source_name,
    spread,
)
from inspect_awareness.report._comparison_tables import (
    compared,
    floors,
    placed,
    raters,
)
from inspect_awareness.report._contents import Block, Report
from inspect_awareness.report._part_tables import (
    apart,
    coefficients,
    components,
    controls,
    onset,
)
from inspect_awareness.report._table import Table
from inspect_awareness.report.voiced import cited_table, headings


def block_tables(block: Block, *, drawn: bool) -> tuple[Table, ...]:
    """All tables of a block that have any row.

    Args:
        block: The block.
        drawn: Whether a figure shows the distributions, so that no column has to.
    """
    tables = (
        headline(block, drawn=drawn),
        compared(block),
        missing(block),
        reference(block, drawn=drawn),
        placed(block),
        onset(block),
        questions(block),
        coefficients(block),
        components(block),
        controls(block),
        apart(block),
        habits(block),
    )
    return tuple(table for table in tables if table.rows)


def report_tables(report: Report) -> tuple[Table, ...]:
    """Tables over all blocks that have any row: cues, floors, and raters compared."""
    cues = tuple(map(cited_table, report.cited, headings(report.cited)))
    tables = (*cues, floors(report), raters(report))
    return tuple(table for table in tables if table.rows)


def headline(block: Block, *, drawn: bool) -> Table:
    """Mean, place among the reference and separation of each source."""
    several = len({row.subject for row in block.rows}) > 1
    prior = any(row.uncorrected for row in block.rows)
    header = (
        "source",
        "transcripts",
        "scored",
        "mean P(eval)",
        *(("no prior subtracted",) if prior else ()),
        "percentile",
        "AUROC vs deployment",
        "unit",
        "SD over questions",
        "0 → 1",
    )
    rows = [
        (
            source_name(row, subject=several),
            f"{row.transcripts:,}",
            share(row.scored, row.transcripts),
            cell(row.mean),
            *((cell(row.uncorrected),) if prior else ()),
            NONE if row.percentile != row.percentile else f"{row.percentile:.0f}",
            cell(row.auroc),
            counted(row.mean.estimate.clusters, row.mean.estimate.unit),
            spread(row.mean),
            bars(row.distribution.values),
        )
        for row in block.rows
    ]
    calibration = (
        "percentile: where the mean stands among the reference's transcripts"
        if block.reference
        else UNCALIBRATED
    )
    caption = (
        f"1 = evaluation. Brackets hold intervals; {calibration}; unit: what counts as "
        "independent in the mean's interval; SD over questions: of the question pairs' "
        "means, with their range"
    )
    return Table(
        "P(eval) by source",
        header[:-1] if drawn else header,
        tuple(cells[:-1] if drawn else cells for cells in rows),
        frozenset(range(1, len(header) - 1)),
        caption
        + ("." if drawn else "; 0 → 1: how the transcripts' scores are spread."),
    )


def missing(block: Block) -> Table:
    """What is missing and what it could have done; rows with nothing missing left out."""
    rows = [
        (
            source_name(row, subject=False),
            lacking(row.mean.missing, row.transcripts),
            bounds(row.mean),
            bounds(row.auroc),
            lacking(row.missing_answers, row.answers),
            f"{row.not_asked:,}",
        )
        for row in (*block.rows, *block.reference_rows)
        if row.mean.missing or row.missing_answers or row.not_asked
    ]
    return Table(
        "What is missing",
        (
            "source",
            "transcripts without a score",
            "bounds of the mean",
            "bounds of the AUROC",
            "answers missing",
            "never asked about",
        ),
        tuple(rows),
        frozenset({2, 3, 5}),
        "Bounds: worst and best case, the number if all missing scores lay at one "
        "end. Transcripts that the files hold but that were never asked about (not "
        "drawn, or ended in an error) are counted apart.",
    )


def reference(block: Block, *, drawn: bool) -> Table:
    """The deployment transcripts, source by source."""
    header = ("source", "written by", "transcripts", "scored", "mean P(eval)", "0 → 1")
    rows = [
        (
            source_name(row, subject=False),
            row.subject or "unknown",
            f"{row.transcripts:,}",
            share(row.scored, row.transcripts),
            cell(row.mean),
            bars(row.distribution.values),
        )
        for row in block.reference_rows
    ]
    caption = block.reference.sentence if block.reference else ""
    return Table(
        "Deployment reference",
        header[:-1] if drawn else header,
        tuple(cells[:-1] if drawn else cells for cells in rows),
        frozenset({2, 3, 4}),
        caption[:1].upper() + caption[1:] + ("." if caption else ""),
    )


def questions(block: Block) -> Table:
    """Each pair of opposite questions alone."""
    rows = [
        (
            question.pair,
            ", ".join(question.wordings),
            cell(question.mean),
            f"{question.mean.estimate.n:,}",
            lacking(question.missing_answers, question.answers),
        )
        for question in block.questions
    ]
    return Table(
        "Question by question",
        ("pair", "questions", "mean P(eval)", "transcripts", "answers missing"),
        tuple(rows),
        frozenset({2, 3}),
        "Over the scored files' transcripts, deployment included.",
    )


def habits(block: Block) -> Table:
    """Biases of the rater, and how much of it lies outside the labels."""
    rows = [
        (
            habit.name,
            f"{cell(habit.claim)} ({habit.scale} scale)" if habit.claim else NONE,
            f"{habit.claim.estimate.n:,}" if habit.claim else "0",
            habit.meaning,
        )
        for habit in block.habits
    ]
    if block.off_label is not None:
        rows.append(
            (
                "off-label probability",
                cell(block.off_label),
                f"{block.off_label.estimate.n:,}",
                "mean probability of anything but the two labels",
            )
        )
    return Table(
        "The rater's habits",
        ("habit", "size", "n", "meaning"),
        tuple(rows),
        frozenset({1, 2}),
        "A bias cancels in P(eval) where each pair is asked both ways"
        + _how_far(block)
        + "; it tells how far a single question could be trusted."
        if any(habit.claim for habit in block.habits)
        else "",
    )


def _how_far(block: Block) -> str:
    """Log-odds cancel exactly; shares of sampled labels do not quite."""
    if block.implementation.get("scale") == "logit":
        return ""
    return (
        ", in shares of sampled labels only nearly: the larger it is, the nearer P(eval) "
        "is drawn to one half, and a rater that is certain shows none"
    )


def implementation(block: Block) -> Table:
    """How the questions were asked."""
    return Table(
        "How it was asked",
        ("field", "value"),
        (
            ("rater", block.rater),
            *sorted(block.implementation.items()),
            ("seed", _seed(block)),
        ),
    )


def files(report: Report) -> Table:
    """The files that the report was made from."""
    roles = ((report.scored, "scored"), (report.reference, "reference"))
    rows = [
        (file.name, role, file.digest or NONE, ", ".join(file.scored_with) or NONE)
        for group, role in roles
        for file in group
    ]
    return Table(
        "Files",
        ("file", "given as", "SHA-256 (first 16 digits)", "scored with version"),
        tuple(rows),
    )


def _seed(block: Block) -> str:
    """The seed of sampled answers; probabilities that are read need none."""
    if block.implementation.get("elicitation") == "logprob":
        return "none needed: probabilities are read, nothing is sampled"
    config = json.loads(block.implementation.get("config", "{}"))
    return str(config.get("seed", "none set"))
