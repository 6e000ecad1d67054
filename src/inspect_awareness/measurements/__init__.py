"""Stage 4: the one table that every report and study reads."""

from inspect_awareness._cues import CATEGORIES as CUE_CATEGORIES
from inspect_awareness.measurements._factors import CUE, CUE_VOTE, cue_repeats, cues_of
from inspect_awareness.measurements._implementation import (
    implementation_fields,
    implementation_of,
    judged_as,
)
from inspect_awareness.measurements._items import item_of
from inspect_awareness.measurements._logs import NOT_ASKED
from inspect_awareness.measurements._measurements import InputFile, Measurements
from inspect_awareness.measurements._tables import (
    INSTRUMENT_COLUMNS,
    ITEM_COLUMNS,
    SCHEMA_VERSION,
    VALUE_COLUMNS,
)
from inspect_awareness.measurements._verdicts import verdicts_of

__all__ = [
    "CUE",
    "CUE_CATEGORIES",
    "CUE_VOTE",
    "INSTRUMENT_COLUMNS",
    "ITEM_COLUMNS",
    "NOT_ASKED",
    "SCHEMA_VERSION",
    "VALUE_COLUMNS",
    "InputFile",
    "Measurements",
    "cue_repeats",
    "cues_of",
    "implementation_fields",
    "implementation_of",
    "item_of",
    "judged_as",
    "verdicts_of",
]
