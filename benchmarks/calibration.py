"""Calibration of 10,000 items out of fold: ours beside scikit-learn's, same machine.

The peers are `CalibratedClassifierCV` (sigmoid; needs scikit-learn 1.6) and
`IsotonicRegression` on the folds of `StratifiedGroupKFold`, 200 sources of 50 items, 5
folds. Then the measures, the band of a calibrated model included (2,000 draws). Below:
how often a calibrated model falls outside the 95 % band of its calibration error
(nominal 5 %), drawn item by item and with signs for whole sources; how often the 95 %
interval of precision holds the truth; and what Brier skill a curve has out of fold, and
seems to have on the items that it was fitted on.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

from collections.abc import Callable
from time import process_time
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.special import expit
from scipy.stats import norm
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV, calibration_curve
from sklearn.frozen import FrozenEstimator
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import brier_score_loss
from sklearn.model_selection import StratifiedGroupKFold

from inspect_awareness.stats.calibration import (
    brier,
    calibrated,
    expected_calibration_error,
    fit_isotonic,
    precision_at_base_rates,
    reliability_curve,
)

Floats = npt.NDArray[np.float64]

Method = Literal["platt", "isotonic"]
METHODS: tuple[Method, ...] = ("platt", "isotonic")

SOURCES, SIZE, ROUNDS = 200, 50, 300
SETTINGS = (
    ("400 independent items", 400, 1, 0.0),
    ("10 sources x 20, correlation .3", 10, 20, 0.3),
    ("20 sources x 20, correlation .3", 20, 20, 0.3),
    ("50 sources x 20, correlation .3", 50, 20, 0.3),
    ("20 sources x 20, correlation .9", 20, 20, 0.9),
)
POINTS = (
    ("10 sources x 20 a label", 10, 20, 0.3),
    ("40 sources x 20 a label", 40, 20, 0.3),
    ("100 independent items a label", 100, 1, 0.0),
)


CURVES = (
    ("10 sources x 20", 10, 20, 0.7),
    ("10 sources x 200", 10, 200, 0.7),
    ("40 sources x 50", 40, 50, 0.7),
    ("100 independent items", 100, 1, 0.0),
    ("300 independent items", 300, 1, 0.0),
    ("2,000 independent items", 2000, 1, 0.0),
    ("10,000 independent items", 10_000, 1, 0.0),
)


class Itself(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier that hands scores on."""

    def fit(self, _: Floats, y: Floats) -> "Itself":
        """Remember the labels."""
        self.classes_ = np.unique(y)
        return self

    def decision_function(self, x: Floats) -> Floats:
        """The first column."""
        return np.asarray(x[:, 0])

    def predict(self, x: Floats) -> Floats:
        """The sign of the score."""
        return np.asarray(x[:, 0] > 0, dtype=np.float64)


def data(rng: np.random.Generator) -> tuple[Floats, Floats, npt.NDArray[np.int64]]:
    """Scores and labels of sources that each lean to one label."""
    groups = np.repeat(np.arange(SOURCES), SIZE)
    leaning = rng.beta(0.5, 0.5, SOURCES)[groups]
    y = (rng.uniform(size=groups.size) < leaning).astype(np.float64)
    return y + rng.standard_normal(y.size), y, groups


def peer(
    x: Floats, y: Floats, groups: npt.NDArray[np.int64], method: str
) -> tuple[Floats, object]:
    """The same with scikit-learn: out of fold, and once on everything."""
    out = np.empty(y.size)
    fit = sklearn_isotonic if method == "isotonic" else sklearn_sigmoid
    folds = StratifiedGroupKFold(5, shuffle=True, random_state=0)
    for rest, held in folds.split(x[:, None], y, groups):
        out[held] = fit(x[rest], y[rest])(x[held])
    return out, fit(x, y)


def sklearn_isotonic(x: Floats, y: Floats) -> Callable[[Floats], Floats]:
    """The isotonic curve, flat beyond its ends."""
    curve = IsotonicRegression(out_of_bounds="clip").fit(x, y)
    return lambda new: np.asarray(curve.predict(new))


def sklearn_sigmoid(x: Floats, y: Floats) -> Callable[[Floats], Floats]:
    """Platt's curve."""
    frozen = FrozenEstimator(Itself().fit(x[:, None], y))
    curve = CalibratedClassifierCV(frozen, method="sigmoid", ensemble=False)
    curve.fit(x[:, None], y)
    return lambda new: np.asarray(curve.predict_proba(new[:, None])[:, 1])


def seconds(work: Callable[[], object]) -> float:
    """The least CPU time of three runs."""
    best = np.inf
    for _ in range(3):
        start = process_time()
        work()
        best = min(best, process_time() - start)
    return float(best)


def speed() -> None:
    """Times of the fits, then of the measures."""
    rng = np.random.default_rng(0)
    x, y, groups = data(rng)
    print(f"{y.size:,} items, {SOURCES} sources, 5 folds, s CPU:  ours  scikit-learn")
    for method in METHODS:

        def ours(method: Method = method) -> object:
            return calibrated(x, y, groups=groups, rng=rng, method=method)

        def theirs(method: Method = method) -> object:
            return peer(x, y, groups, method)

        print(f"  {method:42} {seconds(ours):8.3f} {seconds(theirs):8.3f}")
    p = calibrated(x, y, groups=groups, rng=rng, method="platt").probabilities
    measures: dict[str, tuple[Callable[[], object], Callable[[], object] | None]] = {
        "brier, with parts and intervals": (
            lambda: brier(p, y, clusters=groups),
            lambda: brier_score_loss(y, p),
        ),
        "reliability curve, with intervals": (
            lambda: reliability_curve(p, y, clusters=groups),
            lambda: calibration_curve(y, p, n_bins=10, strategy="quantile"),
        ),
        "calibration error, labels drawn": (
            lambda: expected_calibration_error(p, y, rng=rng),
            None,
        ),
        "calibration error, signs of sources": (
            lambda: expected_calibration_error(p, y, rng=rng, clusters=groups),
            None,
        ),
    }
    for name, (mine, other) in measures.items():
        beside = f"{seconds(other):8.3f}" if other else "       -"
        print(f"  {name:42} {seconds(mine):8.3f} {beside}")


def moved(
    rng: np.random.Generator, clusters: int, size: int, correlation: float
) -> tuple[Floats, npt.NDArray[np.int64]]:
    """Uniform numbers that move together within clusters."""
    ids = np.repeat(np.arange(clusters), size)
    shared = np.sqrt(correlation) * rng.standard_normal(clusters)[ids]
    own = np.sqrt(1 - correlation) * rng.standard_normal(ids.size)
    return np.asarray(norm.cdf(shared + own)), ids


def outside(clusters: int, size: int, correlation: float) -> Floats:
    """Calibrated models outside the band, in %: drawn by item, signs by source."""
    rng = np.random.default_rng(1)
    found = np.zeros(2)
    for _ in range(ROUNDS):
        uniform, ids = moved(rng, clusters, size, correlation)
        p = expit(1.5 * rng.standard_normal(ids.size))
        y = (uniform < p) * 1.0
        found += [
            expected_calibration_error(
                p, y, rng=rng, draws=400, clusters=which
            ).ece.outside
            for which in (None, ids)
        ]
    return 100 * found / ROUNDS


def coverage(clusters: int, size: int, correlation: float) -> Floats:
    """Intervals of precision at .1 that hold the truth, in %: items, sources."""
    rng = np.random.default_rng(2)
    se, fpr, rate = 0.8, 0.1, 0.1
    truth = se * rate / (se * rate + fpr * (1 - rate))
    found = np.zeros(2)
    for _ in range(ROUNDS):
        uniform, ids = moved(rng, 2 * clusters, size, correlation)
        y = (ids < clusters) * 1.0
        flagged = (uniform < np.where(y == 1, se, fpr)) * 1.0
        for k, which in enumerate((None, ids)):
            point = precision_at_base_rates(
                flagged, y, threshold=0.5, base_rates=[rate], rng=rng, clusters=which
            )
            found[k] += point.precisions[0].precision.contains(truth)
    return 100 * found / ROUNDS


def skills(sources: int, size: int, spread: float) -> Floats:
    """Mean skill of Platt's and the isotonic curve out of fold, and the latter in fold.

    Scores are the label, the source's own shift and noise; a source has one label.
    """
    rng = np.random.default_rng(4)
    groups = np.repeat(np.arange(sources), size)
    y = (groups % 2) * 1.0
    found = np.zeros(3)
    for _ in range(30):
        x = y + spread * rng.standard_normal(sources)[groups]
        x += rng.standard_normal(groups.size)
        platt, isotonic = (
            calibrated(x, y, groups=groups, rng=rng, method=method).probabilities
            for method in METHODS
        )
        inside = fit_isotonic(x, y).apply(x)
        found += [brier(p, y).skill.value for p in (platt, isotonic, inside)]
    return found / 30


def bias() -> None:
    """The calibration error of a calibrated model, 10 bins of equal width."""
    rng = np.random.default_rng(3)
    print("mean error of a calibrated model, 10 equal-width bins:  Beta(2, 5)  uniform")
    for n in (50, 100, 400, 2000):
        means = []
        for a, b in ((2, 5), (1, 1)):
            found = [
                expected_calibration_error(
                    p, p > 0.5, rng=rng, strategy="uniform", draws=50
                ).ece.expected
                for p in (rng.beta(a, b, n) for _ in range(40))
            ]
            means.append(float(np.mean(found)))
        print(f"  n = {n:5,} {means[0]:48.3f} {means[1]:8.3f}")


def main() -> None:
    """Times, then bias and coverage."""
    speed()
    bias()
    print("calibrated models outside the 95 % band, %:    by item   by source")
    for name, *setting in SETTINGS:
        item, source = outside(*setting)  # type: ignore[arg-type]
        print(f"  {name:42} {item:8.1f} {source:8.1f}")
    print("coverage of the 95 % interval of precision, %: by item   by source")
    for name, *setting in POINTS:
        item, source = coverage(*setting)  # type: ignore[arg-type]
        print(f"  {name:42} {item:8.1f} {source:8.1f}")
    print("mean Brier skill:                        Platt isotonic  isotonic, in fold")
    for name, *setting in CURVES:
        skill = skills(*setting)  # type: ignore[arg-type]
        print(f"  {name:36} {skill[0]:7.3f} {skill[1]:8.3f} {skill[2]:18.3f}")


if __name__ == "__main__":
    main()
