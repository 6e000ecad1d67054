"""Arrays in, estimates out; numpy and scipy only."""

from inspect_awareness.stats._actors import Actors, awareness_actors
from inspect_awareness.stats._agreement import (
    JudgeAgreement,
    cohen_kappa,
    judge_agreement,
)
from inspect_awareness.stats._arms import ArmsBias, arms_bias, flat_arms
from inspect_awareness.stats._auroc import auroc, percentile_of
from inspect_awareness.stats._behaviour import BehaviourChange
from inspect_awareness.stats._clustered_auroc import clustered_auroc
from inspect_awareness.stats._clustered_mean import clustered_mean
from inspect_awareness.stats._components import (
    Components,
    stated_components,
    variance_components,
)
from inspect_awareness.stats._concordance import Concordance, kendall_w
from inspect_awareness.stats._designs import Design, design_of
from inspect_awareness.stats._estimate import Estimate
from inspect_awareness.stats._fiducial import (
    Fiducial,
    Reliability,
    component_estimates,
    fiducial,
    reliability,
)
from inspect_awareness.stats._framing import FramingEffect, framing_effect
from inspect_awareness.stats._judge_corrections import Validation
from inspect_awareness.stats._judge_error import corrected_rate
from inspect_awareness.stats._many_raters import fleiss_kappa, krippendorff_alpha
from inspect_awareness.stats._minf import FTest, MinF, min_f
from inspect_awareness.stats._missing import Bounds, auroc_bounds, mean_bounds
from inspect_awareness.stats._needed import (
    LevelsNeeded,
    levels_needed,
    levels_needed_estimate,
)
from inspect_awareness.stats._rates import Rate, awareness_rate, awareness_rates
from inspect_awareness.stats._reliability import DStudy, d_study
from inspect_awareness.stats._share_components import ShareComponent
from inspect_awareness.stats._shares import (
    AwarenessShares,
    awareness_shares,
    variance_shares,
)
from inspect_awareness.stats._tabulated import tabulated_components
from inspect_awareness.stats._tax import AwarenessTax, Equivalence, awareness_tax
from inspect_awareness.stats._tax_intervals import MeanFit
from inspect_awareness.stats._units import Unit, resampling_unit

__all__ = [
    "Actors",
    "ArmsBias",
    "AwarenessShares",
    "AwarenessTax",
    "BehaviourChange",
    "Bounds",
    "Components",
    "Concordance",
    "DStudy",
    "Design",
    "Equivalence",
    "Estimate",
    "FTest",
    "Fiducial",
    "FramingEffect",
    "JudgeAgreement",
    "LevelsNeeded",
    "MeanFit",
    "MinF",
    "Rate",
    "Reliability",
    "ShareComponent",
    "Unit",
    "Validation",
    "arms_bias",
    "auroc",
    "auroc_bounds",
    "awareness_actors",
    "awareness_rate",
    "awareness_rates",
    "awareness_shares",
    "awareness_tax",
    "clustered_auroc",
    "clustered_mean",
    "cohen_kappa",
    "component_estimates",
    "corrected_rate",
    "d_study",
    "design_of",
    "fiducial",
    "flat_arms",
    "fleiss_kappa",
    "framing_effect",
    "judge_agreement",
    "kendall_w",
    "krippendorff_alpha",
    "levels_needed",
    "levels_needed_estimate",
    "mean_bounds",
    "min_f",
    "percentile_of",
    "reliability",
    "resampling_unit",
    "stated_components",
    "tabulated_components",
    "variance_components",
    "variance_shares",
]
