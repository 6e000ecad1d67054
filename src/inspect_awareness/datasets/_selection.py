"""Which transcripts are wanted, and in which form."""

from dataclasses import dataclass

from inspect_awareness.datasets._transcript import (
    Label,
    checked_label,
    checked_view,
)
from inspect_awareness.errors import InputError


@dataclass(frozen=True)
class Selection:
    """What is wanted of logs or chat files; checked before anything is read."""

    label: str | None = None
    """Label for all transcripts; None keeps their own."""

    source: str | None = None
    """Source for all transcripts; None keeps their own."""

    view: str = "full"
    """`full`, `prompt`, `no_self`, `no_reasoning`, `model` or `turns`."""

    subject_role: str | None = None
    """The model role that wrote the transcripts of a log."""

    sample: int | None = None
    """Draw this many, stratified by source; None for all."""

    limit: int | None = None
    """Take only this many, from the first; None for all."""

    seed: int = 0
    """Seed of the draw."""

    def __post_init__(self) -> None:
        """Refuse what is not allowed."""
        checked_view(self.view)
        if self.label is not None:
            checked_label(self.label)
        for name, number in (("limit", self.limit), ("sample", self.sample)):
            if number is not None and number < 1:
                raise InputError(f"{name} is {number}; it must be 1 or more")

    @property
    def checked_label(self) -> Label | None:
        """The label for all, if there is one."""
        return None if self.label is None else checked_label(self.label)
