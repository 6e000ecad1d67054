"""Awareness rates of 100,000 rows: ours beside the same intervals from statsmodels.

The peer is the usual way in pandas: rates by `groupby`, then for each cell an OLS on a
constant with clustered covariance. The target: under 1 s, the file's reading included.
Below it the share of simulated intervals that hold the true rate (nominal 95 %), with
10 samples a task, beside Wilson's interval, which takes samples for independent.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import tempfile
from pathlib import Path
from time import process_time

import numpy as np
import pandas as pd
from scipy.stats import binomtest

from inspect_awareness.stats import awareness_rate, awareness_rates
from inspect_awareness.tables import read_table

MODELS, BENCHMARKS, TASKS, SAMPLES = 10, 4, 250, 10
SETTINGS = ((25, 0.05, 0.6), (100, 0.005, 0.3), (342, 0.005, 0.3), (342, 0.3, 0.6))
ROUNDS = 200


def data(rng: np.random.Generator) -> pd.DataFrame:
    """A row for each sample of each task of each benchmark, for each model."""
    shape = (MODELS, BENCHMARKS, TASKS, SAMPLES)
    propensity = rng.beta(0.2, 1.8, (*shape[:3], 1))
    where = [axis.ravel() for axis in np.indices(shape)]
    return pd.DataFrame(
        {
            "model": [f"m{k}" for k in where[0]],
            "benchmark": [f"b{k}" for k in where[1]],
            "task": [f"t{k}" for k in where[2]],
            "aware": (rng.uniform(size=shape) < propensity).astype(int).ravel(),
        }
    )


def ours(path: Path) -> int:
    """Read the file, and estimate."""
    cells = read_table(path)
    found = awareness_rates(
        cells.binary("aware", empty=True),
        models=cells.text("model"),
        benchmarks=cells.text("benchmark"),
        tasks=cells.text("task"),
    )
    return len(found)


def peer(path: Path) -> int:
    """Pandas and statsmodels."""
    import statsmodels.api as sm

    found = 0
    for _, cell in pd.read_csv(path).groupby(["model", "benchmark"]):
        groups = pd.factorize(cell["task"])[0]
        fit = sm.OLS(cell["aware"], np.ones(len(cell))).fit(
            cov_type="cluster", cov_kwds={"groups": groups}
        )
        found += fit.conf_int().shape[0]
    return found


def coverage(tasks: int, rate: float, correlation: float) -> tuple[float, float]:
    """How often our interval and Wilson's hold the true rate."""
    rng = np.random.default_rng(1)
    shape = 1 / correlation - 1
    ids = np.repeat(np.arange(tasks), SAMPLES)
    hits = np.zeros(2)
    for _ in range(ROUNDS):
        propensity = rng.beta(rate * shape, (1 - rate) * shape, tasks)
        aware = (rng.uniform(size=ids.size) < propensity[ids]).astype(float)
        wilson = binomtest(int(aware.sum()), ids.size).proportion_ci(method="wilson")
        hits += [
            awareness_rate(aware, ids).contains(rate),
            wilson.low <= rate <= wilson.high,
        ]
    ours, naive = 100 * hits / ROUNDS
    return float(ours), float(naive)


def main() -> None:
    """Times, then coverage."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rates.csv"
        table = data(np.random.default_rng(0))
        table.to_csv(path, index=False)
        start = process_time()
        rows = ours(path)
        print(f"{len(table):,} rows, {rows} rates: {process_time() - start:.2f} s CPU")
        try:
            import statsmodels.api  # noqa: F401
        except ImportError:
            print("statsmodels (the peer) is not installed")
        else:
            start = process_time()
            peer(path)
            print(f"pandas and statsmodels: {process_time() - start:.2f} s CPU")
    print("coverage of the 95 % interval:   ours   Wilson over samples")
    for tasks, rate, correlation in SETTINGS:
        found, naive = coverage(tasks, rate, correlation)
        name = f"{tasks} tasks, rate {rate}, correlation {correlation}"
        print(f"  {name:34} {found:5.1f}   {naive:5.1f}")


if __name__ == "__main__":
    main()
