"""Two crossed arms beside the same data as one flat facet of wrappers."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from inspect_awareness.stats._arrays import Floats
from inspect_awareness.stats.generalizability._components import Components, solved
from inspect_awareness.stats.generalizability._designs import Effect, design_of


@dataclass(frozen=True)
class ArmsBias:
    """By how much a flat analysis overstates the object: c_a s_ma + c_b s_mb."""

    first: float
    """c_a, the weight of object x first arm."""

    second: float
    """c_b, the weight of object x second arm."""


def arms_bias(first: int, second: int) -> ArmsBias:
    """The weights of the exact identity between flat and crossed arms.

    With n_a and n_b levels and df = n_a n_b - 1,
    s_m(flat) - s_m(crossed) = s_ma (1 - (n_a - 1) / df) / n_a
    + s_mb (1 - (n_b - 1) / df) / n_b.

    Args:
        first: n_a, levels of the first arm, such as evaluation framings.
        second: n_b, levels of the second arm.

    Raises:
        ValueError: An arm has fewer than two levels.

    References:
        "A Probe Direction Is a Property of Its Prompt", section 6.

    Example:
        >>> arms_bias(6, 6).first  # 1 / 7
        0.14285714285714288
    """
    if min(first, second) < 2:
        raise ValueError(f"2 or more levels in each arm, got {first} and {second}")
    df = first * second - 1
    return ArmsBias((1 - (first - 1) / df) / first, (1 - (second - 1) / df) / second)


def flat_arms(components: Components, arms: Sequence[str], name: str) -> Components:
    """What a flat analysis would report, had the two arms been called one facet.

    Sums of squares and degrees of freedom of all effects that differ only in the two
    arms are pooled; the EMS system of the flat design is solved for them. A flat
    analysis attributes variance of the arms to the object, so that its coefficients
    are too high: show them beside the crossed ones, never instead.

    Args:
        components: Of the crossed design, estimated or stated, of one or many data
            sets.
        arms: The two crossed facets.
        name: What the flat facet is called; it becomes the last facet.

    Returns:
        Components of the flat design, with n_a n_b levels of the flat facet.

    Raises:
        ValueError: The arms are not two different facets that are crossed with every
            other facet, or the name is taken.

    References:
        "A Probe Direction Is a Property of Its Prompt", section 6.
    """
    design = components.design
    _check(components, arms)
    sizes = dict(zip(design.facets, components.levels, strict=True))
    kept = [f for f in design.facets if f not in arms]
    nested = {f: tuple(design.above(f)) for f in kept if design.above(f)}
    flat = design_of([*kept, name], nested)
    levels = (*(sizes[f] for f in kept), sizes[arms[0]] * sizes[arms[1]])
    squares = components.raw @ design.expectations(components.levels).T
    sums = squares * design.degrees(components.levels)
    pooled = np.zeros((*components.raw.shape[:-1], len(flat.effects)))
    for place, effect in enumerate(design.effects):
        pooled[..., flat.index(_flat_name(effect, arms, name))] += sums[..., place]
    degrees = flat.degrees(levels)
    stated = bool(np.isnan(components.degrees).any())
    return replace(
        components,
        design=flat,
        levels=levels,
        table=_flat_table(components, [*kept, *arms], levels),
        usual=_flat_sizes(components.usual, components, kept, arms),
        distinct=tuple(
            int(k) for k in _flat_sizes(components.distinct, components, kept, arms)
        ),
        raw=solved(pooled / degrees, flat, levels),
        degrees=np.full(degrees.size, np.nan) if stated else degrees,
        mean_squares=pooled / degrees,
        method=f"{components.method}, arms as one flat facet",
    )


def _flat_table(
    components: Components, order: list[str], levels: tuple[int, ...]
) -> Floats | None:
    """The cells of an incomplete table, those of the arms side by side."""
    if components.table is None:
        return None
    axes = [components.design.position(facet) for facet in order]
    return components.table.transpose(axes).reshape(levels)


def _flat_sizes(
    sizes: Sequence[float],
    components: Components,
    kept: Sequence[str],
    arms: Sequence[str],
) -> tuple[float, ...]:
    """Numbers of levels with those of the arms multiplied; empty where not known."""
    if not sizes:
        return ()
    named = dict(zip(components.design.facets, sizes, strict=True))
    return (*(named[facet] for facet in kept), named[arms[0]] * named[arms[1]])


def _flat_name(effect: Effect, arms: Sequence[str], name: str) -> str:
    """The flat effect that an effect of the crossed design is pooled into."""
    kept = [facet for facet in effect if facet not in arms]
    return ":".join(kept if len(kept) == len(effect) else [*kept, name])


def _check(components: Components, arms: Sequence[str]) -> None:
    """Two different facets without nesting."""
    design = components.design
    if len(arms) != 2 or arms[0] == arms[1]:
        raise ValueError(f"arms must be two different facets, got {', '.join(arms)}")
    for arm in arms:
        inside = [f for f in design.facets if arm in design.above(f)]
        if design.above(arm) or inside:
            raise ValueError(f"arm {arm!r} must be crossed with every other facet")
