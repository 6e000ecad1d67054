"""The subject's own thread among sub-agents, tools and graders."""

from collections.abc import Sequence

from builders import model_event, sample, user
from inspect_ai.event import Event, SpanBeginEvent, SpanEndEvent, StepEvent

from inspect_awareness.datasets._threads import model_view, subject_events


def inside(
    id: str, type: str, events: Sequence[Event], *, name: str = "x", parent: str | None
) -> list[Event]:
    """Events within a span."""
    begin = SpanBeginEvent(id=id, name=name, type=type, parent_id=parent, span_id=id)
    return [begin, *events, SpanEndEvent(id=id, span_id=id)]


def saying(events: Sequence[Event]) -> list[str]:
    return [e.output.completion for e in subject_events(events, role=None)]


def test_a_sub_agent_and_a_grader_are_not_the_subject() -> None:
    helper = inside(
        "helper",
        "agent",
        [model_event(None, [user("sub")], "from the sub-agent", span_id="helper")],
        name="helper",
        parent="react",
    )
    agent = inside(
        "react",
        "agent",
        [
            model_event(None, [user("go")], "first", span_id="react"),
            *helper,
            model_event(None, [user("go on")], "last", span_id="react"),
        ],
        name="react",
        parent="solvers",
    )
    grader = model_event(None, [user("grade")], "from the grader", span_id="scorers")
    events = [
        *inside("solvers", "solvers", agent, name="solvers", parent=None),
        *inside("scorers", "scorers", [grader], name="scorers", parent=None),
    ]
    assert saying(events) == ["first", "last"]
    view = model_view(sample(events=events), role=None)
    assert view is not None
    assert [m.text for m in view] == ["go on", "last"]


def test_older_logs_have_steps_in_place_of_spans() -> None:
    events = [
        StepEvent(action="begin", type="solver", name="generate"),
        model_event(None, [user("go")], "answer"),
        StepEvent(action="end", type="solver", name="generate"),
        StepEvent(action="begin", type="scorer", name="model_graded_qa"),
        model_event(None, [user("grade")], "grade: C"),
        StepEvent(action="end", type="scorer", name="model_graded_qa"),
    ]
    assert saying(events) == ["answer"]


def test_a_call_that_failed_said_nothing() -> None:
    failed = model_event(None, [user("go")], "").model_copy(update={"error": "529"})
    assert saying([model_event(None, [user("go")], "answer"), failed]) == ["answer"]


def test_a_sample_without_calls_has_no_such_view() -> None:
    assert model_view(sample(), role=None) is None


def test_probe_questions_in_the_log_are_not_what_the_subject_saw() -> None:
    probe = model_event(None, [user("go"), user("a test?")], "Yes", span_id="probes")
    events = [
        model_event(None, [user("go")], "answer"),
        *inside("probes", "probe", [probe], name="awareness_probes", parent=None),
    ]
    assert saying(events) == ["answer"]
