"""A report as plain values, for JSON."""

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from math import isfinite
from typing import Any

import numpy as np

from inspect_awareness.report._contents import Distribution, Report

SCHEMA_VERSION = 1
"""Version of the record."""

_DERIVED = ("sentence", "excess", "step", "reachable", "interaction", "convention")
"""Properties of records that are written too."""

_QUANTILES = (0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 1.0)


def report_record(report: Report) -> dict[str, Any]:
    """Everything in a report as dicts, lists, text, numbers and None.

    What is undefined (NaN) or infinite is None. Claims carry their sentence.
    Distributions are given by quantiles; all scores are in the measurements, and those
    of transcripts in question beside their percentiles.
    """
    return {"schema_version": SCHEMA_VERSION, **_fields(report)}


def json_text(report: Report) -> str:
    """The record as JSON."""
    return json.dumps(report_record(report), indent=2, allow_nan=False) + "\n"


def _plain(value: Any) -> Any:
    """A value as JSON knows it."""
    if isinstance(value, Distribution):
        return _distribution(value)
    if is_dataclass(value):
        return _fields(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(inner) for inner in value]
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, float):
        return float(value) if isfinite(value) else None
    return value


def _fields(record: Any) -> dict[str, Any]:
    """A frozen record's fields, and what follows from them where it has that."""
    names = [f.name for f in fields(record)]
    names += [name for name in _DERIVED if hasattr(record, name)]
    return {name: _plain(getattr(record, name)) for name in names}


def _distribution(distribution: Distribution) -> dict[str, Any]:
    """Label, n and quantiles."""
    values = distribution.values
    return {
        "label": distribution.label,
        "n": len(values),
        "quantiles": {
            f"{q:g}": float(np.quantile(values, q)) for q in _QUANTILES if values
        },
    }
