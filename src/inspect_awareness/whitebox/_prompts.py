"""Framed tasks as the tokens that a model reads, with what each token comes from.

The framing goes where the convention says, and nowhere else: a template that refuses
a system turn, drops it, or writes it into the user's turn is an error that names the
other renderings. Texts are quoted as transcripts are (see ``_render``), so a control
string in a task never becomes a control token.

While the template runs, each text stands between two marks. They are taken out before
anything is tokenised, and say which characters, and so which tokens, come from a text
and which from the template. A token of both counts as the text's.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from inspect_awareness.errors import InputError, ModelError
from inspect_awareness.whitebox._convention import Convention, digest
from inspect_awareness.whitebox._render import Marks, RefusalError, Writer
from inspect_awareness.whitebox._tokens import Tokens
from inspect_awareness.whitebox._turns import Part, Turn

if TYPE_CHECKING:
    from inspect_awareness.whitebox._local_model import LocalModel

_NEWLINE = {"lf": "\n", "crlf": "\r\n"}
_ANY_NEWLINE = re.compile(r"\r\n|\r|\n")
_SHOWN = 40  # characters of a task that an error shows


@dataclass(frozen=True)
class FramedPrompt:
    """One task under one framing.

    Args:
        framing: What surrounds the task with a situation; ``""`` for nothing, where a
            template may write a system turn of its own.
        task: The task, byte-identical under every framing.
        before: Words of the framing right before the task, in the same turn.
        after: Words of the framing right after the task, in the same turn.
    """

    framing: str
    task: str
    before: str = ""
    after: str = ""


@dataclass(frozen=True, eq=False)
class Rendered:
    """A prompt as one model reads it.

    Args:
        tokens: Token ids, up to where the reply begins.
        flags: What each token is: a column for each kind in ``KINDS``. Shape
            ``(tokens, kinds)``.
        name: What an error calls the prompt.
        framing: What prompts of the same framing have in common.
    """

    tokens: Tokens
    flags: NDArray[np.bool_]
    name: str
    framing: tuple[str, str]

    @cached_property
    def key(self) -> str:
        """Stands for what is read and what it is; the same under any convention."""
        return digest([list(self.tokens), self.flags.tobytes().hex()])

    def kept(self, dropped: Sequence[str]) -> NDArray[np.bool_]:
        """The tokens that are pooled once some kinds are dropped.

        Raises:
            InputError: None is left.
        """
        columns = [KINDS.index(kind) for kind in dropped]
        kept = np.logical_not(self.flags[:, columns].any(axis=1))
        if not kept.any():
            raise InputError(
                f"{self.name} has no token left once {', '.join(dropped)} are "
                f"dropped: drop fewer kinds, or leave the prompt out"
            )
        return kept

    def hash(self, convention: Convention, revision: str) -> str:
        """16 hex digits: which tokens this model reads, and which are pooled."""
        return digest(
            {
                "model": revision,
                "convention": convention.hash,
                "tokens": list(self.tokens),
                "pooled": np.flatnonzero(self.kept(convention.dropped)).tolist(),
            }
        )


KINDS = ("bos", "white_space", "template")
"""What a token may be; the columns of ``Rendered.flags``."""


def render(
    model: "LocalModel", prompts: Sequence[FramedPrompt], convention: Convention
) -> list[Rendered]:
    """Write every prompt in the convention's rendering, as tokens.

    Raises:
        InputError: A framing or task is blank, or a prompt does not fit the context.
        ModelError: The model's template does not take the rendering.
    """
    blank: dict[int, bool] = {}
    return [
        _rendered(
            model, prompt, convention, f"prompt {number} ({_short(prompt.task)})", blank
        )
        for number, prompt in enumerate(prompts)
    ]


def _rendered(
    model: "LocalModel",
    prompt: FramedPrompt,
    convention: Convention,
    name: str,
    blank: dict[int, bool],
) -> Rendered:
    """One prompt; ``blank`` remembers which token ids are white space."""
    _check_texts(prompt, name)
    framing, *said = (
        _with_newlines(text, convention.newlines)
        for text in (prompt.framing, prompt.before, prompt.task, prompt.after)
    )
    marks = Marks.absent_from([framing, *said])
    writer = Writer(model.style, marks)
    text, spans = _written(writer, framing, "".join(said), convention.rendering)
    tokens, places = model.encoder.placed(text, marks.quote)
    _check_length(tokens, model.max_context, name)
    for token in set(tokens) - blank.keys():
        blank[token] = not model.token_text(token).strip()
    bos = model.tokenizer.bos_token_id
    flags = [
        (token == bos, blank[token], not any(_meet(place, span) for span in spans))
        for token, place in zip(tokens, places, strict=True)
    ]
    group = (framing, said[0])
    return Rendered(tokens, np.array(flags, dtype=np.bool_), name, group)


def _written(
    writer: Writer, framing: str, said: str, rendering: str
) -> tuple[str, list[tuple[int, int]]]:
    """The conversation, and where in it framing and task stand."""
    texts = [text for text in (framing, said) if text]
    parts = [Part(_marked(text, writer.marks)) for text in texts]
    if len(parts) == 1:
        turns = [Turn("user", (parts[0],))]
    elif rendering == "folded":
        turns = [Turn("user", (parts[0], Part(""), parts[1]))]
    else:
        role: Any = rendering
        turns = [Turn(role, (parts[0],)), Turn("user", (parts[1],))]
    try:
        marked = writer.exactly(turns, thinking=True)
    except RefusalError as error:
        raise _no_place(rendering, str(error)) from error
    text, spans = _unmarked(marked, texts, writer)
    folded = len(spans) == 2 and not text[spans[0][1] : spans[1][0]].strip()
    if folded and rendering != "folded":
        raise _no_place(rendering, "it writes both texts into one turn")
    return text, spans


def _marked(text: str, marks: Marks) -> str:
    """The text between its marks; white space around it stays outside them."""
    inner = text.strip()
    left, right = text.split(inner, 1) if inner else ("", "")
    return f"{left}{marks.text_open}{inner}{marks.text_close}{right}"


def _unmarked(
    marked: str, texts: Sequence[str], writer: Writer
) -> tuple[str, list[tuple[int, int]]]:
    """The conversation without the marks around texts, and where the texts stand."""
    pieces = re.split(f"[{writer.marks.text_open}{writer.marks.text_close}]", marked)
    ends = [0]
    for piece in pieces:
        ends.append(ends[-1] + len(piece))
    text = "".join(pieces)
    spans = [
        _widened(text, ends[2 * n + 1], ends[2 * n + 2], said)
        for n, said in enumerate(texts)
    ]
    return text, spans


def _widened(text: str, start: int, end: int, said: str) -> tuple[int, int]:
    """The span with the text's own white space, where the template left it."""
    left, right = said[: -len(said.lstrip())], said[len(said.rstrip()) :]
    if left and text[:start].endswith(left):
        start -= len(left)
    if right and text[end:].startswith(right):
        end += len(right)
    return start, end


def _meet(place: tuple[int, int], span: tuple[int, int]) -> bool:
    """Whether a token holds a character of a text; an empty one stands in it."""
    start, end = place
    return span[0] < max(end, start + 1) and start < span[1]


def _with_newlines(text: str, form: str) -> str:
    """The text with line ends of one form."""
    return _ANY_NEWLINE.sub(_NEWLINE[form], text) if form in _NEWLINE else text


def _check_texts(prompt: FramedPrompt, name: str) -> None:
    """There is a task, and a framing that says something or is none."""
    if not prompt.task.strip():
        raise InputError(f"{name} has an empty task: every prompt needs one")
    if prompt.framing and not prompt.framing.strip():
        raise InputError(
            f"{name} has the framing {prompt.framing!r}, which is only white space: "
            f'write a framing, or "" for none'
        )


def _check_length(tokens: Tokens, limit: int | None, name: str) -> None:
    """Nothing is cut, so the prompt has to fit."""
    if limit is not None and len(tokens) > limit:
        raise InputError(
            f"{name} has {len(tokens):,} tokens, and the model takes at most "
            f"{limit:,}. Prompts are never cut: shorten it or leave it out"
        )


def _no_place(rendering: str, why: str) -> ModelError:
    """The rendering that was asked for, and those that remain."""
    others = {
        "system": "rendering=user (a user turn of its own) or rendering=folded (in front "
        "of the task)",
        "user": "rendering=system or rendering=folded (in front of the task)",
        "folded": "a model whose template takes one user turn",
    }
    return ModelError(
        f"the model's chat template does not take rendering={rendering}: {why}. "
        f"Use {others[rendering]}"
    )


def _short(text: str) -> str:
    """The beginning of a text, on one line."""
    line = " ".join(text.split())
    return repr(line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…")
