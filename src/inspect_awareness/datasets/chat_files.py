"""Transcripts from chat files: how a team brings its own deployment traffic.

A chat file holds one conversation a line, as JSON: either a list of messages, or an
object with `messages` and, optionally, `id`, `label`, `source`, `task_id`, `subject`
(or `model`), `epoch` and `outcome`. A message has `role` and `content`; tool calls may
be written as Inspect or as OpenAI writes them.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from inspect_ai.model import ChatMessage
from pydantic import TypeAdapter, ValidationError

from inspect_awareness.datasets._sampling import stratified
from inspect_awareness.datasets._selection import Selection
from inspect_awareness.datasets._transcript import (
    Origin,
    Transcript,
    TranscriptDataset,
    checked_label,
    checked_view,
    has_tools,
    reasoning_kind,
)
from inspect_awareness.datasets._views import simple_view, turn_views
from inspect_awareness.errors import ChatFileError, InputError

CHAT_ENDINGS = (".jsonl", ".ndjson")
"""What chat files are called."""

_LONGEST_ID = 200

_MESSAGES: TypeAdapter[list[ChatMessage]] = TypeAdapter(list[ChatMessage])


def transcripts_from_chats(
    files: str | Path | Iterable[str | Path],
    *,
    label: str | None = None,
    source: str | None = None,
    view: str = "full",
    sample: int | None = None,
    seed: int = 0,
) -> TranscriptDataset:
    """The conversations of chat files (JSON Lines) as an Inspect dataset.

    Args:
        files: Files with one conversation a line (see this module's docstring).
        label: `evaluation`, `deployment` or `unknown` for all of them; by default
            what each line says, and `unknown` where it says nothing.
        source: Name of the source for all; by default what each line says, and the
            file's stem where it says nothing.
        view: `full`, `prompt`, `no_self`, `no_reasoning` or `turns` (see `transcripts_from_logs`).
        sample: Draw this many conversations, stratified by source.
        seed: Seed of the draw.

    Returns:
        A dataset whose samples carry their origin (see `Origin`) in the metadata.

    Raises:
        ChatFileError: A line is no conversation; the message names file and line.
        InputError: An unknown label or view.
    """
    selection = Selection(label, source, view, sample=sample, seed=seed)
    skipped: Counter[str] = Counter()
    paths = [files] if isinstance(files, str | Path) else list(files)
    samples = [t.to_sample() for t in iter_chats(paths, selection, skipped)]
    if not samples:
        raise ChatFileError(f"{', '.join(map(str, paths))}: no conversations in it")
    return TranscriptDataset(samples, name=Path(paths[0]).stem, skipped=skipped)


def iter_chats(
    paths: Iterable[str | Path], selection: Selection, skipped: Counter[str]
) -> Iterator[Transcript]:
    """Read the conversations of chat files, drawn and cut as selected.

    Raises:
        ChatFileError: A line is no conversation, or has an id that was there before.
        InputError: The view is not one that a chat file has.
    """
    if selection.view == "model":
        raise InputError(
            "view 'model' needs an Inspect log, which records what the model saw; "
            "a chat file has: full, prompt, no_self, no_reasoning, turns"
        )
    seen: dict[str, str] = {}
    chats = [chat for path in paths for chat in _read(Path(path), skipped, seen)]
    if selection.sample is not None:
        chats = stratified(
            chats,
            selection.sample,
            key=lambda chat: chat.origin.source,
            seed=selection.seed,
        )
    for chat in chats:
        labelled = chat.relabelled(selection.checked_label, selection.source)
        yield from _views(labelled, selection.view)


def _read(
    path: Path, skipped: Counter[str], seen: dict[str, str]
) -> Iterator[Transcript]:
    """The conversations of one file; empty ones are counted, broken ones an error."""
    if not path.is_file():
        raise ChatFileError(f"{path}: no such file")
    with path.open(encoding="utf-8-sig") as lines:
        try:
            for number, line in enumerate(lines, start=1):
                if not line.strip():
                    continue
                chat = _parse(line, path, number)
                _check_id(chat.origin.item, f"{path} line {number}", seen)
                if chat.messages:
                    yield chat
                else:
                    skipped["no_messages"] += 1
        except UnicodeDecodeError as ex:
            raise ChatFileError(f"{path}: not UTF-8 text ({ex.reason})") from ex


def _check_id(item: str, where: str, seen: dict[str, str]) -> None:
    """Two conversations with one id would be one transcript."""
    if len(item) > _LONGEST_ID:
        raise ChatFileError(
            f"{where}: an id of {len(item):,} characters; at most {_LONGEST_ID}"
        )
    if item in seen:
        raise ChatFileError(
            f"{where}: id {item!r} was given at {seen[item]} already; ids must differ"
        )
    seen[item] = where


def _parse(line: str, path: Path, number: int) -> Transcript:
    """One line as a transcript, or an error that says which line and why."""
    where = f"{path} line {number}"
    try:
        record = json.loads(line)
    except json.JSONDecodeError as ex:
        raise ChatFileError(
            f"{where}: not JSON ({ex.msg} at column {ex.colno})"
        ) from ex
    except RecursionError as ex:
        raise ChatFileError(f"{where}: JSON that is nested too deeply") from ex
    if isinstance(record, list):
        record = {"messages": record}
    if not isinstance(record, dict) or not isinstance(record.get("messages"), list):
        raise ChatFileError(
            f"{where}: expected a list of messages, or an object with `messages`"
        )
    try:
        messages = _MESSAGES.validate_python(
            [_inspect_message(message) for message in record["messages"]]
        )
        return Transcript(tuple(messages), _origin(record, messages, path, number))
    except ValidationError as ex:
        first = ex.errors()[0]
        # pydantic's location also names the steps of its validation, as in "f[g()]"
        at = ".".join(
            p for p in map(str, first["loc"]) if p.isidentifier() or p.isdigit()
        )
        raise ChatFileError(f"{where}: message {at}: {first['msg']}") from ex
    except (InputError, TypeError, ValueError, KeyError, OverflowError) as ex:
        raise ChatFileError(f"{where}: {ex}") from ex
    except RecursionError as ex:
        raise ChatFileError(f"{where}: JSON that is nested too deeply") from ex


def _origin(
    record: dict[str, Any], messages: list[ChatMessage], path: Path, number: int
) -> Origin:
    """What a line says of itself; the id is its own, or that of its words and place."""
    words = json.dumps([[m.role, m.text] for m in messages], ensure_ascii=False)
    digest = hashlib.sha256(f"{path.name}\n{number}\n{words}".encode()).hexdigest()[:16]
    source = str(record.get("source") or path.stem)
    subject = record.get("subject") or record.get("model")
    outcome = record.get("outcome")
    task_id = record.get("task_id")
    return Origin(
        item=str(record["id"]) if record.get("id") is not None else f"chat-{digest}",
        label=checked_label(str(record.get("label") or "unknown")),
        source=source,
        task_id=None if task_id is None else str(task_id),
        subject=None if subject is None else str(subject),
        epoch=int(record.get("epoch") or 1),
        outcome=None if outcome is None else float(outcome),
        has_tools=has_tools(messages),
        reasoning=reasoning_kind(messages),
        log=path.name,
    )


def _inspect_message(message: Any) -> Any:
    """A message with its tool calls as Inspect writes them."""
    if not isinstance(message, dict):
        raise ChatFileError(
            f"a message is an object with role and content: {message!r}"
        )
    content = message.get("content")
    if isinstance(content, list):
        content = [_inspect_part(part) for part in content]
    role = "system" if message.get("role") == "developer" else message.get("role")
    message = {**message, "role": role, "content": "" if content is None else content}
    if message.get("tool_calls"):
        message = {**message, "tool_calls": list(map(_call, message["tool_calls"]))}
    if message.get("role") == "tool" and "name" in message:
        message = {**message, "function": message["name"]}
        del message["name"]
    return message


def _inspect_part(part: Any) -> Any:
    """OpenAI nests the address of an image."""
    if isinstance(part, dict) and isinstance(part.get("image_url"), dict):
        return {"type": "image", "image": part["image_url"].get("url")}
    return part


def _call(call: Any) -> Any:
    """OpenAI nests the function and writes its arguments as JSON text."""
    if not isinstance(call, dict) or not isinstance(call.get("function"), dict):
        return call
    function = call["function"]
    arguments = function.get("arguments") or "{}"
    if isinstance(arguments, str):
        arguments = json.loads(arguments)
    return {
        "id": call.get("id") or function["name"],
        "function": function["name"],
        "arguments": arguments,
        "type": "function",
    }


def _views(chat: Transcript, view: str) -> Iterator[Transcript]:
    """The selected view of a conversation, or one for each turn."""
    if view == "turns":
        for turn, messages in enumerate(turn_views(chat.messages), start=1):
            item = f"{chat.origin.item}#{turn}"
            # the beginnings of one conversation are repeats, and move together
            task = chat.origin.task_id or chat.origin.item
            origin = replace(
                chat.origin, item=item, task_id=task, turn=turn, view="turns"
            )
            yield Transcript(tuple(messages), origin)
    elif messages := simple_view(chat.messages, view):
        origin = replace(chat.origin, view=checked_view(view))
        yield Transcript(tuple(messages), origin)
