"""Three ways to correct a judge's rate, each right for its validation set."""

from dataclasses import dataclass, replace
from math import nan, sqrt
from typing import Literal, get_args

import numpy as np
from scipy.special import expit, logit
from scipy.stats import norm

from inspect_awareness.stats._arrays import Floats
from inspect_awareness.stats._intervals import Interval, on_logit_scale
from inspect_awareness.stats.agreement._two_raters import counts_table

Design = Literal["random", "judge_stratified", "truth_stratified"]
"""How the validated transcripts were drawn: at random from those whose rate is
wanted, by the judge's label, or by the true label (or from elsewhere)."""

FEW_POSITIVES = 10
"""Below this many human positives the interval of ppi covers far too rarely."""

TOO_FEW_VALIDATED = (
    "too few transcripts of a class were validated to tell the judge from chance, so "
    "there is no interval"
)
NOTHING_INSIDE = "no part of the interval lies inside [0, 1]"


@dataclass(frozen=True)
class Validation:
    """A judge's labels against a human's, and how the transcripts were drawn."""

    tp: int
    """Judged aware, and aware to the human."""

    fp: int
    """Judged aware, and not so to the human."""

    fn: int
    """Judged unaware, and aware to the human."""

    tn: int
    """Judged unaware, and so to the human."""

    design: Design
    """How the transcripts were drawn."""

    def __post_init__(self) -> None:
        counts_table([[self.tp, self.fp], [self.fn, self.tn]])
        if self.design not in get_args(Design):
            allowed = ", ".join(get_args(Design))
            raise ValueError(f"design must be one of {allowed}, got {self.design!r}")


@dataclass(frozen=True)
class Judged:
    """The judge's rate with what its clusters say about its spread."""

    rate: float
    se: float
    freedom: float
    n: int
    tasks: int


def post_stratified(
    found: Judged,
    v: Validation,
    rng: np.random.Generator,
    level: float,
    draws: int,
) -> tuple[float, Interval]:
    """Q PPV + (1 - q) (1 - NPV), with quantiles of draws."""
    q = found.rate
    value = 0.0
    for weight, aware, other, label in (
        (q, v.tp, v.fp, "aware"),
        (1 - q, v.fn, v.tn, "unaware"),
    ):
        if weight and not aware + other:
            why = f"nothing judged {label} was validated, so its rate is not known"
            return nan, Interval(nan, nan, "none", why)
        value += weight * aware / (aware + other) if weight else 0.0
    rates = _rate_draws(found, rng, draws)
    drawn = rates * rng.beta(v.tp + 0.5, v.fp + 0.5, draws)
    drawn += (1 - rates) * rng.beta(v.fn + 0.5, v.tn + 0.5, draws)
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2])
    method = "post-stratified by the judge's label, Jeffreys draws"
    return value, Interval(min(float(low), value), max(float(high), value), method)


def _rate_draws(found: Judged, rng: np.random.Generator, draws: int) -> Floats:
    """The judge's rate on the logit scale with t, or Jeffreys with tasks as trials."""
    q = found.rate
    if q in (0.0, 1.0):
        hits = q * found.tasks
        return rng.beta(hits + 0.5, found.tasks - hits + 0.5, draws)
    if found.se != found.se:
        return np.full(draws, nan)
    steps = rng.standard_t(found.freedom, draws) * found.se / (q * (1 - q))
    return np.asarray(expit(logit(q) + steps), dtype=np.float64)


def ppi(found: Judged, v: Validation, level: float) -> tuple[float, Interval]:
    """mean(h) + lambda (q - mean(j)), normal on the logit scale."""
    n = v.tp + v.fp + v.fn + v.tn
    if not n:
        return nan, Interval(nan, nan, "none", "nothing was validated")
    human, judge = (v.tp + v.fn) / n, (v.tp + v.fp) / n
    covariance = v.tp / n - human * judge
    spread = judge * (1 - judge)
    best = covariance / (spread * (1 + n / found.n)) if spread else 0.0
    weight = min(1.0, max(0.0, best))
    value = human + weight * (found.rate - judge)
    residual = human * (1 - human) + weight**2 * spread - 2 * weight * covariance
    se = sqrt((weight * found.se) ** 2 + max(0.0, residual) / n)
    if not 0 < value < 1 or residual < 1e-12:
        why = "the validated labels show no spread: use post_stratified"
        return min(1.0, max(0.0, value)), Interval(nan, nan, "none", why)
    interval = on_logit_scale(value, se, float(norm.ppf((1 + level) / 2)))
    note = ""
    if min(v.tp + v.fn, v.fp + v.tn) < FEW_POSITIVES:
        note = (
            f"only {min(v.tp + v.fn, v.fp + v.tn)} validated transcripts of the rarer "
            "class: this interval covers too rarely, use post_stratified"
        )
    method = f"ppi with lambda {weight:.2f}, logit scale"
    return value, replace(interval, method=method, note=note)


def rogan_gladen(found: Judged, v: Validation, level: float) -> tuple[float, Interval]:
    """(q + Sp - 1) / (Se + Sp - 1), with Lang and Reiczigel's interval."""
    positives, negatives = v.tp + v.fn, v.fp + v.tn
    if not positives or not negatives:
        why = "sensitivity and specificity need validated transcripts of both classes"
        return nan, Interval(nan, nan, "none", why)
    raw = _unmixed(found.rate, v.tp / positives, v.tn / negatives)
    if raw != raw:
        why = "Se + Sp is no more than 1: the judge is no better than chance"
        return nan, Interval(nan, nan, "none", why)
    note = ""
    if not 0 <= raw <= 1:
        note = f"cut to [0, 1] from {raw:.3f}: Se and Sp do not fit these transcripts"
    interval = _lang_reiczigel(found, v, level)
    notes = "; ".join(each for each in (note, interval.note) if each)
    return min(1.0, max(0.0, raw)), replace(interval, note=notes)


def _lang_reiczigel(found: Judged, v: Validation, level: float) -> Interval:
    """Agresti-like counts, then the delta method about a shifted centre."""
    z = float(norm.ppf((1 + level) / 2))
    positives, negatives = v.tp + v.fn + 2, v.fp + v.tn + 2
    se, sp = (v.tp + 1) / positives, (v.tn + 1) / negatives
    if se + sp < 1 + 1e-12:
        return Interval(nan, nan, "none", TOO_FEW_VALIDATED)
    worth = _worth(found)
    q = (worth * found.rate + z**2 / 2) / (worth + z**2)
    p = _unmixed(q, se, sp)
    of_se, of_sp = se * (1 - se) / positives, sp * (1 - sp) / negatives
    centre = p + 2 * z**2 * (p * of_se - (1 - p) * of_sp)
    variance = q * (1 - q) / (worth + z**2) + p**2 * of_se + (1 - p) ** 2 * of_sp
    half = z * sqrt(variance) / (se + sp - 1)
    low, high = (min(1.0, max(0.0, end)) for end in (centre - half, centre + half))
    if low == high:
        return Interval(nan, nan, "none", NOTHING_INSIDE)
    return Interval(low, high, "Rogan-Gladen, Lang-Reiczigel interval")


def _worth(found: Judged) -> float:
    """Independent samples with the same standard error; tasks where q is 0 or 1."""
    q = found.rate
    if q in (0.0, 1.0):
        return float(found.tasks)
    return q * (1 - q) / found.se**2 if found.se > 0 else nan


def _unmixed(q: float, se: float, sp: float) -> float:
    """(q + Sp - 1) / (Se + Sp - 1); NaN for a judge no better than chance."""
    return (q + sp - 1) / (se + sp - 1) if se + sp > 1 + 1e-12 else nan
