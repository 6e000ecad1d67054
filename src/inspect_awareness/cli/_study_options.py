"""The options of `awareness study`, parsed."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeVar

from inspect_awareness.cli._stated import listed
from inspect_awareness.errors import InputError

V = TypeVar("V")

MOST_STEPS = 200
"""Combinations of levels that a sweep may have."""


@dataclass(frozen=True)
class Asked:
    """What the study is to say."""

    object_: str
    facets: tuple[str, ...]
    nested: dict[str, tuple[str, ...]]
    sizes: dict[str, float]
    """One number of levels for each facet that has one."""

    sweep: tuple[dict[str, float], ...]
    """All combinations of levels, where a facet has several; else empty."""

    fixed: tuple[str, ...]
    arms: tuple[str, ...]
    target: float
    seed: int


def asked_of(
    *,
    object_: str,
    facets: Sequence[str],
    nested: str,
    sizes: str,
    fixed: str,
    arms: str,
    target: float,
    seed: int,
) -> Asked:
    """The options, parsed.

    Raises:
        InputError: One cannot be read, or does not fit the others.
    """
    if not 0 < target < 1:
        raise InputError(f"--target must be between 0 and 1, got {target}")
    steps = _steps(sizes)
    asked = Asked(
        object_.strip(),
        tuple(facets),
        _nested(nested),
        {name: each[0] for name, each in steps.items() if len(each) == 1},
        _sweep(steps),
        tuple(listed(fixed)),
        tuple(listed(arms)),
        target,
        seed,
    )
    _check_fixed(asked)
    _check_arms(asked)
    return asked


def numbers_by_name(option: str, text: str) -> dict[str, float]:
    """`a=1,b=2.5` as numbers by name.

    Raises:
        InputError: A part is not of this form, or a name stands twice.
    """
    found: dict[str, float] = {}
    for part in listed(text):
        name, _, number = (piece.strip() for piece in part.partition("="))
        try:
            value = float(number)
        except ValueError:
            raise InputError(f"{option} {part!r}: write NAME=NUMBER") from None
        _add(found, name, value, option)
    return found


def _nested(text: str) -> dict[str, tuple[str, ...]]:
    """`c:b` as c within b; `c:b:a` as c within b and a."""
    found: dict[str, tuple[str, ...]] = {}
    for part in listed(text):
        inner, *outer = [name.strip() for name in part.split(":")]
        if not outer or not all((inner, *outer)):
            raise InputError(f"--nested {part!r}: write c:b for facet c within facet b")
        _add(found, inner, tuple(outer), "--nested")
    return found


def _steps(text: str) -> dict[str, list[int]]:
    """`B=6`, `B=2/4/8` or `B=1..8` as numbers of levels by facet."""
    found: dict[str, list[int]] = {}
    for part in listed(text):
        name, _, number = (piece.strip() for piece in part.partition("="))
        try:
            levels = _levels(number)
        except ValueError:
            raise InputError(
                f"--k {part!r}: write B=6 for 6 levels of facet B, B=2/4/8 or B=1..8 for "
                "several, whole numbers from 1 on"
            ) from None
        _add(found, name, levels, "--k")
    return found


def _levels(text: str) -> list[int]:
    """One whole number, several, or a range."""
    if ".." in text:
        low, high = (int(end) for end in text.split(".."))
        if high - low > MOST_STEPS:
            raise InputError(f"--k {text}: {MOST_STEPS} steps at most")
        levels = list(range(low, high + 1))
    else:
        levels = [int(each) for each in text.split("/")]
    if not levels or min(levels) < 1:
        raise ValueError(text)
    return list(dict.fromkeys(levels))


def _sweep(steps: dict[str, list[int]]) -> tuple[dict[str, float], ...]:
    """Every combination, where there is more than one."""
    names = list(steps)
    combined = list(product(*steps.values())) if names else []
    if len(combined) < 2:
        return ()
    if len(combined) > MOST_STEPS:
        raise InputError(
            f"--k asks for {len(combined)} combinations, {MOST_STEPS} at most"
        )
    return tuple(dict(zip(names, each, strict=True)) for each in combined)


def _add(found: dict[str, V], name: str, value: V, option: str) -> None:
    """Put a value under a name that is not yet there."""
    if name in found:
        raise InputError(f"{option} names {name} twice")
    found[name] = value


def _check_fixed(asked: Asked) -> None:
    """Some facet is sampled."""
    averaged = set(asked.facets) - _above(asked)
    if not averaged:
        raise InputError(
            f"{asked.object_} is nested in every facet, so that nothing is averaged "
            "over: name a facet on which each of them is measured"
        )
    if averaged <= set(asked.fixed):
        raise InputError(
            f"--fixed {','.join(asked.fixed)}: with every facet fixed no error is left, "
            "whatever the scores; leave one that is sampled"
        )


def _above(asked: Asked) -> set[str]:
    """The facets that the object is nested in, however far."""
    found: set[str] = set()
    near = {asked.object_}
    while near:
        near = {o for name in near for o in asked.nested.get(name, ())} - found
        found |= near
    return found


def _check_arms(asked: Asked) -> None:
    """Two arms, which are neither the object nor fixed."""
    if not asked.arms:
        return
    arms = ",".join(asked.arms)
    if len(set(asked.arms)) != 2 or len(asked.arms) != 2:
        raise InputError(f"--arms {arms}: name two crossed facets, A,B")
    for arm in asked.arms:
        if arm == asked.object_ or arm in asked.fixed:
            raise InputError(
                f"--arms {arms}: {arm} is the object or fixed; arms are sampled facets"
            )
