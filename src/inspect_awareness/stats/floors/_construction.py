"""What a direction without content scores: the labels of its contrast permuted."""

from math import nan

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats._arrays import Floats
from inspect_awareness.stats._permuted import FEW_WAYS
from inspect_awareness.stats.floors._contrast import ContrastGrams
from inspect_awareness.stats.floors._floor import Floor, checked_draws, floor_of, peaks
from inspect_awareness.stats.floors._row_areas import Reals, row_areas
from inspect_awareness.stats.roc._ranked import label_rows

CHUNK = 4_000_000
"""How many scores are sorted at once: 16 or 32 MB."""

ANSWERS = "what a direction without content scores"


def permuted_construction_floor(
    contrast: ContrastGrams,
    evaluation: npt.ArrayLike,
    *,
    draws: int,
    rng: np.random.Generator,
    fold: bool = True,
    balanced: bool = False,
    observed: float | None = None,
    level: float = 0.95,
) -> Floor:
    """The peak over layers of directions built from permuted contrast labels.

    The estimator, its prompts and the scored items stay as they are; only the labels
    that give the direction its meaning are permuted, the same way at every layer. For
    pairs d_l(s) = n^-1 sum_i s_i (a_li - b_li) with s_i = ±1; for two unpaired classes
    the pooled items are split again into classes of the same sizes. The statistic is
    max over layers of |A_l - 1/2| (folded) or of A_l - 1/2.

    Free signs (or splits) do not add up to 0, so that d(s) keeps the share mean(s),
    about ±1/sqrt(pairs), of the real direction. Where the pairs hardly differ from
    each other, as when one framing text is put around different tasks, that share is
    all there is: every draw is the real direction or its opposite, and the floor is
    the statistic itself. `balanced` draws as many + as - (from either class the same
    part), which cancels the real direction; p is then no permutation p in the strict
    sense, since the data are not one of the draws.

    If the items scored are those of the contrast itself, the real direction was fitted
    to the very labels that it is scored against while no drawn direction was: the floor
    is then too low, and z and p flatter the direction. Score other items, or take
    `permuted_refit_floor`.

    Args:
        contrast: Dot products of scored items and parts of the direction.
        evaluation: Whether each scored item is labelled evaluation, shape (items,).
        draws: How many directions.
        rng: Draws signs or splits.
        fold: Count areas below 1/2 as much as those above.
        balanced: Draw only directions that cancel the real one.
        observed: A peak to compare with, such as a published one; by default that of
            the direction itself.
        level: Which quantile of the draws to state.

    Returns:
        The floor. NaN where one label has no item.

    Raises:
        ValueError: Labels do not fit, or there are fewer than 2 draws.

    References:
        Hewitt and Liang, EMNLP (2019), arXiv 1909.03368, on control tasks.

    Example:
        >>> import numpy as np
        >>> rng = np.random.default_rng(0)
        >>> items, pairs = rng.normal(size=(3, 40, 8)), rng.normal(size=(3, 20, 8))
        >>> contrast = ContrastGrams.paired(items, pairs)
        >>> labels = np.arange(40) % 2
        >>> found = permuted_construction_floor(contrast, labels, draws=200, rng=rng)
        >>> found.draws, found.p > 0.05
        (200, True)
    """
    checked_draws(draws, level)
    labels = label_rows(evaluation, contrast.grams.shape[1])
    if labels.ndim != 1:
        raise ValueError(f"labels need one axis of items, got {labels.shape}")
    weights = contrast.drawn_weights(draws, rng, balanced=balanced)
    if observed is None:
        real = _areas(contrast.grams, contrast.real_weights(), labels)
        observed = float(peaks(real, fold=fold)[0])
    parts = "signs of pairs" if contrast.first is None else "split of pooled items"
    return floor_of(
        peaks(_areas(contrast.grams, weights, labels), fold=fold),
        observed,
        kind=f"{'balanced ' if balanced else ''}{parts} permuted: {ANSWERS}",
        level=level,
        note=_note(contrast.ways),
    )


def _areas(grams: Reals, weights: Reals, labels: npt.NDArray[np.bool_]) -> Floats:
    """Areas (draws, layers) of the scores w G_l' of each draw at each layer."""
    areas = np.full((len(weights), len(grams)), nan)
    step = max(1, CHUNK // labels.size)
    for start in range(0, len(weights), step):
        rows = slice(start, start + step)
        for layer, gram in enumerate(grams):
            areas[rows, layer] = row_areas(weights[rows] @ gram.T, labels)
    return areas


def _note(ways: int) -> str:
    """What too few directions mean."""
    if ways >= FEW_WAYS:
        return ""
    return f"only {ways} different directions: no p below {1 / ways:.2f} can be reached"
