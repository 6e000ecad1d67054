"""Where the peak over 30 layers is, in 2,000 resamples: ours beside scikit-learn's loop.

A part of the peer's draws is timed. Below it simulated coverage of the AUROC's interval
with 3, 5, 8, 15 and 30 sources a class, 20 items each, whose scores share a source
effect (nominal 95 %): ours over sources, the cluster bootstrap, and DeLong's, which
takes items for independent. The truth is the AUROC over sources like these. Last the
share of p-values below .05 where the labels mean nothing, with labels permuted by
source and by item.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

from time import process_time
from typing import Any

import numpy as np
from scipy.stats import norm

from inspect_awareness.stats import (
    argmax_layers,
    aurocs,
    bootstrap_auroc,
    clustered_auroc,
    delong_auroc,
    folded,
    permuted_labels,
)

LAYERS, ITEMS, DRAWS, TIMED = 30, 400, 2_000, 10
SOURCES, SIZE, ROUNDS = (3, 5, 8, 15, 30), 20, 300
SHIFT, SOURCE_SD = 1.2, 0.7


def peer(scores: Any, labels: Any) -> float:
    """Seconds for all draws, from a part of them."""
    from sklearn.metrics import roc_auc_score

    rng = np.random.default_rng(0)
    classes = np.flatnonzero(labels), np.flatnonzero(~labels)
    start = process_time()
    for _ in range(TIMED):
        drawn = np.concatenate([rng.choice(each, each.size) for each in classes])
        areas = [roc_auc_score(labels[drawn], row[drawn]) for row in scores]
        int(np.argmax(np.abs(np.array(areas) - 0.5)))
    return (process_time() - start) * DRAWS / TIMED


def simulated(
    rng: np.random.Generator, count: int, shift: float
) -> tuple[Any, Any, Any]:
    """Scores with a source effect, labels and sources."""
    sources = np.repeat(np.arange(2 * count), SIZE)
    labels = sources < count
    effect = rng.normal(0, SOURCE_SD, 2 * count)[sources]
    return rng.normal(size=sources.size) + effect + shift * labels, labels, sources


def coverage(count: int) -> list[float]:
    """Of the intervals over sources, of the bootstrap, and over items."""
    rng = np.random.default_rng(1)
    truth = float(norm.cdf(SHIFT / np.sqrt(2 * (1 + SOURCE_SD**2))))
    hits = np.zeros(3)
    for _ in range(ROUNDS):
        scores, labels, ids = simulated(rng, count, SHIFT)
        found = (
            clustered_auroc(scores[labels], scores[~labels], ids[labels], ids[~labels]),
            bootstrap_auroc(scores, labels, clusters=ids, rng=rng, draws=500),
            delong_auroc(scores, labels),
        )
        hits += [each.contains(truth) for each in found]
    return [float(each) for each in 100 * hits / ROUNDS]


def rejected(count: int) -> list[float]:
    """Shares of p < .05 without an effect: labels moved by source, and by item."""
    rng = np.random.default_rng(2)
    found = np.zeros(2)
    for _ in range(ROUNDS):
        scores, labels, ids = simulated(rng, count, 0.0)
        observed = folded(aurocs(scores, labels)) - 1e-12
        for k, clusters in enumerate((ids, None)):
            moved = permuted_labels(labels, clusters, draws=199, rng=rng).labels
            larger = int((folded(aurocs(scores, moved)) >= observed).sum())
            found[k] += (1 + larger) / 200 < 0.05
    return [float(each) for each in 100 * found / ROUNDS]


def main() -> None:
    """Times, then coverage and type I errors."""
    rng = np.random.default_rng(0)
    labels = np.arange(ITEMS) < ITEMS // 2
    scores = rng.normal(size=(LAYERS, ITEMS)) + 0.3 * labels
    start = process_time()
    argmax_layers(scores, labels, rng=rng, draws=DRAWS)
    print(f"{LAYERS} layers, {ITEMS} items, {DRAWS:,} resamples")
    print(f"  ours: {process_time() - start:.3f} s CPU")
    print(
        f"  scikit-learn: {peer(scores, labels):.1f} s CPU "
        f"(from {TIMED} of {DRAWS:,} draws)"
    )
    print("coverage of the 95 % interval   sources  bootstrap  DeLong over items")
    for count in SOURCES:
        ours, boot, naive = coverage(count)
        print(f"  {count:2} sources a class {ours:18.1f} {boot:10.1f} {naive:10.1f}")
    print("p < .05 without an effect, %    by source  by item")
    for count in SOURCES[1:4]:
        whole, items = rejected(count)
        print(f"  {count:2} sources a class {whole:18.1f} {items:10.1f}")


if __name__ == "__main__":
    main()
