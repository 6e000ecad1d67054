"""What people say of a judge's verdicts: samples to label, and what labels show."""

from inspect_awareness.validation._draw import Design, Drawn, draw_sample
from inspect_awareness.validation._frame import Frame, frame_of
from inspect_awareness.validation._labels import Labels, labels_of
from inspect_awareness.validation._scores import (
    JudgeScore,
    StratumScore,
    score_labels,
)
from inspect_awareness.validation._texts import text_of
from inspect_awareness.validation._write import (
    check_free,
    write_labels,
    write_scout,
    write_texts,
)

__all__ = [
    "Design",
    "Drawn",
    "Frame",
    "JudgeScore",
    "Labels",
    "StratumScore",
    "check_free",
    "draw_sample",
    "frame_of",
    "labels_of",
    "score_labels",
    "text_of",
    "write_labels",
    "write_scout",
    "write_texts",
]
