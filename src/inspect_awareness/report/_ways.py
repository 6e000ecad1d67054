"""What tells the ways apart in which one rater was asked."""

from collections.abc import Sequence

from inspect_awareness.claims import counted
from inspect_awareness.report._contents import Block

SAID_ELSEWHERE = ("bank_hash", "scale")
"""Fields that follow from others and say no more."""


def heading_notes(blocks: Sequence[Block]) -> tuple[str, ...]:
    """For each block what tells it from others of the same rater; empty if it is alone.

    Args:
        blocks: All that a report holds.
    """
    return tuple(
        _note(block, [other for other in blocks if other.rater == block.rater])
        for block in blocks
    )


def _note(block: Block, same: Sequence[Block]) -> str:
    """The fields in which a rater's blocks differ, as they are in one of them."""
    names = sorted({name for each in same for name in each.implementation})
    differing = [
        name
        for name in names
        if len({each.implementation.get(name, "none") for each in same}) > 1
    ]
    told = [name for name in differing if name not in SAID_ELSEWHERE] or differing
    return ", ".join(_field(name, block) for name in told)


def _field(name: str, block: Block) -> str:
    """A field in a few words; of questions how many there are."""
    value = block.implementation.get(name, "none")
    if name == "questions":
        return counted(value.count(",") + 1, "question")
    return f"{name.replace('_', ' ')} {value}"
