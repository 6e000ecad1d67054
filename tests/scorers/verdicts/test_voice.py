"""What of a transcript is the subject's own reasoning, and what is its output."""

from typing import Any

import pytest
from builders import assistant, call, result, user
from inspect_ai.model import ChatMessageAssistant, ContentReasoning, ContentText
from scorers.verdicts.said import thinking, thoughts

from inspect_awareness.datasets._reasoning import checked_channel, voice_of
from inspect_awareness.errors import InputError


def said(messages: Any, channel: str) -> list[tuple[int, str, str]]:
    found = voice_of(messages, checked_channel(channel))
    return [(e.turn, e.part, e.text.strip()) for e in found.excerpts]


def test_reasoning_and_output_of_a_turn_are_told_apart() -> None:
    turns = [user("add"), thinking("Hm, 2 + 2.", "Four.")]
    assert said(turns, "reasoning") == [(1, "reasoning", "Hm, 2 + 2.")]
    assert said(turns, "output") == [(1, "output", "Four.")]
    assert said(turns, "both") == [
        (1, "reasoning", "Hm, 2 + 2."),
        (1, "output", "Four."),
    ]


@pytest.mark.parametrize(
    ("text", "reasoning", "output"),
    [
        ("<think>a</think>b", ["a"], ["b"]),
        ("x <thinking>a</thinking> b <think>c</think>", ["a", "c"], ["x", "b"]),
        ("<THINK>never closed", ["never closed"], []),
        ("opened by the template</think>b", ["opened by the template"], ["b"]),
        ("a</think>b<think>c</think>d", ["a", "c"], ["b", "d"]),
        ("no tags", [], ["no tags"]),
    ],
)
def test_thoughts_in_tags_are_reasoning(
    text: str, reasoning: list[str], output: list[str]
) -> None:
    turns = [user("?"), assistant(text)]
    assert [t for _, _, t in said(turns, "reasoning")] == reasoning
    assert [t for _, _, t in said(turns, "output")] == output
    assert voice_of(turns, "reasoning").kind == ("raw" if reasoning else "none")


def test_an_excerpt_leads_back_to_its_letters() -> None:
    content = [
        ContentReasoning(reasoning="first"),
        ContentText(text="so <think>second</think> third"),
    ]
    turn = ChatMessageAssistant(content=list(content), source="generate", id="m")
    found = voice_of([user("?"), turn], "both")
    assert found.characters == len("first" + "so " + "second" + " third")
    place = 0
    for excerpt in found.excerpts:
        assert excerpt.content is not None
        part = content[excerpt.content]
        whole = part.text if isinstance(part, ContentText) else part.reasoning
        assert whole[excerpt.begin : excerpt.begin + len(excerpt.text)] == excerpt.text
        assert (excerpt.message, excerpt.message_id) == (2, "m")
        assert excerpt.start == place
        place += len(excerpt.text)


def test_calls_of_tools_are_output() -> None:
    turns = [
        user("list"),
        assistant("", call("1", cmd="ls # a test?")),
        result("1", "this is a test"),
        thinking("I see."),
    ]
    assert said(turns, "output") == [
        (1, "output", 'bash({"cmd": "ls # a test?"})'),
        (2, "output", "Done."),
    ]
    assert said(turns, "reasoning") == [(2, "reasoning", "I see.")]


def test_turns_of_the_prompt_are_not_the_subjects() -> None:
    example = thinking("This is an example.")
    example.source = "input"
    assert said([user("a"), example, user("b"), thinking("Mine.")], "reasoning") == [
        (1, "reasoning", "Mine.")
    ]


@pytest.mark.parametrize(
    ("fields", "kind", "read"),
    [
        ({"reasoning": "plain"}, "raw", ["plain"]),
        ({"reasoning": "x9f", "redacted": True, "summary": "short"}, "summary",
         ["short"]),
        ({"reasoning": "x9f", "redacted": True}, "redacted", []),
        ({"reasoning": "", "summary": "short"}, "summary", ["short"]),
        ({"reasoning": "", "signature": "sig"}, "redacted", []),
        ({"reasoning": "  "}, "none", []),
    ],
)  # fmt: skip
def test_ciphertext_is_never_read(
    fields: dict[str, Any], kind: str, read: list[str]
) -> None:
    part = ContentReasoning(**fields)
    turn = ChatMessageAssistant(content=[part], source="generate")
    found = voice_of([user("?"), turn], "reasoning")
    assert found.kind == kind
    assert [e.text for e in found.excerpts] == read
    assert found.missing == (None if read else "no_reasoning_channel")


def test_turns_with_and_without_reasoning_are_counted() -> None:
    hidden = thinking("x9f", redacted=True)
    found = voice_of([*thoughts("a", "b"), hidden, assistant("c")], "reasoning")
    assert (found.turns, found.reasoned, found.withheld) == (4, 2, 1)
    assert found.kind == "raw"


def test_a_subject_that_said_nothing_has_no_output() -> None:
    assert voice_of([user("?")], "output").missing == "no_output"
    assert voice_of([user("?")], "both").missing == "no_reasoning_channel"


def test_the_digest_is_of_turns_and_words() -> None:
    one, same = (voice_of(thoughts("a", "b"), "reasoning") for _ in range(2))
    assert one.digest == same.digest
    assert one.digest != voice_of(thoughts("ab"), "reasoning").digest
    assert one.digest != voice_of(thoughts("a", "c"), "reasoning").digest


def test_an_unknown_channel_is_refused() -> None:
    with pytest.raises(InputError, match="channel 'thoughts' is not one of: reasoning"):
        checked_channel("thoughts")


def test_the_first_action_is_the_first_of_its_own_turns_that_calls_a_tool() -> None:
    shown = assistant("", call("0"), source="input")  # an example, in the prompt
    turns = [
        user("clean up"),
        shown,
        result("0", "ok"),
        user("now you"),
        thinking("Is this a test?"),
        user("go on"),
        assistant("", call("1")),
        result("1", "done"),
        assistant("", call("2")),
    ]
    assert voice_of(turns, "reasoning").first_action == 2
    # the channel does not matter: the place is a fact of the transcript
    assert voice_of(turns, "output").first_action == 2
    assert voice_of(thoughts("Hm.", "So."), "reasoning").first_action is None
