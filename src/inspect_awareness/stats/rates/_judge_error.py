"""Rates corrected for the errors of the judge, as the validation set allows."""

from math import nan
from typing import Literal

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats._arrays import Floats, finite_vector, matching_ids
from inspect_awareness.stats._binary import binary_or_nan
from inspect_awareness.stats._estimate import Estimate, undefined
from inspect_awareness.stats._intervals import (
    NO_SPREAD,
    ONE_CLUSTER,
    Clusters,
    Interval,
    effective,
    influence,
)
from inspect_awareness.stats.rates._judge_corrections import (
    Judged,
    Validation,
    post_stratified,
    ppi,
    rogan_gladen,
)

Correction = Literal["post_stratified", "ppi", "rogan_gladen"]
"""How the judge's rate is corrected."""

FITTING: dict[str, tuple[Correction, ...]] = {
    "random": ("post_stratified", "ppi"),
    "judge_stratified": ("post_stratified",),
    "truth_stratified": ("rogan_gladen",),
}
"""The corrections that a design allows, the recommended one first."""

WHY_NOT = {
    ("random", "rogan_gladen"): "the same set gives PPV and NPV, which are tighter",
    ("judge_stratified", "ppi"): "its labels are no random sample",
    ("judge_stratified", "rogan_gladen"): (
        "sensitivity and specificity cannot be estimated from it"
    ),
    ("truth_stratified", "post_stratified"): "PPV and NPV cannot be estimated from it",
    ("truth_stratified", "ppi"): "its labels are no random sample",
}


def corrected_rate(
    judged: npt.ArrayLike,
    tasks: Clusters,
    validation: Validation,
    *,
    rng: np.random.Generator,
    method: Correction | None = None,
    level: float = 0.95,
    draws: int = 20_000,
) -> Estimate:
    """The awareness rate corrected for the judge's errors.

    With q the rate that the judge found, by tasks:

    - `post_stratified`: p = q PPV + (1 - q) (1 - NPV). Interval from draws of PPV and
      1 - NPV (Jeffreys' betas) and of q (logit scale, t; a beta with tasks as trials
      at 0 or 1). Needs validation drawn at random or by the judge's label.
    - `ppi`: p = mean(h) + lambda (q - mean(j)) with h and j the human's and the
      judge's labels in the set and the lambda that makes the variance least. Needs a
      random set; unreliable with few human positives, and says so.
    - `rogan_gladen`: p = (q + Sp - 1) / (Se + Sp - 1), with the interval of Lang and
      Reiczigel and the number of samples that q's standard error is worth. Needs a
      set drawn by the true label, or sensitivity and specificity known elsewhere.

    Args:
        judged: 1 where the judge found awareness, 0 where not, shape (n,).
        tasks: The task of each sample.
        validation: The judge against a human, and how that set was drawn.
        rng: Source of the draws.
        method: One that the design allows; None takes the recommended one.
        level: Nominal coverage.
        draws: How many draws `post_stratified` makes.

    Returns:
        The estimate, cut to [0, 1] where a correction leaves it, with a note. NaN
        where the set says nothing about a label that occurs, or the judge is no
        better than chance (rogan_gladen).

    Raises:
        ValueError: The design does not allow the method, a value is neither 0 nor 1,
            or the lengths differ.

    References:
        Tenenbein, JASA 65 (1970) 1350. Rogan and Gladen, American Journal of
        Epidemiology 107 (1978) 71. Lang and Reiczigel, Preventive Veterinary Medicine
        113 (2014) 13. Angelopoulos, Duchi and Zrnic, arXiv 2311.01453.
    """
    allowed = FITTING[validation.design]
    chosen = allowed[0] if method is None else method
    if chosen not in allowed:
        raise ValueError(_refusal(validation.design, chosen))
    x = finite_vector(binary_or_nan(judged, "judged"), "judged")
    found = _judged(x, tasks)
    if not found.n:
        return undefined(level, "no sample was judged")
    if chosen == "post_stratified":
        value, interval = post_stratified(found, validation, rng, level, draws)
    elif chosen == "ppi":
        value, interval = ppi(found, validation, level)
    else:
        value, interval = rogan_gladen(found, validation, level)
    if found.tasks == 1:
        interval = Interval(nan, nan, "none", ONE_CLUSTER)
    elif found.se < 1e-12 and 0 < found.rate < 1:
        interval = Interval(nan, nan, "none", NO_SPREAD)
    return interval.around(
        value, level=level, n=found.n, clusters=found.tasks, unit="task"
    )


def _refusal(design: str, method: str) -> str:
    """Why a method does not suit a design, and what does."""
    why = WHY_NOT.get((design, method))
    if why is None:
        return f"method must be post_stratified, ppi or rogan_gladen, got {method!r}"
    suits = " or ".join(FITTING[design])
    return f"{method} does not suit a {design} validation set ({why}): use {suits}"


def _judged(x: Floats, tasks: Clusters) -> Judged:
    """The judge's rate, its standard error over tasks, and degrees of freedom."""
    ids = matching_ids(tasks, x.size, "tasks")
    if not x.size:
        return Judged(nan, nan, nan, 0, 0)
    count, rate = int(ids.max()) + 1, float(x.mean())
    if count == 1:
        return Judged(rate, nan, nan, x.size, 1)
    se = float(np.sqrt(np.sum(influence(x, ids, rate, count) ** 2)))
    return Judged(rate, se, effective(ids) - 1, x.size, count)
