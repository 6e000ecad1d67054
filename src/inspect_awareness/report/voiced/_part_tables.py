"""Tables of voiced awareness that stand on more than one model, run or method."""

from inspect_awareness.claims import counted, shown
from inspect_awareness.report._cells import NONE
from inspect_awareness.report._table import Table
from inspect_awareness.report.voiced._contents import Voiced
from inspect_awareness.report.voiced._numbers import (
    claimed,
    number,
    p_value,
    percent,
    signed,
)

EFFECTS = {
    "model": "models",
    "benchmark": "benchmarks",
    "task": "tasks",
    "model:benchmark": "models x benchmarks",
    "model:task": "models x tasks",
}
"""Effects in words."""


NUMBERS = {"pabak": "PABAK", "ppv": "PPV", "npv": "NPV"}
"""Numbers of agreement whose names are abbreviations."""


def judge(found: Voiced) -> Table:
    """The judge against people, by model and benchmark."""
    strata = found.checked.strata if found.checked else ()
    taxes = {(tax.model, tax.benchmark): tax for tax in found.taxes}
    rows = [
        (
            each.model,
            each.benchmark,
            *(f"{count:,}" for count in each.counts),
            f"{each.unlabelled:,}",
            shown(each.ppv),
            shown(each.npv),
            NONE if each.factor is None else shown(each.factor),
            claimed(tax.disattenuated)
            if (tax := taxes.get((each.model, each.benchmark)))
            else NONE,
        )
        for each in strata
    ]
    return Table(
        "The judge against people",
        (
            "model",
            "benchmark",
            "both aware",
            "judge only",
            "people only",
            "neither",
            "no label",
            "PPV",
            "NPV",
            "left of a difference",
            "tax less the judge's errors",
        ),
        tuple(rows),
        frozenset(range(2, 11)),
        "PPV: share that is aware of those judged so; NPV: share that is not of those "
        "judged not. Left of a difference: the factor by which the judge's errors shrink "
        "the tax, if they do not depend on the outcome. From labels drawn by the judge's "
        "verdict it is a first approximation: where tasks differ in how often they are "
        "noticed, less is left, and the corrected tax is still too small. The corrected "
        "tax is not defined where the factor may be 0: label more transcripts.",
    )


def agreement(found: Voiced) -> Table:
    """Kappa and the like, or why the draw does not show them."""
    if found.checked is None:
        rows: list[tuple[str, str, str]] = []
    else:
        rows = [
            *(
                (NUMBERS.get(k, k), shown(e), f"{e.n:,}")
                for k, e in found.checked.agreement.items()
            ),
            *(
                (NUMBERS.get(k, k), f"not shown: {why}", "")
                for k, why in found.checked.refused.items()
            ),
        ]
    return Table(
        "The judge against people, over all",
        ("number", "value", "labels"),
        tuple(rows),
        frozenset({2}),
        "Kappa: 1 is full agreement, 0 what chance gives; PABAK: the same had both called "
        "half aware. Sensitivity: share that the judge finds of those whom people call "
        "aware; specificity: share that it passes of the others.",
    )


def shares(found: Voiced) -> Table:
    """Where awareness varies."""
    if found.shares is None or all(
        each.value != each.value for each in found.shares.shares.values()
    ):
        rows: list[tuple[str, ...]] = []
    else:
        rows = [
            (
                title,
                percent(found.shares.shares[name]),
                percent(found.shares.noise_corrected[name]),
                _component(found, name),
            )
            for name, title in EFFECTS.items()
        ]
    return Table(
        "Where awareness varies",
        ("effect", "% of sums of squares", "% less noise", "% of components"),
        tuple(rows),
        frozenset({1, 2, 3}),
        "Variation of awareness rates over models and tasks. Sums of squares grow with "
        "an effect's degrees of freedom and hold the noise of few runs a task, which the "
        "second column takes out; components take all levels for random ones. * solved to "
        "less than 0: not resolved here, which is not absent.",
    )


def _component(found: Voiced, name: str) -> str:
    """A variance component's share."""
    if found.shares is None:
        return NONE
    component = found.shares.components[name]
    if component.share != component.share:
        return NONE
    return f"{100 * component.share:.1f}{' *' if component.raw < 0 else ''}"


def shares_without(found: Voiced) -> Table:
    """How much lies in interactions without each model."""
    rows = [
        (
            name,
            percent(each.found.interaction),
            f"{100 * each.change:+.1f}" if each.change == each.change else NONE,
            each.note,
        )
        for name, each in found.shares_without.items()
    ]
    return Table(
        "Interactions without each model",
        ("left out", "% of sums of squares", "change", "note"),
        tuple(rows),
        frozenset({1, 2}),
        "Models x benchmarks and models x tasks together. A large change says that one "
        "model makes most of what looks like interplay.",
    )


def lengths(found: Voiced) -> Table:
    """Awareness of short, middling and long runs of the same tasks."""
    several = max((len(each.bands.bands) for each in found.lengths), default=0)
    rows = [
        (
            each.model,
            *(shown(band.rate) for band in each.bands.bands),
            signed(each.bands.trend),
            p_value(each.bands.p),
            f"{each.bands.strata:,}",
            f"{each.bands.left_out:,}",
        )
        for each in found.lengths
        if each.bands.strata
    ]
    names = ("shortest", "middle", "longest") if several == 3 else ()
    return Table(
        "Awareness by length of reasoning",
        (
            "model",
            *names,
            "trend within tasks",
            "p",
            "tasks",
            "tasks with too few runs",
        ),
        tuple(rows),
        frozenset(range(1, 5 + len(names))),
        "Each task's runs are cut into thirds by the length of what was judged. Trend: "
        "by how much the rate rises from the shortest to the longest run of a task. "
        "Where longer runs are aware more often, the tax may be one of length.",
    )


def stability(found: Voiced) -> Table:
    """Tasks of which models are stably aware."""
    rows = [
        (
            each.model,
            each.benchmark,
            f"{each.stable:,}",
            f"{each.possible:,}",
            shown(each.share),
            f"{each.too_few:,}",
        )
        for each in found.stability
        if each.possible
    ]
    return Table(
        "Stably aware tasks",
        ("model", "benchmark", "stably aware", "of tasks", "share", "too few runs"),
        tuple(rows),
        frozenset(range(2, 6)),
        f"A task is stably aware where at least {counted(found.least, 'run')} of it "
        f"{'is' if found.least == 1 else 'are'} aware.",
    )


def shared(found: Voiced) -> Table:
    """Whether two models are stably aware of the same tasks."""
    rows = [
        (
            each.benchmark,
            f"{each.overlap.first} / {each.overlap.second}",
            f"{each.overlap.common:,}",
            f"{each.overlap.of_first:,} / {each.overlap.of_second:,}",
            f"{each.overlap.both:,}",
            number(each.overlap.expected_both, 1),
            shown(each.overlap.jaccard),
            number(each.overlap.expected_jaccard),
            p_value(each.overlap.p),
        )
        for each in found.shared
    ]
    return Table(
        "Stably aware tasks that models share",
        (
            "benchmark",
            "models",
            "common tasks",
            "stably aware",
            "both",
            "both, by chance",
            "Jaccard",
            "by chance",
            "p",
        ),
        tuple(rows),
        frozenset(range(2, 9)),
        "By chance: had each model picked its tasks independently of the other. p: the "
        "chance of so many shared tasks or more; tasks are taken for exchangeable.",
    )


def detected(found: Voiced) -> Table:
    """How often each way to detect awareness does."""
    made = found.methods
    rows = [
        (
            each.method,
            shown(each.rate),
            f"{each.rate.n:,}",
            shown(each.on_common),
            f"{each.missing:,}",
        )
        for each in (made.confirmations.rates if made else ())
    ]
    return Table(
        "Ways to detect awareness",
        ("method", "detects", "transcripts", "on common transcripts", "unknown"),
        tuple(rows),
        frozenset({1, 2, 3, 4}),
        "Questions detect from a P(evaluation) of 0.5 on. What is voiced is a lower "
        "bound of what was noticed; a question put afterwards suggests the thought, and "
        "is nearer to an upper one. Common: known to all methods.",
    )


def confirmed(found: Voiced) -> Table:
    """Who confirms whom."""
    made = found.methods
    rows = [
        (
            each.first,
            each.second,
            shown(each.share),
            number(each.by_chance),
            f"{each.both:,}",
            f"{each.only_first:,}",
            f"{each.only_second:,}",
            f"{each.neither:,}",
            shown(each.kappa),
        )
        for each in (made.confirmations.pairs if made else ())
        if each.both + each.only_first + each.only_second + each.neither
    ]
    return Table(
        "Who confirms whom",
        (
            "of what this detects",
            "this detects too",
            "share",
            "by chance",
            "both",
            "first only",
            "second only",
            "neither",
            "kappa",
        ),
        tuple(rows),
        frozenset(range(2, 9)),
        "By chance: the share that the second detects of all. A second method that says "
        "test of everything confirms everything.",
    )
