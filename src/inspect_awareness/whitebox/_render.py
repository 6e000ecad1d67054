"""Conversations as the text that a model reads, safe against what transcripts say.

Transcripts are untrusted: text in them may spell a control token (``<|im_end|>``)
and must not become one, or a transcript could end its own turn and speak as somebody
else. So every control string inside a message is *quoted*: a mark, a private-use
character that occurs nowhere in the conversation, is put after its first character.
The template's own control strings carry no mark. ``_tokens.TextEncoder`` breaks the
text at the marks and drops them, so the model reads exactly the characters of the
transcript, as ordinary text.

Thoughts are quoted in the same way while the template runs, since many templates
delete ``<think>...</think>`` from earlier turns, and what a model thought is often
just what is to be measured. Their tags are put in afterwards.

A template that refuses the roles of a conversation, or drops a message in silence,
is tried again with the plainer forms of ``_turns.fallbacks``. A model without a
template reads ``role: text`` lines with blank lines between them; only there can a
message imitate a turn, since turns are then nothing but text.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from itertools import islice
from typing import Protocol, Self

from jinja2 import TemplateError

from inspect_awareness.errors import ModelError
from inspect_awareness.whitebox._turns import Turn, fallbacks


class RefusalError(ModelError):
    """A chat template does not take a conversation in the form it was given."""


class Template(Protocol):
    """A chat template, up to where the assistant's reply begins."""

    def __call__(self, chat: list[dict[str, str]], *, thinking: bool) -> str:
        """Write messages of ``role`` and ``content``; raise where they are refused."""


_PRIVATE_USE = range(0xE000, 0xF900)


@dataclass(frozen=True)
class Marks:
    """Characters that stand for a quotation and for the think tags; see the module.

    ``text_open`` and ``text_close`` go around a text whose place in the conversation
    is wanted; whoever puts them in takes them out again.
    """

    quote: str
    think_open: str
    think_close: str
    text_open: str
    text_close: str

    @classmethod
    def absent_from(cls, texts: Iterable[str]) -> Self:
        """Private-use characters that occur in none of the texts."""
        everything = "".join(texts)
        free = (chr(code) for code in _PRIVATE_USE if chr(code) not in everything)
        found = list(islice(free, len(fields(cls))))
        if len(found) < len(fields(cls)):
            raise ModelError(
                "the transcript uses every private-use character from U+E000 to "
                "U+F8FF, so its text cannot be told from control tokens"
            )
        return cls(*found)


@dataclass(frozen=True)
class Style:
    """How one model's conversations are written.

    Args:
        template: The model's chat template; None for a model without one.
        control: The strings that are control tokens of this model.
        bos: What a conversation without template begins with.
    """

    template: Template | None
    control: tuple[str, ...]
    bos: str = ""


class Writer:
    """Writes conversations in a model's style, with every control string quoted.

    What a turn says is worked out once, however many conversations share the turn.

    Args:
        style: How the model's conversations are written.
        marks: Characters that occur in none of the texts.
    """

    def __init__(self, style: Style, marks: Marks) -> None:
        self.style = style
        self.marks = marks
        longest_first = sorted(style.control, key=len, reverse=True)
        self._control = re.compile("|".join(map(re.escape, longest_first)) or r"(?!)")
        self._said: dict[Turn, str] = {}

    def quote(self, text: str) -> str:
        """The text with a mark in every control string."""
        mark = self.marks.quote
        return self._control.sub(
            lambda found: f"{found[0][0]}{mark}{found[0][1:]}", text
        )

    def render(self, turns: Sequence[Turn], *, thinking: bool) -> str:
        """The conversation up to the assistant's next word.

        Args:
            turns: The conversation.
            thinking: Whether the reply may begin with a thought. If not, templates
                with a switch are told so, and a thought that the template opens is
                closed at once.

        Raises:
            ModelError: The template refuses the conversation in every form.
        """
        if self.style.template is None:
            return self._plain(turns)
        for form in fallbacks(turns):
            try:
                return self._with_tags(
                    self.exactly(form, thinking=thinking), thinking=thinking
                )
            except RefusalError as error:
                refusal = error
        roles = ", ".join(turn.role for turn in turns)
        raise ModelError(
            f"the model's chat template refuses a conversation of the turns "
            f"{roles}: {refusal}. Choose a model whose template takes them"
        )

    def exactly(self, turns: Sequence[Turn], *, thinking: bool) -> str:
        """The conversation in just these turns, as the template writes it.

        Raises:
            RefusalError: The template refuses the roles, or drops a message.
        """
        if self.style.template is None:
            return self._plain(turns)
        chat = [{"role": one.role, "content": self._content(one)} for one in turns]
        try:
            text = self.style.template(chat, thinking=thinking)
        except (TemplateError, TypeError, ValueError, KeyError) as error:
            raise RefusalError(str(error)) from error
        if not _holds(text, chat):
            raise RefusalError("it drops a message")
        return text

    def _content(self, turn: Turn) -> str:
        """What a turn says, with marks for its think tags."""
        if turn not in self._said:
            think = (self.marks.think_open, self.marks.think_close)
            self._said[turn] = turn.text(think=think, quote=self.quote)
        return self._said[turn]

    def _with_tags(self, text: str, *, thinking: bool) -> str:
        """The think tags put in, and an open thought closed unless it is wanted."""
        if not thinking and text.rstrip().endswith("<think>"):
            text = text.rstrip() + "\n\n</think>\n\n"
        text = text.replace(self.marks.think_open, "<think>")
        return text.replace(self.marks.think_close, "</think>")

    def _plain(self, turns: Sequence[Turn]) -> str:
        """``role: text`` with blank lines between, ending in ``assistant: ``."""
        lines = [f"{turn.role}: {turn.text(quote=self.quote)}\n\n" for turn in turns]
        return "".join([self.style.bos, *lines, "assistant: "])


def _holds(text: str, chat: Sequence[dict[str, str]]) -> bool:
    """Every message is in the text, in order."""
    position = 0
    for message in chat:
        content = message["content"].strip()
        position = text.find(content, position)
        if position < 0:
            return False
        position += len(content)
    return True
