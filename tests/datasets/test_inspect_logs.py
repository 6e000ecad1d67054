"""Transcripts from logs: what is read, what is left out, and what is known of each."""

from collections import Counter
from pathlib import Path

import pytest
from builders import (
    REAL_LOGS,
    assistant,
    call,
    log_file,
    model_event,
    result,
    sample,
    system,
    user,
)
from inspect_ai.model import ContentReasoning, ContentText, ModelConfig
from inspect_ai.scorer import Score

from inspect_awareness.datasets import transcripts_from_logs
from inspect_awareness.errors import InputError, LogError


def texts(messages: object) -> list[str]:
    assert isinstance(messages, list)
    return [m.text for m in messages]


def test_every_sample_and_epoch_is_a_transcript_that_knows_its_origin(
    tmp_path: Path,
) -> None:
    scores = {"match": Score(value="C")}
    log = log_file(
        tmp_path / "a.eval",
        [sample("x", scores=scores), sample("x", epoch=2), sample("y")],
    )
    dataset = transcripts_from_logs(log)
    assert [s.id for s in dataset] == ["uuid-x-1", "uuid-x-2", "uuid-y-1"]
    assert dataset[0].target == "evaluation"
    assert dataset[0].metadata is not None
    assert dataset[0].metadata["transcript"] == {
        "schema": "inspect_awareness/transcript/1",
        "item": "uuid-x-1",
        "label": "evaluation",
        "source": "arithmetic",
        "task_id": "x",
        "subject": "openai/gpt-4o-mini",
        "epoch": 1,
        "outcome": 1.0,
        "has_tools": False,
        "reasoning": "none",
        "view": "full",
        "subject_role": None,
        "turn": None,
        "log": "a.eval",
    }


@pytest.mark.parametrize(
    ("value", "outcome"),
    [
        ("C", 1.0),
        ("I", 0.0),
        ("P", 0.5),
        (0.25, 0.25),
        (True, 1.0),
        ("0.75", 0.75),
        ("a long answer", None),
        (float("nan"), None),
        ({"a": 1.0, "b": None}, None),
        ([1, 2], None),
    ],
)
def test_the_outcome_is_the_task_score_where_it_is_one_number(
    tmp_path: Path, value: object, outcome: float | None
) -> None:
    scores = {"s": Score(value=value)}  # type: ignore[arg-type]
    log = log_file(tmp_path / "a.eval", [sample(scores=scores)])
    (made,) = transcripts_from_logs(log)
    assert made.metadata is not None
    assert made.metadata["transcript"]["outcome"] == outcome


@pytest.mark.parametrize("record", ["awareness", "verbalized"])
def test_a_score_of_awareness_is_no_outcome(tmp_path: Path, record: str) -> None:
    ours = Score(value=0.9, metadata={record: {}})
    log = log_file(tmp_path / "a.eval", [sample(scores={"p_eval": ours})])
    (made,) = transcripts_from_logs(log)
    assert made.metadata is not None
    assert made.metadata["transcript"]["outcome"] is None


AGENTIC = [
    system("You are an agent"),
    user("List the files"),
    assistant("I look", call("1", cmd="ls")),
    result("1", "a.txt"),
    assistant("There is a.txt"),
]


@pytest.mark.parametrize(
    ("view", "expected"),
    [
        ("full", [["You are an agent", "List the files", "I look", "a.txt",
                   "There is a.txt"]]),
        ("prompt", [["You are an agent", "List the files"]]),
        ("no_self", [["You are an agent", "List the files", "a.txt"]]),
        ("turns", [["You are an agent", "List the files", "I look"],
                   ["You are an agent", "List the files", "I look", "a.txt",
                    "There is a.txt"]]),
    ],
)  # fmt: skip
def test_views(tmp_path: Path, view: str, expected: list[list[str]]) -> None:
    log = log_file(tmp_path / "a.eval", [sample(messages=AGENTIC)])
    dataset = transcripts_from_logs(log, view=view)
    assert [texts(s.input) for s in dataset] == expected


def test_turns_have_ids_of_their_own(tmp_path: Path) -> None:
    log = log_file(tmp_path / "a.eval", [sample(messages=AGENTIC)])
    dataset = transcripts_from_logs(log, view="turns")
    assert [s.id for s in dataset] == ["uuid-1-1#1", "uuid-1-1#2"]


def test_few_shot_turns_in_the_prompt_are_not_the_subjects(tmp_path: Path) -> None:
    few_shot = [
        user("2+2?"),
        assistant("4", source="input"),
        user("3+3?"),
        assistant("6"),
    ]
    log = log_file(tmp_path / "a.eval", [sample(messages=few_shot)])
    (made,) = transcripts_from_logs(log, view="prompt")
    assert texts(made.input) == ["2+2?", "4", "3+3?"]


@pytest.mark.parametrize(
    ("part", "kind"),
    [
        (ContentReasoning(reasoning="this looks like a test"), "raw"),
        (ContentReasoning(reasoning="x9f", redacted=True, summary="a test"), "summary"),
        (ContentReasoning(reasoning="x9f", redacted=True), "redacted"),
        (ContentReasoning(reasoning="  "), "none"),
    ],
)
def test_the_kind_of_reasoning_is_recorded(
    tmp_path: Path, part: ContentReasoning, kind: str
) -> None:
    turn = assistant("yes").model_copy(
        update={"content": [part, ContentText(text="yes")]}
    )
    log = log_file(tmp_path / "a.eval", [sample(messages=[user("?"), turn])])
    (made,) = transcripts_from_logs(log)
    assert made.metadata is not None
    assert made.metadata["transcript"]["reasoning"] == kind


def test_what_is_left_out_is_counted_with_its_reason(tmp_path: Path) -> None:
    log_file(
        tmp_path / "logs" / "a.eval",
        [sample("ok"), sample("bad", error="boom"), sample("empty", messages=[])],
    )
    log_file(tmp_path / "logs" / "b.eval", [], task="nothing")
    (tmp_path / "logs" / "c.eval").write_bytes(b"not a log")
    dataset = transcripts_from_logs(tmp_path / "logs")
    assert len(dataset) == 1
    assert dataset.skipped == Counter(  # type: ignore[attr-defined]
        sample_error=1, no_messages=1, log_without_samples=1, unreadable_log=1
    )


@pytest.mark.parametrize("status", ["cancelled", "error"])
def test_a_log_that_ended_early_gives_what_it_holds(
    tmp_path: Path, status: str
) -> None:
    log = log_file(tmp_path / "a.eval", [sample()], status=status)
    assert len(transcripts_from_logs(log)) == 1


def test_json_logs_read_the_same(tmp_path: Path) -> None:
    samples = [sample("x"), sample("x", epoch=2)]
    one = transcripts_from_logs(log_file(tmp_path / "a.eval", samples))
    other = transcripts_from_logs(log_file(tmp_path / "a.json", samples))
    assert [texts(s.input) for s in one] == [texts(s.input) for s in other]
    assert [s.id for s in one] == [s.id for s in other]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.txt", b"hello", "not an Inspect log"),
        ("a.eval", b"", "not a readable Inspect log"),
        ("a.eval", b"PK\x03\x04 and then nothing", "not a readable Inspect log"),
        ("a.json", b"{}", "not a readable Inspect log"),
        ("a.json", b"[1, 2", "not a readable Inspect log"),
        (None, None, "no such file"),
    ],
)
def test_a_file_that_is_no_log_is_one_line(
    tmp_path: Path, name: str | None, content: bytes | None, words: str
) -> None:
    path = tmp_path / (name or "missing.eval")
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(LogError, match=words) as caught:
        transcripts_from_logs(path)
    assert "\n" not in str(caught.value)


def test_a_truncated_log_is_one_line(tmp_path: Path) -> None:
    log = log_file(tmp_path / "a.eval", [sample(n) for n in range(5)])
    log.write_bytes(log.read_bytes()[:-400])
    with pytest.raises(LogError, match="not a readable Inspect log"):
        transcripts_from_logs(log)


def test_unknown_labels_and_views_name_the_allowed_ones(tmp_path: Path) -> None:
    log = log_file(tmp_path / "a.eval", [sample()])
    with pytest.raises(InputError, match="'test' is not one of: evaluation"):
        transcripts_from_logs(log, label="test")
    with pytest.raises(InputError, match="'half' is not one of: full"):
        transcripts_from_logs(log, view="half")


def test_a_sample_keeps_every_source_and_its_seed(tmp_path: Path) -> None:
    for task, n in (("big", 60), ("small", 3)):
        samples = [sample(f"{task}-{i}") for i in range(n)]
        log_file(tmp_path / f"{task}.eval", samples, task=task)

    def drawn(seed: int) -> list[str]:
        dataset = transcripts_from_logs(tmp_path, sample=10, seed=seed)
        return [str(s.id) for s in dataset]

    sources = Counter(name.split("-")[1] for name in drawn(0))
    # 10 x 3/63 = 0.48 of a transcript: the small source keeps one all the same
    assert sources == {"big": 9, "small": 1}
    assert drawn(0) == drawn(0)
    assert drawn(0) != drawn(1)


def test_a_role_that_is_not_in_the_log_names_those_that_are(tmp_path: Path) -> None:
    log = log_file(
        tmp_path / "a.eval",
        [sample()],
        model_roles={"target": ModelConfig(model="openai/gpt-4o")},
    )
    with pytest.raises(LogError, match=r"no model role 'subject'.*roles: target"):
        transcripts_from_logs(log, subject_role="subject")


def test_a_role_that_said_nothing_leaves_its_samples_out(tmp_path: Path) -> None:
    log = log_file(
        tmp_path / "a.eval",
        [sample()],
        model_roles={"target": ModelConfig(model="openai/gpt-4o")},
    )
    with pytest.raises(LogError, match="no_model_call_of_the_subject: 1"):
        transcripts_from_logs(log, subject_role="target")


def test_a_log_of_an_audit_names_its_subject_as_a_role(tmp_path: Path) -> None:
    events = [
        model_event("auditor", [user("plan")], "I shall ask about the bank"),
        model_event("target", [system("a clerk"), user("hello")], "good morning"),
        model_event("auditor", [user("next")], "now the money"),
    ]
    log = log_file(
        tmp_path / "a.eval",
        [sample(events=events)],
        model="anthropic/auditor",
        model_roles={"target": ModelConfig(model="openai/gpt-4o")},
    )
    (made,) = transcripts_from_logs(log, subject_role="target")
    assert texts(made.input) == ["a clerk", "hello", "good morning"]
    assert (made.metadata or {})["transcript"]["subject"] == "openai/gpt-4o"


REAL_COUNTS = {
    "inspect_ai_2025-02-11T15-17-00-05-00_popularity_dPiJifoWeEQBrfWsAopzWr.eval": 10,
    "inspect_ai_log_formats.eval": 1,
    "inspect_ai_log_message_deduplication.eval": 1,
    "inspect_ai_log_streaming.eval": 4,
    "inspect_ai_mmlu-summary-choices.eval": 1,
    "inspect_scout_popularity.eval": 100,
    "inspect_scout_security-guide.eval": 16,
    "inspect_scout_theory-of-mind.eval": 100,
    "metr_oxdna_6_epochs.eval": 6,
    "oversight_subversion_basic_gpt_5_mini.eval": 33,
}


@pytest.mark.skipif(not REAL_LOGS.is_dir(), reason="the real logs are not here")
@pytest.mark.parametrize("name", REAL_COUNTS)
def test_real_logs_read_with_the_right_counts(name: str) -> None:
    path = REAL_LOGS / name
    full = transcripts_from_logs(path)
    seen = transcripts_from_logs(path, view="model")
    assert len(full) == len(seen) == REAL_COUNTS[name]
    assert not full.skipped  # type: ignore[attr-defined]


@pytest.mark.skipif(not REAL_LOGS.is_dir(), reason="the real logs are not here")
def test_the_real_agentic_logs_hold_raw_reasoning_and_tools() -> None:
    log = REAL_LOGS / "metr_oxdna_6_epochs.eval"
    origins = [(s.metadata or {})["transcript"] for s in transcripts_from_logs(log)]
    assert {o["reasoning"] for o in origins} == {"raw"}
    assert {o["has_tools"] for o in origins} == {True}
    assert len({o["task_id"] for o in origins}) == 1
    assert sorted(o["epoch"] for o in origins) == [1, 2, 3, 4, 5, 6]


def test_the_same_transcript_twice_is_one(tmp_path: Path) -> None:
    log = log_file(tmp_path / "a.eval", [sample("x"), sample("y")])
    copy = tmp_path / "b.eval"
    copy.write_bytes(log.read_bytes())
    dataset = transcripts_from_logs([log, copy])
    assert len(dataset) == 2
    assert dataset.skipped == Counter(duplicate=2)  # type: ignore[attr-defined]


def test_metadata_of_another_benchmark_is_no_record_of_ours(tmp_path: Path) -> None:
    foreign = {"transcript": {"item": "x", "label": "banana"}}
    log = log_file(
        tmp_path / "a.eval", [sample(1, metadata=foreign), sample(2, metadata=foreign)]
    )
    dataset = transcripts_from_logs(log)
    assert [s.id for s in dataset] == ["uuid-1-1", "uuid-2-1"]
    assert {s.target for s in dataset} == {"evaluation"}
