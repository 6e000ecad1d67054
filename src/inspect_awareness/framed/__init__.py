"""Stage 2, white box: framings crossed with tasks, and what their directions score."""

from inspect_awareness.framed._asked import Asked, asked
from inspect_awareness.framed._refusal import Refusal
from inspect_awareness.framed._results import DirectionResults, direction_results
from inspect_awareness.framed._states import FramedStates, framed_states

__all__ = [
    "Asked",
    "DirectionResults",
    "FramedStates",
    "Refusal",
    "asked",
    "direction_results",
    "framed_states",
]
