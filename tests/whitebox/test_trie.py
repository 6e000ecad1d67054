import numpy as np

from inspect_awareness.whitebox._tokens import common
from inspect_awareness.whitebox._trie import common_prefix, groups, token_tree

# trunk 1 2, then 3-(4, 5-6) and 7
SEQUENCES = [(1, 2, 3, 4), (1, 2, 3, 5, 6), (1, 2, 7)]


def test_common_prefixes_are_counted_to_the_token():
    assert common((), (1,)) == 0
    assert common((1, 2), (3,)) == 0
    assert common((1, 2, 3), (1, 2, 4)) == 2
    assert common((1, 2), (1, 2, 3)) == 2
    for length in range(20):
        shared = tuple(range(length))
        assert common((*shared, 98, 5), (*shared, 99, 5, 6)) == length


def test_the_trunk_is_what_all_sequences_share():
    assert common_prefix(SEQUENCES) == 2
    assert common_prefix([(1, 2, 3)]) == 3


def test_shared_branches_are_stored_once_at_their_own_positions():
    tree = token_tree(SEQUENCES, trunk=2)
    assert tree.tokens.tolist() == [3, 4, 5, 6, 7]
    assert tree.positions.tolist() == [2, 3, 3, 4, 2]
    assert tree.paths == ((0, 1), (0, 2, 3), (4,))


def test_a_token_sees_its_ancestors_and_itself_only():
    sees = token_tree(SEQUENCES, trunk=2).sees
    expected = [
        [1, 0, 0, 0, 0],  # 3
        [1, 1, 0, 0, 0],  # 3 4
        [1, 0, 1, 0, 0],  # 3 5
        [1, 0, 1, 1, 0],  # 3 5 6
        [0, 0, 0, 0, 1],  # 7
    ]
    assert sees.astype(int).tolist() == expected


def test_a_tree_of_one_sequence_is_causal_attention():
    sees = token_tree([(1, 2, 3, 4)], trunk=0).sees
    assert np.array_equal(sees, np.tril(np.ones((4, 4), dtype=bool)))


def test_groups_keep_to_the_budget_and_lose_no_sequence():
    assert (
        list(groups(SEQUENCES, trunk=2, budget=4))
        == [
            SEQUENCES[:2],  # 3 4, and 5 6 behind the same 3: four tokens
            SEQUENCES[2:],
        ]
    )
    for budget in range(1, 8):
        runs = list(groups(SEQUENCES, trunk=2, budget=budget))
        assert [one for run in runs for one in run] == SEQUENCES
        for run in runs:
            size = len(token_tree(run, trunk=2).tokens)
            assert size <= budget or len(run) == 1
