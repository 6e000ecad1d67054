"""Corrected rates of every model on every benchmark."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats._arrays import matching_ids
from inspect_awareness.stats._binary import binary_or_nan
from inspect_awareness.stats._estimate import Estimate, undefined
from inspect_awareness.stats._intervals import Clusters
from inspect_awareness.stats.rates._judge_corrections import Validation
from inspect_awareness.stats.rates._judge_error import Correction, corrected_rate
from inspect_awareness.stats.rates._rates import groups

Stratum = tuple[Any, Any]
"""A model and a benchmark."""

UNVALIDATED = "no transcript of this model and benchmark was validated"


def corrected_rates(
    judged: npt.ArrayLike,
    *,
    models: Clusters,
    benchmarks: Clusters,
    tasks: Clusters,
    validations: Validation | Mapping[Stratum, Validation],
    rng: np.random.Generator,
    method: Correction | None = None,
    level: float = 0.95,
) -> tuple[Estimate, ...]:
    """The rate of each model on each benchmark, corrected for the judge's errors.

    Each is that of `corrected_rate`, from the samples of known awareness. One
    validation set for all strata takes the judge to err alike everywhere. PPV and NPV
    depend on how frequent awareness is, so that a pooled set drawn by the judge's
    label misleads where rates differ: validate each stratum.

    Args:
        judged: 1 where the judge found awareness, 0 where not, NaN (left out) where
            it said nothing, shape (n,).
        models: The model of each sample.
        benchmarks: The benchmark of each sample.
        tasks: The task of each sample, within its benchmark.
        validations: One set for all, or the set of each (model, benchmark).
        rng: Source of the draws.
        method: As in `corrected_rate`; None takes what each set's design recommends.
        level: Nominal coverage.

    Returns:
        An estimate for each model and benchmark, in the order of `awareness_rates`;
        NaN where the stratum has no set.

    Raises:
        ValueError: As `corrected_rate`, or the lengths differ.

    Example:
        >>> found = corrected_rates(
        ...     [1, 0, 0, 0], models=["m"] * 4, benchmarks=["b"] * 4, tasks=[1, 2, 3, 4],
        ...     validations=Validation(8, 2, 1, 9, "random"),
        ...     rng=np.random.default_rng(0),
        ... )
        >>> round(found[0].value, 3)  # .25 x .8 + .75 x .1
        0.275
    """
    x = binary_or_nan(judged, "judged")
    model = matching_ids(models, x.size, "models")
    benchmark = matching_ids(benchmarks, x.size, "benchmarks")
    task = matching_ids(tasks, x.size, "tasks")
    found = []
    for rows in groups(model, benchmark):
        stratum = (models[rows[0]], benchmarks[rows[0]])
        validation = (
            validations
            if isinstance(validations, Validation)
            else validations.get(stratum)
        )
        if validation is None:
            found.append(undefined(level, UNVALIDATED))
            continue
        known = rows[~np.isnan(x[rows])]
        found.append(
            corrected_rate(
                x[known], task[known], validation, rng=rng, method=method, level=level
            )
        )
    return tuple(found)
