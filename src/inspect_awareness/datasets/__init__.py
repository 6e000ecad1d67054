"""Stage 1: what is judged, and what is asked under which framing.

Logs and chat files become transcripts; framings, tasks, contrast sets and scoring sets
become records for directions.
"""

from inspect_awareness.datasets._transcript import (
    Label,
    Origin,
    Transcript,
    TranscriptDataset,
    View,
)
from inspect_awareness.datasets.chat_files import transcripts_from_chats
from inspect_awareness.datasets.contrast_sets import (
    ContrastPair,
    ContrastSet,
    contrast_pairs,
    contrast_set,
)
from inspect_awareness.datasets.framings import (
    FramedTask,
    Framing,
    TaskText,
    cross,
    framings,
    task_texts,
)
from inspect_awareness.datasets.inspect_logs import transcripts_from_logs
from inspect_awareness.datasets.public_sets import (
    answered_contrast_items,
    format_context_items,
    matched_pair_items,
    refusal_items,
    sad_oversight_items,
)
from inspect_awareness.datasets.scoring_sets import (
    CrossedCells,
    ScoringItem,
    crossed_cells,
    scoring_set,
    scoring_transcripts,
)

__all__ = [
    "ContrastPair",
    "ContrastSet",
    "CrossedCells",
    "FramedTask",
    "Framing",
    "Label",
    "Origin",
    "ScoringItem",
    "TaskText",
    "Transcript",
    "TranscriptDataset",
    "View",
    "answered_contrast_items",
    "contrast_pairs",
    "contrast_set",
    "cross",
    "crossed_cells",
    "format_context_items",
    "framings",
    "matched_pair_items",
    "refusal_items",
    "sad_oversight_items",
    "scoring_set",
    "scoring_transcripts",
    "task_texts",
    "transcripts_from_chats",
    "transcripts_from_logs",
]
