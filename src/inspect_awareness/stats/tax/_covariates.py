"""The awareness tax with covariates of samples held equal."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf, nan

import numpy as np
import numpy.typing as npt
from scipy.stats import t

from inspect_awareness.stats._arrays import Floats, Ids
from inspect_awareness.stats._estimate import Estimate, undefined
from inspect_awareness.stats._intervals import Clusters
from inspect_awareness.stats.tax._fixed_effects import cr2_fit
from inspect_awareness.stats.tax._intervals import NOTHING, MeanFit, cr2_mean
from inspect_awareness.stats.tax._strata import Samples, samples_of, strata_of
from inspect_awareness.stats.tax._tax import cut_estimate, reach_of

Covariates = Mapping[str, npt.ArrayLike]
"""For each covariate its value for each sample, shape (n,); NaN where it is missing."""

VARIES = 1e-9
"""Less of a column's spread than this is rounding."""


@dataclass(frozen=True)
class AdjustedTax:
    """Aware minus unaware within tasks, at equal covariates."""

    within: Estimate
    """The coefficient of awareness."""

    p: float
    """Two-sided p-value of its t test."""

    unadjusted: Estimate
    """The difference within tasks without covariates, of the same samples."""

    covariates: Mapping[str, Estimate]
    """For each covariate what one unit more of it goes with, at equal awareness."""

    missing: int
    """Samples left out because a covariate is not known."""

    fit: MeanFit
    """Standard error and degrees of freedom of `within`."""


def adjusted_tax(
    outcome: npt.ArrayLike,
    aware: npt.ArrayLike,
    *,
    covariates: Covariates,
    tasks: Clusters,
    models: Clusters | None = None,
    benchmarks: Clusters | None = None,
    level: float = 0.95,
) -> AdjustedTax:
    """The difference that goes with awareness within tasks, at equal covariates.

    The least-squares coefficient b of awareness in y = a_s + b x + c'z + e, with a
    constant a_s for each pair of model and task, and covariates z such as the length
    of the reasoning. Variables are centred within pairs, which drops the constants;
    without covariates b is the `within` of `awareness_tax`. Interval: CR2 with
    Bell-McCaffrey's degrees of freedom, tasks as clusters. Centring changes neither,
    since each constant lies in one cluster and the working model is one of independent
    errors.

    The covariates enter linearly, with the same slope in all tasks. One that awareness
    changes (as it may lengthen reasoning) takes that part of the effect away with it.

    Args:
        outcome: Outcome of each sample, shape (n,); NaN where it is missing.
        aware: 1 for aware, 0 for not, NaN where it is not known, shape (n,).
        covariates: Their values by name.
        tasks: The task of each sample, within its benchmark.
        models: The model of each sample; None where there is one.
        benchmarks: The benchmark of each sample; None where there is one.
        level: Nominal coverage.

    Returns:
        The record. NaN with a note where awareness does not vary within any pair, a
        covariate does not, or they are linear functions of each other there.

    Raises:
        ValueError: No covariate is given, one has another length or is infinite, or as
            `awareness_tax`.

    References:
        Pustejovsky and Tipton, JBES 36 (2018) 672, theorem 2 for the constants. Bell
        and McCaffrey, Survey Methodology 28 (2002) 169.

    Example:
        >>> found = adjusted_tax(
        ...     [1, 2, 5, 3, 4, 4],
        ...     [0, 0, 1, 0, 1, 1],
        ...     covariates={"length": [0, 1, 3, 1, 0, 1]},
        ...     tasks=[1, 1, 1, 2, 2, 2],
        ... )
        >>> round(found.within.value, 3), round(found.unadjusted.value, 3)
        (1.5, 2.25)
    """
    everything = samples_of(
        outcome, aware, tasks=tasks, models=models, benchmarks=benchmarks
    )
    z = _values(covariates, np.asarray(aware, dtype=np.float64))
    known = ~np.isnan(everything.outcome)
    usable = known & ~np.isnan(z).any(1)
    samples = everything.where(usable)
    missing = int((known & ~usable).sum())
    plain = cr2_mean(*strata_of(samples).differences())
    n = samples.aware.size
    unadjusted = cut_estimate(plain, n, level, reach_of(samples.outcome))
    names = list(covariates)
    columns, y, clusters, scale = _centred(samples, z[usable])
    why = _inseparable(columns, names) if y.size else NOTHING
    if why:
        nothing = undefined(level, why, n=n, clusters=plain.clusters)
        blank = MeanFit(nan, nan, nan, 0)
        each = dict.fromkeys(names, nothing)
        return AdjustedTax(nothing, nan, unadjusted, each, missing, blank)
    fits = [
        _rescaled(fit, unit)
        for fit, unit in zip(cr2_fit(columns, y, clusters), scale, strict=True)
    ]
    within, *slopes = (cut_estimate(fit, n, level, inf) for fit in fits)
    return AdjustedTax(
        within,
        _p(fits[0]),
        unadjusted,
        dict(zip(names, slopes, strict=True)),
        missing,
        fits[0],
    )


def _p(fit: MeanFit) -> float:
    """Two-sided, of t = b / se; NaN where the spread cannot be seen."""
    if not fit.se >= 1e-12:
        return nan
    return float(2 * t.sf(abs(fit.value) / fit.se, fit.freedom))


def _values(covariates: Covariates, aware: Floats) -> Floats:
    """Covariates of samples with known awareness, shape (n, covariates)."""
    if not covariates:
        raise ValueError("no covariate: `awareness_tax` takes none")
    columns = []
    for name, values in covariates.items():
        column = np.asarray(values, dtype=np.float64)
        if column.shape != aware.shape:
            raise ValueError(
                f"covariate {name!r} has {column.size} values for {aware.size} samples"
            )
        if np.isinf(column).any():
            raise ValueError(f"covariate {name!r} is infinite; NaN stands for missing")
        columns.append(column)
    return np.stack(columns, axis=1)[~np.isnan(aware)]


def _centred(samples: Samples, z: Floats) -> tuple[Floats, Floats, Ids, Floats]:
    """Awareness and covariates in units of their spread, and outcomes, all centred.

    Also the cluster of each sample and the units; a column without spread within pairs
    becomes 0.
    """
    ids = np.unique(samples.stratum, return_inverse=True)[1].reshape(-1)
    count = np.bincount(ids)

    def inside(column: Floats) -> Floats:
        shifted = column - (column.mean() if column.size else 0.0)
        return np.asarray(shifted - (np.bincount(ids, shifted) / count)[ids])

    columns, scale = [], []
    for column in (samples.aware.astype(np.float64), *z.T):
        centred = inside(column)
        unit = float(np.sqrt(np.sum(centred**2))) if centred.size else 0.0
        whole = float(np.abs(column).max()) if column.size else 0.0
        varies = unit > VARIES * whole * np.sqrt(max(column.size, 1))
        columns.append(centred / unit if varies else np.zeros(column.size))
        scale.append(unit if varies else 1.0)
    y = inside(samples.outcome)
    return np.stack(columns, axis=1), y, samples.task, np.array(scale)


def _inseparable(columns: Floats, names: list[str]) -> str:
    """Why the coefficients are not defined; empty where they are."""
    if not columns[:, 0].any():
        return NOTHING
    for k, name in enumerate(names, start=1):
        if not columns[:, k].any():
            return f"{name} does not vary within any model and task"
        before = columns[:, :k]
        rest = columns[:, k] - before @ np.linalg.lstsq(before, columns[:, k])[0]
        if float(np.sqrt(np.sum(rest**2))) < 1e-7:
            others = " and ".join(["awareness", *names[: k - 1]])
            return f"within tasks {name} is a linear function of {others}"
    return ""


def _rescaled(fit: MeanFit, unit: float) -> MeanFit:
    """The fit of a column divided by its unit, for the column."""
    value, se = float(fit.value / unit), float(fit.se / unit)
    return MeanFit(value, se, fit.freedom, fit.clusters)
