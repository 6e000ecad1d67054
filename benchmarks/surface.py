"""Floors of surface form: time beside a loop, then level, bias and coverage.

The peer fits scikit-learn's logistic regression on a tf-idf pipeline for each labeling
and fold; a part of its fits is timed and extrapolated. Target: 400 transcripts with 200
permutations within seconds.

Below: transcripts whose sources have levels of their own in seven numbers, and a step
between the classes in one of them. How often p <= .05 (without a step nominally 5 %),
the mean area beside that of fits to other draws of sources, and how often the 95 %
interval holds the latter.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

from time import perf_counter, process_time
from typing import Any

import numpy as np
from inspect_ai.model import ChatMessageAssistant, ChatMessageUser

from inspect_awareness.datasets import Transcript
from inspect_awareness.datasets._transcript import Origin
from inspect_awareness.stats import aurocs, clustered_auroc, source_folds
from inspect_awareness.stats.selection._folds import labels_within_folds
from inspect_awareness.surface import surface_floors
from inspect_awareness.surface._features import scaled_products
from inspect_awareness.surface._logistic import PENALTY, log_odds

TRANSCRIPTS, SOURCES, WORDS, FITS, SEEDS, DRAWS = 400, 40, 300, 10, 1_000, 39


def corpus(rng: np.random.Generator) -> list[Transcript]:
    """Texts of words with Zipf frequencies; each source prefers some of them."""
    vocabulary = np.array([f"w{i:04x}" for i in rng.permutation(20_000)])
    found = []
    for index in range(TRANSCRIPTS):
        source = index % SOURCES
        ranks = np.minimum(rng.zipf(1.3, 2 * WORDS), 20_000) - 1
        said = vocabulary[(ranks + 7 * source * (rng.random(2 * WORDS) < 0.2)) % 20_000]
        messages = (
            ChatMessageUser(content=" ".join(said[:WORDS])),
            ChatMessageAssistant(content=" ".join(said[WORDS:])),
        )
        label: Any = "deployment" if source % 2 else "evaluation"
        found.append(Transcript(messages, Origin(str(index), label, f"s{source}")))
    return found


def speed() -> None:
    """All three floors with 200 permutations."""
    data = corpus(np.random.default_rng(0))
    texts = ["\n".join(m.text for m in t.messages) for t in data]
    labels = np.array([t.origin.label == "evaluation" for t in data])
    length = sum(map(len, texts)) // TRANSCRIPTS
    print(f"{TRANSCRIPTS} transcripts of {length:,} characters, 200 permutations")
    start = perf_counter()
    surface_floors(data)
    print(f"  words, characters and length      {perf_counter() - start:7.1f} s")
    print(f"  scikit-learn's loop, words alone  {peer(texts, labels):7.1f} s", end="")
    print(f" (from {FITS} of 1,005 fits)")


def peer(texts: list[str], labels: Any) -> float:
    """Seconds for 201 labelings in 5 folds, from a part of them."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    rng = np.random.default_rng(0)
    start = process_time()
    for _ in range(FITS):
        rows = rng.permutation(len(texts))[: len(texts) * 4 // 5]
        model = make_pipeline(
            TfidfVectorizer(min_df=2, sublinear_tf=True), LogisticRegression(C=PENALTY)
        )
        model.fit([texts[i] for i in rows], labels[rows])
    return (process_time() - start) * 1_005 / FITS


def simulated(
    rng: np.random.Generator, sources: int, each: int, step: float
) -> tuple[Any, Any, Any]:
    """Seven numbers, labels, sources."""
    source = np.repeat(np.arange(sources), each)
    label = source % 2 == 1
    own = rng.normal(size=(sources, 7))[source]
    numbers = own + rng.normal(size=(source.size, 7))
    numbers[:, 0] += step * label
    return numbers, label, source


def level(sources: int, each: int, step: float) -> None:
    """Level of p, and bias and coverage of the area."""
    others = np.random.default_rng(SEEDS)
    found = []
    for seed in range(SEEDS):
        rng = np.random.default_rng(seed)
        numbers, label, source = simulated(rng, sources, each, step)
        folds = source_folds(label, source, 5, rng=rng)
        drawn, _ = labels_within_folds(label, source, folds, draws=DRAWS, rng=rng)
        labelings = np.vstack([label, drawn])
        scores = np.zeros(labelings.shape)
        for fold in range(folds.count):
            training = folds.fold != fold
            given = log_odds(scaled_products(numbers, training), training, labelings)
            scores[:, ~training] = given[:, ~training]
        areas = [aurocs(s, y) for s, y in zip(scores, labelings, strict=True)]
        area = clustered_auroc(
            scores[0][label], scores[0][~label], source[label], source[~label]
        )
        p = np.mean(np.array(areas) >= areas[0])
        new = elsewhere(numbers, label, others, step)
        found.append((p <= 0.05, area.value, new, area.low, area.high))
    hits, value, new, low, high = np.array(found, dtype=float).T
    covered = np.mean((low <= new.mean()) & (new.mean() <= high))
    print(
        f"  {sources:7} x {each:2}  {step:4.1f}    {100 * hits.mean():5.1f} %"
        f"   {value.mean():.3f}   {new.mean():.3f}     {100 * covered:5.1f} %"
    )


def elsewhere(numbers: Any, label: Any, rng: np.random.Generator, step: float) -> float:
    """The area of a fit to all of it, on 400 other sources."""
    other, truth, _ = simulated(rng, 400, 1, step)
    training = np.arange(len(label) + 400) < len(label)
    products = scaled_products(np.vstack([numbers, other]), training)
    labels = np.concatenate([label, truth])
    scores = log_odds(products, training, labels[None])[0]
    return float(aurocs(scores[~training], truth))


if __name__ == "__main__":
    speed()
    print(f"seven numbers, {SEEDS} data sets, {DRAWS} permutations, unit source")
    print("  sources x items  step   p <= .05    area   others   coverage")
    for shape in ((16, 10, 0.0), (40, 5, 0.0), (16, 10, 1.5), (40, 5, 1.5)):
        level(*shape)
