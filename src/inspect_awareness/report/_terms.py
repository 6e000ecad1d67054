"""The terms on which a report is made."""

from dataclasses import dataclass
from datetime import datetime

import numpy as np

from inspect_awareness.errors import InputError
from inspect_awareness.report._floors import Floors


@dataclass(frozen=True)
class Terms:
    """The terms on which a report is made."""

    level: float
    """Nominal coverage of all intervals, in (0, 1)."""

    created: datetime
    """When it is made."""

    seed: int = 0
    """Of what is drawn."""

    floors: Floors | None = None
    """What surface form alone achieves."""

    def __post_init__(self) -> None:
        """The level is a share, the seed a whole number from 0 on."""
        if not 0 < self.level < 1:
            raise InputError(
                f"level is {self.level}; give a coverage between 0 and 1, such as 0.95"
            )
        if self.seed < 0:
            raise InputError(f"seed is {self.seed}; give a whole number from 0 on")

    @property
    def rng(self) -> np.random.Generator:
        """A generator that starts anew, so that no part depends on another."""
        return np.random.default_rng(self.seed)
