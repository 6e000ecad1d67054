"""Shares of 9 models x 928 tasks: ours beside statsmodels' two-factor ANOVA.

The peer fits models x benchmarks only (`anova_lm`): with 928 dummies for tasks its
design matrix would take minutes. R's `anova(lm(y ~ model * bench + task))` takes
4.3 s. Ours gives all five terms with jackknife intervals, components with fiducial
intervals, and shares less noise. The target: under 5 ms.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

from statistics import median
from time import process_time

import numpy as np

from inspect_awareness.stats import variance_shares
from inspect_awareness.stats.shares._squares import squares

MODELS, TASKS, SAMPLES, ROUNDS = 9, (342, 234, 176, 176), 10, 21


def main() -> None:
    """Median times, and the terms that both have."""
    rng = np.random.default_rng(0)
    bench = np.repeat(np.arange(len(TASKS)), TASKS)
    chance = rng.beta(0.3, 2, (MODELS, len(TASKS)))[:, bench] * rng.beta(
        2, 1, bench.size
    )
    rates = rng.binomial(SAMPLES, chance) / SAMPLES
    times, bare = [], []
    for _ in range(ROUNDS):
        start = process_time()
        found = variance_shares(rates, bench, SAMPLES, rng=rng)
        times.append(process_time() - start)
        start = process_time()
        squares(rates, bench, np.full(rates.shape, float(SAMPLES)))
        bare.append(process_time() - start)
    print(f"{MODELS} x {bench.size}: {1000 * median(times):.2f} ms CPU with intervals")
    print(f"  the sums of squares alone: {1000 * median(bare):.2f} ms CPU")
    two = ("model", "benchmark", "model:benchmark")
    print("  " + ", ".join(f"{k} {100 * found.shares[k].value:.3f} %" for k in two))
    try:
        import pandas as pd
        from statsmodels.formula.api import ols
        from statsmodels.stats.anova import anova_lm
    except ImportError:
        print("statsmodels (the peer) is not installed")
        return
    long = pd.DataFrame(
        {
            "y": rates.ravel(),
            "model": np.repeat(np.arange(MODELS), bench.size),
            "bench": np.tile(bench, MODELS),
        }
    )
    start = process_time()
    table = anova_lm(ols("y ~ C(model) * C(bench)", long).fit())
    took = process_time() - start
    share = 100 * table["sum_sq"] / table["sum_sq"].sum()
    print(f"statsmodels, without tasks: {1000 * took:.0f} ms CPU")
    print("  " + ", ".join(f"{each:.3f} %" for each in share.iloc[:3]))


if __name__ == "__main__":
    main()
