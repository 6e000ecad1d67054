"""Floors of a peak over layers: ours beside loops over scikit-learn.

Label permutations: 36 instruments x 30 layers x 400 items under 1,000 label vectors;
the peer calls `roc_auc_score` for each, of which a part is timed. Directions from
permuted contrasts: 1,000 draws x 30 layers x 400 items of width 1,024, from 204 pairs;
the peer forms each direction, projects the items and calls `roc_auc_score`. The
targets: under .2 s and .6 s. Ours are the fastest of three runs.

Below them simulated peaks: 28 layers, 200 items of either label, layers correlated .9
for neighbours, and areas that are chance everywhere, a broad low hill, or one high
peak. For each estimator the mean error from the true peak and the share of 95 %
intervals that hold it; and the floors by approximation over the permuted one.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from collections.abc import Callable
from functools import partial
from time import process_time
from typing import Any

import numpy as np
from scipy.special import ndtri

from inspect_awareness.stats import RankedScores
from inspect_awareness.stats.floors import (
    ContrastGrams,
    isotropic_floor,
    layer_selection_floor,
    peak_estimates,
    permuted_construction_floor,
    permuted_scoring_floor,
    permuted_scoring_floors,
)

INSTRUMENTS, LAYERS, ITEMS, DRAWS, WIDTH, PAIRS = 36, 30, 400, 1_000, 1_024, 204
TIMED = 300
ROUNDS, DEPTH, CLASS, NEIGHBOURS = 100, 28, 200, 0.9
SHAPES = {
    "chance everywhere": np.full(DEPTH, 0.5),
    "a broad low hill": 0.5 + 0.15 * np.exp(-((np.arange(DEPTH) - 16) ** 2) / 60),
    "one high peak": 0.5 + 0.3 * np.exp(-((np.arange(DEPTH) - 16) ** 2) / 8),
}


def fastest(call: Callable[[], Any]) -> float:
    """CPU seconds of the fastest of three calls, the first of which warms up."""
    found = []
    for _ in range(3):
        start = process_time()
        call()
        found.append(process_time() - start)
    return min(found)


def scoring(rng: np.random.Generator) -> None:
    """Label permutations."""
    scores = rng.standard_normal((INSTRUMENTS, LAYERS, ITEMS))
    labels = np.arange(ITEMS) % 2
    took = fastest(
        lambda: permuted_scoring_floors(scores, labels, draws=DRAWS, rng=rng)
    )
    print(f"{INSTRUMENTS} x {LAYERS} x {ITEMS} under {DRAWS:,} label permutations")
    print(f"  ours: {took:.3f} s CPU")
    try:
        from sklearn.metrics import roc_auc_score
    except ImportError:
        print("  scikit-learn (the peer) is not installed")
        return
    roc_auc_score(labels, scores[0, 0])
    start = process_time()
    for row in scores.reshape(-1, ITEMS)[:TIMED]:
        roc_auc_score(rng.permutation(labels), row)
    each = (process_time() - start) / TIMED
    total = each * INSTRUMENTS * LAYERS * DRAWS
    print(f"  scikit-learn loop: {total:,.0f} s CPU (from {TIMED} calls)")


def paired_floor(items: Any, pairs: Any, labels: Any, rng: np.random.Generator) -> None:
    """From activations to the floor."""
    grams = ContrastGrams.paired(items, pairs)
    permuted_construction_floor(grams, labels, draws=DRAWS, rng=rng)


def construction(rng: np.random.Generator) -> None:
    """Directions from permuted contrasts, and isotropic ones."""
    labels = np.arange(ITEMS) % 2
    print(f"{DRAWS:,} directions x {LAYERS} layers x {ITEMS} items of width {WIDTH:,}")
    for kind in (np.float32, np.float64):
        items = rng.standard_normal((LAYERS, ITEMS, WIDTH)).astype(kind)
        pairs = rng.standard_normal((LAYERS, PAIRS, WIDTH)).astype(kind)
        permuted = partial(paired_floor, items, pairs, labels, rng)
        isotropic = partial(
            isotropic_floor, items, labels, persistence=0.9, draws=DRAWS, rng=rng
        )
        took = fastest(permuted), fastest(isotropic)
        name = np.dtype(kind).name
        print(f"  ours, {name}: {took[0]:.3f} s CPU; isotropic {took[1]:.3f} s CPU")
    try:
        from sklearn.metrics import roc_auc_score
    except ImportError:
        return
    start = process_time()
    for draw in range(TIMED):
        layer = draw % LAYERS
        signs = rng.choice([-1.0, 1.0], PAIRS)
        direction = (signs[:, None] * pairs[layer]).mean(axis=0)
        roc_auc_score(labels, items[layer] @ (direction / np.linalg.norm(direction)))
    each = (process_time() - start) / TIMED
    print(
        f"  forming directions, scikit-learn: {each * DRAWS * LAYERS:,.0f} s CPU (from "
        f"{TIMED} of {DRAWS * LAYERS:,})"
    )


def simulated(rng: np.random.Generator, areas: Any) -> tuple[Any, Any]:
    """Binormal scores with these areas; the noise is AR(1) over layers."""
    labels = np.arange(2 * CLASS) < CLASS
    noise = rng.standard_normal((DEPTH, 2 * CLASS))
    for layer in range(1, DEPTH):
        fresh = np.sqrt(1 - NEIGHBOURS**2) * noise[layer]
        noise[layer] = NEIGHBOURS * noise[layer - 1] + fresh
    return noise + np.sqrt(2) * ndtri(areas)[:, None] * labels, labels


def simulate(name: str, rounds: int) -> None:
    """Errors and coverage of the estimators; ratios of the floors."""
    rng, truth = np.random.default_rng(1), float(np.abs(SHAPES[name] - 0.5).max())
    errors, holds, ratios = [], [], []
    for _ in range(rounds):
        scores, labels = simulated(rng, SHAPES[name])
        found = peak_estimates(scores, labels, rng=rng, layer=16, draws=300)
        each = (found.naive, found.corrected, found.split, found.fixed)
        errors.append([estimate.value - truth for estimate in each])
        holds.append([100 * estimate.contains(truth) for estimate in each])
        ranked = RankedScores.of(scores)
        curve, matrix = ranked.areas(labels), ranked.null_correlation()
        exact = layer_selection_floor(curve, CLASS, CLASS, correlation=matrix)
        guessed = layer_selection_floor(curve, CLASS, CLASS)
        floor = permuted_scoring_floor(scores, labels, draws=300, rng=rng).mean
        ratios.append([x / floor for x in (exact.mean, guessed.mean, guessed.formula)])
    print(f"{name}: the true peak is {truth:.3f} from chance")
    print("                 naive  less floor  held out  layer 16 (the true peak)")
    bias = "".join(f"{x:+11.3f}" for x in np.mean(errors, axis=0))
    cover = "".join(f"{x:11.0f}" for x in np.mean(holds, axis=0))
    print(f"  mean error {bias}\n  coverage, %{cover}")
    ratio = "   ".join(f"{x:.2f}" for x in np.mean(ratios, axis=0))
    print(f"  floor / permuted: Li-Ji of scores, of the curve, formula: {ratio}")


def main() -> None:
    """Times, then simulations."""
    rng = np.random.default_rng(0)
    scoring(rng)
    construction(rng)
    for name in SHAPES:
        simulate(name, ROUNDS)


if __name__ == "__main__":
    main()
