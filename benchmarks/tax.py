"""The awareness tax of 2,000 tasks x 10 samples: ours beside statsmodels.

The peer fits the same regression, task dummies swept out, with `cov_type="cluster"`
(CR1: it has neither CR2 nor Bell-McCaffrey), and draws the permutation p in a numpy
loop, of which a part is timed. The target: under 1 s, with CR2, exact p, pooled,
between, behaviour change and bounds.

Below it simulated coverage at a true tax where suspicious tasks are harder: the share
of 95 % intervals that hold it, within tasks (ours), by the cluster bootstrap of the
weighted difference, and pooled, which is biased.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

from time import process_time
from typing import Any

import numpy as np

from inspect_awareness.stats import awareness_tax

TASKS, SAMPLES, DRAWS, TIMED = 2000, 10, 9_999, 50
SETTINGS = ((100, 0.02, 0.0), (342, 0.01, 0.0), (234, 0.1, -0.12))
ROUNDS, RESAMPLES = 150, 300


def simulated(
    rng: np.random.Generator, tasks: int, rate: float, effect: float
) -> tuple[Any, Any, Any]:
    """Tasks that arouse suspicion are harder too; awareness shifts the pass chance."""
    propensity = rng.beta(2 * rate, 2 - 2 * rate, (tasks, 1))
    noise = rng.normal(0, 0.1, (tasks, 1))
    passes = np.clip(0.8 - 0.7 * propensity + noise, 0.13, 0.87)
    aware = rng.uniform(size=(tasks, SAMPLES)) < propensity
    outcome = rng.uniform(size=aware.shape) < passes + effect * aware
    ids = np.repeat(np.arange(tasks), SAMPLES)
    return outcome.ravel().astype(float), aware.ravel().astype(float), ids


def peer(outcome: Any, aware: Any, tasks: Any) -> tuple[float, float, float]:
    """Value within tasks; seconds of the fit; seconds of the permutation loop."""
    import statsmodels.api as sm

    start = process_time()
    y = outcome - (np.bincount(tasks, outcome) / SAMPLES)[tasks]
    x = aware - (np.bincount(tasks, aware) / SAMPLES)[tasks]
    fit = sm.OLS(y, x).fit(cov_type="cluster", cov_kwds={"groups": tasks})
    fit.conf_int()
    fitted = process_time() - start
    rng, start = np.random.default_rng(0), process_time()
    for _ in range(TIMED):
        moved = rng.permuted(aware.reshape(-1, SAMPLES), axis=1).ravel()
        float(moved @ y)
    return float(fit.params[0]), fitted, (process_time() - start) * DRAWS / TIMED


def bootstrapped(outcome: Any, aware: Any, rng: np.random.Generator) -> tuple[Any, Any]:
    """Percentile interval of the weighted difference over resampled tasks."""
    y, a = outcome.reshape(-1, SAMPLES), aware.reshape(-1, SAMPLES)
    n = a.sum(1)
    weight = n * (SAMPLES - n) / SAMPLES
    part = (y * a).sum(1) - n * y.mean(1)
    keep = weight > 0
    count = int(keep.sum())
    drawn = rng.integers(0, count, (RESAMPLES, count))
    values = part[keep][drawn].sum(1) / weight[keep][drawn].sum(1)
    low, high = np.quantile(values, [0.025, 0.975])
    return low, high


def coverage(tasks: int, rate: float, effect: float) -> list[float]:
    """Informative tasks; coverage of ours, bootstrap, pooled; bias of both, in %."""
    rng, found = np.random.default_rng(1), []
    for _ in range(ROUNDS):
        outcome, aware, ids = simulated(rng, tasks, rate, effect)
        ours = awareness_tax(outcome, aware, tasks=ids, rng=rng)
        if not ours.within.has_interval:
            continue
        low, high = bootstrapped(outcome, aware, rng)
        found.append(
            [
                ours.informative,
                100 * ours.within.contains(effect),
                100 * (low <= effect <= high),
                100 * ours.pooled.contains(effect),
                ours.within.value - effect,
                ours.pooled.value - effect,
            ]
        )
    return [float(each) for each in np.mean(found, axis=0)]


def main() -> None:
    """Times, then coverage."""
    outcome, aware, ids = simulated(np.random.default_rng(0), TASKS, 0.3, -0.1)
    start = process_time()
    found = awareness_tax(outcome, aware, tasks=ids, rng=np.random.default_rng(0))
    took = process_time() - start
    print(f"{TASKS:,} tasks x {SAMPLES}, {found.informative} informative")
    print(f"  ours: {found.within.value:+.6f}, {took:.3f} s CPU")
    start = process_time()
    uneven = outcome + np.random.default_rng(1).normal(0, 0.1, outcome.size)
    awareness_tax(uneven, aware, tasks=ids, rng=np.random.default_rng(0))
    print(f"  ours, continuous, {DRAWS:,} draws: {process_time() - start:.3f} s CPU")
    try:
        value, fitted, permuted = peer(outcome, aware, ids)
    except ImportError:
        print("  statsmodels (the peer) is not installed")
    else:
        print(
            f"  statsmodels CR1: {value:+.6f}, {fitted:.3f} s CPU; permutation loop "
            f"{permuted:.1f} s CPU (from {TIMED} of {DRAWS:,} draws)"
        )
    print("coverage of the 95 % interval           ours  bootstrap  pooled")
    for setting in SETTINGS:
        informative, *covers, bias, pooled = coverage(*setting)
        name = (
            f"{setting[0]} tasks, {informative:.0f} informative, tax {setting[2]:+.2f}"
        )
        values = "   ".join(f"{each:5.1f}" for each in covers)
        print(f"  {name:36} {values}   (bias {bias:+.3f}, pooled {pooled:+.3f})")


if __name__ == "__main__":
    main()
