"""What taking the maximum over layers buys, from a published curve alone."""

from dataclasses import dataclass
from math import log, nan, sqrt

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats._arrays import Floats, finite_vector
from inspect_awareness.stats.floors._effective import (
    effective_layers,
    lag_one,
    lag_one_layers,
    persistent_correlation,
)
from inspect_awareness.stats.floors._floor import peaks
from inspect_awareness.stats.floors._normals import maximum_of_normals

FROM_CURVE = (
    "the correlation of layers is guessed from the curve, whose smoothness is in part "
    "signal: permute the labels where scores are at hand"
)
NO_CORRELATION = "a curve that is constant, or of fewer than 3 layers, has no lag-1 r"
SIGNED = "the published formula is for the folded peak"


@dataclass(frozen=True)
class SelectionFloor:
    """The peak over layers that chance gives, by approximation, beside the observed."""

    observed: float
    """Max over layers of |A - 1/2|, or of A - 1/2."""

    mean: float
    """Sigma E max over `effective` independent normals: the floor."""

    sd: float
    """Standard deviation of that maximum."""

    quantile: float
    """What the maximum stays below with the chance `level`."""

    level: float
    """Which quantile, such as .95."""

    z: float
    """(observed - mean) / sd."""

    p: float
    """1 - F(observed / sigma)^effective."""

    effective: float
    """Effective number of independent layers, by Li and Ji."""

    layers: int
    """How many layers."""

    sigma: float
    """Standard deviation of one area under the null."""

    lag_one: float
    """Correlation of the curve with itself one layer on, not clipped."""

    formula: float
    """Sigma sqrt(2 ln(2 max(L_eff, 1))): the published approximation of the floor."""

    formula_effective: float
    """Its L_eff = L (1 - r) / (1 + r), r being `lag_one` clipped to [0, .95]."""

    note: str = ""
    """What a reader must know."""

    @property
    def excess(self) -> float:
        """Observed - mean."""
        return self.observed - self.mean


def null_sd(n1: int, n0: int) -> float:
    """Standard deviation of an area whose labels are chance, without ties.

    sqrt((n1 + n0 + 1) / (12 n1 n0)).

    Args:
        n1: Evaluation items.
        n0: Deployment items.

    Raises:
        ValueError: A class is empty.

    References:
        Mann and Whitney, Annals of Mathematical Statistics 18 (1947) 50.

    Example:
        >>> round(null_sd(203, 203), 7)
        0.0286887
    """
    if min(n1, n0) < 1:
        raise ValueError(f"each class needs an item, got {n1} and {n0}")
    return sqrt((n1 + n0 + 1) / (12 * n1 * n0))


def lag_one_floor(layers: int, r: float, n1: int, n0: int) -> float:
    """The published layer-selection floor, an approximation kept to reproduce it.

    sigma sqrt(2 ln(2 max(L_eff, 1))), L_eff = L (1 - r) / (1 + r), r clipped to
    [0, .95]. Two errors pull against each other: sqrt(2 ln 2L) is above E max |Z| of
    L normals (by 48 % for 1, 19 % for 80), and a curve that is smooth because it holds
    signal passes for few effective layers.

    Args:
        layers: How many layers.
        r: Correlation of the curve with itself one layer on.
        n1: Evaluation items.
        n0: Deployment items.

    Raises:
        ValueError: A class is empty.

    Example:
        >>> round(lag_one_floor(79, 0.7949935, 203, 203), 6)  # Llama-3.1-70B
        0.069007
    """
    count = max(lag_one_layers(layers, r), 1.0)
    return null_sd(n1, n0) * sqrt(2 * log(2 * count))


def layer_selection_floor(
    curve: npt.ArrayLike,
    n1: int,
    n0: int,
    *,
    correlation: npt.ArrayLike | None = None,
    fold: bool = True,
    level: float = 0.95,
) -> SelectionFloor:
    """The floor of a peak over layers where only the areas by layer are known.

    Under the null an area is nearly normal with sigma = sqrt((N + 1) / (12 n1 n0)).
    The layers count as L_eff independent ones (Li and Ji), and the floor is
    sigma E max |Z| (or max Z) over these, computed exactly. Without the correlation
    matrix of the layers r^|i - j| stands for it, r being the curve's correlation with
    itself one layer on. The published formula is reported beside it. Where item scores
    are at hand `permuted_scoring_floor` is exact and as cheap.

    Args:
        curve: Area at each layer, shape (layers,); distances from 1/2 are no areas.
        n1: Evaluation items.
        n0: Deployment items.
        correlation: Of the layers' areas under the null, such as
            `RankedScores.null_correlation`; shape (layers, layers).
        fold: Count areas below 1/2 as much as those above.
        level: Which quantile to state.

    Returns:
        The floor; NaN where no correlation is given and the curve has none.

    Raises:
        ValueError: An area outside [0, 1], an empty class, or a matrix that is no
            correlation matrix of these layers.

    References:
        Li and Ji, Heredity 95 (2005) 221.

    Example:
        >>> found = layer_selection_floor([0.5, 0.6, 0.7, 0.65, 0.6], 200, 200)
        >>> round(found.observed, 3), round(found.mean, 3), found.effective
        (0.2, 0.045, 5.0)
    """
    areas = _areas(curve)
    sigma, r = null_sd(n1, n0), lag_one(areas)
    observed = float(peaks(areas, fold=fold))
    defined = r == r
    formula = lag_one_floor(areas.size, r, n1, n0) if fold and defined else nan
    formula_layers = lag_one_layers(areas.size, r) if defined else nan
    notes = [] if fold else [SIGNED]
    if correlation is not None:
        effective = _matching(correlation, areas.size)
    elif defined:
        effective = effective_layers(persistent_correlation(areas.size, r))
        notes.append(FROM_CURVE)
    else:
        unknown = (nan, nan, nan, level, nan, nan, nan, areas.size, sigma, r, nan, nan)
        return SelectionFloor(observed, *unknown, NO_CORRELATION)
    largest = maximum_of_normals(effective, fold=fold)
    mean, sd = sigma * largest.mean, sigma * largest.sd
    return SelectionFloor(
        observed,
        mean,
        sd,
        sigma * largest.quantile(level),
        level,
        (observed - mean) / sd,
        largest.exceeds(observed / sigma),
        effective,
        areas.size,
        sigma,
        r,
        formula,
        formula_layers,
        "; ".join(notes),
    )


def _areas(curve: npt.ArrayLike) -> Floats:
    """Areas in [0, 1], one or more."""
    areas = finite_vector(curve, "curve")
    if not areas.size or areas.min() < 0 or areas.max() > 1:
        raise ValueError(
            "a curve needs an area in [0, 1] for each layer, got "
            + (f"{areas.min():g} to {areas.max():g}" if areas.size else "none")
        )
    return areas


def _matching(correlation: npt.ArrayLike, layers: int) -> float:
    """Effective layers of a matrix that fits the curve."""
    if np.shape(correlation) != (layers, layers):
        raise ValueError(
            f"a curve of {layers} layers needs a correlation matrix of shape "
            f"({layers}, {layers}), got {np.shape(correlation)}"
        )
    return effective_layers(correlation)
