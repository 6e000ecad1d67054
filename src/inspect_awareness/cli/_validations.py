"""The option `--judge`: how a judge did against humans, pooled or by stratum."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inspect_awareness.cli._stated import stated
from inspect_awareness.errors import InputError
from inspect_awareness.tables import Table, read_table

if TYPE_CHECKING:
    from inspect_awareness.stats import Validation

COUNTS = ("tp", "fp", "fn", "tn")
STRATA = ("model", "benchmark")

DESIGNS = {
    "random": "random",
    "judge": "judge_stratified",
    "truth": "truth_stratified",
}
"""How the user says it, and how the statistics do."""

Stratum = tuple[str, str]

POOLED = (
    "one validation set for several models or benchmarks: where awareness is rarer or "
    "more frequent than in the set, its PPV and NPV mislead; validate each"
)
STABLE = (
    "one validation set for several models or benchmarks: it is taken that the judge's "
    "sensitivity and specificity are the same on all of them"
)


@dataclass(frozen=True)
class Judge:
    """What `--judge` said, for the strata of a table."""

    validations: "Mapping[Stratum, Validation]"
    """The validation set of each model and benchmark that has one."""

    warning: str
    """What is to be said where one set serves several strata."""


def judge_of(
    given: str, drawn: str, strata: list[Stratum], *, folder: Path = Path()
) -> Judge:
    """Read `TP,FP,FN,TN`, or a CSV of them.

    Args:
        given: Four counts with commas between them, or the path of a CSV with columns
            tp, fp, fn, tn and any of model, benchmark.
        drawn: `random`, `judge` or `truth`.
        strata: The models and benchmarks whose rates are wanted.
        folder: Where a relative path starts.

    Raises:
        InputError: The counts are none, a stratum has two rows, or none has one.
    """
    counts = _counts(given)
    if counts is not None:
        return _spread((), {(): _validation(counts, drawn)}, strata)
    table = read_table(folder / given, *COUNTS)
    names = tuple(name for name in STRATA if name in table)
    return _spread(names, _sets(table, names, drawn), strata)


def _counts(given: str) -> list[int] | None:
    """Four whole numbers, or None for a path."""
    parts = [part.strip() for part in given.split(",")]
    if not all(part.lstrip("+-").replace(".", "").isdigit() for part in parts):
        return None
    if len(parts) != len(COUNTS) or not all(part.isdecimal() for part in parts):
        raise InputError(
            f"--judge {given!r}: write four counts TP,FP,FN,TN such as 36,12,1,51, or "
            "the path of a CSV with columns tp, fp, fn, tn"
        )
    return [int(part) for part in parts]


def _validation(counts: list[int], drawn: str) -> "Validation":
    """A validation set with its design."""
    from inspect_awareness.stats import Validation

    design: Any = DESIGNS[drawn]
    tp, fp, fn, tn = counts
    return stated(lambda: Validation(tp, fp, fn, tn, design))


def _sets(
    table: Table, names: tuple[str, ...], drawn: str
) -> "dict[tuple[str, ...], Validation]":
    """The set of each row, by the columns that tell rows apart."""
    keys = zip(*(table.text(name) for name in names), strict=True)
    rows = zip(*(table.counts(name) for name in COUNTS), strict=True)
    found: dict[tuple[str, ...], Validation] = {}
    all_keys = list(keys) if names else [()] * len(table)
    for key, row, line in zip(all_keys, rows, table.lines, strict=True):
        if key in found:
            what = " and ".join(names) or "table without a column model or benchmark"
            raise InputError(
                f"{table.path}, line {line}: a second row of this {what}; add up the "
                "counts, or name what tells the rows apart"
            )
        found[key] = _validation(list(row), drawn)
    return found


def _spread(
    names: tuple[str, ...],
    sets: "dict[tuple[str, ...], Validation]",
    strata: list[Stratum],
) -> Judge:
    """The set that serves each stratum."""

    def key(stratum: Stratum) -> tuple[str, ...]:
        named = dict(zip(STRATA, stratum, strict=True))
        return tuple(named[name] for name in names)

    found = {s: sets[key(s)] for s in strata if key(s) in sets}
    if not found:
        wanted = ", ".join("/".join(each) for each in dict.fromkeys(map(key, strata)))
        there = ", ".join("/".join(each) for each in sets)
        raise InputError(
            f"no validation set fits: the table has {' and '.join(names)} {wanted}; "
            f"the sets are of {there}"
        )
    shared = len({key(s) for s in found}) < len(found)
    truth = next(iter(sets.values())).design == "truth_stratified"
    return Judge(found, (STABLE if truth else POOLED) if shared else "")
