"""Answer letters, and what an imbalance of them does to a direction."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

STEEPEST = 8.0
"""Length of the letters' difference over that of the content's, r: 8.0 in the smallest
model where it was measured, 1.6 in the largest (arXiv 2608.13329)."""

CLOSE = 0.99
"""Cosine with the content's direction that an imbalance must leave at that r."""

_LETTER = re.compile(r"\(?([A-Z])[).:]?")


@dataclass(frozen=True)
class LetterBalance:
    """How often each letter is the answer of either side."""

    evaluation: Mapping[str, int]
    """Times that each letter is the answer for evaluation."""

    deployment: Mapping[str, int]
    """Times that each letter is the answer for deployment."""

    @property
    def imbalance(self) -> float:
        """f, half the summed difference of the letters' shares: 0 balanced, 1 confounded.

        Example:
            >>> LetterBalance({"A": 3, "B": 1}, {"A": 1, "B": 3}).imbalance
            0.5
        """
        one, other = self.evaluation, self.deployment
        n, m = sum(one.values()), sum(other.values())
        letters = set(one) | set(other)
        return sum(abs(one.get(x, 0) / n - other.get(x, 0) / m) for x in letters) / 2

    def cosine(self, ratio: float = STEEPEST) -> float:
        """Cosine of the direction found with the content's own: 1 / sqrt(1 + f² r²).

        A difference of means over pairs adds f times the letters' difference to the
        content's; r is how much longer the former is, and they are taken as orthogonal.

        Example:
            >>> round(LetterBalance({"A": 3, "B": 1}, {"A": 1, "B": 3}).cosine(8), 3)
            0.243
        """
        return 1 / sqrt(1 + (self.imbalance * ratio) ** 2)

    @property
    def balanced(self) -> bool:
        """Whether the direction keeps a cosine of .99 even at the largest r."""
        return self.cosine() >= CLOSE


def letter(answer: str) -> str | None:
    """The letter that an answer is, such as A of `(A)`; None where it is more.

    Example:
        >>> letter(" (A)"), letter("B."), letter("A cat")
        ('A', 'B', None)
    """
    match = _LETTER.fullmatch(answer.strip())
    return match[1] if match else None


def letter_balance(answers: Sequence[tuple[str, str]]) -> LetterBalance | None:
    """The balance of pairs of answers, for evaluation and for deployment.

    None where no answer is a letter, so that there is nothing to balance.
    """
    letters = [(letter(one), letter(other)) for one, other in answers]
    if not letters or any(x is None for pair in letters for x in pair):
        return None
    return LetterBalance(
        Counter(str(one) for one, _ in letters),
        Counter(str(other) for _, other in letters),
    )
