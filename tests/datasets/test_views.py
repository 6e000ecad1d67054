"""Views that make a transcript fit for a provider and for a context."""

from builders import assistant, call, result, system, user
from inspect_ai.model import ContentImage, ContentReasoning, ContentText

from inspect_awareness.datasets._views import askable, trim


def length(messages: object) -> int:
    return sum(len(m.text) for m in messages)  # type: ignore[attr-defined]


def test_an_unanswered_call_becomes_text_and_no_result_is_invented() -> None:
    messages = [user("go"), assistant("", call("1", "submit", answer="42"))]
    made = askable(messages)
    assert [m.role for m in made] == ["user", "assistant"]
    assert made[1].text == '[called submit({"answer": "42"}); no result recorded]'
    assert made[1].tool_calls is None  # type: ignore[union-attr]


def test_answered_calls_are_left_alone() -> None:
    messages = [user("go"), assistant("ok", call("1")), result("1", "done")]
    assert askable(messages) == messages


def test_only_the_open_one_of_two_calls_is_written_out() -> None:
    messages = [user("go"), assistant("ok", call("1"), call("2")), result("1", "done")]
    made = askable(messages)
    assert [c.id for c in made[1].tool_calls] == ["1"]  # type: ignore[union-attr]
    assert "[called bash({}); no result recorded]" in made[1].text


def test_a_result_without_its_call_becomes_a_user_message() -> None:
    made = askable([user("go"), result("9", "a.txt")])
    assert [m.role for m in made] == ["user", "user"]
    assert made[1].text == "[result of bash]\na.txt"


def test_a_turn_without_content_is_dropped() -> None:
    assert [m.role for m in askable([user("go"), assistant(" ")])] == ["user"]


def test_a_transcript_that_fits_is_untouched() -> None:
    messages = [user("a" * 10), assistant("b" * 10)]
    made = trim(messages, budget=20, count=length)
    assert (list(made.messages), made.dropped) == (messages, 0)


def test_the_middle_goes_first_and_a_note_stands_in_its_place() -> None:
    messages = [system("s" * 10), user("u" * 10)]
    messages += [assistant(str(i) * 100) for i in range(10)]  # type: ignore[misc]
    made = trim(messages, budget=300, count=length)
    # 10 + 10 + note of 29 leaves room for two of the ten turns
    assert made.dropped == 8
    assert [m.text[0] for m in made.messages] == ["s", "u", "[", "8", "9"]
    assert made.messages[2].text == "[8 messages left out here]"
    assert length(made.messages) <= 300


def test_one_message_that_is_too_long_loses_its_middle() -> None:
    made = trim([user("x" * 5000 + "end")], budget=2000, count=length)
    assert length(made.messages) <= 2000
    assert made.dropped == 1
    assert made.messages[0].text.endswith("end")


def test_trimming_never_leaves_a_result_without_its_call() -> None:
    messages = [user("u" * 10)]
    for i in range(10):
        messages.append(assistant("c" * 50, call(str(i))))  # type: ignore[arg-type]
        messages.append(result(str(i), "r" * 50))  # type: ignore[arg-type]
    for budget in range(100, 1000, 37):
        made = trim(messages, budget=budget, count=length).messages
        calls = {c.id for m in made for c in getattr(m, "tool_calls", None) or []}
        results = {m.tool_call_id for m in made if m.role == "tool"}
        assert results == calls


def pairing(messages: object) -> list[str]:
    """Roles, with the ids of calls and results."""
    return [
        m.role  # type: ignore[attr-defined]
        + "".join(c.id for c in getattr(m, "tool_calls", None) or [])
        + (m.tool_call_id if m.role == "tool" else "")  # type: ignore[attr-defined]
        for m in messages  # type: ignore[attr-defined]
    ]


def test_a_result_counts_only_where_it_follows_its_call_directly() -> None:
    go = user("go")
    two = assistant("ok", call("1"), call("2"))
    # a user turn between two results
    made = askable([go, two, result("1", "a"), user("wait"), result("2", "b")])
    assert pairing(made) == ["user", "assistant1", "tool1", "user", "user"]
    # an id that is used again by a call that was never answered
    again = [go, assistant("a", call("1")), result("1", "x"), assistant("b", call("1"))]
    assert pairing(askable(again)) == ["user", "assistant1", "tool1", "assistant"]
    # a result before its call, and two results of one call
    before = [go, result("1", "x"), assistant("a", call("1"))]
    assert pairing(askable(before)) == ["user", "user", "assistant"]
    twice = [go, assistant("a", call("1")), result("1", "x"), result("1", "y")]
    assert pairing(askable(twice)) == ["user", "assistant1", "tool1", "user"]


def test_reasoning_becomes_text_and_redacted_reasoning_its_summary() -> None:
    def thinking(**fields: object) -> str:
        part = ContentReasoning(**fields)  # type: ignore[arg-type]
        turn = assistant("").model_copy(
            update={"content": [part, ContentText(text="yes")]}
        )
        return askable([user("?"), turn])[1].text

    assert "a test?" in thinking(reasoning="a test?")
    cipher = thinking(reasoning="gAAAA", redacted=True, summary="it may be a test")
    assert "it may be a test" in cipher
    assert "gAAAA" not in cipher
    assert thinking(reasoning="gAAAA", redacted=True) == "yes"


def test_a_conversation_that_the_assistant_opens_gets_a_user_turn() -> None:
    made = askable([system("s"), assistant("Hello, how can I help?"), user("hi")])
    assert [m.role for m in made] == ["system", "user", "assistant", "user"]


def test_shortening_a_message_keeps_its_image() -> None:
    long = user("").model_copy(
        update={"content": [ContentImage(image="data:x"), ContentText(text="x" * 5000)]}
    )
    made = trim([long], budget=1000, count=length).messages[0]
    assert [part.type for part in made.content] == ["image", "text"]  # type: ignore[union-attr]
