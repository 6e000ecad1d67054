"""Calibration: probabilities from scores, and how far they can be believed."""

from inspect_awareness.stats.calibration._brier import BrierParts, BrierScore, brier
from inspect_awareness.stats.calibration._calibrated import Calibrated, calibrated
from inspect_awareness.stats.calibration._calibration_error import (
    CalibrationError,
    CalibrationGap,
    expected_calibration_error,
)
from inspect_awareness.stats.calibration._isotonic import IsotonicScaling, fit_isotonic
from inspect_awareness.stats.calibration._platt import PlattScaling, fit_platt
from inspect_awareness.stats.calibration._precision import (
    OperatingPoint,
    PrecisionAtBaseRate,
    precision_at_base_rates,
    precision_from_counts,
)
from inspect_awareness.stats.calibration._reliability_curve import (
    ReliabilityBin,
    ReliabilityCurve,
    reliability_curve,
)
from inspect_awareness.stats.calibration._shifted import shifted

__all__ = [
    "BrierParts",
    "BrierScore",
    "Calibrated",
    "CalibrationError",
    "CalibrationGap",
    "IsotonicScaling",
    "OperatingPoint",
    "PlattScaling",
    "PrecisionAtBaseRate",
    "ReliabilityBin",
    "ReliabilityCurve",
    "brier",
    "calibrated",
    "expected_calibration_error",
    "fit_isotonic",
    "fit_platt",
    "precision_at_base_rates",
    "precision_from_counts",
    "reliability_curve",
    "shifted",
]
