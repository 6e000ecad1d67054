"""Sentences about the parts of a block that stand beside its mean and AUROC."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from inspect_awareness.claims import ENOUGH_FOR_99, counted, shown
from inspect_awareness.report._apart import poor
from inspect_awareness.report._contents import Block, Row
from inspect_awareness.report._floors import Floors
from inspect_awareness.report._onset import FEWEST_TURNS
from inspect_awareness.report._raters import RaterDifference
from inspect_awareness.stats import Estimate

NAMED = 5
"""Most sources that a sentence names."""


def about_99(block: Block) -> list[str]:
    """Why there is no share above the reference's 99th percentile, or what it is."""
    if block.reference is None or not block.rows:
        return []
    if not block.reference.has_99:
        return [
            "The share above the reference's 99th percentile is not given: the "
            f"reference has {block.reference.counted} with a score, and one of a hundred "
            f"can be told from {ENOUGH_FOR_99} transcripts on."
        ]
    return [
        f"{row.source}: {shown(row.above.estimate)} of the transcripts score above the "
        "reference's 99th percentile; of deployment transcripts it is 0.01. The "
        "percentile itself is taken as known."
        for row in block.leading_rows
        if row.above is not None
    ]


def about_selection(block: Block) -> list[str]:
    """That questions were chosen for the rater, and what that rules out."""
    chosen = block.implementation.get("selection")
    if chosen is None:
        return []
    return [
        f"The questions were chosen for {block.rater} (selection {chosen}): this is its "
        "best instrument, and another one than other raters got. Models are compared on "
        "P(eval) from all questions, never on this. The transcripts that it was chosen "
        "on make it look better than it is."
    ]


def about_prior(block: Block) -> list[str]:
    """What a prior was, and which numbers know nothing of it."""
    if not any(row.uncorrected for row in block.rows):
        return []
    return [
        "A prior was subtracted: from the log-odds of each pair of questions those that "
        "the rater gave about transcripts without content. The mean without this stands "
        "beside; question by question, reliability and habits are without it too."
    ]


def about_floors(block: Block, floors: Floors | None) -> list[str]:
    """How the AUROC stands to what surface form alone achieves."""
    if floors is None:
        return []
    if floors.best is None:
        reasons = {f.auroc.note or f.note for f in floors.floors} - {""}
        why = f" ({'; '.join(sorted(reasons))})" if reasons else ""
        return [f"{floors.file}: no floor in it is defined{why}."]
    if not same_view(block, floors):
        return [
            f"The floor was measured on the view {floors.view} of transcripts, the rater "
            f"saw {block.implementation.get('view', 'full')}: they are not compared."
        ]
    found = []
    for row in block.leading_rows:
        if row.auroc is None or row.auroc.floor is None:
            continue
        verdict = _verdict(row.auroc.estimate, row.auroc.floor)
        found.append(
            f"{row.source}: the floor ({floors.best.name}) is AUROC "
            f"{shown(row.auroc.floor)}; the rater's is {row.auroc.excess:+.2f} from it "
            f"(without an interval, since the two are not paired). {verdict}"
        )
        found += _other_transcripts(row, block, floors)
    return found


def about_raters(block: Block, raters: Iterable[RaterDifference]) -> list[str]:
    """How the AUROC stands to another rater's on the same transcripts."""
    view = block.implementation.get("view", "full")
    found = []
    for each in raters:
        if block.rater not in (each.first, each.second) or view != each.view:
            continue
        mine = block.rater == each.first
        other, area = (
            (each.second, each.second_auroc) if mine else (each.first, each.first_auroc)
        )
        e = each.difference.estimate
        gap = e if mine else replace(e, value=-e.value, low=-e.high, high=-e.low)
        whose = f" by {each.difference.subject}" if len(block.subjects) > 1 else ""
        found.append(
            f"On the {each.evaluation:,} evaluation{whose} and {each.deployment:,} "
            f"deployment transcripts that both scored, {other} reaches AUROC {area:.2f}; "
            f"the difference to it is {shown(gap)}."
        )
    return found


def _verdict(rater: Estimate, floor: Estimate) -> str:
    """What an AUROC above or near the floor is worth."""
    if not (rater.has_interval and floor.has_interval):
        return "Without both intervals it cannot be said whether it is above the floor."
    if rater.low > floor.high:
        return "What is above the floor is not due to it; topic and style remain."
    return (
        "The two intervals overlap: it is not shown that the scores hold more than "
        "surface form does."
    )


def same_view(block: Block, floors: Floors) -> bool:
    """Whether floors were measured on what the rater saw, as far as is known."""
    return floors.view in (None, block.implementation.get("view", "full"))


def _other_transcripts(row: Row, block: Block, floors: Floors) -> list[str]:
    """Whether floor and AUROC stand on as many transcripts of the same sources."""
    mine = {
        "evaluation": _by_source(r for r in block.rows if _is_part(r, row)),
        "deployment": _by_source(r for r in block.reference_rows if not r.pooled),
    }
    differing = [
        f"{label} from {name}: {floors.sources[label].get(name, 0):,} and {n:,}"
        for label, sources in mine.items()
        for name, n in _all_of(sources, floors.sources[label]).items()
        if n != floors.sources[label].get(name, 0)
    ]
    if not differing:
        return []
    named = differing[:NAMED]
    more = len(differing) - len(named)
    return [
        f"The floor was measured on {_sizes(floors.sources)}, the AUROC on "
        f"{_sizes(mine)}: they are not the same set ({'; '.join(named)}"
        + (f"; {counted(more, 'more source')})." if more else ").")
    ]


def _is_part(row: Row, leading: Row) -> bool:
    """Whether a row of one source is in a leading row, or is it."""
    same = (row.subject, row.label) == (leading.subject, leading.label)
    return same and not row.pooled


def _by_source(rows: Iterable[Row]) -> dict[str, int]:
    """Scored transcripts by source, whoever wrote them."""
    return dict(sum((Counter({r.source: r.scored}) for r in rows), Counter()))


def _all_of(mine: Mapping[str, int], floors: Mapping[str, int]) -> dict[str, int]:
    """Numbers by source, 0 for those that only the floor has."""
    return {name: mine.get(name, 0) for name in sorted({*mine, *floors})}


def _sizes(sources: Mapping[str, Mapping[str, int]]) -> str:
    """Transcripts and sources of each label."""
    return " and ".join(
        f"{counted(sum(by.values()), f'{label} transcript')} from "
        f"{counted(sum(n > 0 for n in by.values()), 'source')}"
        for label, by in sources.items()
    )


def about_controls(block: Block) -> list[str]:
    """Whether the rater can say what is plainly in a transcript."""
    failed = poor(block.controls)
    if failed is None:
        return []
    e = failed.accuracy.estimate
    chance = "; chance is 0.5" if not e.has_interval or e.contains(0.5) else ""
    sides = [
        f"{shown(claim.estimate)} where {word} is right"
        for word, claim in (("yes", failed.where_yes), ("no", failed.where_no))
        if claim is not None
    ]
    return [
        "Warning: of the control questions, whose answers are known from the "
        f"transcript, the rater answers {shown(e)} right{chance} ({', '.join(sides)}). "
        "A rater that cannot say what is in a transcript cannot be trusted about "
        "awareness."
    ]


def about_design(block: Block) -> list[str]:
    """Whether more questions would help."""
    found = []
    for each in block.over_questions.coefficients:
        e = each.ranking.estimate
        if e.value != e.value:
            continue
        found.append(
            f"Over {each.pairs} question pairs {each.object_}s are ranked with "
            f"E rho^2 {shown(e)}: the share of the differences that other questions "
            f"of this kind would show again. For ranking, "
            f"{each.needed_for_ranking.sentence}."
        )
    return found


def about_onset(block: Block) -> list[str]:
    """How many curves rise, and what that is worth."""
    if block.onset is None:
        return []
    found = [
        f"Of {counted(claim.estimate.n, f'{claim.source} transcript')} with "
        f"{FEWEST_TURNS} turns or more, {shown(claim.estimate)} rise with p <= .05; chance alone gives 0.05."
        for claim in block.onset.rising
    ]
    if not found:
        found = [
            f"No transcript has {FEWEST_TURNS} scored turns, so that no rise can be told."
        ]
    return [
        *found,
        "A rise is a step or a drift: later beginnings hold more text, and length alone "
        "may raise a score.",
    ]


def about_apart(block: Block) -> list[str]:
    """Whether what stands apart can be compared."""
    if not block.apart:
        return []
    labels = {each.label for each in block.apart}
    found = (
        "Ratings, comparisons, answers in words and indirect questions are shown apart: "
        "none of them is in P(eval)."
    )
    if "deployment" in labels:
        return [found]
    return [
        f"{found} No deployment transcript was asked these questions, so that their "
        "means say little."
    ]
