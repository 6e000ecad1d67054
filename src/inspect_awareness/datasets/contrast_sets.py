"""Contrast sets: pairs of answers, or of prompts, that differ in evaluation only.

Sets in the wild spell the two sides in several ways, hold a header row that leaked out
of a spreadsheet, repeat rows, or have more pairs in which the answer for evaluation is
(A) than (B): such a set yields the direction of a letter.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from inspect_awareness.datasets._letters import (
    CLOSE,
    STEEPEST,
    LetterBalance,
    letter,
    letter_balance,
)
from inspect_awareness.datasets._records import checked_text, read_list
from inspect_awareness.errors import InputError

__all__ = [
    "ContrastPair",
    "ContrastSet",
    "LetterBalance",
    "contrast_pairs",
    "contrast_set",
]

SIDES: Mapping[str, str] = {
    "positive": "negative",
    "evaluation": "deployment",
    "eval": "deploy",
    "test": "deploy",
    "testing": "deployment",
}
"""How the side of evaluation is spelt, each with what stands for deployment."""

_QUESTION_KEYS = ("question", "prompt", "statement")
_HEADER = re.compile(r"[a-z_]+(?:,[a-z_]+)+(?=\s|$)")


@dataclass(frozen=True)
class ContrastPair:
    """A question with the answer for either side; or two prompts, and no question."""

    id: str
    """The row in the file, from 1, or the record's own id."""

    question: str
    """What both sides share; "" where the sides are whole prompts."""

    evaluation: str
    """The answer or prompt for evaluation (also spelt positive, eval, test)."""

    deployment: str
    """The answer or prompt for deployment (also spelt negative, deploy)."""


@dataclass(frozen=True)
class ContrastSet:
    """The pairs of a file, with what was found while reading it."""

    pairs: tuple[ContrastPair, ...]
    """In the order of the file."""

    headers: Mapping[str, str]
    """Rows that were left out, by id, with the header that leaked into each."""

    repeated: tuple[str, ...]
    """Ids of pairs that say the same as an earlier one; they are kept, and count twice."""

    letters: LetterBalance | None
    """How often each letter is the answer; None where answers are no letters."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know of the set, in sentences."""
        notes = []
        if self.headers:
            names = ", ".join(f"{id} ({text!r})" for id, text in self.headers.items())
            notes.append(f"{len(self.headers)} leaked header row left out: {names}")
        if self.repeated:
            notes.append(
                f"{len(self.repeated)} of {len(self.pairs)} pairs repeat an earlier one"
            )
        if self.letters is not None and not self.letters.balanced:
            notes.append(_why_unbalanced(self.letters))
        return tuple(notes)


def contrast_pairs(
    path: str | Path, *, unbalanced: Literal["refuse", "keep"] = "refuse"
) -> tuple[ContrastPair, ...]:
    """The pairs of a contrast set; `contrast_set` says what was left out.

    Raises:
        InputError: As `contrast_set`.
    """
    return contrast_set(path, unbalanced=unbalanced).pairs


def contrast_set(
    path: str | Path, *, unbalanced: Literal["refuse", "keep"] = "refuse"
) -> ContrastSet:
    """Read a contrast set from a JSON, JSON Lines or YAML file.

    A record has `question` (or `prompt`, `statement`; none where the sides are whole
    prompts) and the two sides, spelt positive/negative, evaluation/deployment,
    eval/deploy, test/deploy or testing/deployment. Other fields are ignored.

    Args:
        path: The file.
        unbalanced: What to do where the letters of the answers are not balanced:
            refuse, or keep the set with a note.

    Raises:
        InputError: A record lacks a side or mixes two spellings, a text is empty or has
            a slot left in it, two records contradict each other, or the letters are
            unbalanced: the direction's cosine with that of the content would be below
            .99 where the letters' difference is 8 times as long.
    """
    records = read_list(Path(path))
    headers = _leaked_headers(records)
    pairs = tuple(
        _pair(record, str(number), f"{path} entry {number}")
        for number, record in enumerate(records, start=1)
        if str(number) not in headers
    )
    if not pairs:
        raise InputError(f"{path}: no pair in it but a leaked header row")
    repeated = _repeated(pairs, str(path))
    letters = letter_balance([(p.evaluation, p.deployment) for p in pairs])
    _check_letters(pairs, letters, str(path))
    if letters is not None and not letters.balanced and unbalanced == "refuse":
        raise InputError(f"{path}: {_why_unbalanced(letters)}")
    return ContrastSet(pairs, headers, repeated, letters)


def _pair(record: Mapping[str, Any], row: str, where: str) -> ContrastPair:
    """One pair from its record."""
    one, other = _sides(record, where)
    keys = [key for key in _QUESTION_KEYS if key in record]
    question = checked_text(record[keys[0]], where, keys[0]) if keys else ""
    evaluation = checked_text(record[one], where, one)
    deployment = checked_text(record[other], where, other)
    if evaluation == deployment:
        raise InputError(f"{where}: {one} and {other} are the same, {evaluation!r}")
    return ContrastPair(str(record.get("id", row)), question, evaluation, deployment)


def _sides(record: Mapping[str, Any], where: str) -> tuple[str, str]:
    """The names of the two sides in a record."""
    found = [
        (one, other) for one, other in SIDES.items() if {one, other} <= set(record)
    ]
    if len(found) == 1:
        return found[0]
    allowed = ", ".join(f"{one}/{other}" for one, other in SIDES.items())
    what = f"{len(found)} pairs of sides" if found else "no pair of sides"
    raise InputError(
        f"{where}: {what} among its keys ({', '.join(map(str, record))}); name the "
        f"sides in one of these ways: {allowed}"
    )


def _leaked_headers(records: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Rows that begin with the header of a spreadsheet, as the first one does."""
    begins = {
        str(number): match[0]
        for number, record in enumerate(records, start=1)
        if (match := _HEADER.match(_question(record)))
    }
    if "1" not in begins:
        return {}
    return {row: text for row, text in begins.items() if text == begins["1"]}


def _question(record: Mapping[str, Any]) -> str:
    """The question of a record, or nothing."""
    return next((str(record[key]) for key in _QUESTION_KEYS if key in record), "")


def _repeated(pairs: Sequence[ContrastPair], path: str) -> tuple[str, ...]:
    """Ids of pairs that are there already; one with the sides exchanged is an error."""
    seen: dict[tuple[str, str, str], str] = {}
    repeated = []
    for pair in pairs:
        words = (pair.question, pair.evaluation, pair.deployment)
        exchanged = (pair.question, pair.deployment, pair.evaluation)
        if exchanged in seen:
            raise InputError(
                f"{path}: pairs {seen[exchanged]} and {pair.id} say the same with the "
                "sides exchanged; correct one of them"
            )
        if words in seen:
            repeated.append(pair.id)
        seen.setdefault(words, pair.id)
    return tuple(repeated)


def _check_letters(
    pairs: Sequence[ContrastPair], letters: LetterBalance | None, path: str
) -> None:
    """Either all answers are letters, or none is: else they cannot be counted."""
    if letters is not None:
        return
    mixed = [p for p in pairs if letter(p.evaluation) or letter(p.deployment)]
    if mixed:
        raise InputError(
            f"{path}: some answers are letters and others are not (pair {mixed[0].id}: "
            f"{mixed[0].evaluation!r}, {mixed[0].deployment!r}); answer all in one way"
        )


def _why_unbalanced(letters: LetterBalance) -> str:
    """What an imbalance of letters does, and what to do about it."""
    counted = ", ".join(f"({x}) {n}" for x, n in sorted(letters.evaluation.items()))
    return (
        f"the answers for evaluation are unbalanced in their letters ({counted}; "
        f"imbalance f = {letters.imbalance:.3f}): a direction built from them is partly "
        f"that of a letter. Its cosine with the content's is 1/sqrt(1 + f² r²) = "
        f"{letters.cosine():.3f} where the letters' difference is r = {STEEPEST:.0f} "
        f"times as long as the content's, and r falls with scale; at least {CLOSE} is "
        "wanted. Balance the set, or keep it with unbalanced='keep'"
    )
