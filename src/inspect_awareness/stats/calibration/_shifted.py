"""Probabilities under another base rate."""

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats._arrays import Floats, finite_vector
from inspect_awareness.stats.calibration._inputs import in_unit


def shifted(
    probabilities: npt.ArrayLike, *, from_rate: float, to_rate: float
) -> Floats:
    """Move calibrated probabilities from one base rate of evaluation to another.

    The odds are multiplied by (to / (1 - to)) / (from / (1 - from)). This holds if
    evaluation items look alike under both base rates, and deployment items too, so
    that only their mixture differs.

    Args:
        probabilities: Probabilities that are calibrated at `from_rate`, shape (n,).
        from_rate: Share of evaluation items where they were calibrated, in (0, 1).
        to_rate: Share of evaluation items where they are to be used, in (0, 1).

    Returns:
        Probabilities at `to_rate`, shape (n,); 0 and 1 stay what they are.

    Raises:
        ValueError: A probability is outside [0, 1] or NaN, or a rate is not in (0, 1).

    References:
        Saerens, Latinne and Decaestecker, Neural Computation 14 (2002) 21.

    Example:
        >>> shifted([0.0, 0.5, 0.9], from_rate=0.5, to_rate=0.1).round(3).tolist()
        [0.0, 0.1, 0.5]
    """
    p = finite_vector(probabilities, "probabilities")
    in_unit(p, "probabilities", "calibrate the scores first")
    for name, rate in (("from_rate", from_rate), ("to_rate", to_rate)):
        inner_rate(rate, name)
    up = p * to_rate * (1 - from_rate)
    down = (1 - p) * (1 - to_rate) * from_rate
    return np.asarray(up / (up + down), dtype=np.float64)


def inner_rate(rate: float, name: str) -> None:
    """Refuse a base rate that leaves one label out."""
    if not 0 < rate < 1:
        raise ValueError(
            f"{name} must lie between 0 and 1, got {rate}: at 0 or 1 there is one "
            "label and nothing to tell apart"
        )
