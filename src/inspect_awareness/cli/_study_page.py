"""What `awareness study` prints: JSON, or tables and sentences."""

from collections.abc import Iterable
from math import isfinite, isnan, sqrt
from typing import TYPE_CHECKING, Any

from inspect_awareness.cli._shared import out
from inspect_awareness.cli._stated import known, plain, printable
from inspect_awareness.cli._study_answer import Answer, Flat, Wanted

if TYPE_CHECKING:
    from inspect_awareness.stats import Components, Estimate, Reliability


def record(answer: Answer) -> dict[str, Any]:
    """The answer as JSON: what is undefined, or out of reach, is null."""
    components = answer.components
    found = answer.reliability
    more: dict[str, Any] = {}
    if answer.sweep:
        more["sweep"] = [_coefficients(each) for each in answer.sweep]
    if answer.flat:
        more["flat"] = _flat_record(answer.flat)
    return {
        "components": {
            name: {
                "raw": known(raw),
                "truncated": known(truncated),
                "share": known(share),
                "low": known(answer.spread[name].low),
                "high": known(answer.spread[name].high),
                "df": known(degrees),
                "mean_square": known(square),
            }
            for (name, raw, truncated, share), degrees, square in zip(
                _rows(components),
                components.degrees.tolist(),
                components.mean_squares.tolist(),
                strict=True,
            )
        },
        **_coefficients(found),
        "variances": {
            "universe": known(float(answer.study.universe)),
            "relative_error": known(float(answer.study.relative)),
            "absolute_error": known(float(answer.study.absolute)),
        },
        "needed": _needed_record(answer.needed),
        "target": answer.target,
        "fixed": list(found.fixed),
        "unresolved": list(components.unresolved),
        "n": components.n,
        "missing": components.missing,
        "rows_without_value": answer.rows.empty,
        "levels_without_value": list(answer.rows.lost),
        "remarks": list(answer.rows.remarks),
        "levels": components.totals,
        "method": components.method,
        "criterion": known(components.criterion),
        **more,
    }


def _coefficients(found: "Reliability") -> dict[str, Any]:
    """Both coefficients as JSON."""
    sizes = {f: int(k) if k == int(k) else k for f, k in found.sizes.items()}
    return {
        "g_coefficient": _coefficient(found.g_coefficient, sizes),
        "phi": _coefficient(found.phi, sizes),
    }


def _flat_record(flat: Flat) -> dict[str, Any]:
    """The flat analysis as JSON."""
    first, second = flat.arms
    return {
        "arms": [first, second],
        **_coefficients(flat.reliability),
        "object": {
            "flat": known(flat.object_),
            "crossed": known(flat.crossed),
            "overstated": known(flat.object_ - flat.crossed),
        },
        "weights": {first: flat.weights.first, second: flat.weights.second},
    }


def _rows(components: "Components") -> Iterable[tuple[str, float, float, float]]:
    """Name, raw, truncated and share of each effect."""
    columns = (components.raw, components.truncated, components.share)
    lists = [column.tolist() for column in columns]
    return zip(components.design.names, *lists, strict=True)


def _coefficient(estimate: "Estimate", sizes: dict[str, float]) -> dict[str, Any]:
    """A coefficient as JSON."""
    return {
        "value": known(estimate.value),
        "low": known(estimate.low),
        "high": known(estimate.high),
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
            "low": known(each.interval.low),
            "high": known(each.interval.high),
            "limit": known(each.needed.limit),
            "suffices": each.needed.reachable,
        }
        if each.needed.kind == "g_coefficient":
            found[each.needed.facet] = record
        else:
            found[each.needed.facet]["phi"] = record
    return found


def show(answer: Answer, seed: int, unit: str) -> None:
    """Tables and sentences for a reader."""
    components = answer.components
    what = f"{components.n} values of {unit}" if unit else "published components"
    _say(
        f"{what}, {components.missing} cells missing; "
        + ", ".join(f"{facet} {count}" for facet, count in components.totals.items())
        + f"; {components.method}"
    )
    if answer.rows.empty:
        _say(f"  {answer.rows.empty} rows without a value are left out")
    if answer.rows.lost:
        _say(f"  without any value, left out: {', '.join(answer.rows.lost)}")
    for remark in answer.rows.remarks:
        _say(f"  {remark}")
    _print_components(answer, unit)
    if components.unresolved:
        names = ", ".join(components.unresolved)
        _say(f"  negative, set to 0: {names} (unresolved at these df, not absent)")
    _print_reliability(answer)
    _print_more(answer)
    for each in answer.needed:
        _say(f"  {_sentence(each, answer.target)}")
    _say(f"  seed of the intervals: {seed}")


def _print_components(answer: Answer, unit: str) -> None:
    """A table of components and shares."""
    from rich.table import Table

    shown = Table("effect", box=None, header_style="bold")
    squared = f"variance ({unit} squared)" if unit else "variance"
    for name in (squared, "95 % interval", "share %"):
        shown.add_column(plain(name), justify="right", overflow="fold")
    for name, raw, _, share in _rows(answer.components):
        spread = answer.spread[name]
        shown.add_row(
            plain(name),
            f"{raw:.6g}",
            plain(_interval(spread, ".4g")),
            _shown(100 * share, ".1f"),
        )
    out.print(shown)


def _print_reliability(answer: Answer) -> None:
    """Both coefficients, what was averaged over, and the error of a score."""
    found, study = answer.reliability, answer.study
    fixed = f"; fixed: {', '.join(found.fixed)}" if found.fixed else ""
    _say(f"A score of {found.object_} averaged over {_averaged(found)}{fixed}:")
    for title, estimate in (
        ("E rho^2 (share that is true difference, for ranking)", found.g_coefficient),
        ("Phi (the same, for the level itself)", found.phi),
    ):
        value = _shown(estimate.value, ".3f")
        _say(f"  {title} {value} {_interval(estimate, '.3f')}")
    _say(
        f"  standard error of a score: {sqrt(study.relative):.4g} for ranking, "
        f"{sqrt(study.absolute):.4g} for the level"
    )
    if found.g_coefficient.note:
        _say(f"  {found.g_coefficient.note}")


def _averaged(found: "Reliability") -> str:
    """`6 framing, 4 item`."""
    return ", ".join(f"{k:.4g} {facet}" for facet, k in found.sizes.items())


def _print_more(answer: Answer) -> None:
    """What was asked for besides: a flat analysis, a sweep."""
    if answer.flat:
        _print_flat(answer.flat)
    if answer.sweep:
        _print_sweep(answer.sweep)


def _print_flat(flat: Flat) -> None:
    """What a flat analysis would say, and by how much it overstates."""
    first, second = flat.arms
    _say(f"The same data with {first} x {second} taken for one flat facet:")
    for title, estimate in (
        ("E rho^2", flat.reliability.g_coefficient),
        ("Phi", flat.reliability.phi),
    ):
        value = _shown(estimate.value, ".3f")
        _say(f"  {title} {value} {_interval(estimate, '.3f')}")
    object_ = flat.reliability.object_
    _say(
        f"  its variance of {object_} is {flat.object_:.4g}, not {flat.crossed:.4g}: it "
        f"adds {flat.weights.first:.3f} of {object_}:{first} and "
        f"{flat.weights.second:.3f} of {object_}:{second}; quote the crossed one"
    )


def _print_sweep(sweep: "Iterable[Reliability]") -> None:
    """A row for each combination of levels."""
    from rich.table import Table

    shown = Table("averaged over", box=None, header_style="bold")
    for name in ("E rho^2", "95 % interval", "Phi", "95 % interval"):
        shown.add_column(plain(name), justify="right", overflow="fold")
    for each in sweep:
        cells = [
            plain(text)
            for estimate in (each.g_coefficient, each.phi)
            for text in (_shown(estimate.value, ".3f"), _interval(estimate, ".3f"))
        ]
        shown.add_row(plain(_averaged(each)), *cells)
    out.print(shown)


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
    out.print(printable(text), markup=False, highlight=False)
