"""What `awareness study` prints: JSON, or tables and sentences."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite, isnan
from typing import TYPE_CHECKING, Any

from inspect_awareness.cli._shared import out

if TYPE_CHECKING:
    from inspect_awareness.stats import Components, Estimate, LevelsNeeded, Reliability


@dataclass(frozen=True)
class Answer:
    """What the statistics say."""

    components: "Components"
    spread: "dict[str, Estimate]"
    reliability: "Reliability"
    needed: "tuple[Wanted, ...]"
    target: float
    empty: int
    """Rows without a value."""


@dataclass(frozen=True)
class Wanted:
    """How many levels of a facet, for a coefficient."""

    needed: "LevelsNeeded"
    interval: "Estimate"


def record(answer: Answer) -> dict[str, Any]:
    """The answer as JSON: what is undefined, or out of reach, is null."""
    components = answer.components
    sizes = {
        facet: int(k) if k == int(k) else k
        for facet, k in answer.reliability.sizes.items()
    }
    return {
        "components": {
            name: {
                "raw": _number(raw),
                "truncated": _number(truncated),
                "share": _number(share),
                "low": _number(answer.spread[name].low),
                "high": _number(answer.spread[name].high),
            }
            for name, raw, truncated, share in _rows(components)
        },
        "g_coefficient": _coefficient(answer.reliability.g_coefficient, sizes),
        "phi": _coefficient(answer.reliability.phi, sizes),
        "needed": _needed_record(answer.needed),
        "target": answer.target,
        "fixed": list(answer.reliability.fixed),
        "unresolved": list(components.unresolved),
        "n": components.n,
        "missing": components.missing,
        "rows_without_value": answer.empty,
        "levels": components.totals,
        "method": components.method,
        "criterion": _number(components.criterion),
    }


def _rows(components: "Components") -> Iterable[tuple[str, float, float, float]]:
    """Name, raw, truncated and share of each effect."""
    columns = (components.raw, components.truncated, components.share)
    lists = [column.tolist() for column in columns]
    return zip(components.design.names, *lists, strict=True)


def _coefficient(estimate: "Estimate", sizes: dict[str, float]) -> dict[str, Any]:
    """A coefficient as JSON."""
    return {
        "value": _number(estimate.value),
        "low": _number(estimate.low),
        "high": _number(estimate.high),
        "k": sizes,
        "objects": estimate.clusters,
        "method": estimate.method,
        "note": estimate.note,
    }


def _needed_record(wanted: Iterable[Wanted]) -> dict[str, dict[str, Any]]:
    """For each facet the number for E rho^2 and, inside, for Phi."""
    found: dict[str, dict[str, Any]] = {}
    for each in wanted:
        record = {
            "k": int(each.needed.k) if each.needed.reachable else None,
            "low": _number(each.interval.low),
            "high": _number(each.interval.high),
            "limit": _number(each.needed.limit),
            "suffices": each.needed.reachable,
        }
        if each.needed.kind == "g_coefficient":
            found[each.needed.facet] = record
        else:
            found[each.needed.facet]["phi"] = record
    return found


def _number(value: float) -> float | None:
    """A finite number, or null."""
    return float(value) if isfinite(value) else None


def show(answer: Answer, seed: int) -> None:
    """Tables and sentences for a reader."""
    components = answer.components
    _say(
        f"{components.n} values, {components.missing} cells missing; "
        + ", ".join(f"{facet} {count}" for facet, count in components.totals.items())
        + f"; {components.method}"
    )
    if answer.empty:
        _say(f"  {answer.empty} rows without a value are left out")
    _print_components(answer)
    if components.unresolved:
        names = ", ".join(components.unresolved)
        _say(f"  negative, set to 0: {names} (unresolved at these df, not absent)")
    _print_reliability(answer.reliability)
    for each in answer.needed:
        _say(f"  {_sentence(each, answer.target)}")
    _say(f"  seed of the intervals: {seed}")


def _print_components(answer: Answer) -> None:
    """A table of components and shares."""
    from rich.table import Table

    shown = Table("effect", box=None, header_style="bold")
    for name in ("component", "95 % interval", "share %"):
        shown.add_column(name, justify="right")
    for name, raw, _, share in _rows(answer.components):
        spread = answer.spread[name]
        shown.add_row(
            name, f"{raw:.6g}", _interval(spread, ".4g"), _shown(100 * share, ".1f")
        )
    out.print(shown)


def _print_reliability(found: "Reliability") -> None:
    """Both coefficients, and what was averaged over."""
    sizes = ", ".join(f"{k:.4g} {facet}" for facet, k in found.sizes.items())
    fixed = f"; fixed: {', '.join(found.fixed)}" if found.fixed else ""
    _say(f"A score of {found.object_} averaged over {sizes}{fixed}:")
    for title, estimate in (
        ("E rho^2 (ranking)", found.g_coefficient),
        ("Phi (level)", found.phi),
    ):
        value = _shown(estimate.value, ".3f")
        _say(f"  {title} {value} {_interval(estimate, '.3f')}")
    if found.g_coefficient.note:
        _say(f"  {found.g_coefficient.note}")


def _sentence(wanted: Wanted, target: float) -> str:
    """How many levels, or that none suffice."""
    each, name = wanted.needed, "E rho^2" if wanted.needed.kind != "phi" else "Phi"
    goal = f"{name} {target:g}"
    if isnan(each.k):
        return f"{goal}: undefined, since nothing varies"
    if not each.reachable:
        return (
            f"{goal}: no number of {each.facet} suffices "
            f"(the limit is {each.limit:.3f})"
        )
    interval = _interval(wanted.interval, ".0f")
    return f"{goal}: {each.k:.0f} {each.facet} {interval}"


def _interval(estimate: "Estimate", form: str) -> str:
    """[low, high], or nothing where there is none."""
    if isnan(estimate.low):
        return "(no interval)"
    return f"[{_shown(estimate.low, form)}, {_shown(estimate.high, form)}]"


def _shown(value: float, form: str) -> str:
    """A number, or words for what is none."""
    if isnan(value):
        return "undefined"
    return format(value, form) if isfinite(value) else "none suffices"


def _say(text: str) -> None:
    """A line without markup."""
    out.print(text, markup=False, highlight=False)
