"""Choosing probe questions for a model, with validation that the choice cannot see."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats._estimate import Estimate, undefined
from inspect_awareness.stats._intervals import Clusters
from inspect_awareness.stats.roc._ranked import Labels
from inspect_awareness.stats.selection._folds import (
    SourceFolds,
    labels_within_folds,
    source_folds,
)
from inspect_awareness.stats.selection._pooled import LEVEL, spread
from inspect_awareness.stats.selection._prepared import Prepared
from inspect_awareness.stats.selection._record import (
    PermutedSearch,
    QuestionSelection,
)
from inspect_awareness.stats.selection._search import QuestionSearch
from inspect_awareness.stats.selection._stability import found_in_halves
from inspect_awareness.stats.selection._strategies import found_subsets, subset_wins
from inspect_awareness.stats.selection._validated import Validated, validated
from inspect_awareness.stats.selection._wins import pairs

FEW_WAYS = 20
"""Below this many different label vectors no p-value can reach .05."""


def select_questions(
    values: npt.ArrayLike,
    evaluation: npt.ArrayLike,
    sources: Clusters,
    *,
    rng: np.random.Generator,
    search: QuestionSearch | None = None,
    questions: Sequence[str] | None = None,
    folds: int = 5,
    permutations: int = 200,
) -> QuestionSelection:
    """Choose the questions that tell evaluation from deployment, and validate that.

    A transcript's score is the mean over the questions of a subset that have an
    answer. All subsets are compared on the same transcripts: those with answers to at
    least half of the questions that anybody answered. A transcript for which a subset
    has no answer is tied with every other.

    The whole search is made anew without each fold of sources. The out-of-sample AUROC
    is pairs won over pairs, both of a pair from one fold, because scores of different
    subsets have different scales. Its interval and the standard error of the gain over
    all questions come from leaving out one source at a time, subsets held fixed. The
    best found subset is chosen if the gain exceeds its standard error; else all
    questions are kept.

    For the null, labels of whole sources are permuted among the sources of a fold (of
    items, within a source of both labels), and search and validation are repeated.

    Args:
        values: P(evaluation) by each question, shape (n, k); NaN without an answer.
        evaluation: Whether each transcript is labelled evaluation, shape (n,).
        sources: The source of each transcript, such as its benchmark, shape (n,).
        rng: Deals the folds and permutes the labels.
        search: How a subset is looked for; greedily, up to 5 questions, if None.
        questions: Names, shape (k,); numbers from 0 if None.
        folds: How many, where there are enough sources.
        permutations: How many; 0 leaves the null out.

    Returns:
        The selection. Where no sources can be held out, out-of-sample numbers are NaN
        and all questions are kept.

    Raises:
        ValueError: A value is outside [0, 1], a label neither 0 nor 1, a class is
            empty, lengths differ, names repeat, or there are fewer than 2 folds.

    References:
        Varma and Simon, BMC Bioinformatics 7 (2006) 91: nested validation.
        LeDell, Petersen and van der Laan, Electronic Journal of Statistics 9 (2015)
        1583: intervals of validated areas with the fitted rule held fixed.
        Ojala and Garriga, Journal of Machine Learning Research 11 (2010) 1833:
        permuting labels of a whole procedure.

    Example:
        >>> rng = np.random.default_rng(0)
        >>> label = np.arange(80) % 2
        >>> good = np.clip(0.4 * label + 0.6 * rng.random(80), 0, 1)
        >>> noise = rng.random((80, 4))
        >>> found = select_questions(
        ...     np.column_stack([good, noise]), label, np.arange(80) // 4 * 2 + label,
        ...     rng=rng, questions=["direct", "a", "b", "c", "d"], permutations=19)
        >>> found.chosen, found.null.p
        (('direct',), 0.05)
    """
    plan = search or QuestionSearch()
    if permutations < 0:
        raise ValueError(f"permutations must be 0 or more, got {permutations}")
    given = Prepared.of(values, evaluation, sources, questions)
    dealt = source_folds(given.labels, given.sources, folds, rng=rng)
    labels, ways = given.labels[None], 1.0
    if dealt.count and permutations:
        moved, ways = labels_within_folds(
            given.labels, given.sources, dealt, draws=permutations, rng=rng
        )
        labels = np.concatenate([labels, moved])
    best = found_subsets(given.answers, labels, plan)
    in_sample = subset_wins(given.answers, best, labels) / pairs(labels)
    checked = None
    if dealt.count:
        checked = validated(given.answers, labels, given.sources, dealt, plan)
    stable = found_in_halves(given.answers, given.labels, given.sources, plan, rng=rng)
    results = _Results(best[0], in_sample, checked, ways, stable)
    return _record(given, plan, dealt, results)


@dataclass(frozen=True, eq=False)
class _Results:
    """What the searches gave; the first label vector is the one observed."""

    best: Labels
    in_sample: npt.NDArray[np.float64]
    validated: Validated | None
    ways: float
    stable: npt.NDArray[np.float64] | None


def _record(
    given: Prepared, search: QuestionSearch, folds: SourceFolds, results: _Results
) -> QuestionSelection:
    """Everything under its name."""
    checked = results.validated
    outside, everything, gain, se = _outside(given, folds, checked)
    beats = gain.value > se
    null = _null(results)
    best = _named(given, results.best)
    count = given.answers.questions
    notes = [
        search.note(count),
        folds.note,
        *given.notes,
        null.note,
        "" if beats or len(best) == count else _verdict(gain, se),
        _turned(everything),
        _at_chance(outside) if beats else "",
    ]
    return QuestionSelection(
        search=search,
        strategy=search.carried_out(count),
        questions=given.questions,
        dropped=given.dropped,
        transcripts=given.labels.size,
        left_out=given.left_out,
        sources=int(given.sources.max()) + 1,
        folds=folds.count,
        best_found=best,
        chosen=best if beats else given.questions,
        auroc_in_sample=float(results.in_sample[0]),
        auroc_out_of_sample=outside,
        auroc_all=everything,
        gain=gain,
        gain_se=se,
        null=null,
        frequency=_shares(given, checked.chosen.mean(axis=0) if checked else None),
        stability=_shares(given, results.stable),
        notes=tuple(note for note in notes if note),
    )


def _turned(everything: Estimate) -> str:
    """That all questions together point the wrong way."""
    if not everything.has_interval or everything.high >= 0.5:
        return ""
    return (
        f"all questions together put evaluation below deployment (AUROC "
        f"{everything.value:.3f}): the answers point the wrong way, or the labels do"
    )


def _at_chance(outside: Estimate) -> str:
    """That the chosen questions beat all of them, and still tell nothing."""
    if not outside.contains(0.5):
        return ""
    return "the chosen questions are not shown to tell the labels apart"


def _outside(
    given: Prepared, folds: SourceFolds, checked: Validated | None
) -> tuple[Estimate, Estimate, Estimate, float]:
    """Out of sample: the search, all questions, the gain and its standard error."""
    if checked is None:
        n, clusters = given.labels.size, int(given.sources.max()) + 1
        nothing = undefined(LEVEL, folds.note, n=n, clusters=clusters)
        return nothing, nothing, nothing, nan
    found, everything = checked.found, checked.everything
    return (
        found.estimate(),
        everything.estimate(),
        found.beyond(everything),
        spread(found.without - everything.without),
    )


def _null(results: _Results) -> PermutedSearch:
    """Where the observed values stand among those of permuted labels."""
    draws = results.in_sample.size - 1
    if results.validated is None or not draws:
        return PermutedSearch(nan, nan, nan, draws, results.ways)
    chance = results.in_sample[1:]
    return PermutedSearch(
        _p(results.validated.areas),
        _p(results.in_sample),
        float(chance.mean()),
        draws,
        results.ways,
        _few(results.ways),
    )


def _p(values: npt.NDArray[np.float64]) -> float:
    """(1 + #{as high as the first}) / (1 + draws)."""
    as_high = int((values[1:] >= values[0] - 1e-12).sum())
    return (1 + as_high) / values.size


def _few(ways: float) -> str:
    """What too few label vectors mean."""
    if ways >= FEW_WAYS:
        return ""
    return (
        f"only {ways:.0f} different ways to permute labels of sources within folds: no "
        f"p below {1 / ways:.2f} can be reached"
    )


def _named(given: Prepared, members: Labels) -> tuple[str, ...]:
    """Names of the members of a subset."""
    return tuple(n for n, m in zip(given.questions, members, strict=True) if m)


def _shares(
    given: Prepared, shares: npt.NDArray[np.float64] | None
) -> dict[str, float]:
    """A share for each question; NaN where there is none."""
    known = [nan] * len(given.questions) if shares is None else shares.tolist()
    return dict(zip(given.questions, known, strict=True))


def _verdict(gain: Estimate, se: float) -> str:
    """Why all questions are kept."""
    if gain.value != gain.value:
        return "all questions are kept: the best found set cannot be validated"
    return (
        "all questions are kept: out of sample the search gains "
        f"{gain.value:+.3f} over them, not more than one standard error ({se:.3f})"
    )
