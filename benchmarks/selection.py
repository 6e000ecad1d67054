"""Selection of probe questions: time beside a loop, then level, coverage and optimism.

The peer averages the questions of each subset and calls `roc_auc_score`; a part of its
subsets is timed and extrapolated. Targets: all 2^16 subsets of 16 questions on 400
transcripts under 1 s, all 98,280 of 5 from 28 under 1 s, nested selection over 28
questions with 200 permutations under 30 s (one process is used).

Below: how often p <= .05 where labels mean nothing and belong to sources (nominal
5 %, 400 data sets), how often the 95 % interval of the out-of-sample AUROC holds .5
there, and for 28 questions of known strength the AUROC in sample, in the population
(20,000 transcripts), by the folds, and the optimism printed beside the true one.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

from itertools import combinations
from time import perf_counter, process_time
from typing import Any

import numpy as np
from scipy.special import expit

from inspect_awareness.stats import (
    QuestionSearch,
    find_questions,
    question_subsets,
    select_questions,
    subset_aurocs,
)

STRATEGIES = ("all", "filter", "greedy", "diversity", "exhaustive")
TRANSCRIPTS, TIMED, SEEDS, DRAWS, SETS = 400, 400, 400, 39, 40


def answers(
    rng: np.random.Generator,
    strength: Any,
    sources: int,
    each: int = 1,
    families: int = 0,
) -> tuple[Any, Any, Any]:
    """Logits of a label, a source's level, a family's noise and a question's own."""
    source = np.repeat(np.arange(sources), each)
    label = source % 2
    k = len(strength)
    logits = label[:, None] * np.asarray(strength)
    logits = (
        logits + (0.5 if families else 0.75) * rng.normal(size=(sources, 1))[source]
    )
    if families:
        own = rng.normal(size=(source.size, families))
        logits = logits + own[:, np.arange(k) * families // k]
    noise = 0.8 if families else 1.2
    return expit(logits + noise * rng.normal(size=(source.size, k))), label, source


def peer(values: Any, label: Any, sizes: Any) -> float:
    """Seconds for all subsets, from a part of them."""
    from sklearn.metrics import roc_auc_score

    k = values.shape[1]
    subsets = question_subsets(k, sizes)
    some = np.linspace(0, len(subsets) - 1, TIMED).astype(int)
    members = [np.flatnonzero(subsets[i]) for i in some]
    start = process_time()
    for each in members:
        roc_auc_score(label, values[:, each].mean(axis=1))
    return (process_time() - start) * len(subsets) / TIMED


def speed() -> None:
    """Every subset, and the whole nested selection."""
    rng = np.random.default_rng(0)
    label = rng.permutation(np.arange(TRANSCRIPTS) % 2)
    print(f"every subset on {TRANSCRIPTS} transcripts      ours    scikit-learn's loop")
    for k, sizes in ((16, range(1, 17)), (28, [5])):
        for kind in ("probabilities", "yes or no"):
            values = rng.random((TRANSCRIPTS, k))
            values = values if kind == "probabilities" else values.round()
            start = process_time()
            found = subset_aurocs(values, label, question_subsets(k, sizes))
            ours = process_time() - start
            print(
                f"  {found.size:6,} of {k} questions, {kind:14} {ours:6.2f} s "
                f"{peer(values, label, sizes):6.0f} s (from {TIMED} of them)"
            )
    check(values[:, :6], label)
    data = answers(rng, np.linspace(0, 1.2, 28), 40, 10)
    print("28 questions, 400 transcripts of 40 sources, 5 folds, 200 permutations")
    for name in STRATEGIES:
        start = perf_counter()
        select_questions(*data, rng=rng, search=QuestionSearch(name))
        print(f"  {name:12} {perf_counter() - start:6.2f} s")


def check(values: Any, label: Any) -> None:
    """Our areas are scikit-learn's."""
    from sklearn.metrics import roc_auc_score

    found = subset_aurocs(values, label, question_subsets(6, [3]))
    expected = [
        roc_auc_score(label, values[:, each].mean(axis=1).round(10))
        for each in combinations(range(6), 3)
    ]
    assert np.allclose(found, expected, rtol=0, atol=1e-12)


def level() -> None:
    """Type I error and coverage where labels mean nothing."""
    print(f"labels without meaning, {SEEDS} data sets, {DRAWS} permutations each")
    print(
        "  strategy      sources x items   p <= .05   in sample   coverage of .5   kept all"
    )
    for name, sources, each in (
        ("greedy", 20, 8),
        ("greedy", 12, 10),
        ("filter", 20, 8),
        ("exhaustive", 20, 8),
    ):
        hits = np.zeros(4)
        for seed in range(SEEDS):
            rng = np.random.default_rng(seed)
            found = select_questions(
                *answers(rng, np.zeros(8), sources, each),
                rng=rng,
                search=QuestionSearch(name),
                permutations=DRAWS,
            )
            out = found.auroc_out_of_sample
            hits += [
                found.null.p <= 0.05,
                found.null.p_in_sample <= 0.05,
                out.contains(0.5),
                found.kept_all,
            ]
        p, inside, covered, kept = 100 * hits / SEEDS
        print(
            f"  {name:12} {sources:8} x {each:2}        {p:5.1f} %     {inside:5.1f} %"
            f"     {covered:5.1f} %        {kept:5.1f} %"
        )


def optimism(families: int) -> None:
    """AUROC in sample, in the population and by the folds; optimism printed and true."""
    kind = f"{families} families of alike wordings" if families else "28 wordings"
    print(f"{kind}, 100 transcripts, {SETS} data sets (exhaustive: half of them)")
    print("  strategy      in sample  population  folds   optimism printed  true")
    rng = np.random.default_rng(0)
    strength = np.linspace(0.5, 1.5, 28)
    values, label, _ = answers(rng, strength, 20_000, families=families)
    for name in STRATEGIES:
        found = []
        for seed in range(SETS if name != "exhaustive" else SETS // 2):
            rng = np.random.default_rng(seed)
            data = answers(rng, strength, 100, families=families)
            search = QuestionSearch(name)
            made = select_questions(*data, rng=rng, search=search, permutations=0)
            members = find_questions(data[0], data[1], search).members
            population = subset_aurocs(values, label, members[None])[0]
            out = made.auroc_out_of_sample.value
            found.append((made.auroc_in_sample, population, out))
        inside, population, out = np.mean(found, axis=0)
        print(
            f"  {name:12} {inside:9.3f} {population:10.3f} {out:9.3f} "
            f"{inside - out:12.3f} {inside - population:12.3f}"
        )


def main() -> None:
    """Times, then level and coverage, then optimism."""
    speed()
    level()
    optimism(0)
    optimism(7)


if __name__ == "__main__":
    main()
