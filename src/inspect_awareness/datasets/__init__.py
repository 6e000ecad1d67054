"""Stage 1: what is judged. Logs and chat files become transcripts."""

from inspect_awareness.datasets._transcript import (
    Label,
    Origin,
    Transcript,
    TranscriptDataset,
    View,
)
from inspect_awareness.datasets.chat_files import transcripts_from_chats
from inspect_awareness.datasets.inspect_logs import transcripts_from_logs

__all__ = [
    "Label",
    "Origin",
    "Transcript",
    "TranscriptDataset",
    "View",
    "transcripts_from_chats",
    "transcripts_from_logs",
]
