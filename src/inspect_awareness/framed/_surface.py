"""What the words and lengths of the scored items alone give away."""

from collections.abc import Sequence

from inspect_awareness.datasets.scoring_sets import ScoringItem, scoring_transcripts
from inspect_awareness.surface import SurfaceFloors, surface_floors

PERMUTATIONS = 0
"""The area is wanted beside every result; a p for it takes a minute more."""


def surface_of(items: Sequence[ScoringItem], *, seed: int) -> SurfaceFloors:
    """AUROCs of words, characters and length, on sources that they were not fitted to.

    Args:
        items: The scored items.
        seed: Deals sources to folds.
    """
    return surface_floors(
        scoring_transcripts(items), seed=seed, permutations=PERMUTATIONS
    )
