"""What tells judgements by one judge apart, where it judged in several ways."""

from collections.abc import Mapping, Sequence
from typing import Protocol

Fields = Mapping[str, str]
"""How it was judged, field by field."""


class Judged(Protocol):
    """Something that a judge found in one way."""

    @property
    def judge(self) -> str:
        """The judge, or several."""

    @property
    def implementation(self) -> Fields:
        """How it judged."""


def headings(found: Sequence[Judged]) -> tuple[str, ...]:
    """The judge of each; where it judged in several ways, with what differs."""
    return tuple(
        _heading(each, [other for other in found if other.judge == each.judge])
        for each in found
    )


def differing(mine: Fields, others: Sequence[Fields]) -> str:
    """The fields in which one way differs from others, as they are in it.

    Example:
        >>> differing({"votes": "3", "view": "full"}, [{"votes": "1", "view": "full"}])
        'votes 3'
    """
    names = sorted({name for each in (mine, *others) for name in each} - {"rater"})
    told = [
        f"{name} {mine.get(name, 'none')}"
        for name in names
        if any(each.get(name) != mine.get(name) for each in others)
    ]
    return ", ".join(told)


def _heading(each: Judged, same: Sequence[Judged]) -> str:
    """A judge, and what tells this way of judging from its others."""
    how = differing(each.implementation, [other.implementation for other in same])
    return f"{each.judge} ({how})" if how else each.judge
