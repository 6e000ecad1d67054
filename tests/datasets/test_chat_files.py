"""Chat files: how a team brings its own deployment traffic."""

from pathlib import Path
from typing import Any

import pytest
from builders import chat, chat_file

from inspect_awareness.datasets import transcripts_from_chats
from inspect_awareness.errors import ChatFileError, InputError


def origins(dataset: Any) -> list[dict[str, Any]]:
    return [s.metadata["transcript"] for s in dataset]


def test_a_line_is_a_list_of_messages_or_an_object(tmp_path: Path) -> None:
    path = chat_file(
        tmp_path / "traffic.jsonl",
        chat("hi", "hello")["messages"],
        chat("hey", id="c-2", label="deployment", source="app", model="m/1"),
        "",
    )
    first, second = origins(transcripts_from_chats(path))
    assert (first["label"], first["source"]) == ("unknown", "traffic")
    assert (second["item"], second["label"]) == ("c-2", "deployment")
    assert (second["source"], second["subject"]) == ("app", "m/1")


def test_label_and_source_given_for_all_win(tmp_path: Path) -> None:
    path = chat_file(tmp_path / "a.jsonl", chat("hi", label="unknown", source="x"))
    (origin,) = origins(transcripts_from_chats(path, label="deployment", source="y"))
    assert (origin["label"], origin["source"]) == ("deployment", "y")


def test_the_same_words_on_two_lines_are_two_transcripts(tmp_path: Path) -> None:
    path = chat_file(tmp_path / "a.jsonl", chat("hi"), chat("hi"))
    ids = [s.id for s in transcripts_from_chats(path)]
    assert len(set(ids)) == 2
    assert ids == [s.id for s in transcripts_from_chats(path)]


def test_tool_calls_as_openai_writes_them(tmp_path: Path) -> None:
    path = chat_file(
        tmp_path / "a.jsonl",
        {
            "messages": [
                {"role": "user", "content": "weather?"},
                {
                    "role": "assistant",
                    "content": None,
                    "tool_calls": [
                        {
                            "id": "1",
                            "type": "function",
                            "function": {
                                "name": "weather",
                                "arguments": '{"city": "Ghent"}',
                            },
                        }
                    ],
                },
                {"role": "tool", "tool_call_id": "1", "name": "weather",
                 "content": "rain"},
            ]
        },
    )  # fmt: skip
    (sample,) = transcripts_from_chats(path)
    assert sample.input[1].tool_calls[0].arguments == {"city": "Ghent"}  # type: ignore
    assert (sample.metadata or {})["transcript"]["has_tools"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{not json", "line 2: not JSON"),
        ('"text"', "line 2: expected a list of messages"),
        ('{"message": []}', "line 2: expected a list of messages"),
        ('[{"role": "pirate", "content": "arr"}]', "line 2: message 0"),
        ('[{"role": "user", "content": 3}]', "line 2: message 0"),
        ('["hello"]', "line 2: a message is an object"),
        ('{"messages": [], "label": "real"}', "line 2: label 'real' is not one of"),
    ],
)
def test_a_broken_line_is_named(tmp_path: Path, line: str, words: str) -> None:
    path = chat_file(tmp_path / "a.jsonl", chat("hi"), line)
    with pytest.raises(ChatFileError, match=words) as caught:
        transcripts_from_chats(path)
    assert "\n" not in str(caught.value)


def test_empty_conversations_are_counted(tmp_path: Path) -> None:
    path = chat_file(tmp_path / "a.jsonl", chat("hi"), [])
    dataset = transcripts_from_chats(path)
    assert (len(dataset), dict(dataset.skipped)) == (1, {"no_messages": 1})


def test_an_empty_file_a_missing_file_and_binary_are_one_line(tmp_path: Path) -> None:
    empty = chat_file(tmp_path / "a.jsonl")
    with pytest.raises(ChatFileError, match="no conversations"):
        transcripts_from_chats(empty)
    with pytest.raises(ChatFileError, match="no such file"):
        transcripts_from_chats(tmp_path / "b.jsonl")
    (tmp_path / "c.jsonl").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ChatFileError, match="not UTF-8"):
        transcripts_from_chats(tmp_path / "c.jsonl")


def test_a_chat_file_does_not_know_what_the_model_saw(tmp_path: Path) -> None:
    path = chat_file(tmp_path / "a.jsonl", chat("hi"))
    with pytest.raises(InputError, match="needs an Inspect log"):
        transcripts_from_chats(path, view="model")


def test_views_of_chats(tmp_path: Path) -> None:
    path = chat_file(tmp_path / "a.jsonl", chat("a", "b", "c", "d"))
    made = transcripts_from_chats(path, view="turns")
    assert [len(s.input) for s in made] == [2, 4]
    (prompt,) = transcripts_from_chats(path, view="prompt")
    assert len(prompt.input) == 1


def test_two_conversations_with_one_id_are_refused(tmp_path: Path) -> None:
    path = chat_file(tmp_path / "a.jsonl", chat("hi", id="1"), chat("ho", id="1"))
    with pytest.raises(ChatFileError, match=r"line 2: id '1' was given at .* line 1"):
        transcripts_from_chats(path)
    endless = chat_file(tmp_path / "b.jsonl", chat("hi", id="x" * 300))
    with pytest.raises(ChatFileError, match="an id of 300 characters"):
        transcripts_from_chats(endless)


def test_what_other_tools_write_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    line = (
        '{"messages": [{"role": "developer", "content": "be brief"}, {"role": "user", '
        '"content": [{"type": "text", "text": "what is it?"}, {"type": "image_url", '
        '"image_url": {"url": "data:image/png;base64,AAAA"}}]}]}'
    )
    path.write_bytes(b"\xef\xbb\xbf" + line.encode() + b"\r\n")
    (made,) = transcripts_from_chats(path)
    assert [m.role for m in made.input] == ["system", "user"]  # type: ignore[union-attr]
    assert made.input[1].content[1].type == "image"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "line",
    [
        '{"messages": ' + "[" * 100_000 + "]" * 100_000 + "}",
        '{"messages": [], "outcome": 1' + "0" * 400 + "}",
        '{"messages": [], "epoch": Infinity}',
    ],
)
def test_absurd_lines_are_one_line_too(tmp_path: Path, line: str) -> None:
    path = chat_file(tmp_path / "a.jsonl", line)
    with pytest.raises(ChatFileError, match="line 1: "):
        transcripts_from_chats(path)
