"""Variance components, fiducial intervals and Kendall's W beside their peers.

Run with ``python benchmarks/components.py``. The peers are statsmodels (analysis of
variance of one study, without which that row is left out) and a loop over scipy's
Friedman test; a loop is timed in part and extrapolated. Both must give our numbers.
CPU seconds, one thread. At the end: simulated coverage of the fiducial interval beside
the usual bootstrap over wrappers, which holds the models fixed.
"""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.stats import friedmanchisquare
from threadpoolctl import threadpool_limits

from inspect_awareness.stats import (
    d_study,
    fiducial,
    kendall_w,
    reliability,
    variance_components,
)

STUDIES, SHAPE = 2000, (4, 36, 4)
FACETS = ("model", "wrapper", "block")
DRAWS = 20_000
PEER_DRAWS = 400


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """CPU seconds of the best of three runs, and what it returned."""
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        found = work()
        best = min(best, time.process_time() - start)
    return best, found


def statsmodels_anova(values: Any) -> tuple[float, Any] | None:
    """One study by analysis of variance: mean squares in our order of effects."""
    try:
        import pandas as pd
        from statsmodels.formula.api import ols
        from statsmodels.stats.anova import anova_lm
    except ImportError:
        return None
    places = np.indices(values.shape).reshape(3, -1)
    table = pd.DataFrame(dict(zip("abc", places, strict=True)), dtype="category")
    table["y"] = values.ravel()

    def work() -> Any:
        fit = ols("y ~ (C(a) + C(b) + C(c)) ** 2", table).fit()
        return (lambda t: t["sum_sq"] / t["df"])(anova_lm(fit)).to_numpy()

    start = time.process_time()
    squares = work()
    return time.process_time() - start, squares


def friedman_loop(values: Any, draws: int) -> Any:
    """How often a permutation reaches W, one at a time."""
    rng = np.random.default_rng(0)
    observed = friedmanchisquare(*values.T).statistic
    reached = sum(
        friedmanchisquare(*rng.permuted(values, axis=1).T).statistic >= observed - 1e-9
        for _ in range(draws)
    )
    return (1 + reached) / (1 + draws)


def coverage(rng: Any, share: float, simulations: int = 300) -> tuple[float, float]:
    """How often E rho^2 at one wrapper is covered: fiducial, bootstrap over wrappers.

    4 models x 36 wrappers; the model has a share of all variance, wrappers 30 %, and
    their interaction the rest.
    """
    truth = share / 0.7  # share / (share + interaction), with interaction .7 - share
    hits = np.zeros(2)
    for _ in range(simulations):
        y = (
            np.sqrt(share) * rng.normal(size=(4, 1))
            + np.sqrt(0.3) * rng.normal(size=(1, 36))
            + np.sqrt(0.7 - share) * rng.normal(size=(4, 36))
        )
        found = variance_components(y, ("model", "wrapper"))
        known = fiducial(found, rng=rng, draws=1000)
        one = reliability(known, "model", {"wrapper": 1}).g_coefficient
        drawn = y[:, rng.integers(36, size=(200, 36))].transpose(1, 0, 2)
        spread = d_study(
            variance_components(drawn, ("model", "wrapper")), "model", {"wrapper": 1}
        ).g_coefficient
        low, high = np.quantile(spread, [0.025, 0.975])
        hits += [one.contains(truth), low <= truth <= high]
    return tuple(hits / simulations)


def print_coverage(rng: Any) -> None:
    """Simulate and print."""
    print(
        "coverage of 95 % intervals of E rho^2 at one wrapper, 4 models x 36 wrappers"
    )
    print("  share of the model    fiducial    bootstrap over wrappers")
    for share in (0.008, 0.1, 0.4):
        ours, naive = coverage(rng, share)
        print(f"  {share:18.3f} {100 * ours:11.1f} {100 * naive:26.1f}")


def main() -> None:
    """Time both sides and print them."""
    rng = np.random.default_rng(0)
    studies = rng.normal(size=(STUDIES, *SHAPE))
    ours, found = timed(lambda: variance_components(studies, FACETS))
    print(f"components of {STUDIES} studies of {' x '.join(map(str, SHAPE))}")
    print(f"  ours                                {ours:10.3f} s   target 0.1 s")
    peer = statsmodels_anova(studies[0])
    if peer is None:
        print("  statsmodels is not installed: no comparison")
    else:
        assert np.allclose(found.mean_squares[0], peer[1])
        total = peer[0] * STUDIES
        print(f"  statsmodels, from one of them       {total:10.3f} s")
        print(f"  ratio                               {total / ours:10.0f}")
    one = variance_components(studies[0], FACETS)
    spent, _ = timed(lambda: reliability(fiducial(one, rng=rng, draws=2000), "model"))
    print(f"fiducial interval, 2,000 draws, ours  {1000 * spent:10.2f} ms")

    scores = rng.normal(size=(36, 4))
    ours, w = timed(lambda: kendall_w(scores, rng=rng, draws=DRAWS))
    start = time.process_time()
    p = friedman_loop(scores, PEER_DRAWS)
    loop = (time.process_time() - start) * DRAWS / PEER_DRAWS
    assert abs(w.p - p) < 5 * np.sqrt(w.p * (1 - w.p) / PEER_DRAWS) + 0.01
    print(f"{DRAWS:,} permutations of Kendall's W, 36 x 4")
    print(f"  ours                                {ours:10.3f} s   target 0.2 s")
    print(f"  scipy loop, from {PEER_DRAWS} of them        {loop:10.3f} s")
    print(f"  ratio                               {loop / ours:10.0f}")


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
        print_coverage(np.random.default_rng(1))
