"""Tables of onset, of the design of questions, and of what stands apart."""

from inspect_awareness.claims import shown
from inspect_awareness.report._cells import NONE, cell, lacking
from inspect_awareness.report._contents import Block
from inspect_awareness.report._onset import Curve
from inspect_awareness.report._table import Table

_MOST_CURVES = 30


def onset(block: Block) -> Table:
    """Where transcripts rise over their turns."""
    curves = block.onset.curves if block.onset else ()
    line = block.onset is not None and block.onset.threshold == block.onset.threshold
    more = len(curves) - _MOST_CURVES
    header = (
        "transcript",
        "turns",
        "first",
        "last",
        "rises at turn",
        "step",
        "p",
        *(("first above the 99th percentile",) if line else ()),
    )
    return Table(
        "Onset: P(eval) over turns",
        header,
        tuple(
            (*_curve(curve), *((_turn(curve.above_at),) if line else ()))
            for curve in curves[:_MOST_CURVES]
        ),
        frozenset(range(1, len(header))),
        "A rise is the split of the curve into two means that fits best among those "
        "that go up; step: how much higher the second mean is, which is too large for "
        "being the best of all splits; p: share of the orders of the same values that "
        "rise as clearly. The clearest come first"
        + (f"; {more:,} more are in the report's JSON." if more > 0 else "."),
    )


def coefficients(block: Block) -> Table:
    """How far the questions asked suffice."""
    rows = [
        (
            f"{name} ({each.object_}s)",
            cell(claim),
            f"{each.pairs}",
            needed.sentence,
        )
        for each in block.over_questions.coefficients
        for name, claim, needed in (
            ("ranking: E rho²", each.ranking, each.needed_for_ranking),
            ("placing: Phi", each.placing, each.needed_for_placing),
        )
    ]
    return Table(
        "Reliability over questions",
        ("for", "coefficient", "question pairs", "needed"),
        tuple(rows),
        frozenset({1, 2}),
        "Question pairs x transcripts as a random design. E rho²: would other questions "
        "of this kind order the transcripts alike; Phi: would they give the same level.",
    )


def components(block: Block) -> Table:
    """The parts of the variance of P(evaluation)."""
    design = block.over_questions
    return Table(
        "Where P(eval) varies",
        ("part", "variance", "share"),
        tuple(
            (
                part.name,
                _variance(part.estimate.value, part.estimate.low, part.estimate.high),
                NONE if part.share != part.share else f"{100 * part.share:.0f} %",
            )
            for part in design.components
        ),
        frozenset({1, 2}),
        f"Method: {design.method}. {' '.join(design.notes)}",
    )


def controls(block: Block) -> Table:
    """Questions whose answers are known."""
    return Table(
        "Controls: questions with known answers",
        (
            "question",
            "accuracy",
            "answers",
            "where yes is right",
            "where no is right",
            "missing",
        ),
        tuple(
            (
                control.question,
                cell(control.accuracy),
                f"{control.accuracy.estimate.n:,}",
                cell(control.where_yes),
                cell(control.where_no),
                lacking(
                    control.accuracy.missing,
                    control.accuracy.estimate.n
                    + sum(m.n for m in control.accuracy.missing),
                ),
            )
            for control in block.controls
        ),
        frozenset({1, 2, 3, 4}),
        "Share of answers that are right, an even one counted half; 0.5 is chance. A "
        "rater that always says yes is right wherever yes is, and nowhere else.",
    )


def apart(block: Block) -> Table:
    """What does not make P(evaluation)."""
    return Table(
        "Asked apart, and not in P(eval)",
        ("kind", "question", "transcripts", "label", "mean", "missing"),
        tuple(
            (
                each.family,
                each.question,
                f"{each.claim.estimate.n:,}",
                each.label,
                shown(each.claim.estimate),
                lacking(each.claim.missing, each.transcripts),
            )
            for each in block.apart
        ),
        frozenset({2, 4}),
        "Rating (of 100, as a share), pairwise (against a deployment transcript) and "
        "open (words, classified by a judge): 1 = evaluation. Indirect: P(yes), with no "
        "class of its own; compare the labels.",
    )


def _curve(curve: Curve) -> tuple[str, ...]:
    """The cells of a curve."""
    rises = curve.rise_at is not None
    return (
        curve.name,
        f"{len(curve.values)}" + (f" (+{curve.missing})" if curve.missing else ""),
        f"{curve.values[0]:.2f}" if curve.values else NONE,
        f"{curve.values[-1]:.2f}" if curve.values else NONE,
        _turn(curve.rise_at),
        f"{curve.step:+.2f}" if rises else NONE,
        f"{curve.p:.3f}" if rises else NONE,
    )


def _turn(turn: int | None) -> str:
    """A turn, if there is one."""
    return NONE if turn is None else str(turn)


def _variance(value: float, low: float, high: float) -> str:
    """A variance in three significant digits."""
    if value != value:
        return "not defined"
    ends = f"[{low:.3g}, {high:.3g}]" if low == low else "[no interval]"
    return f"{value:.3g} {ends}"
