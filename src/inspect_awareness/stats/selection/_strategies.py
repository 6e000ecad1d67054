"""The searches: from answers and label vectors to a subset for each of these."""

from collections.abc import Callable, Mapping

import numpy as np

from inspect_awareness.stats._arrays import Floats, Ids
from inspect_awareness.stats.roc._ranked import Labels
from inspect_awareness.stats.selection._answers import Answers
from inspect_awareness.stats.selection._search import QuestionSearch, Strategy
from inspect_awareness.stats.selection._subsets import question_subsets
from inspect_awareness.stats.selection._wins import pairs, wins, wins_of_all

PENALTY = 0.5
"""How much AUROC a correlation of 1 with a chosen question costs in `diversity`."""

ONE_BY_ONE = 4
"""Up to this many label vectors a sort for each is faster than ranks for all."""


def found_subsets(answers: Answers, labels: Labels, search: QuestionSearch) -> Labels:
    """The subset that a search finds under each label vector.

    Args:
        answers: Of n transcripts to k questions.
        labels: Shape (draws, n), each with both classes.
        search: What to do.

    Returns:
        Shape (draws, k).
    """
    strategy = search.carried_out(answers.questions)
    return _SEARCHES[strategy](answers, labels, search)


def subset_wins(answers: Answers, subsets: Labels, labels: Labels) -> Floats:
    """Pairs won by a subset for each label vector, shape (draws,)."""
    return np.concatenate(
        [
            wins(answers.scores(subsets[part]), labels[part])
            for part in answers.chunks(subsets)
        ]
    )


def areas_of_all(answers: Answers, subsets: Labels, labels: Labels) -> Floats:
    """AUROC of every subset under every label vector, shape (draws, subsets)."""
    found = np.empty((labels.shape[0], subsets.shape[0]))
    for part in answers.chunks(subsets):
        found[:, part] = _wins_under(answers.scores(subsets[part]), labels)
    return found / pairs(labels)[:, None]


def _wins_under(scores: Floats, labels: Labels) -> Floats:
    """Pairs won of each row of scores under each label vector, the faster way."""
    if labels.shape[0] > ONE_BY_ONE:
        return wins_of_all(scores, labels)
    return np.array([wins(scores, row) for row in labels])


def _single_areas(answers: Answers, labels: Labels) -> Floats:
    """AUROC of each question alone, shape (draws, k)."""
    return areas_of_all(answers, np.eye(answers.questions, dtype=np.bool_), labels)


def _everything(answers: Answers, labels: Labels, _: QuestionSearch) -> Labels:
    """All questions."""
    return np.ones((labels.shape[0], answers.questions), dtype=np.bool_)


def _filtered(answers: Answers, labels: Labels, search: QuestionSearch) -> Labels:
    """The best questions by their own AUROC, from the threshold on; all if none is."""
    areas = _single_areas(answers, labels)
    size = search.size(answers.questions)
    best = np.argsort(-areas, axis=1, kind="stable")[:, :size]
    found = np.zeros(areas.shape, dtype=np.bool_)
    np.put_along_axis(found, best, values=True, axis=1)
    found &= areas >= search.threshold
    return found | ~found.any(axis=1, keepdims=True)


def _exhaustive(answers: Answers, labels: Labels, search: QuestionSearch) -> Labels:
    """The best of all subsets."""
    size = search.size(answers.questions)
    subsets = question_subsets(answers.questions, range(1, size + 1))
    most = np.full(labels.shape[0], -1.0)
    best = np.zeros(labels.shape[0], dtype=np.int64)
    for part in answers.chunks(subsets):
        won = _wins_under(answers.scores(subsets[part]), labels)
        first = won.argmax(axis=1)
        top = np.take_along_axis(won, first[:, None], axis=1)[:, 0]
        better = top > most
        most[better], best[better] = top[better], part.start + first[better]
    return np.asarray(subsets[best])


def _greedy(answers: Answers, labels: Labels, search: QuestionSearch) -> Labels:
    """Forward: the question that raises the AUROC most; the best set on the way."""
    path = np.empty((labels.shape[0], search.size(answers.questions)), dtype=np.int64)
    path[:, 0] = _single_areas(answers, labels).argmax(axis=1)
    for step in range(1, path.shape[1]):
        path[:, step] = _next(answers, labels, _members(path[:, :step], answers))
    return _best_on_the_way(answers, labels, path)


def _next(answers: Answers, labels: Labels, chosen: Labels) -> Ids:
    """The question that raises each AUROC most, beside those chosen."""
    draw, question = np.nonzero(~chosen)
    longer = chosen[draw]
    longer[np.arange(draw.size), question] = True
    won = subset_wins(answers, longer, labels[draw])
    best = won.reshape(chosen.shape[0], -1).argmax(axis=1)
    options = question.reshape(chosen.shape[0], -1)
    return np.asarray(options[np.arange(best.size), best])


def _diverse(answers: Answers, labels: Labels, search: QuestionSearch) -> Labels:
    """Forward: AUROC - max |r| / 2 with those chosen; the best set on the way."""
    areas = _single_areas(answers, labels)
    alike = _correlations(answers)
    path = np.empty((labels.shape[0], search.size(answers.questions)), dtype=np.int64)
    path[:, 0] = areas.argmax(axis=1)
    closest = np.zeros(areas.shape)
    draws = np.arange(path.shape[0])
    for step in range(1, path.shape[1]):
        last = path[:, step - 1]
        np.maximum(closest, alike[last], out=closest)
        areas[draws, last] = -np.inf
        path[:, step] = (areas - PENALTY * closest).argmax(axis=1)
    return _best_on_the_way(answers, labels, path)


def _correlations(answers: Answers) -> Floats:
    """|r| of questions over the transcripts that answer both; 0 where undefined."""
    x = answers.filled
    w = np.ones(x.shape) if answers.answered is None else answers.answered
    n, sums = w.T @ w, x.T @ w
    with np.errstate(invalid="ignore", divide="ignore"):
        cross = x.T @ x - sums * sums.T / n
        squares = (x**2).T @ w - sums**2 / n
        found = np.abs(cross) / np.sqrt(squares * squares.T)
    known = np.isfinite(found) & (np.minimum(squares, squares.T) > 1e-12)
    return np.where(known, np.minimum(found, 1.0), 0.0)


def _members(path: Ids, answers: Answers) -> Labels:
    """Which questions are on each path."""
    found = np.zeros((path.shape[0], answers.questions), dtype=np.bool_)
    np.put_along_axis(found, path, values=True, axis=1)
    return found


def _best_on_the_way(answers: Answers, labels: Labels, path: Ids) -> Labels:
    """Of the first 1, 2, ... questions of each path the set with the best AUROC."""
    steps = range(1, path.shape[1] + 1)
    sets = np.stack([_members(path[:, :step], answers) for step in steps])
    won = np.stack([subset_wins(answers, each, labels) for each in sets])
    return np.asarray(sets[won.argmax(axis=0), np.arange(path.shape[0])])


_SEARCHES: Mapping[Strategy, Callable[[Answers, Labels, QuestionSearch], Labels]] = {
    "all": _everything,
    "filter": _filtered,
    "greedy": _greedy,
    "exhaustive": _exhaustive,
    "diversity": _diverse,
}
