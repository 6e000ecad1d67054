"""Minimising a restricted likelihood over variance ratios that cannot be negative."""

from collections.abc import Callable
from dataclasses import dataclass
from math import log, pi

import numpy as np
from scipy.optimize import minimize

from inspect_awareness.stats._arrays import Floats

LEAST_SQUARES = 1e-30
"""What y'Py is taken for where values are an exact sum of effects: not 0."""

NO_RESIDUAL = 1e-12
"""Residual variance, as a share of all, below which values are an exact sum."""

Profile = Callable[[Floats], tuple[float, Floats, float]]
"""From ratios to -2 log L_R, its gradient, and the residual variance."""


@dataclass(frozen=True)
class Fit:
    """Where the restricted likelihood is greatest."""

    ratios: Floats
    """Each component over the residual variance."""

    residual: float
    """The residual variance."""

    criterion: float
    """-2 log restricted likelihood, with (n - p) log 2 pi."""

    gradient: Floats
    """What is left of it."""

    evaluations: int
    """How often the likelihood was computed."""


def least(profile: Profile, start: Floats) -> Fit:
    """The ratios >= 0 with the least criterion; those at the bound are exactly 0.

    Ratios differ by orders of magnitude, so each is measured in units of its start.
    """
    unit = np.maximum(start, 1e-3)
    best = _descend(profile, start, unit)
    # a ratio that was far off its unit leaves a flat valley: once more, rescaled
    for _ in range(3):
        again = _descend(profile, best.ratios, np.maximum(best.ratios, 1e-3))
        moved = best.criterion - again.criterion
        best = again if moved > 0 else best
        if moved < 1e-9 * max(1.0, abs(best.criterion)):
            break
    return best


def _descend(profile: Profile, start: Floats, unit: Floats) -> Fit:
    """One run of L-BFGS-B in units of the start."""

    def scaled(x: Floats) -> tuple[float, Floats]:
        value, gradient, _ = profile(x * unit)
        return value, gradient * unit

    found = minimize(
        scaled,
        start / unit,
        jac=True,
        method="L-BFGS-B",
        bounds=[(0.0, None)] * start.size,
        options={"maxiter": 500, "ftol": 1e-14, "gtol": 1e-7, "maxcor": 30},
    )
    ratios = np.asarray(found.x * unit, dtype=np.float64)
    value, gradient, residual = profile(ratios)
    return Fit(ratios, residual, value, gradient, int(found.nfev))


def profiled(freedom: int, quadratic: float, determinants: float) -> float:
    """(n-p) (log(2 pi s) + 1) + log|H| + log|X'H^-1 X|, with s = y'Py / (n-p)."""
    return freedom * (log(2 * pi * quadratic / freedom) + 1) + determinants
