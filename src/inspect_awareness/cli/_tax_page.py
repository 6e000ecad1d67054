"""What `awareness tax` prints: JSON, or tables and sentences."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from inspect_awareness.cli._shared import estimate_record, out
from inspect_awareness.cli._stated import known, percent, plain, say

if TYPE_CHECKING:
    from inspect_awareness.stats import Actors, AwarenessTax, Estimate
    from inspect_awareness.stats.tax import AdjustedTax

ACTORS = ("naive", "strategically_aware", "robustly_aligned", "undetermined")

MEDIATORS = (
    "a covariate that awareness itself changes (as it may lengthen reasoning) takes "
    "that part of the effect away"
)


@dataclass(frozen=True)
class Taxed:
    """The tax, and at equal covariates where there are any."""

    found: "AwarenessTax"
    adjusted: "AdjustedTax | None"


@dataclass(frozen=True)
class Answer:
    """What the statistics say."""

    whole: Taxed
    models: Mapping[str, Taxed]
    """Of each model; empty where there is one."""

    actors: "Sequence[Actors]"
    margin: float | None


def record(answer: Answer) -> dict[str, Any]:
    """The tax as JSON."""
    found, adjusted = answer.whole.found, answer.whole.adjusted
    change = found.behaviour
    whole: dict[str, Any] = {
        "within": {**_ends(found.within), "p": known(found.p)},
        "pooled": _ends(found.pooled),
        "between": _ends(found.between),
        "paper_mean": _ends(found.paper_mean),
        "informative_tasks": found.informative,
        "tasks": found.pairs,
        "mde": known(found.mde),
        "simpson": found.simpson,
        "actors": {each.model: _actors_record(each) for each in answer.actors},
        "behaviour_change": {
            **_ends(change.rate),
            "without_effect": known(change.without_effect),
            "excess": _ends(change.excess),
        },
        "missing": {
            "aware": found.unknown,
            "outcome": found.bounds.missing,
            "within_low": known(found.bounds.low),
            "within_high": known(found.bounds.high),
        },
        "models": {name: _model_record(one) for name, one in answer.models.items()},
    }
    if adjusted is not None:
        whole["adjusted"] = _adjusted_record(adjusted)
    if answer.margin is not None:
        test = found.equivalence(answer.margin)
        whole["equivalence"] = {
            "margin": answer.margin,
            "p": known(test.p),
            "equivalent": test.equivalent,
        }
    return whole


def _model_record(one: Taxed) -> dict[str, Any]:
    """The tax of one model."""
    adjusted = {"adjusted": _adjusted_record(one.adjusted)} if one.adjusted else {}
    return {
        **_ends(one.found.within),
        "p": known(one.found.p),
        "informative_tasks": one.found.informative,
        **adjusted,
    }


def _adjusted_record(adjusted: "AdjustedTax") -> dict[str, Any]:
    """The tax at equal covariates, beside that of the same samples without them."""
    return {
        **_ends(adjusted.within),
        "p": known(adjusted.p),
        "tasks": adjusted.within.clusters,
        "method": adjusted.within.method,
        "unadjusted": _ends(adjusted.unadjusted),
        "covariates": {name: _ends(each) for name, each in adjusted.covariates.items()},
        "missing": adjusted.missing,
    }


def _ends(estimate: "Estimate") -> dict[str, Any]:
    """Value and interval, and what to know about them."""
    found = estimate_record(estimate)
    kept = {key: found[key] for key in ("value", "low", "high", "n")}
    return {**kept, "note": estimate.note}


def _actors_record(actors: "Actors") -> dict[str, Any]:
    """The shares of a model, and how many would change by chance."""
    shares = {name: _ends(getattr(actors, name)) for name in ACTORS}
    return {**shares, "changed_without_effect": known(actors.changed_without_effect)}


def show(answer: Answer, seed: int) -> None:
    """Tables of differences and of actors, and what a reader must know."""
    _print_differences(answer)
    for line in (
        *_remarks(answer.whole.found),
        *_adjusted_remarks(answer),
        *_equivalence(answer),
        *_left_out(answer.whole),
        *_notes(answer),
        f"seed: {seed}",
    ):
        say(line)
    _print_actors(answer.actors)


def _print_differences(answer: Answer) -> None:
    """The table of differences, in the unit of the outcome."""
    from rich.table import Table

    shown = Table("mean outcome, aware - unaware", box=None, header_style="bold")
    for name in ("value", "95 % interval", "p"):
        shown.add_column(name, justify="right", overflow="fold")
    whole = answer.whole
    for name, estimate, p in (
        ("within tasks (the tax)", whole.found.within, whole.found.p),
        *((f"  {n}", o.found.within, o.found.p) for n, o in answer.models.items()),
        *_adjusted_rows(answer),
        ("unweighted mean over tasks", whole.found.paper_mean, None),
        ("pooled, tasks mixed", whole.found.pooled, None),
        ("between tasks, slope", whole.found.between, None),
    ):
        shown.add_row(plain(name), *_cells(estimate), _p(p))
    out.print(shown)


def _adjusted_rows(answer: Answer) -> list[tuple[str, "Estimate", float]]:
    """Differences at equal covariates, of all models and of each."""
    adjusted = answer.whole.adjusted
    if adjusted is None:
        return []
    title = f"within tasks, equal {', '.join(adjusted.covariates)}"
    return [
        (title, adjusted.within, adjusted.p),
        *(
            (f"  {name}", one.adjusted.within, one.adjusted.p)
            for name, one in answer.models.items()
            if one.adjusted
        ),
    ]


def _remarks(found: "AwarenessTax") -> list[str]:
    """What the table cannot say."""
    change = found.behaviour
    lines = [
        f"{found.informative} of {found.pairs} model-task pairs have both kinds of "
        "samples; the tax rests on these alone",
        "associated with awareness, not shown to be caused by it; a judge's errors "
        "shrink it",
    ]
    if found.mde == found.mde:
        lines.append(f"smallest effect found with 80 % power: {found.mde:.3f}")
    if change.rate.value == change.rate.value:
        lines.append(
            f"behaviour changed in {percent(change.rate)} % of aware samples, where "
            f"{100 * change.without_effect:.1f} % would without any effect"
        )
    if found.simpson:
        lines.append(
            "the pooled difference misleads: within tasks the effect has the other "
            "sign or cannot be told from 0"
        )
    return lines


def _adjusted_remarks(answer: Answer) -> list[str]:
    """What stands beside an adjusted tax."""
    adjusted = answer.whole.adjusted
    if adjusted is None:
        return []
    lines = [
        f"one more of {name} goes with {_text(each)} of the outcome, at equal awareness"
        for name, each in adjusted.covariates.items()
        if each.value == each.value
    ]
    if adjusted.missing:
        lines.append(
            f"without a covariate, left out of the adjusted tax: {adjusted.missing} "
            f"samples; the others unadjusted: {_text(adjusted.unadjusted)}"
        )
    return [*lines, MEDIATORS]


def _equivalence(answer: Answer) -> list[str]:
    """Whether the effect is smaller than the margin."""
    if answer.margin is None:
        return []
    test = answer.whole.found.equivalence(answer.margin)
    verdict = "is" if test.equivalent else "is not shown to be"
    shown = f" (p {test.p:.3g})" if test.p == test.p else ""
    return [f"the effect {verdict} smaller than {answer.margin:g}{shown}"]


def _left_out(whole: Taxed) -> list[str]:
    """What is missing, and between what the tax lies with it."""
    found = whole.found
    if not found.unknown and not found.bounds.missing:
        return []
    line = (
        f"left out: {found.unknown} samples without awareness, {found.bounds.missing} "
        "without outcome"
    )
    if found.bounds.missing and found.bounds.low == found.bounds.low:
        line += (
            f" (the tax is {found.bounds.low:+.3f} to {found.bounds.high:+.3f} "
            "whatever those outcomes were)"
        )
    return [line]


def _notes(answer: Answer) -> list[str]:
    """Why an interval is missing or fragile, by row."""
    found = answer.whole.found
    rows = {
        "within": found.within,
        "pooled": found.pooled,
        "between": found.between,
        **{name: one.found.within for name, one in answer.models.items()},
    }
    adjusted = {"adjusted": answer.whole.adjusted} | {
        f"{name}, adjusted": one.adjusted for name, one in answer.models.items()
    }
    rows |= {name: each.within for name, each in adjusted.items() if each}
    return [f"{name}: {each.note}" for name, each in rows.items() if each.note]


def _print_actors(actors: "Sequence[Actors]") -> None:
    """Shares in percent for each model."""
    from rich.table import Table

    if not actors:
        say("no sample of known awareness: nothing can be said about actors")
        return
    shown = Table("model", "its samples are", box=None, header_style="bold")
    for name in ("%", "without any effect %"):
        shown.add_column(name, justify="right", overflow="fold")
    for each in actors:
        chance = each.changed_without_effect
        for name in ACTORS:
            strategic = name == "strategically_aware" and chance == chance
            shown.add_row(
                plain(each.model) if name == ACTORS[0] else "",
                name.replace("_", " "),
                plain(percent(getattr(each, name))),
                f"{100 * chance:.1f}" if strategic else "",
            )
    out.print()
    out.print(shown)
    say("undetermined: aware, without an outcome or an unaware sample of its task")


def _cells(estimate: "Estimate") -> tuple[Any, Any]:
    """Value and interval, words where there is none."""
    if estimate.value != estimate.value:
        return plain("undefined"), plain("")
    if not estimate.has_interval:
        return plain(f"{estimate.value:+.3f}"), plain("(no interval)")
    ends = f"[{estimate.low:+.3f}, {estimate.high:+.3f}]"
    return plain(f"{estimate.value:+.3f}"), plain(ends)


def _text(estimate: "Estimate") -> str:
    """Value and interval in a sentence; slopes may be small."""
    if estimate.value != estimate.value:
        return "undefined"
    if not estimate.has_interval:
        return f"{estimate.value:+.3g}"
    return f"{estimate.value:+.3g} [{estimate.low:+.3g}, {estimate.high:+.3g}]"


def _p(value: float | None) -> str:
    """A p-value, or nothing."""
    return "" if value is None or value != value else f"{value:.3g}"
