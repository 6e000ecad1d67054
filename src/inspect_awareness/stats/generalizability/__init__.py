"""Variance components, coefficients, and how many levels are needed."""

from inspect_awareness.stats.generalizability._arms import (
    ArmsBias,
    arms_bias,
    flat_arms,
)
from inspect_awareness.stats.generalizability._components import (
    Components,
    stated_components,
    variance_components,
)
from inspect_awareness.stats.generalizability._d_study import DStudy, d_study
from inspect_awareness.stats.generalizability._designs import Design, design_of
from inspect_awareness.stats.generalizability._fiducial import (
    Fiducial,
    Reliability,
    component_estimates,
    fiducial,
    reliability,
)
from inspect_awareness.stats.generalizability._needed import (
    LevelsNeeded,
    levels_needed,
    levels_needed_estimate,
)
from inspect_awareness.stats.generalizability._tabulated import tabulated_components

__all__ = [
    "ArmsBias",
    "Components",
    "DStudy",
    "Design",
    "Fiducial",
    "LevelsNeeded",
    "Reliability",
    "arms_bias",
    "component_estimates",
    "d_study",
    "design_of",
    "fiducial",
    "flat_arms",
    "levels_needed",
    "levels_needed_estimate",
    "reliability",
    "stated_components",
    "tabulated_components",
    "variance_components",
]
