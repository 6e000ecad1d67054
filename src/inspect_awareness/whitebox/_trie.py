"""Token sequences as a tree, so that what they share is computed once."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from inspect_awareness.whitebox._tokens import Tokens, common


@dataclass(frozen=True)
class TokenTree:
    """The tokens of several sequences after the trunk that they share.

    Args:
        tokens: Shape ``(nodes,)``; a token's ancestors come before it.
        positions: Index of each token in its sequence, trunk included. Shape
            ``(nodes,)``.
        sees: Which nodes a node attends to: its ancestors and itself. Shape
            ``(nodes, nodes)``.
        paths: For each sequence, in the given order, its nodes.
    """

    tokens: NDArray[np.int64]
    positions: NDArray[np.int64]
    sees: NDArray[np.bool_]
    paths: tuple[tuple[int, ...], ...]


def common_prefix(sequences: Sequence[Tokens]) -> int:
    """Length of the longest prefix that all sorted sequences share."""
    return common(sequences[0], sequences[-1])


def token_tree(sequences: Sequence[Tokens], trunk: int) -> TokenTree:
    """Build the tree of sorted sequences below their first ``trunk`` tokens.

    Args:
        sequences: Sorted, so that sequences with a common prefix are neighbours.
        trunk: Tokens that all of them share and that are computed elsewhere.
    """
    tokens: list[int] = []
    positions: list[int] = []
    parents: list[int] = []
    paths: list[tuple[int, ...]] = []
    previous: Tokens = ()
    path: list[int] = []
    for sequence in sequences:
        path = path[: max(common(previous, sequence) - trunk, 0)]
        for position in range(trunk + len(path), len(sequence)):
            parents.append(path[-1] if path else -1)
            path.append(len(tokens))
            tokens.append(sequence[position])
            positions.append(position)
        paths.append(tuple(path))
        previous = sequence
    sees = np.eye(len(tokens), dtype=np.bool_)
    for node, parent in enumerate(parents):
        if parent >= 0:
            sees[node] |= sees[parent]
    return TokenTree(np.array(tokens), np.array(positions), sees, tuple(paths))


def groups(
    sequences: Sequence[Tokens], trunk: int, budget: int
) -> Iterator[list[Tokens]]:
    """Cut sorted sequences into runs whose trees hold at most ``budget`` tokens.

    A sequence that is longer than the budget on its own is a run of its own.
    """
    run: list[Tokens] = []
    size = 0
    for sequence in sequences:
        shared = max(common(run[-1], sequence), trunk) if run else trunk
        if run and size + len(sequence) - shared > budget:
            yield run
            run, size, shared = [], 0, trunk
        run.append(sequence)
        size += len(sequence) - shared
    if run:
        yield run
