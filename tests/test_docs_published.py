"""The tables of published values in docs/methods show what the code gives."""

import csv
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from studies import (
    BRENNAN_1,
    BRENNAN_3,
    BRENNAN_4,
    GLESER,
    REFERENCE,
    SHROUT_FLEISS,
    booklets,
    columns,
    gaps,
    reference,
    result,
)

from inspect_awareness.stats import (
    Components,
    Estimate,
    Validation,
    arms_bias,
    auroc,
    awareness_rate,
    awareness_tax,
    cohen_kappa,
    corrected_rate,
    d_study,
    delong_auroc,
    delong_difference,
    fleiss_kappa,
    kendall_w,
    krippendorff_alpha,
    min_f,
    newcombe_auroc,
    tabulated_components,
    variance_components,
    variance_shares,
)

METHODS = Path(__file__).parents[1] / "docs" / "methods"
HEAD = re.compile(r"^\| what \| (?:published|by hand) \| ours \|$", re.MULTILINE)
ROW = re.compile(r"^\| (.+?) \| ([-.\d ]+) \| (.+?) \|$", re.MULTILINE)
OWN = ("floors.md", "calibration.md", "correction.md")
"""Pages whose tables have tests of their own."""

X, Y = [0.9, 0.8, 0.7, 0.55, 0.3], [0.7, 0.6, 0.4, 0.3, 0.2, 0.1, 0.05]
TOY = ([*X, *Y], [1] * 5 + [0] * 7)
JUDGES = [
    [1, 4.5, 2, 4.5, 3, 7.5, 6, 9, 7.5, 10],
    [2.5, 1, 2.5, 4.5, 4.5, 8, 9, 6.5, 10, 6.5],
    [2, 1, 4.5, 4.5, 4.5, 4.5, 8, 8, 8, 10],
]
NAN = float("nan")
KRIPPENDORFF = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
    [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
]
FLEISS = [
    [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1], [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
]  # fmt: skip
TABLE_5 = [
    [0.5, 79.4, 1.1, 0.3], [0.4, 1.0, 0.5, 5.1], [5.6, 0.6, 4.4, 3.1],
    [4.9, 28.3, 7.0, 0.9], [0.4, 22.4, 0.8, 0.2], [32.4, 0.2, 18.8, 3.8],
    [32.5, 0.3, 25.0, 2.7], [1.3, 0.5, 0.0, 0.0], [0.2, 0.2, 0.0, 0.0],
]  # fmt: skip
PAPER_EFFECTS = ("fam", "fam:model", "t", "h", "fam:t", "fam:model:t", "fam:model:h",
                 "t:h")  # fmt: skip


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def ends(found: Estimate) -> list[float]:
    return [found.low, found.high]


def both(found: Components, object_: str, *fixed: str, **sizes: float) -> list[float]:
    study = d_study(found, object_, sizes, fixed=fixed)
    return [float(study.g_coefficient), float(study.phi)]


def long(values: Any, *facets: str) -> tuple[list[float], dict[str, list[int]]]:
    places = list(np.ndindex(values.shape))
    labels = {f: [p[axis] for p in places] for axis, f in enumerate(facets)}
    return [float(values[p]) for p in places], labels


def brennan_2() -> Components:
    return variance_components(BRENNAN_3.reshape(10, 8), ["p", "i"], nested={"i": "p"})


def brennan_4() -> Components:
    return variance_components(BRENNAN_4, ["p", "t", "r"], nested={"r": "t"})


def booklet_effects(method: Any) -> list[float]:
    values, labels = booklets()
    found = tabulated_components(
        values, labels, nested={"item": "booklet"}, method=method
    )
    names = ("person", "booklet", "booklet:item", "person:booklet")
    return [float(found.of(name)) for name in names]


def icc(size: int) -> list[float]:
    one_way = variance_components(SHROUT_FLEISS, ["t", "j"], nested={"j": "t"})
    two_way = variance_components(SHROUT_FLEISS, ["t", "j"])
    consistency, agreement = both(two_way, "t", j=size)
    return [both(one_way, "t", j=size)[0], agreement, consistency]


def lme4(name: str, value: str, *facets: str, **more: Any) -> list[float]:
    values, labels = columns(reference(name), value, *facets)
    found = tabulated_components(values, labels, method="reml", **more)
    return [*found.raw.tolist(), found.criterion]


def family() -> list[float]:
    values, labels = columns(reference("fam.csv"), "y", "fam", "model", "t", "h")
    found = tabulated_components(
        values, labels, nested={"model": "fam"}, method="reml", effects=PAPER_EFFECTS
    )
    return [found.criterion]


def arms() -> list[float]:
    pairs = (arms_bias(6, 6), arms_bias(4, 8))
    return [weight for pair in pairs for weight in (pair.first, pair.second)]


def asah(column: str) -> tuple[list[float], list[int]]:
    rows = reference("asah.csv")
    poor = [int(row["outcome"] == "Poor") for row in rows]
    return [float(row[column]) for row in rows], poor


def asah_gap() -> list[float]:
    first, poor = asah("s100b")
    found = delong_difference(first, asah("ndka")[0], poor)
    return [found.z, found.p]


def wrappers() -> list[float]:
    matrix = np.array(result("wrapper_curves.json")["matrix"]).T
    found = kendall_w(matrix, rng=rng(), draws=1)
    return [found.w, found.p_chi_square]


def endpoint() -> Any:
    known = result("endpoint_gate_matrix.json")
    families = [known["families"][name] for name in known["framings"]]
    kept = [k for k, family in enumerate(families) if family != "deploy"]
    matrix = np.array(known["matrix_P_gold"])[:, kept]
    return min_f(matrix, [families[k] for k in kept])


def endpoint_min_f() -> list[float]:
    found = endpoint().min_f
    return [found.f, found.df_error, found.p]


def of_rates(rate: float, design: Any) -> list[float]:
    judged = np.arange(1000) < rate * 1000
    checked = Validation(36, 12, 1, 51, design)
    return [corrected_rate(judged, range(1000), checked, rng=rng()).value]


def kappa(*counts: int) -> list[float]:
    found = cohen_kappa(np.reshape(counts, (2, 2)))
    return [found.value, *ends(found)]


def alphas() -> list[float]:
    metrics: Any = ("nominal", "ordinal", "interval")
    return [krippendorff_alpha(KRIPPENDORFF, metric=each).value for each in metrics]


def concord() -> list[float]:
    found = kendall_w(JUDGES, rng=rng(), draws=1)
    return [found.uncorrected, found.w]


def small_tax() -> Any:
    outcome, aware = [1, 0, 0, 1, 1, 0, 0], [1, 0, 0, 1, 0, 1, 0]
    return awareness_tax(outcome, aware, tasks=[1, 1, 1, 2, 2, 3, 3], rng=rng())


def differences() -> list[float]:
    found = small_tax()
    return [found.within.value, found.paper_mean.value, found.pooled.value]


def table_5() -> list[float]:
    bench = np.repeat(range(4), (342, 234, 176, 176))
    rates = np.array(TABLE_5)[:, bench] / 100
    found = variance_shares(rates, bench, 10, rng=rng()).shares
    scale = 42.08 / found["model:benchmark"].value
    return [scale * found[name].value for name in ("model", "benchmark")]


def simulated_shares(*names: str) -> list[float]:
    path = REFERENCE / "aw.csv"
    if not path.exists():
        pytest.skip(f"{path} is not on this machine")
    rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    tasks = list(dict.fromkeys((r["bench"], r["task"]) for r in rows))
    place = {task: k for k, task in enumerate(tasks)}
    rates = np.zeros((9, len(tasks)))
    for r in rows:
        rates[int(r["model"][1:]), place[r["bench"], r["task"]]] = float(r["y"])
    found = variance_shares(rates, [b for b, _ in tasks], 10, rng=rng())
    return [found.shares[name].value for name in names]


NESTED = {"cask": "batch"}
OURS: dict[str, Callable[[], Iterable[float]]] = {
    "small table: area": lambda: [auroc(X, Y)],
    "small table: DeLong, identity": lambda: ends(delong_auroc(*TOY, scale="identity")),
    "small table: DeLong, logit": lambda: ends(delong_auroc(*TOY)),
    "small table: Newcombe": lambda: ends(newcombe_auroc(auroc(X, Y), 5, 7)),
    "aSAH, S100B: area": lambda: [delong_auroc(*asah("s100b")).value],
    "aSAH, S100B: DeLong, identity": lambda: ends(
        delong_auroc(*asah("s100b"), scale="identity")
    ),
    "aSAH, S100B: Newcombe": lambda: ends(
        newcombe_auroc(delong_auroc(*asah("s100b")).value, 41, 72)
    ),
    "aSAH, S100B - NDKA: z, p": asah_gap,
    "Brennan 1, p i pi": lambda: variance_components(BRENNAN_1, ["p", "i"]).raw,
    "Brennan 1, 12 items: E rho^2, Phi": lambda: both(
        variance_components(BRENNAN_1, ["p", "i"]), "p"
    ),
    "Brennan 1, 5 items": lambda: both(
        variance_components(BRENNAN_1, ["p", "i"]), "p", i=5
    ),
    "Brennan 1, 20 items": lambda: both(
        variance_components(BRENNAN_1, ["p", "i"]), "p", i=20
    ),
    "Brennan 2, p i:p": lambda: brennan_2().raw,
    "Brennan 3, p i o pi po io pio": lambda: (
        variance_components(BRENNAN_3, ["p", "i", "o"]).raw
    ),
    "Brennan 3: E rho^2, Phi": lambda: both(
        variance_components(BRENNAN_3, ["p", "i", "o"]), "p"
    ),
    "Brennan 3, items fixed": lambda: both(
        variance_components(BRENNAN_3, ["p", "i", "o"]), "p", "i"
    ),
    "Brennan 4, p t pt r:t pr:t": lambda: brennan_4().raw,
    "Brennan 4, tasks fixed": lambda: both(brennan_4(), "p", "t"),
    "Brennan 7.2, Henderson: p h i:h ph": lambda: booklet_effects("henderson"),
    "Brennan 7.2, REML by lme4": lambda: booklet_effects("reml"),
    "Brennan 7.1.4, 13 of 72 missing: p i pi": lambda: (
        tabulated_components(*gaps(), method="henderson").raw
    ),
    "Gleser et al., P I J PI PJ IJ PIJ": lambda: (
        variance_components(GLESER, ["P", "I", "J"]).raw
    ),
    "Gleser et al., REML by lme4": lambda: (
        tabulated_components(*long(GLESER, "P", "I", "J"), method="reml").raw
    ),
    "Shrout and Fleiss, ICC(1,1) (2,1) (3,1)": lambda: icc(1),
    "Shrout and Fleiss, ICC(1,4) (2,4) (3,4)": lambda: icc(4),
    "Dyestuff: batch, residual, REMLcrit": lambda: lme4(
        "dyestuff.csv", "Yield", "Batch", repeats=True
    ),
    "Dyestuff2": lambda: lme4("dyestuff2.csv", "Yield", "Batch", repeats=True),
    "Pastes: batch, cask, residual, REMLcrit": lambda: lme4(
        "pastes.csv", "strength", "batch", "cask", nested=NESTED, repeats=True
    ),
    "Penicillin: plate, sample, residual, REMLcrit": lambda: lme4(
        "penicillin.csv", "diameter", "plate", "sample"
    ),
    "family design, REMLcrit": family,
    "flat arms, 6 x 6 and 4 x 8": arms,
    "three judges: W as it stands, corrected for ties": concord,
    "36 wrappers: W, p by chi-square": wrappers,
    "endpoint: F1, F2": lambda: [endpoint().by_items.f, endpoint().by_framings.f],
    "endpoint: min F', df, p": endpoint_min_f,
    "0 of 20 tasks: 1 - .025^(1/20)": lambda: [
        awareness_rate([0] * 20, range(20)).high
    ],
    "three tasks above: ends": lambda: ends(
        awareness_rate([0, 1, 1, 1, 0, 0], [1, 1, 2, 2, 3, 3])
    ),
    ".324 with (36, 12, 1, 51), post-stratified": lambda: of_rates(
        0.324, "judge_stratified"
    ),
    ".794 with the same, Rogan-Gladen": lambda: of_rates(0.794, "truth_stratified"),
    "(36, 12, 1, 51): kappa and ends": lambda: kappa(36, 12, 1, 51),
    "(35, 13, 5, 47): kappa and ends": lambda: kappa(35, 13, 5, 47),
    "Krippendorff: nominal, ordinal, interval": alphas,
    "Fleiss' example": lambda: [fleiss_kappa(FLEISS).value],
    "table above: within, unweighted, pooled": differences,
    "table above: permutation p": lambda: [small_tax().p],
    "Table 5: model, benchmark (%)": table_5,
    "9 x 928: model, benchmark, task": lambda: simulated_shares(
        "model", "benchmark", "task"
    ),
    "9 x 928: model:benchmark, model:task": lambda: simulated_shares(
        "model:benchmark", "model:task"
    ),
}


def rows() -> Iterator[tuple[str, str, str]]:
    """What, published and ours, of every table with these three columns."""
    for page in sorted(METHODS.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        for table in HEAD.split(text)[1:]:
            if page.name not in OWN:
                yield from ROW.findall(table.split("\n\n")[0])


def unit(cell: str) -> float:
    """One unit of the last digit that is shown."""
    return float(10.0 ** -len(cell.partition(".")[2]))


@pytest.mark.parametrize(("what", "published", "ours"), list(rows()))
def test_published_values_stand_beside_what_the_code_gives(
    what: str, published: str, ours: str
) -> None:
    known, shown = published.split(), ours.split()
    found = list(OURS[what]())[: len(shown)]
    for value, one, other in zip(found, known, shown, strict=True):
        assert value == pytest.approx(float(other), abs=unit(other))
        # Rounded input and lme4's optimiser explain three units, or 2 in 10,000.
        close = max(3 * unit(one), 2e-4 * abs(float(one)))
        assert float(other) == pytest.approx(float(one), abs=close)


def test_every_value_that_can_be_computed_is_shown() -> None:
    assert sorted(what for what, *_ in rows()) == sorted(OURS)
