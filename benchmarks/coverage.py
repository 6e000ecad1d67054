"""The figures on coverage and bias that the methods pages quote.

About two minutes of CPU, one thread.
Each section simulates data of which the truth is known, and counts how often a 95 %
interval holds it, beside what is usually done instead. Rates, tax and reliability have
simulations of their own beside this file.
"""

from collections.abc import Callable
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.stats import beta, norm

from inspect_awareness.stats import (
    Validation,
    attenuation,
    attenuation_within,
    awareness_actors,
    awareness_tax,
    bootstrap_auroc,
    clustered_auroc,
    clustered_mean,
    cohen_kappa,
    confirmations,
    corrected_rate,
    delong_auroc,
    fiducial,
    framing_effect,
    kendall_w,
    krippendorff_alpha,
    min_f,
    newcombe_auroc,
    rates_by_band,
    reliability,
    tabulated_components,
    variance_shares,
)

Floats = npt.NDArray[np.float64]

EACH = 10
"""Scores of a cluster."""


def percent(hits: Any) -> str:
    """Means of columns of hits, in percent."""
    found = 100 * np.mean(np.asarray(hits, dtype=float), axis=0)
    return "".join(f"{each:12.1f}" for each in np.atleast_1d(found))


def means(rng: np.random.Generator, rounds: int = 1000) -> None:
    """Scores in [0, 1], ten a cluster, a third of their normal variance between."""
    print("mean of scores: clusters, and by samples")
    for clusters in (3, 5, 10, 20, 50):
        ids = np.repeat(np.arange(clusters), EACH)
        hits = []
        for _ in range(rounds):
            level = sqrt(0.3) * rng.normal(size=clusters)[ids]
            x = norm.cdf(0.5 + level + sqrt(0.7) * rng.normal(size=ids.size))
            truth = norm.cdf(0.5 / sqrt(2))
            found = (clustered_mean(x, ids), clustered_mean(x, range(x.size)))
            hits.append([each.contains(truth) for each in found])
        print(f"  {clusters:3} clusters {percent(hits)}")


def areas(rng: np.random.Generator, rounds: int = 1000) -> None:
    """Binormal scores, ten a source, correlation .3."""
    print("AUROC: sources, and by samples")
    for area in (0.5, 0.8):
        for sources in (3, 5, 8, 15):
            ids = np.repeat(np.arange(sources), EACH)
            shift = sqrt(2) * norm.ppf(area)
            hits = []
            for _ in range(rounds):
                level = sqrt(0.3) * rng.normal(size=(2, sources))[:, ids]
                x, y = level + sqrt(0.7) * rng.normal(size=(2, ids.size))
                n = ids.size
                found = (
                    clustered_auroc(x + shift, y, ids, ids + sources),
                    clustered_auroc(x + shift, y, range(n), range(n, 2 * n)),
                )
                hits.append([each.contains(area) for each in found])
            print(f"  area {area}, {sources:2} + {sources:2} {percent(hits)}")


def few_positives(rng: np.random.Generator, rounds: int = 500) -> None:
    """Independent items of which few are labelled evaluation."""
    print("AUROC of independent items:")
    columns = ("DeLong", "its logit", "clustered", "Newcombe", "bootstrap")
    print(" " * 22 + "".join(f"{name:>12}" for name in columns))
    for n1, n0 in ((50, 50), (20, 80), (5, 95)):
        labels = np.arange(n1 + n0) < n1
        for area in (0.6, 0.8, 0.95):
            shift = sqrt(2) * norm.ppf(area)
            hits = []
            for _ in range(rounds):
                s = shift * labels + rng.normal(size=labels.size)
                logit = delong_auroc(s, labels)
                found = (
                    delong_auroc(s, labels, scale="identity"),
                    logit,
                    clustered_auroc(s[:n1], s[n1:], range(n1), range(n1, n1 + n0)),
                    newcombe_auroc(logit.value, n1, n0),
                    bootstrap_auroc(s, labels, rng=rng, draws=499),
                )
                hits.append([each.contains(area) for each in found])
            print(f"  {n1:2} + {n0}, area {area:4} {percent(hits)}")


def gaps(rng: np.random.Generator, rounds: int = 100) -> None:
    """6 models x 10 wrappers, a fifth of the cells missing; E rho^2 of one wrapper."""
    print("E rho^2 with a fifth of the cells missing, REML and fiducial")
    hits = []
    for _ in range(rounds):
        y = sqrt(0.5) * rng.normal(size=(6, 1)) + rng.normal(size=(6, 10))
        y = y + rng.normal(size=10)
        model, wrapper = np.nonzero(rng.random(y.shape) > 0.2)
        labels = {"model": model, "wrapper": wrapper}
        found = fiducial(tabulated_components(y[model, wrapper], labels), rng=rng)
        one = reliability(found, "model", {"wrapper": 1}).g_coefficient
        hits.append([one.contains(1 / 3)])
    print(f"  6 x 10 {percent(hits)}")


def drawn_table(truth: Any, judged: Any, picked: Any) -> dict[str, int]:
    """Counts of the validated samples."""
    t, j = truth[picked], judged[picked]
    pairs = {"tp": t & j, "fp": ~t & j, "fn": t & ~j, "tn": ~t & ~j}
    return {name: int(cells.sum()) for name, cells in pairs.items()}


def judges(rng: np.random.Generator, rounds: int = 400, n: int = 3420) -> None:
    """100 validated of 3,420, sensitivity .9; by design."""
    print("judge's errors: coverage where there is an interval (bias, none in %)")
    columns = ("raw", "post-strat.", "ppi", "post-strat.", "RG misused")
    print(" " * 44 + "random set" + " " * 18 + "drawn by the judge's label")
    print(" " * 22 + "".join(f"{name:>18}" for name in columns))
    for rate, wrong in ((0.4, 0.2), (0.05, 0.02), (0.05, 0.1), (0.01, 0.01)):
        hits, error, none = np.zeros((3, rounds, 5))
        for k in range(rounds):
            truth = rng.uniform(size=n) < rate
            judged = rng.uniform(size=n) < np.where(truth, 0.9, wrong)
            chance = rng.permutation(n)[:100]
            yes = rng.permutation(np.flatnonzero(judged))[:50]
            no = rng.permutation(np.flatnonzero(~judged))[: 100 - yes.size]
            one = drawn_table(truth, judged, chance)
            two = drawn_table(truth, judged, np.concatenate([yes, no]))
            x, tasks = judged.astype(float), np.arange(n)
            plain = clustered_mean(x, tasks)
            found = [plain]
            for counts, design, method in (
                (one, "random", "post_stratified"),
                (one, "random", "ppi"),
                (two, "judge_stratified", "post_stratified"),
                (two, "truth_stratified", "rogan_gladen"),
            ):
                known = Validation(**counts, design=design)  # type: ignore[arg-type]
                found.append(
                    corrected_rate(
                        x,
                        tasks,
                        known,
                        rng=rng,
                        method=method,  # type: ignore[arg-type]
                        draws=2000,
                    )
                )
            hits[k] = [each.contains(rate) for each in found]
            error[k] = [each.value - rate for each in found]
            none[k] = [not each.has_interval for each in found]
        covered = 100 * hits.sum(0) / np.maximum(1, (1 - none).sum(0))
        columns_ = (covered, 100 * np.nanmean(error, 0), 100 * none.mean(0))
        cells = zip(*columns_, strict=True)
        text = "".join(f"{h:7.1f} ({b:+.1f}, {u:2.0f})" for h, b, u in cells)
        print(f"  rate {rate:4}, FPR {wrong:4} {text}")


def framings(rng: np.random.Generator, rounds: int = 200) -> None:
    """40 items under 6 + 6 framings, which differ, and no effect of the family."""
    print("framings without effect, p < .05: by items, by framings, min F', REML")
    families = np.repeat(["e", "n"], 6)
    other = (families == "e").astype(int)
    items, which = np.indices((40, 12))
    for spread in (0.0, 0.5, 1.0):
        hits = []
        for _ in range(rounds):
            y = rng.normal(size=(40, 1)) + spread * rng.normal(size=12)
            y = y + 0.5 * rng.normal(size=(40, 2))[:, other] + rng.normal(size=(40, 12))
            found = min_f(y, families)
            mixed = framing_effect(
                y.ravel(),
                items=items.ravel(),
                framings=which.ravel(),
                families=families[which.ravel()],
                reference="n",
            )
            p = (found.by_items.p, found.by_framings.p, found.min_f.p, mixed.p)
            hits.append([each < 0.05 for each in p])
        print(f"  sd of framings {spread} {percent(hits)}")


def concordance(rng: np.random.Generator, rounds: int = 500) -> None:
    """No agreement at all: how often each p is below .05."""
    print("Kendall's W of noise, p < .05: permutation, chi-square")
    for m, n in ((3, 4), (6, 5), (36, 4)):
        hits = []
        for _ in range(rounds):
            found = kendall_w(rng.normal(size=(m, n)), rng=rng, draws=399)
            hits.append([found.p <= 0.05, found.p_chi_square <= 0.05])
        print(f"  {m:2} raters, {n} objects {percent(hits)}")


def kappas(rng: np.random.Generator, rounds: int = 1000) -> None:
    """Two raters who both copy the truth with errors; truth from expected cells."""
    print("kappa of 100 transcripts, alpha of 3 raters by 50 items")
    for rate in (0.5, 0.1, 0.03):
        cells = np.array([[0.9, 0.1], [0.1, 0.9]])
        first, second = cells * [[rate], [1 - rate]], cells
        joint = first.T @ second
        truth = cohen_kappa(np.round(joint * 1e9)).value
        hits = []
        for _ in range(rounds):
            table = rng.multinomial(100, joint.ravel()).reshape(2, 2)
            truths = rng.uniform(size=50) < rate
            ratings = (rng.uniform(size=(3, 50)) < 0.1) ^ truths
            alpha = krippendorff_alpha(ratings.astype(float))
            hits.append([cohen_kappa(table).contains(truth), alpha.contains(truth)])
        print(f"  rate {rate:4}, true kappa {truth:.3f} {percent(hits)}")


def shares(rng: np.random.Generator, rounds: int = 300) -> None:
    """3 models on 2 benchmarks with fixed means, 40 tasks each, uniform effects."""
    print("shares over new tasks: model, task, model:benchmark, model:task")
    cells = np.array([[0.2, 0.5], [0.3, 0.3], [0.6, 0.4]])
    names = ("model", "task", "model:benchmark", "model:task")

    def drawn(each: int) -> Any:
        bench = np.repeat([0, 1], each)
        y = cells[:, bench] + 0.1 * rng.uniform(-1, 1, 2 * each)
        y = y + 0.1 * rng.uniform(-1, 1, (3, 2 * each))
        return variance_shares(y, bench, 10, rng=rng, draws=10).shares

    truth = drawn(20_000)
    for each in (10, 40):
        found = [drawn(each) for _ in range(rounds)]
        hits = [[f[n].contains(truth[n].value) for n in names] for f in found]
        print(f"  {each} tasks a benchmark {percent(hits)}")


def behaviour(rng: np.random.Generator) -> None:
    """Deviation from the unaware mode where awareness has no effect at all."""
    print("behaviour change without effect: observed, expected by the code, excess")
    tasks = np.repeat(np.arange(1500), EACH)
    aware = rng.uniform(size=tasks.size) < rng.beta(0.6, 1.4, 1500)[tasks]
    for a, b in ((0.5, 0.5), (1, 1), (5, 1), (0.2, 0.02)):
        y = rng.uniform(size=tasks.size) < rng.beta(a, b, 1500)[tasks]
        found = awareness_tax(y, aware, tasks=tasks, rng=rng).behaviour
        actors = awareness_actors(y, aware, tasks=tasks, rng=rng)[0]
        print(
            f"  pass ~ Beta({a}, {b}) {found.rate.value:8.3f} "
            f"{found.without_effect:8.3f} {found.excess.value:+8.3f}"
            f"   strategic {actors.strategically_aware.value:.3f}"
            f" of which by chance {actors.changed_without_effect:.3f}"
        )


def shrinkage(rng: np.random.Generator) -> None:
    """A true tax of -.18 seen through a judge who errs."""
    print("tax of -.18, judge of sensitivity .95: seen, PPV + NPV - 1, within tasks")
    tasks = np.repeat(np.arange(20_000), EACH)
    suspicion = beta.rvs(0.2, 1.8, size=20_000, random_state=rng)[tasks]
    aware = rng.uniform(size=tasks.size) < suspicion
    y = rng.uniform(size=tasks.size) < 0.6 - 0.18 * aware
    for wrong in (0.0, 0.02, 0.1, 0.2):
        seen = rng.uniform(size=tasks.size) < np.where(aware, 0.95, wrong)
        found = awareness_tax(y, seen, tasks=tasks, rng=rng)
        every = drawn_table(aware, seen, slice(None))
        pooled = attenuation(Validation(**every, design="random"))
        within = attenuation_within(
            seen, Validation(**every, design="random"), tasks=tasks
        )
        print(
            f"  FPR {wrong:4} {found.within.value:+.3f} {pooled.value:.2f} "
            f"{within.value:.2f}"
        )


def confirming(rng: np.random.Generator, rounds: int = 400) -> None:
    """Two methods, five items a task, that see awareness at .8 and err at .2."""
    print("confirmation and kappa over tasks, and kappa as if items were tasks")

    def drawn(count: int) -> Floats:
        chance = rng.beta(0.6, 0.9, (count, 1))
        aware = rng.random((count, 5)) < chance
        seen = rng.random((2, count, 5)) < np.where(aware, 0.8, 0.2)
        return np.asarray(seen.reshape(2, -1).T, dtype=np.float64)

    many = drawn(200_000)
    first, second = many.T
    share = second[first == 1].mean()
    chance = first.mean() * second.mean() + (1 - first.mean()) * (1 - second.mean())
    kappa = ((first == second).mean() - chance) / (1 - chance)
    for tasks in (10, 40, 160):
        ids, hits = np.repeat(range(tasks), 5), []
        for _ in range(rounds):
            x = drawn(tasks)
            one, other = (
                confirmations(x, ["a", "b"], clusters=each).of("a", "b")
                for each in (ids, range(ids.size))
            )
            found = ((one.share, share), (one.kappa, kappa), (other.kappa, kappa))
            hits.append([each.contains(truth) for each, truth in found])
        print(f"  {tasks:3} tasks {percent(hits)}")


def banded(rng: np.random.Generator, rounds: int = 200) -> None:
    """Chances of .2 + .6 u, u uniform, in tasks of unlike suspicion; and no trend.

    The k-th of 10 has u = k / 11 in the mean: thirds of ten have .2, .5 and .8.
    """
    print("bands within tasks: coverage of the three and of the slope; p < .05 without")
    for tasks in (20, 100):
        ids, hits, small = np.repeat(range(tasks), EACH), [], []
        for _ in range(rounds):
            u, level = rng.random((2, ids.size))
            shift = rng.uniform(-0.2, 0.2, tasks)[ids]
            found = rates_by_band(
                level < 0.2 + 0.6 * u + shift, u, tasks=ids, rng=rng, draws=9
            )
            rates = zip(found.bands, (0.32, 0.5, 0.68), strict=True)
            hits.append(
                [
                    *(band.rate.contains(rate) for band, rate in rates),
                    found.trend.contains(0.6),
                ]
            )
            flat = rates_by_band(level < 0.5 + shift, u, tasks=ids, rng=rng, draws=199)
            small.append(flat.p <= 0.05)
        print(f"  {tasks:3} tasks {percent(hits)} {percent(small)}")


SECTIONS: tuple[Callable[[np.random.Generator], None], ...] = (
    means,
    areas,
    few_positives,
    gaps,
    judges,
    framings,
    concordance,
    kappas,
    shares,
    behaviour,
    shrinkage,
    confirming,
    banded,
)


if __name__ == "__main__":
    for section in SECTIONS:
        section(np.random.default_rng(1))
