"""How often each question is found on half of the sources."""

import numpy as np

from inspect_awareness.stats._arrays import Floats, Ids
from inspect_awareness.stats.roc._ranked import Labels
from inspect_awareness.stats.selection._answers import Answers
from inspect_awareness.stats.selection._search import QuestionSearch
from inspect_awareness.stats.selection._strategies import found_subsets
from inspect_awareness.stats.selection._subsets import count_subsets

HALVES = 30
"""How many random halves are searched."""

CHEAP = 5_000
"""Most subsets that `exhaustive` may try in each half; above, halves are left out."""


def found_in_halves(
    answers: Answers,
    labels: Labels,
    sources: Ids,
    search: QuestionSearch,
    *,
    rng: np.random.Generator,
) -> Floats | None:
    """Share of random halves of the sources in which each question is found.

    Sources are halved within their kind (evaluation, deployment, both), of an odd
    number the greater part is taken, so that each half holds both labels.

    Args:
        answers: Of n transcripts to k questions.
        labels: Shape (n,).
        sources: Integers from 0, shape (n,).
        search: What to repeat.
        rng: Draws the halves.

    Returns:
        Shape (k,); None where a search takes too long to be repeated.

    References:
        Meinshausen and Bühlmann, Journal of the Royal Statistical Society B 72 (2010)
        417.
    """
    tried = count_subsets(answers.questions, search.size(answers.questions))
    if search.carried_out(answers.questions) == "exhaustive" and tried > CHEAP:
        return None
    kind = np.zeros(int(sources.max()) + 1, dtype=np.int64)
    np.bitwise_or.at(kind, sources, np.where(labels, 1, 2))
    kinds = [np.flatnonzero(kind == each) for each in np.unique(kind)]
    found = np.zeros(answers.questions)
    for _ in range(HALVES):
        taken = np.zeros(kind.size, dtype=np.bool_)
        for members in kinds:
            taken[rng.permutation(members)[: (members.size + 1) // 2]] = True
        rows = taken[sources]
        found += found_subsets(answers.of_rows(rows), labels[None, rows], search)[0]
    return np.asarray(found / HALVES)
