"""The subject's thread in a sample's events: what the model saw, call by call."""

from collections.abc import Iterable, Sequence

from inspect_ai.event import (
    Event,
    ModelEvent,
    SpanBeginEvent,
    StepEvent,
    TimelineEvent,
    TimelineSpan,
    timeline_build,
)
from inspect_ai.log import EvalSample
from inspect_ai.model import ChatMessage

PROBE_SPAN = "probe"
"""Type of the spans in which probe questions are asked."""

_BESIDE = ("init", "scorers")
"""Parts of a timeline that are not the agent's work."""


def model_view(sample: EvalSample, *, role: str | None) -> list[ChatMessage] | None:
    """Exactly what the subject saw last, and its answer to it.

    Args:
        sample: A sample with its events.
        role: The model role that is the subject; None for the main agent.

    Returns:
        Input and output of the last model event, or None if there is none.
    """
    events = subject_events(sample.events, role=role)
    if not events:
        return None
    last = events[-1]
    answer = [last.output.message] if last.output.choices else []
    return [*last.input, *answer]


def subject_events(events: Sequence[Event], *, role: str | None) -> list[ModelEvent]:
    """The model calls of the subject: of a role, or of the main agent's own thread.

    Calls that failed, and those of scorers, sub-agents and probe questions, are not
    among them.
    """
    if role is not None:
        return [e for e in _model_events(events) if e.role == role]
    beside = _inside_scorer_steps(events) | _inside_probe_spans(events)
    main = _main_thread(timeline_build(list(events)).root)
    return [e for e in _model_events(main) if id(e) not in beside]


def _main_thread(span: TimelineSpan) -> list[Event]:
    """The events of the outermost agent that calls a model itself."""
    own = [item.event for item in span.content if isinstance(item, TimelineEvent)]
    if any(event.event == "model" for event in own):
        return own
    agents = (
        item
        for item in span.content
        if isinstance(item, TimelineSpan) and item.span_type not in _BESIDE
    )
    return next((thread for thread in map(_main_thread, agents) if thread), [])


def _model_events(events: Iterable[Event]) -> list[ModelEvent]:
    """Model calls that were answered."""
    return [
        e for e in events if isinstance(e, ModelEvent) and not e.error and not e.pending
    ]


def _inside_probe_spans(events: Sequence[Event]) -> set[int]:
    """`id()` of the events inside spans in which probe questions were asked."""
    spans: set[str] = set()
    inside: set[int] = set()
    for event in events:
        if isinstance(event, SpanBeginEvent) and (
            event.type == PROBE_SPAN or event.parent_id in spans
        ):
            spans.add(event.id)
        elif event.span_id in spans:
            inside.add(id(event))
    return inside


def _inside_scorer_steps(events: Sequence[Event]) -> set[int]:
    """`id()` of the events inside scorer steps, which older logs have in place of spans."""
    inside: set[int] = set()
    depth = 0
    for event in events:
        if isinstance(event, StepEvent) and event.type == "scorer":
            depth += 1 if event.action == "begin" else -1
        elif depth > 0:
            inside.add(id(event))
    return inside
