"""How much texts share: near-duplicates have many runs of five words in common."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from itertools import combinations


def shared_five_grams(texts: Mapping[str, str]) -> Counter[tuple[str, str]]:
    """For each pair of texts, by id, the runs of five words that both have."""
    holders: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for id, text in texts.items():
        words = re.findall(r"\w+", text.lower())
        for start in range(len(words) - 4):
            holders[tuple(words[start : start + 5])].add(id)
    return Counter(
        pair for ids in holders.values() for pair in combinations(sorted(ids), 2)
    )
