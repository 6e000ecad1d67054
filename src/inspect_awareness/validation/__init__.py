"""What people say of a judge's verdicts and cues: samples, and what labels show."""

from inspect_awareness.validation._cues import (
    CueFrame,
    CueLabels,
    DrawnTasks,
    cue_frame_of,
    cue_labels_of,
    cue_texts,
    draw_tasks,
    is_of_cues,
    min_aware_of,
    write_cues,
)
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
    "CueFrame",
    "CueLabels",
    "Design",
    "Drawn",
    "DrawnTasks",
    "Frame",
    "JudgeScore",
    "Labels",
    "StratumScore",
    "check_free",
    "cue_frame_of",
    "cue_labels_of",
    "cue_texts",
    "draw_sample",
    "draw_tasks",
    "frame_of",
    "is_of_cues",
    "labels_of",
    "min_aware_of",
    "score_labels",
    "text_of",
    "write_cues",
    "write_labels",
    "write_scout",
    "write_texts",
]
