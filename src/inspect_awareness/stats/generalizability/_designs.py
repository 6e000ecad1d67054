"""Designs: which facets there are, how they nest, and which effects follow."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from inspect_awareness.stats._arrays import Floats

MOST_FACETS = 8
"""Crossed, they make 255 effects."""

Nesting = Mapping[str, str | Sequence[str]]
"""For each nested facet the facet, or the facets, that it is nested in."""

Effect = tuple[str, ...]
"""The facets of an effect, in the order of the design."""


@dataclass(frozen=True)
class Design:
    """The facets of a measurement and the effects that they make.

    An effect is a set of facets that holds, with each nested facet, all facets that it
    is nested in: raters within tasks (r:t) are the effect {t, r}. Any balanced crossed
    or nested design is given by these sets.
    """

    facets: tuple[str, ...]
    """Names, in the order of the axes."""

    within: tuple[frozenset[str], ...]
    """For each facet all facets above it; empty where it is crossed."""

    effects: tuple[Effect, ...]
    """Small ones first."""

    partial: bool = False
    """Whether some effects that the facets would have are left out."""

    @property
    def names(self) -> tuple[str, ...]:
        """The effects' names: their facets joined by a colon."""
        return tuple(":".join(effect) for effect in self.effects)

    def above(self, facet: str) -> frozenset[str]:
        """The facets that a facet is nested in."""
        return self.within[self.position(facet)]

    def position(self, facet: str) -> int:
        """The axis of a facet.

        Raises:
            ValueError: There is no such facet.
        """
        if facet not in self.facets:
            known = ", ".join(self.facets)
            raise ValueError(f"no facet {facet!r}; the facets are {known}")
        return self.facets.index(facet)

    def index(self, name: str) -> int:
        """The place of an effect among the effects; the order of facets is free.

        Raises:
            ValueError: There is no such effect.
        """
        wanted = set(name.split(":"))
        for place, effect in enumerate(self.effects):
            if set(effect) == wanted:
                return place
        raise ValueError(f"no effect {name!r}; the effects are {', '.join(self.names)}")

    def degrees(self, levels: Sequence[int]) -> Floats:
        """Degrees of freedom of each effect, for a number of levels a facet.

        By inclusion and exclusion: df(a) = prod n_f - sum of df(b) over b below a, with
        df of the mean 1.
        """
        size = dict(zip(self.facets, levels, strict=True))
        found: dict[Effect, float] = {(): 1.0}
        for effect in self.effects:
            cells = float(np.prod([size[f] for f in effect]))
            found[effect] = cells - sum(found[b] for b in self.below(effect))
        return np.array([found[effect] for effect in self.effects])

    def below(self, effect: Effect) -> list[Effect]:
        """The effects strictly inside one, with the mean, ()."""
        inside = [e for e in self.effects if set(e) < set(effect)]
        return [(), *inside]

    def expectations(self, levels: Sequence[int]) -> Floats:
        """The matrix M of E[MS] = M sigma^2, shape (effects, effects).

        EMS(a) = sum over b that hold a of sigma^2(b) prod_{f not in b} n_f.
        """
        size = dict(zip(self.facets, levels, strict=True))
        rows = [
            [
                float(np.prod([size[f] for f in self.facets if f not in b]))
                if set(a) <= set(b)
                else 0.0
                for b in self.effects
            ]
            for a in self.effects
        ]
        return np.array(rows)

    def only(self, names: Sequence[str]) -> "Design":
        """The design with some of its effects; that of all facets is always kept.

        Raises:
            ValueError: An effect is unknown.
        """
        kept = {self.index(name) for name in names} | {len(self.effects) - 1}
        chosen = tuple(e for k, e in enumerate(self.effects) if k in kept)
        partial = self.partial or len(chosen) < len(self.effects)
        return Design(self.facets, self.within, chosen, partial)


def design_of(facets: Sequence[str], nested: Nesting | None = None) -> Design:
    """The design with these facets.

    Args:
        facets: Names, in the order of the axes.
        nested: For each nested facet the one, or those, that it is nested in;
            `{"rater": "task"}` reads "raters within tasks".

    Raises:
        ValueError: A name is empty, given twice or holds a colon, a nested facet is
            unknown, or facets are nested in each other.

    Example:
        >>> design_of(["person", "task", "rater"], {"rater": "task"}).names
        ('person', 'task', 'person:task', 'task:rater', 'person:task:rater')
    """
    names = tuple(facets)
    _check_names(names)
    above = _closed(names, nested or {})
    sets = [
        tuple(f for place, f in enumerate(names) if bits >> place & 1)
        for bits in range(1, 2 ** len(names))
    ]
    kept = [s for s in sets if all(above[f] <= set(s) for f in s)]
    kept.sort(key=len)
    return Design(names, tuple(frozenset(above[f]) for f in names), tuple(kept))


def _check_names(names: tuple[str, ...]) -> None:
    """Names can be told apart and joined by colons."""
    if not names:
        raise ValueError("a design needs at least one facet")
    if len(names) > MOST_FACETS:
        raise ValueError(
            f"{len(names)} facets, {MOST_FACETS} at most: each one more doubles the "
            "effects"
        )
    if len(set(names)) < len(names):
        raise ValueError(f"a facet is named twice: {', '.join(names)}")
    for name in names:
        if not name or ":" in name:
            raise ValueError(f"a facet's name must be text without ':', got {name!r}")


def _closed(names: tuple[str, ...], nested: Nesting) -> dict[str, set[str]]:
    """For each facet all facets above it, however far."""
    above: dict[str, set[str]] = {name: set() for name in names}
    for facet, parents in nested.items():
        wanted = {parents} if isinstance(parents, str) else set(parents)
        for name in (facet, *sorted(wanted)):
            if name not in above:
                raise ValueError(
                    f"nested facet {name!r} is not among the facets {', '.join(names)}"
                )
        above[facet] |= wanted
    for _ in names:
        for facet in names:
            above[facet] |= {far for near in above[facet] for far in above[near]}
    for facet in names:
        if facet in above[facet]:
            raise ValueError(f"facet {facet!r} is nested in itself")
    return above
