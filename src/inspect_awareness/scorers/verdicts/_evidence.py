"""Where a judge's quotes stand in the judged text, if they do."""

import unicodedata
from collections.abc import Collection, Iterator
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

from inspect_awareness.datasets._reasoning import Excerpt, Part, Voice

LEAST = 8
"""Width of the shortest quote that is evidence; wide letters (Chinese) count twice."""

_QUOTE_MARKS = {
    ord(mark): plain
    for plain, marks in (('"', "“”„‟«»″＂"), ("'", "‘’‚‛′`´＇"))
    for mark in marks
}
"""Quote marks by the plain one that stands for them."""


@dataclass(frozen=True)
class Evidence:
    """One quote of a judge."""

    quote: str
    """What the judge quoted."""

    supported: bool
    """Whether it stands in the judged text."""

    turn: int | None = None
    """Number of the subject's own turn, from 1."""

    part: Part | None = None
    """Whether it stands in reasoning or in output."""

    message: int | None = None
    """Number of the message in the transcript, from 1."""

    message_id: str | None = None
    """Id of the message, where it has one."""

    content: int | None = None
    """In which part of the message's content it stands; None in a tool call."""

    start: int | None = None
    """Where it begins in that part, in characters."""

    end: int | None = None
    """Where it ends there."""

    position: float | None = None
    """Where it begins in the whole channel, in [0, 1]."""

    def record(self) -> dict[str, Any]:
        """The evidence as plain values."""
        return asdict(self)


def locate(quote: str, voice: Voice, turns: Collection[int] | None = None) -> Evidence:
    """Find a quote in the judged text; the first place counts.

    White space, quote marks and invisible characters may differ, and quote marks or
    dots around the quote are the judge's own; case and all other characters may not.
    A quote stands in one piece of one turn. One that is shorter than 8 letters is
    none: such words stand nearly everywhere.

    Args:
        quote: What the judge quoted.
        voice: The judged text.
        turns: The turns in which it may stand; None for all.
    """
    sought = _trimmed(_plain(quote)[0])
    if _width(sought) >= LEAST:
        for excerpt in _of_turns(voice, turns):
            text, places = _plain(excerpt.text)
            found = text.find(sought)
            if found >= 0:
                first = places[found]
                last = places[found + len(sought) - 1] + 1
                return _placed(quote, excerpt, first, last, voice.characters)
    return Evidence(quote, supported=False)


def _of_turns(voice: Voice, turns: Collection[int] | None) -> Iterator[Excerpt]:
    """The pieces of some turns, or all."""
    return (e for e in voice.excerpts if turns is None or e.turn in turns)


def _placed(
    quote: str, excerpt: Excerpt, first: int, last: int, characters: int
) -> Evidence:
    """A quote with its place."""
    return Evidence(
        quote=quote,
        supported=True,
        turn=excerpt.turn,
        part=excerpt.part,
        message=excerpt.message,
        message_id=excerpt.message_id,
        content=excerpt.content,
        start=excerpt.begin + first,
        end=excerpt.begin + last,
        position=(excerpt.start + first) / characters,
    )


@lru_cache(maxsize=256)
def _plain(text: str) -> tuple[str, tuple[int, ...]]:
    """Text with one kind of white space and quote marks, and where each letter stood."""
    letters: list[str] = []
    places: list[int] = []
    for place, letter in enumerate(text):
        if unicodedata.category(letter) == "Cf":
            continue
        plain = _QUOTE_MARKS.get(ord(letter), " " if letter.isspace() else letter)
        if plain == " " and letters and letters[-1] == " ":
            continue
        letters.append(plain)
        places.append(place)
    return "".join(letters), tuple(places)


def _trimmed(quote: str) -> str:
    """A quote without the marks that a judge puts around it."""
    return quote.strip(" \"'…").removeprefix("...").removesuffix("...").strip(" \"'")


def _width(text: str) -> int:
    """Letters of a text, wide ones twice."""
    return sum(1 + (unicodedata.east_asian_width(letter) in "WF") for letter in text)
