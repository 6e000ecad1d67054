"""Floors: what the surface form of transcripts alone gives away, with no model."""

from inspect_awareness.surface._floors import (
    SurfaceFloor,
    SurfaceFloors,
    surface_floors,
)
from inspect_awareness.surface._record import floors_record, write_floors

__all__ = [
    "SurfaceFloor",
    "SurfaceFloors",
    "floors_record",
    "surface_floors",
    "write_floors",
]
