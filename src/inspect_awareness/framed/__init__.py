"""Stage 2, white box: framings crossed with tasks, and what their directions score."""

from inspect_awareness.framed._asked import Asked, asked
from inspect_awareness.framed._files import Finished
from inspect_awareness.framed._refusal import Refusal
from inspect_awareness.framed._results import DirectionResults, direction_results
from inspect_awareness.framed._states import FramedStates, fill, framed_states
from inspect_awareness.framed._study import study_of

__all__ = [
    "Asked",
    "DirectionResults",
    "Finished",
    "FramedStates",
    "Refusal",
    "asked",
    "direction_results",
    "fill",
    "framed_states",
    "study_of",
]
