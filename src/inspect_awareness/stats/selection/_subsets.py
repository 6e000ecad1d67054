"""All subsets of some questions, smaller ones first."""

from collections.abc import Iterable
from math import comb

import numpy as np

from inspect_awareness.stats.roc._ranked import Labels


def question_subsets(questions: int, sizes: Iterable[int]) -> Labels:
    """All subsets of the given sizes, in the order of the sizes, then of the questions.

    Args:
        questions: How many questions there are.
        sizes: How many questions a subset has, such as `range(1, 6)`.

    Returns:
        Which questions each subset holds, shape (subsets, questions).

    Raises:
        ValueError: A size is below 1 or above the number of questions.

    Example:
        >>> question_subsets(3, [1, 2]).astype(int).tolist()
        [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 0, 1], [0, 1, 1]]
    """
    wanted = list(sizes)
    if not wanted or min(wanted) < 1 or max(wanted) > questions:
        raise ValueError(
            f"subsets of {questions} questions have 1 to {questions} of them, "
            f"got sizes {wanted}"
        )
    return np.concatenate([_of_size(questions, size) for size in wanted])


def count_subsets(questions: int, largest: int) -> int:
    """How many subsets have 1 to `largest` questions.

    Example:
        >>> count_subsets(28, 5)
        122437
    """
    return sum(comb(questions, size) for size in range(1, largest + 1))


def _of_size(questions: int, size: int) -> Labels:
    """Subsets of one size: each longer one adds a question after its last."""
    members = np.arange(questions)[:, None]
    for _ in range(size - 1):
        room = questions - 1 - members[:, -1]
        first = np.repeat(np.cumsum(room) - room, room)
        added = np.repeat(members[:, -1] + 1, room) + np.arange(room.sum()) - first
        members = np.column_stack([np.repeat(members, room, axis=0), added])
    found = np.zeros((members.shape[0], questions), dtype=np.bool_)
    np.put_along_axis(found, members, values=True, axis=1)
    return found
