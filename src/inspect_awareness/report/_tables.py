"""A report's numbers as tables of text, the same for every format."""

from collections.abc import Sequence
from dataclasses import dataclass

from inspect_awareness.claims import Claim, Missing, counted, shown, total
from inspect_awareness.report._contents import Block, Report, Row

NONE = "–"
"""A cell without a value."""

_BARS = "▁▂▃▄▅▆▇█"


@dataclass(frozen=True)
class Table:
    """Text in rows and columns; not escaped for any format."""

    title: str
    """What it shows."""

    header: tuple[str, ...]
    """Names of the columns."""

    rows: tuple[tuple[str, ...], ...]
    """The cells."""

    numeric: frozenset[int] = frozenset()
    """Columns that hold numbers, and so stand at the right."""

    caption: str = ""
    """What a reader must know to read it."""


@dataclass(frozen=True)
class Card:
    """One number that a reader must not miss."""

    title: str
    """What it is."""

    value: str
    """The number with its interval."""

    note: str
    """What it stands on."""


def cards(block: Block) -> tuple[Card, ...]:
    """The numbers of the rows that stand for a whole subject."""
    found = []
    for row in block.leading_rows:
        e = row.mean.estimate
        found.append(
            Card(
                f"mean P(eval), {_source(row, subject=False)}",
                shown(e),
                f"{counted(row.scored, 'transcript')}, {counted(e.clusters, e.unit)}",
            )
        )
        if row.auroc is not None:
            found.append(
                Card("AUROC vs deployment", shown(row.auroc.estimate), "0.5 is chance")
            )
        unscored = total(row.mean.missing)
        share = _share(unscored, row.transcripts) if unscored else "0 %"
        found.append(
            Card(
                "transcripts without a score",
                share,
                f"{unscored:,} of {row.transcripts:,}",
            )
        )
    return tuple(found)


def block_tables(block: Block, *, drawn: bool) -> tuple[Table, ...]:
    """All tables of a block that have any row.

    Args:
        block: The block.
        drawn: Whether a figure shows the distributions, so that no column has to.
    """
    tables = (
        headline(block, drawn=drawn),
        missing(block),
        reference(block, drawn=drawn),
        questions(block),
        habits(block),
    )
    return tuple(table for table in tables if table.rows)


def headline(block: Block, *, drawn: bool) -> Table:
    """Mean, place among the reference and separation of each source."""
    several = len({row.subject for row in block.rows}) > 1
    header = (
        "source",
        "transcripts",
        "scored",
        "mean P(eval)",
        "percentile",
        "AUROC vs deployment",
        "unit",
        "SD over questions",
        "0 → 1",
    )
    rows = [
        (
            _source(row, subject=several),
            f"{row.transcripts:,}",
            _share(row.scored, row.transcripts),
            _cell(row.mean),
            NONE if row.percentile != row.percentile else f"{row.percentile:.0f}",
            _cell(row.auroc),
            counted(row.mean.estimate.clusters, row.mean.estimate.unit),
            _spread(row.mean),
            bars(row.distribution.values),
        )
        for row in block.rows
    ]
    calibration = (
        "percentile: where the mean stands among the reference's transcripts"
        if block.reference
        else f"uncalibrated: no deployment reference ({block.uncalibrated})"
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
        frozenset({1, 2, 3, 4, 5, 6, 7}),
        caption
        + ("." if drawn else "; 0 → 1: how the transcripts' scores are spread."),
    )


def missing(block: Block) -> Table:
    """What is missing and what it could have done; rows with nothing missing left out."""
    rows = [
        (
            _source(row, subject=False),
            _lacking(row.mean.missing, row.transcripts),
            _bounds(row.mean),
            _bounds(row.auroc),
            _lacking(row.missing_answers, row.answers),
        )
        for row in (*block.rows, *block.reference_rows)
        if row.mean.missing or row.missing_answers
    ]
    return Table(
        "What is missing",
        (
            "source",
            "transcripts without a score",
            "bounds of the mean",
            "bounds of the AUROC",
            "answers missing",
        ),
        tuple(rows),
        frozenset({2, 3}),
        "Bounds: worst and best case, the number if all missing scores lay at one end.",
    )


def reference(block: Block, *, drawn: bool) -> Table:
    """The deployment transcripts, source by source."""
    header = ("source", "written by", "transcripts", "scored", "mean P(eval)", "0 → 1")
    rows = [
        (
            _source(row, subject=False),
            row.subject or "unknown",
            f"{row.transcripts:,}",
            _share(row.scored, row.transcripts),
            _cell(row.mean),
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
            _cell(question.mean),
            f"{question.mean.estimate.n:,}",
            _lacking(question.missing_answers, question.answers),
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
            f"{_cell(habit.claim)} ({habit.scale} scale)" if habit.claim else NONE,
            f"{habit.claim.estimate.n:,}" if habit.claim else "0",
            habit.meaning,
        )
        for habit in block.habits
    ]
    if block.off_label is not None:
        rows.append(
            (
                "off-label probability",
                _cell(block.off_label),
                f"{block.off_label.estimate.n:,}",
                "mean probability of anything but the two labels",
            )
        )
    return Table(
        "The rater's habits",
        ("habit", "size", "n", "meaning"),
        tuple(rows),
        frozenset({1, 2}),
        "A bias cancels in P(eval) where each pair is asked both ways; it tells how "
        "far a single question could be trusted."
        if any(habit.claim for habit in block.habits)
        else "",
    )


def implementation(block: Block) -> Table:
    """How the questions were asked."""
    return Table(
        "How it was asked",
        ("field", "value"),
        (("rater", block.rater), *sorted(block.implementation.items())),
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


def bars(values: Sequence[float]) -> str:
    """A histogram of values in [0, 1] in ten characters.

    Example:
        >>> bars([0.05, 0.05, 0.55, 1.0])
        '█▁▁▁▁▅▁▁▁▅'
    """
    if not values:
        return NONE
    counts = [0] * 10
    for value in values:
        counts[min(9, int(value * 10))] += 1
    top = max(counts)
    return "".join(_BARS[-(-count * 7 // top)] for count in counts)


def _source(row: Row, *, subject: bool) -> str:
    """The source, with what is unusual about the row."""
    name = f"{row.source} ({row.subject or 'unknown'})" if subject else row.source
    return name if row.label != "unknown" else f"{name} (label unknown)"


def _cell(claim: Claim | None) -> str:
    """A claim's number with its interval."""
    return NONE if claim is None else shown(claim.estimate)


def _spread(claim: Claim) -> str:
    """SD and range over question pairs."""
    spread = claim.reliability
    if spread is None or spread.questions < 2:
        return NONE
    return f"{spread.sd:.2f} ({spread.low:.2f} to {spread.high:.2f})"


def _bounds(claim: Claim | None) -> str:
    """What the missing could have made of a number."""
    if claim is None or claim.bounds is None:
        return NONE
    return f"{claim.bounds.low:.2f} to {claim.bounds.high:.2f}"


def _lacking(found: Sequence[Missing], whole: int) -> str:
    """How many are missing of how many, and why."""
    reasons = ", ".join(f"{m.reason} {m.n}" for m in found)
    return f"{total(found):,} of {whole:,}" + (f" ({reasons})" if reasons else "")


def _share(part: int, whole: int) -> str:
    """A share; 100 % only if nothing is missing."""
    if not whole:
        return NONE
    percent = 100 * part / whole
    return f"{min(percent, 99) if part < whole else percent:.0f} %"
