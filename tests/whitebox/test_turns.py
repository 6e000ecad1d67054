import json

import pytest
from inspect_ai.model import (
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    ContentAudio,
    ContentData,
    ContentDocument,
    ContentImage,
    ContentReasoning,
    ContentText,
    ContentToolUse,
    ContentVideo,
)
from inspect_ai.tool import ToolCall, ToolCallError

from inspect_awareness.whitebox._turns import Part, Turn, fallbacks, turn


def text(message):
    return turn(message).text()


def said(role, *texts):
    return Turn(role, tuple(map(Part, texts)))


def roles(turns):
    return [one.role for one in turns]


def test_plain_text_is_kept_to_the_letter():
    assert text(ChatMessageUser(content="  two\n spaces ")) == "  two\n spaces "


def test_text_parts_follow_on_new_lines():
    content = [ContentText(text="one"), ContentText(text="two")]
    assert text(ChatMessageUser(content=content)) == "one\ntwo"


def test_reasoning_stands_between_think_tags_before_the_text():
    content = [ContentReasoning(reasoning="a test?"), ContentText(text="Sure.")]
    expected = "<think>\na test?\n</think>\nSure."
    assert text(ChatMessageAssistant(content=content)) == expected


def test_redacted_reasoning_shows_its_summary_and_never_its_cipher():
    thought = ContentReasoning(reasoning="gAAAA", redacted=True, summary="wonders")
    content = [thought, ContentText(text="Sure.")]
    expected = "<think>\nwonders\n</think>\nSure."
    assert text(ChatMessageAssistant(content=content)) == expected


def test_redacted_reasoning_without_summary_leaves_nothing():
    thought = ContentReasoning(reasoning="gAAAA", redacted=True)
    content = [thought, ContentText(text="Sure.")]
    assert text(ChatMessageAssistant(content=content)) == "Sure."


def test_a_tool_call_is_a_line_with_name_and_arguments():
    call = ToolCall(id="1", function="bash", arguments={"cmd": "ls", "n": 2})
    message = ChatMessageAssistant(content="Looking.", tool_calls=[call])
    line = text(message).splitlines()[1]
    assert text(message).startswith("Looking.\n")
    assert line == '[tool call] bash({"cmd": "ls", "n": 2})'
    assert json.loads(line[len("[tool call] bash(") : -1]) == call.arguments


def test_a_tool_result_names_its_function():
    message = ChatMessageTool(content="a.txt", function="bash", tool_call_id="1")
    assert turn(message).role == "tool"
    assert text(message) == "[tool result] bash:\na.txt"


def test_a_tool_error_is_told_apart_from_a_result():
    error = ToolCallError(type="timeout", message="too slow")
    message = ChatMessageTool(content="", function="bash", error=error)
    assert text(message) == "[tool error] bash:\ntoo slow"


def test_a_server_side_tool_shows_call_and_result():
    use = ContentToolUse(
        tool_type="web_search", id="1", name="search", arguments="x", result="found"
    )
    expected = "[tool call] search(x)\n[tool result] search:\nfound"
    assert text(ChatMessageAssistant(content=[use])) == expected


@pytest.mark.parametrize(
    ("content", "placeholder"),
    [
        (ContentImage(image="data:image/png;base64,AAAA"), "[image]"),
        (ContentAudio(audio="a.mp3", format="mp3"), "[audio]"),
        (ContentVideo(video="a.mp4", format="mp4"), "[video]"),
        (ContentDocument(document="data:text/plain;base64,AAAA"), "[document]"),
        (ContentData(data={"a": 1}), "[data]"),
    ],
)
def test_what_is_no_text_is_a_short_placeholder(content, placeholder):
    assert text(ChatMessageUser(content=[content])) == placeholder


def test_system_messages_keep_their_role():
    assert turn(ChatMessageSystem(content="Be kind.")) == said("system", "Be kind.")


def test_the_first_form_is_the_conversation_itself():
    turns = (said("system", "s"), said("user", "u"), said("tool", "t"))
    assert next(fallbacks(turns)) == turns


def test_the_plainest_form_alternates_between_user_and_assistant():
    turns = (
        said("system", "s"),
        said("user", "u1"),
        said("assistant", "a"),
        said("tool", "t1"),
        said("tool", "t2"),
        said("user", "u2"),
    )
    *_, plainest = fallbacks(turns)
    assert roles(plainest) == ["user", "assistant", "user"]
    assert [one.text() for one in plainest] == ["s\n\nu1", "a", "t1\n\nt2\n\nu2"]


def test_system_text_before_the_assistant_is_a_user_turn():
    *_, plainest = fallbacks((said("system", "s"), said("assistant", "a")))
    assert roles(plainest) == ["user", "assistant"]


def test_a_conversation_that_the_assistant_opens_gets_an_empty_user_turn():
    *_, plainest = fallbacks((said("assistant", "a"), said("user", "u")))
    assert [(one.role, one.text()) for one in plainest] == [
        ("user", ""),
        ("assistant", "a"),
        ("user", "u"),
    ]


def test_no_form_loses_a_word():
    turns = tuple(
        said(role, f"w{i}")
        for i, role in enumerate(["assistant", "system", "tool", "system", "user"])
    )
    for form in fallbacks(turns):
        words = " ".join(one.text() for one in form).split()
        assert words == ["w0", "w1", "w2", "w3", "w4"]
