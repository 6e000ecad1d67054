"""What `awareness study` computes from components."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from inspect_awareness.cli._study_options import Asked

if TYPE_CHECKING:
    from inspect_awareness.stats import (
        Components,
        DStudy,
        Estimate,
        LevelsNeeded,
        Reliability,
    )
    from inspect_awareness.stats.generalizability import ArmsBias, Fiducial

FLAT = "flat arms"
"""The name of the facet that two arms make."""


@dataclass(frozen=True)
class Wanted:
    """How many levels of a facet, for a coefficient."""

    needed: "LevelsNeeded"
    interval: "Estimate"


@dataclass(frozen=True)
class Flat:
    """What an analysis says that takes two crossed arms for one facet."""

    arms: tuple[str, str]
    reliability: "Reliability"
    object_: float
    """Its raw component of the object."""

    crossed: float
    """That of the crossed analysis."""

    weights: "ArmsBias"
    """What of object x arm it adds to the object."""


@dataclass(frozen=True)
class Rows:
    """What became of the rows of the table."""

    empty: int = 0
    """Rows without a value."""

    lost: tuple[str, ...] = ()
    """Levels none of whose rows has a value."""

    remarks: tuple[str, ...] = ()
    """How labels were read."""


@dataclass(frozen=True)
class Answer:
    """What the statistics say."""

    components: "Components"
    spread: "dict[str, Estimate]"
    reliability: "Reliability"
    study: "DStudy"
    needed: tuple[Wanted, ...]
    sweep: "tuple[Reliability, ...]"
    flat: Flat | None
    target: float
    rows: Rows


def answer_of(components: "Components", asked: Asked, rows: Rows) -> Answer:
    """Coefficients and numbers of levels, each with its interval.

    Raises:
        ValueError: What is asked does not fit the components.
    """
    from inspect_awareness.stats import (
        component_estimates,
        d_study,
        fiducial,
        reliability,
    )

    rng = np.random.default_rng(asked.seed)
    known = fiducial(components, rng=rng)
    found = reliability(known, asked.object_, asked.sizes, fixed=asked.fixed)
    return Answer(
        components,
        component_estimates(known),
        found,
        d_study(components, asked.object_, asked.sizes, fixed=asked.fixed),
        _needed(known, asked, found),
        tuple(
            reliability(known, asked.object_, sizes, fixed=asked.fixed)
            for sizes in asked.sweep
        ),
        _flat(components, asked, found, rng) if asked.arms else None,
        asked.target,
        rows,
    )


def _needed(
    known: "Fiducial", asked: Asked, found: "Reliability"
) -> tuple[Wanted, ...]:
    """For each facet that is sampled the levels for either coefficient."""
    from inspect_awareness.stats import levels_needed, levels_needed_estimate

    wanted = [
        levels_needed(
            known.components,
            asked.object_,
            facet,
            target=asked.target,
            sizes=asked.sizes,
            fixed=asked.fixed,
            kind=kind,
        )
        for facet in found.sizes
        if facet not in asked.fixed
        for kind in ("g_coefficient", "phi")
    ]
    return tuple(
        Wanted(
            each, levels_needed_estimate(known, asked.object_, each, fixed=asked.fixed)
        )
        for each in wanted
    )


def _flat(
    components: "Components",
    asked: Asked,
    crossed: "Reliability",
    rng: np.random.Generator,
) -> Flat:
    """The flat analysis of the same data, over as many combinations of the arms."""
    from inspect_awareness.stats import arms_bias, fiducial, flat_arms, reliability

    first, second = asked.arms
    flat = flat_arms(components, asked.arms, FLAT)
    sizes = {f: k for f, k in asked.sizes.items() if f not in asked.arms}
    sizes[FLAT] = crossed.sizes[first] * crossed.sizes[second]
    known = fiducial(flat, rng=rng)
    levels = dict(zip(components.design.facets, components.levels, strict=True))
    return Flat(
        (first, second),
        reliability(known, asked.object_, sizes, fixed=asked.fixed),
        float(flat.of(asked.object_)),
        float(components.of(asked.object_)),
        arms_bias(levels[first], levels[second]),
    )
