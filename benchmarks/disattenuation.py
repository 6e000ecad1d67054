"""What a judge's errors make of the tax, and how well it is corrected.

200 tasks of 10 samples, a true tax of -.3, a judge of sensitivity .9 and false positive
rate .2, and samples validated by the truth. For each way to draw these: the median of
the corrected tax, the share of 95 % intervals that hold the true one, and the share of
data sets in which nothing can be said, since the factor may be 0. `pooled` divides by
PPV + NPV - 1 of the set, `within` by the factor within tasks.

The tasks have one prevalence (.3), or differ in it (Beta(.4, 1.6)). About one minute of
CPU, one thread.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

from collections.abc import Callable
from typing import Any

import numpy as np

from inspect_awareness.stats import (
    Estimate,
    Validation,
    attenuation,
    attenuation_within,
    awareness_tax,
    disattenuated,
)

TASKS, SAMPLES, TAX, SE, FPR = 200, 10, -0.3, 0.9, 0.2
ROUNDS = 400


def simulated(rng: np.random.Generator, *, alike: bool) -> tuple[Any, Any, Any]:
    """Outcome, awareness and the judge's label, shape (tasks, samples)."""
    chance = np.full((TASKS, 1), 0.3) if alike else rng.beta(0.4, 1.6, (TASKS, 1))
    aware = rng.random((TASKS, SAMPLES)) < chance
    passes = rng.uniform(0.35, 0.95, (TASKS, 1)) + TAX * aware
    outcome = rng.random(aware.shape) < passes
    return outcome, aware, rng.random(aware.shape) < np.where(aware, SE, FPR)


def halves(rng: np.random.Generator, labels: Any, count: int) -> Any:
    """Half of the samples with a label, and half without."""
    flat = labels.ravel()
    kinds = (np.flatnonzero(flat), np.flatnonzero(~flat))
    return np.concatenate([rng.permutation(kind)[: count // 2] for kind in kinds])


def pairs(rng: np.random.Generator, judged: Any, count: int) -> Any:
    """Two samples of a task, one of each label; tasks by n_a n_u / m."""
    weight = judged.sum(1) * (~judged).sum(1)
    tasks = rng.choice(TASKS, count // 2, p=weight / weight.sum())
    picks = [
        [SAMPLES * t + rng.choice(np.flatnonzero(judged[t] == label)) for t in tasks]
        for label in (True, False)
    ]
    return np.concatenate(picks)


DRAWS: dict[str, tuple[Any, Callable[..., Any]]] = {
    "random": ("random", lambda rng, aware, _, n: rng.permutation(aware.size)[:n]),
    "by truth": ("truth_stratified", lambda rng, aware, _, n: halves(rng, aware, n)),
    "by judge": ("judge_stratified", lambda rng, _, judged, n: halves(rng, judged, n)),
    "in pairs": ("judge_stratified", lambda rng, _, judged, n: pairs(rng, judged, n)),
}


def corrections(
    rng: np.random.Generator, name: str, count: int, *, alike: bool
) -> list[Estimate]:
    """The tax seen, corrected by the pooled factor, and by that within tasks."""
    outcome, aware, judged = simulated(rng, alike=alike)
    design, draw = DRAWS[name]
    pick = draw(rng, aware, judged, count)
    t, j = aware.ravel()[pick], judged.ravel()[pick]
    counts = [int(each.sum()) for each in (t & j, ~t & j, t & ~j, ~t & ~j)]
    checked = Validation(*counts, design=design)
    tasks = np.repeat(range(TASKS), SAMPLES)
    label = judged.ravel().astype(float)
    seen = awareness_tax(
        outcome.ravel().astype(float), label, tasks=tasks, rng=rng, draws=9
    ).within
    by_truth = design == "truth_stratified"
    pooled = attenuation(checked, prevalence=aware.mean() if by_truth else None)
    found = [seen, disattenuated(seen, pooled, bounded=True)]
    if design != "judge_stratified":
        within = attenuation_within(label, checked, tasks=tasks)
        found.append(disattenuated(seen, within, bounded=True))
    return found


def main() -> None:
    """One line for each kind of tasks, size and draw."""
    rng = np.random.default_rng(1)
    print(f"a tax of {TAX}; median, coverage in %, nothing said in %")
    print(f"{'':38}{'seen':>20}{'pooled':>20}{'within':>20}")
    for alike in (True, False):
        for count in (100, 400):
            for name in DRAWS:
                rounds = [
                    corrections(rng, name, count, alike=alike) for _ in range(ROUNDS)
                ]
                line = ""
                for each in zip(*rounds, strict=True):
                    known = [found for found in each if found.has_interval]
                    middle = np.median([found.value for found in known])
                    holds = 100 * np.mean([found.contains(TAX) for found in known])
                    none = 100 * (1 - len(known) / ROUNDS)
                    line += f"{middle:8.3f}{holds:6.1f}{none:6.1f}"
                kind = "one prevalence" if alike else "tasks differ"
                print(f"  {kind:15} {count} validated {name:10}{line}", flush=True)


if __name__ == "__main__":
    main()
