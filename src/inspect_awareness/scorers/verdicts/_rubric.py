"""The words that a judge reads: one Markdown file, and what is quoted in it."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path

from inspect_awareness.datasets._reasoning import Channel, Excerpt, Voice
from inspect_awareness.errors import InputError, QuestionError
from inspect_awareness.solvers._question import split

DEFAULT = "voiced"
"""The rubric that is used unless another is named."""

NAMES: dict[Channel, str] = {
    "reasoning": "reasoning",
    "output": "output: its messages and tool calls",
    "both": "reasoning and its output (messages and tool calls)",
}
"""What the judge is told that it reads."""

_PLACE = re.compile(r"\{(channel|nonce|judged|statements)\}")


@dataclass(frozen=True)
class Rubric:
    """What a judge is told."""

    name: str
    """The file's stem."""

    version: int
    """Its version."""

    text: str
    """The words, with `{judged}` where the quoted material stands; `{channel}`,
    `{nonce}` and `{statements}` may stand in it too."""

    path: str | None = None
    """The file that it was read from; None for the package's."""

    @property
    def hash(self) -> str:
        """Hash of the words: 16 hex digits of SHA-256."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:16]

    def render(self, voice: Voice, statements: Sequence[str] = ()) -> str:
        """What the judge reads about one transcript.

        Args:
            voice: The judged text.
            statements: Sentences of it that are pointed out.
        """
        nonce = nonce_for(voice, statements)
        words = {
            "channel": NAMES[voice.channel],
            "nonce": nonce,
            "judged": quoted(voice, nonce),
            "statements": _listed(statements, nonce),
        }
        # in one pass, so that nothing in the quoted material is taken for a place
        return _PLACE.sub(lambda place: words[place[1]], self.text)


def load_rubric(path: str | None = None, default: str = DEFAULT) -> Rubric:
    """A rubric of the package, or one from a Markdown file.

    Args:
        path: The file; None for the package's.
        default: Which of the package's.

    Raises:
        InputError: The file is missing, or has no front matter, version or `{judged}`.
    """
    if path is None:
        home = files("inspect_awareness.scorers") / "rubrics" / f"{default}.md"
        return parse_rubric(default, home.read_text(encoding="utf-8"))
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as ex:
        raise InputError(f"rubric {path}: cannot be read ({ex})") from ex
    return replace(parse_rubric(Path(path).stem, text), path=path)


def parse_rubric(name: str, text: str) -> Rubric:
    """Read a rubric from the text of its file.

    Raises:
        InputError: It has no front matter, version or `{judged}`.
    """
    try:
        fields, body = split(f"rubric {name}", text)
    except QuestionError as ex:
        raise InputError(str(ex)) from ex
    version = fields.get("version")
    if not isinstance(version, int) or version < 1:
        raise InputError(
            f"rubric {name}: the front matter must give `version`, a whole number "
            f"from 1; it is {version!r}"
        )
    if body.count("{judged}") != 1:
        raise InputError(
            f"rubric {name}: the words must hold `{{judged}}` once, where the quoted "
            "material goes"
        )
    return Rubric(name, version, body)


def nonce_for(voice: Voice, statements: Sequence[str] = ()) -> str:
    """16 hex digits that the quoted material does not hold.

    They are made from the material, so that the same is quoted in the same words.
    Material that happens to hold its own nonce gets the next one.
    """
    texts = [*(excerpt.text for excerpt in voice.excerpts), *statements]
    seed = voice.digest
    while True:
        seed = hashlib.sha256(f"{seed}{voice.channel}".encode()).hexdigest()
        nonce = seed[:16]
        if not any(nonce in text for text in texts):
            return nonce


def quoted(voice: Voice, nonce: str) -> str:
    """The channel between marks, each piece under a line with its turn."""
    return _between(
        [f"[{_heading(each)}, {nonce}]\n{each.text}" for each in voice.excerpts], nonce
    )


def _listed(statements: Sequence[str], nonce: str) -> str:
    """Sentences between the same marks, each under a line with its number."""
    return _between(
        [f"[statement {k}, {nonce}]\n{s}" for k, s in enumerate(statements, 1)], nonce
    )


def _between(pieces: Sequence[str], nonce: str) -> str:
    """Pieces between marks."""
    body = "\n\n".join(pieces)
    return f"----- begin {nonce} -----\n{body}\n----- end {nonce} -----"


def _heading(excerpt: Excerpt) -> str:
    """Which piece of which turn follows."""
    return f"turn {excerpt.turn}, {excerpt.part}"
