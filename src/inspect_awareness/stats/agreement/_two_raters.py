"""How well two raters agree, or a judge agrees with a human."""

from dataclasses import dataclass
from math import nan, sqrt

import numpy as np
import numpy.typing as npt
from scipy.stats import binomtest, norm

from inspect_awareness.stats._arrays import Floats
from inspect_awareness.stats._estimate import Estimate, undefined
from inspect_awareness.stats._intervals import Interval

MOST = 1e15
"""Floats hold whole numbers up to here exactly."""

ONE_CATEGORY = "both raters always chose one category: chance agreement is complete"

ONE_RATER = (
    "one rater always chose one category: kappa is 0 whatever the other chose, so "
    "there is no interval"
)


@dataclass(frozen=True)
class JudgeAgreement:
    """What a validation table says about a judge, each number with its interval."""

    kappa: Estimate
    """Cohen's kappa: agreement beyond what the margins alone would give."""

    pabak: Estimate
    """2 po - 1: kappa had both categories been equally frequent for both raters."""

    agreement: Estimate
    """po: the share of transcripts on which judge and human agree."""

    sensitivity: Estimate
    """Share judged aware among those that are: TP / (TP + FN)."""

    specificity: Estimate
    """Share judged unaware among those that are: TN / (TN + FP)."""

    ppv: Estimate
    """Share that is aware among those judged so: TP / (TP + FP)."""

    npv: Estimate
    """Share that is unaware among those judged so: TN / (TN + FN)."""


def judge_agreement(
    tp: int, fp: int, fn: int, tn: int, *, level: float = 0.95
) -> JudgeAgreement:
    """Agreement of a judge with a human from the four counts of a validation set.

    Which of these numbers speak about transcripts outside the set depends on how it
    was drawn: PPV and NPV where it was drawn by the judge's label, sensitivity and
    specificity where it was drawn by the human's, all where it was drawn at random
    (see `corrected_rate`). Proportions have Wilson's interval; kappa's is that of
    `cohen_kappa`.

    Args:
        tp: Judged aware, and aware to the human.
        fp: Judged aware, and not so to the human.
        fn: Judged unaware, and aware to the human.
        tn: Judged unaware, and so to the human.
        level: Nominal coverage.

    Returns:
        The seven numbers; NaN where a class or a label does not occur.

    Raises:
        ValueError: A count is negative or no whole number.

    Example:
        >>> found = judge_agreement(36, 12, 1, 51)
        >>> round(found.kappa.value, 4), round(found.ppv.value, 2)
        (0.7373, 0.75)
    """
    table = counts_table([[tp, fp], [fn, tn]])
    same, total = int(tp + tn), int(table.sum())
    agreement = proportion(same, total, level)
    return JudgeAgreement(
        kappa=cohen_kappa(table, level=level),
        pabak=_doubled(agreement),
        agreement=agreement,
        sensitivity=proportion(tp, tp + fn, level),
        specificity=proportion(tn, tn + fp, level),
        ppv=proportion(tp, tp + fp, level),
        npv=proportion(tn, tn + fn, level),
    )


def cohen_kappa(table: npt.ArrayLike, *, level: float = 0.95) -> Estimate:
    """Cohen's kappa of two raters over any number of categories.

    kappa = (po - pe) / (1 - pe) with po the share on the diagonal and pe the sum of
    products of the margins; variance of Fleiss, Cohen and Everitt (1969), normal
    interval cut at 1. With complete agreement, or none, that variance is 0, which says
    nothing: Wilson's bound of po is then put in place of po, the margins held. It is 0
    too where one rater always chose one category: then there is no interval.

    Args:
        table: Counts, shape (k, k): entry (i, j) were put into i by one rater and
            into j by the other.
        level: Nominal coverage.

    Returns:
        The estimate; NaN where nothing was rated, or all of it into one category.

    Raises:
        ValueError: The table is not square, or an entry is no count.

    References:
        Cohen, Educational and Psychological Measurement 20 (1960) 37. Fleiss, Cohen
        and Everitt, Psychological Bulletin 72 (1969) 323.
    """
    counts = counts_table(table)
    total = int(counts.sum())
    if not total:
        return undefined(level, "nothing was rated")
    p = counts / total
    rows, columns = p.sum(1), p.sum(0)
    observed, chance = float(np.trace(p)), float(rows @ columns)
    if chance > 1 - 1e-12:
        return undefined(level, ONE_CATEGORY, n=total, clusters=total)
    kappa = (observed - chance) / (1 - chance)
    interval = _kappa_interval(p, kappa, total, level)
    return interval.around(kappa, level=level, n=total, clusters=total, unit="item")


def proportion(hits: int, trials: int, level: float) -> Estimate:
    """A share with Wilson's interval; undefined of nothing."""
    if not trials:
        return undefined(level, "no such transcript in the table")
    found = binomtest(int(hits), int(trials)).proportion_ci(level, method="wilson")
    return Interval(float(found.low), float(found.high), "Wilson").around(
        hits / trials, level=level, n=int(trials), clusters=int(trials), unit="item"
    )


def counts_table(table: npt.ArrayLike) -> Floats:
    """A square table of counts.

    Raises:
        ValueError: It is not square, or an entry is negative, NaN or fractional.
    """
    counts = np.asarray(table, dtype=np.float64)
    if counts.ndim != 2 or counts.shape[0] != counts.shape[1]:
        raise ValueError(f"a square table of counts is needed, got {counts.shape}")
    wrong = ~(counts >= 0) | (counts != np.floor(counts)) | (counts > MOST)
    if wrong.any():
        raise ValueError(
            "a count is a whole number from 0 on (1e15 at most), got "
            f"{counts[wrong][0]:g}"
        )
    return counts


def _kappa_interval(p: Floats, kappa: float, total: int, level: float) -> Interval:
    """Normal; Wilson's bound on the agreement where that has no width."""
    half = float(norm.ppf((1 + level) / 2)) * _kappa_se(p, kappa, total)
    if half > 1e-12:
        low, high = max(-1.0, kappa - half), min(1.0, kappa + half)
        return Interval(low, high, "Fleiss-Cohen-Everitt, normal")
    agreed = round(float(np.trace(p)) * total)
    if agreed not in (0, total):
        return Interval(nan, nan, "none", ONE_RATER)
    chance = float(p.sum(1) @ p.sum(0))
    ends = binomtest(agreed, total).proportion_ci(level, method="wilson")
    method = "Wilson on the agreement, margins held"
    if agreed:
        return Interval((float(ends.low) - chance) / (1 - chance), 1.0, method)
    return Interval(kappa, (float(ends.high) - chance) / (1 - chance), method)


def _kappa_se(p: Floats, kappa: float, total: int) -> float:
    """Fleiss, Cohen and Everitt's (A + B - C) / (1 - pe)^2 / n, rooted."""
    rows, columns = p.sum(1), p.sum(0)
    chance = float(rows @ columns)
    diagonal = np.diag(p)
    a = float(diagonal @ (1 - (rows + columns) * (1 - kappa)) ** 2)
    # Entry (i, j) weighs the column share of i and the row share of j.
    margins = (columns[:, None] + rows[None, :]) ** 2
    b = (1 - kappa) ** 2 * float(np.sum(p * margins) - diagonal @ np.diag(margins))
    c = (kappa - chance * (1 - kappa)) ** 2
    return sqrt(max(0.0, a + b - c) / total) / (1 - chance)


def _doubled(agreement: Estimate) -> Estimate:
    """2 po - 1, ends and all."""
    if agreement.value != agreement.value:
        return undefined(agreement.level, agreement.note)
    ends = Interval(agreement.low, agreement.high, "Wilson on 2 po - 1").scaled(-1, 1)
    return ends.around(
        2 * agreement.value - 1,
        level=agreement.level,
        n=agreement.n,
        clusters=agreement.clusters,
        unit=agreement.unit,
    )
