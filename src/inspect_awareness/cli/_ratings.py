"""A table of ratings: a row an item, a column a rater."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from inspect_awareness.cli._shared import estimate_record, out
from inspect_awareness.cli._stated import plain, say, stated
from inspect_awareness.errors import InputError
from inspect_awareness.tables import EMPTY, Table, read_table

if TYPE_CHECKING:
    from inspect_awareness.stats import Estimate

MOST_CATEGORIES = 100
"""More different ratings than these are no categories."""

UNEQUAL = (
    "items have different numbers of ratings: alpha takes those, Fleiss' kappa not"
)


@dataclass(frozen=True)
class Ratings:
    """Ratings as numbers, and what these stand for."""

    raters: tuple[str, ...]
    values: npt.NDArray[np.float64]
    """Shape (raters, items), NaN where there is none."""

    categories: dict[str, int]
    """How often each category was chosen, in their order; empty on an interval scale."""


@dataclass(frozen=True)
class Agreement:
    """How far the raters agree, all together and two by two."""

    ratings: Ratings
    metric: str
    alpha: "Estimate"
    fleiss: "Estimate | None"
    """None on a scale that is not of categories."""

    pairs: "dict[tuple[str, str], Estimate]"
    """Cohen's kappa of each two raters, on the items that both rated."""


def read_ratings(path: Path, raters: Sequence[str], metric: str) -> Ratings:
    """The ratings in the columns of a CSV.

    Raises:
        InputError: A column is missing, there are fewer than two raters, or the ratings
            do not suit the metric.
    """
    twice = [name for name, count in Counter(raters).items() if count > 1]
    if twice or len(raters) < 2:
        what = f"{', '.join(twice)} is named twice" if twice else "two are needed"
        raise InputError(
            f"--raters {','.join(raters)}: {what}; name columns such as A,B"
        )
    table = read_table(path, *raters)
    if metric == "interval":
        values = np.stack([table.numbers(name, empty=True) for name in raters])
        return Ratings(tuple(raters), values, {})
    return _categories(table, raters, metric)


def agreement_of(ratings: Ratings, metric: Any) -> Agreement:
    """Alpha for any ratings; Fleiss' and Cohen's kappa for categories."""
    from inspect_awareness.stats import krippendorff_alpha

    alpha = stated(lambda: krippendorff_alpha(ratings.values, metric=metric))
    if metric != "nominal":
        return Agreement(ratings, metric, alpha, None, {})
    pairs = {
        (ratings.raters[a], ratings.raters[b]): _cohen(ratings, a, b)
        for a, b in combinations(range(len(ratings.raters)), 2)
    }
    return Agreement(ratings, metric, alpha, _fleiss(ratings), pairs)


def agreement_record(found: Agreement) -> dict[str, Any]:
    """The agreement as JSON."""
    known = ~np.isnan(found.ratings.values)
    return {
        "alpha": _ends(found.alpha),
        "fleiss": _ends(found.fleiss) if found.fleiss else None,
        "pairs": [
            {"raters": list(names), **_ends(each)}
            for names, each in found.pairs.items()
        ],
        "metric": found.metric,
        "raters": {
            name: int(row.sum())
            for name, row in zip(found.ratings.raters, known, strict=True)
        },
        "categories": found.ratings.categories,
        "items": known.shape[1],
        "items_with_one_rating_or_none": int((known.sum(0) < 2).sum()),
    }


def print_agreement(found: Agreement) -> None:
    """A table, and what went in."""
    from rich.table import Table as Shown

    record = agreement_record(found)
    shown = Shown("", box=None, header_style="bold")
    for name in ("value", "95 % interval", "ratings", "items"):
        shown.add_column(name, justify="right", overflow="fold")
    rows = {f"Krippendorff's alpha ({found.metric})": found.alpha}
    if found.fleiss:
        rows["Fleiss' kappa"] = found.fleiss
    for (one, other), each in found.pairs.items():
        rows[f"Cohen's kappa, {one} and {other}"] = each
    for name, each in rows.items():
        shown.add_row(plain(name), *_cells(each), str(each.n), str(each.clusters))
    out.print(shown)
    for line in _remarks(rows, record):
        say(line)


def _remarks(rows: "dict[str, Estimate]", record: dict[str, Any]) -> list[str]:
    """Notes, what the numbers mean, and what went in."""
    lines = [f"{name}: {each.note}" for name, each in rows.items() if each.note]
    lines.append(
        "1 is full agreement, 0 what chance gives; intervals are about other such items"
    )
    lines.append(f"ratings by {_counted(record['raters'])} of {record['items']} items")
    if record["categories"]:
        lines.append(f"categories: {_counted(record['categories'])}")
    left = record["items_with_one_rating_or_none"]
    if left:
        lines.append(f"items with fewer than two ratings are left out: {left}")
    return lines


def _categories(table: Table, raters: Sequence[str], metric: str) -> Ratings:
    """Categories as 0, 1, ...; by size where all are numbers, else by name."""
    cells = [table.cells(name) for name in raters]
    given = {c for column in cells for c in column if c.lower() not in EMPTY}
    codes: dict[str, Any]
    if all(_is_number(cell) for cell in given):
        codes = {cell: float(cell) for cell in given}
    elif metric == "ordinal":
        for name in raters:
            table.numbers(name, empty=True)
        raise AssertionError  # a cell is no number, so that a column refused it
    else:
        codes = {cell: cell for cell in given}
    names: dict[Any, str] = {}
    for cell in sorted(given, key=lambda each: (len(each), each)):
        names.setdefault(codes[cell], cell)
    ordered = sorted(names)
    if len(ordered) > MOST_CATEGORIES:
        raise InputError(
            f"{table.path}: {len(ordered)} different ratings, {MOST_CATEGORIES} at most "
            f"with --metric {metric}; numbers on a scale take --metric interval"
        )
    place = {cell: float(ordered.index(codes[cell])) for cell in given}
    values = np.array([[place.get(c, np.nan) for c in column] for column in cells])
    counts = Counter(values[~np.isnan(values)].tolist())
    frequent = {names[code]: counts[float(k)] for k, code in enumerate(ordered)}
    return Ratings(tuple(raters), values, frequent)


def _is_number(cell: str) -> bool:
    """Whether a cell is a finite number."""
    try:
        return bool(np.isfinite(float(cell))) and "_" not in cell
    except ValueError:
        return False


def _fleiss(ratings: Ratings) -> "Estimate":
    """Fleiss' kappa of the items that anybody rated, where they are rated alike."""
    from inspect_awareness.stats import Estimate, fleiss_kappa

    count = len(ratings.categories)
    each = [(ratings.values == k).sum(0) for k in range(count)]
    table = np.stack(each, axis=1) if each else np.zeros((0, 0))
    table = table[table.sum(1) > 0]
    sizes = set(table.sum(1).tolist())
    if len(sizes) > 1 or sizes == {1}:
        nan = float("nan")
        return Estimate(nan, nan, nan, 0.95, int(table.sum()), len(table), note=UNEQUAL)
    return fleiss_kappa(table)


def _cohen(ratings: Ratings, one: int, other: int) -> "Estimate":
    """Cohen's kappa of two raters."""
    from inspect_awareness.stats import cohen_kappa

    both = ratings.values[[one, other]]
    both = both[:, ~np.isnan(both).any(0)].astype(np.int64)
    count = max(len(ratings.categories), 1)
    cells = np.bincount(both[0] * count + both[1], minlength=count**2)
    return cohen_kappa(cells.reshape(count, count))


def _ends(estimate: "Estimate") -> dict[str, Any]:
    """Value, interval, n and what to know."""
    known = estimate_record(estimate)
    return {
        **{key: known[key] for key in ("value", "low", "high", "n")},
        "items": estimate.clusters,
        "method": estimate.method,
        "note": estimate.note,
    }


def _cells(estimate: "Estimate") -> tuple[Any, Any]:
    """Value and interval, words where there is none."""
    value = f"{estimate.value:.3f}" if estimate.value == estimate.value else "undefined"
    ends = f"[{estimate.low:.3f}, {estimate.high:.3f}]"
    return plain(value), plain(ends if estimate.has_interval else "(no interval)")


def _counted(counts: dict[str, int]) -> str:
    """Names with counts."""
    return ", ".join(f"{name} {count}" for name, count in counts.items())
