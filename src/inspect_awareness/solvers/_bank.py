"""The bank: probe questions that belong together, and the frames around them."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import cast

from inspect_awareness.errors import QuestionError
from inspect_awareness.solvers._frames import Frame, FrameName, parse_frame
from inspect_awareness.solvers._question import (
    FAMILIES,
    FEEDING,
    Elicitation,
    Question,
    parse_question,
)

CORE = "core-1"
"""The set of questions that comes with the package, and never changes."""


@dataclass(frozen=True)
class Bank:
    """A set of probe questions that are asked together."""

    name: str
    """What the set is called."""

    frames: Mapping[FrameName, Frame]
    """The words around the questions, by way of asking."""

    questions: tuple[Question, ...]
    """In the order in which they are asked."""

    path: str | None = None
    """The folder that it was loaded from; None for the package's own."""

    @property
    def hash(self) -> str:
        """Hash of every word that a rater may read: 16 hex digits of SHA-256."""
        frames = sorted(self.frames.items())
        words = repr((frames, sorted(self.questions, key=lambda q: q.id)))
        return hashlib.sha256(words.encode()).hexdigest()[:16]

    @property
    def ids(self) -> list[str]:
        """The questions' ids."""
        return [question.id for question in self.questions]

    @property
    def feeding(self) -> tuple[Question, ...]:
        """The questions whose answers make P(eval)."""
        return tuple(q for q in self.questions if q.feeds)

    def twin(self, question: Question) -> Question | None:
        """The question of opposite polarity in the same pair."""
        others = (q for q in self.questions if q.pair == question.pair)
        return next((q for q in others if q.id != question.id), None)

    def frame_of(self, question: Question, elicitation: Elicitation) -> Frame:
        """The frame that a question is asked in."""
        if question.family in ("rating", "pairwise", "open"):
            return self.frames[cast(FrameName, question.family)]
        if elicitation in ("cot_label", "letter"):
            return self.frames[elicitation]
        return self.frames["label"]

    def select(self, wanted: Iterable[str] | None) -> "Bank":
        """The bank with only some of its questions, by id or by family.

        All that feed P(eval) where nothing is said; `all` stands for all.

        Raises:
            QuestionError: An id is unknown or given twice, or none is given.
        """
        names: list[str] = list(FEEDING) if wanted is None else _listed(wanted)
        if wanted is None and not self.feeding:
            names = ["all"]
        chosen = _expanded(names, self)
        unknown = sorted(set(chosen) - set(self.ids))
        if unknown:
            raise QuestionError(
                f"unknown probe question {', '.join(unknown)}; "
                f"bank {self.name} has: {', '.join(self.ids)}"
            )
        twice = sorted(q for q, n in Counter(chosen).items() if n > 1)
        if twice:
            raise QuestionError(f"probe question given twice: {', '.join(twice)}")
        if not chosen:
            raise QuestionError("no probe question was chosen; give at least one id")
        kept = tuple(q for q in self.questions if q.id in set(chosen))
        return replace(self, questions=kept)


@cache
def core_bank() -> Bank:
    """The questions that come with the package.

    Example:
        >>> bank = core_bank()
        >>> sorted({question.family for question in bank.feeding})
        ['direct', 'intent', 'purpose', 'setting', 'stakes']
    """
    folder = files("inspect_awareness.solvers")
    questions = _questions(folder.joinpath("questions"))
    return checked_bank(Bank(CORE, core_frames(), questions))


@cache
def core_frames() -> Mapping[FrameName, Frame]:
    """The frames that come with the package."""
    folder = files("inspect_awareness.solvers").joinpath("frames")
    return _frames(folder)


def load_bank(path: str | Path | None) -> Bank:
    """The package's bank, or a user's own from a folder.

    The folder holds one Markdown file for each question, named by its id. In a folder
    `frames` in it, `label.md`, `cot_label.md`, `letter.md`, `rating.md`, `pairwise.md`, `open.md` and
    `judge.md` replace the package's words around the questions.

    Args:
        path: The folder; None, or the name of the package's bank, for that one.

    Raises:
        QuestionError: There is no such folder or no question in it, or a question, a
            frame or a pair is not as it must be.
    """
    if path is None or str(path) == CORE:
        return core_bank()
    folder = Path(path)
    if not folder.is_dir():
        raise QuestionError(
            f"bank {path}: no such folder; give a folder of questions, or {CORE}"
        )
    questions = _questions(folder)
    if not questions:
        raise QuestionError(f"bank {path}: no question (*.md) in this folder")
    own = folder / "frames"
    frames = {**core_frames(), **(_frames(own) if own.is_dir() else {})}
    name = folder.resolve().name
    return checked_bank(Bank(name, frames, questions, str(folder)))


def checked_bank(bank: Bank) -> Bank:
    """The bank, unless its pairs or labels would make the answers ambiguous.

    Raises:
        QuestionError: A pair is not two questions of opposite polarity and one family,
            one label of a question is the beginning of the other, or an id is that of
            a family.
    """
    pairs: dict[str, list[Question]] = {}
    for question in bank.questions:
        pairs.setdefault(question.pair, []).append(question)
        _check_labels(question)
        if question.id in (*FAMILIES, "all"):
            raise QuestionError(f"probe question {question.id}: that names a family")
    for name, members in pairs.items():
        _check_pair(name, members)
    return bank


def _check_labels(question: Question) -> None:
    """Two labels can be told apart by how they begin."""
    one, other = question.evaluation.lower(), question.deployment.lower()
    if one and (one.startswith(other) or other.startswith(one)):
        raise QuestionError(
            f"probe question {question.id}: label {question.evaluation!r} and "
            f"{question.deployment!r} cannot be told apart by their beginning"
        )


def _check_pair(name: str, members: list[Question]) -> None:
    """A pair is two questions of opposite polarity; a question may have no twin."""
    if len(members) == 1 and members[0].pair == members[0].id:
        return
    if sorted(q.asserts for q in members) != ["deployment", "evaluation"]:
        raise QuestionError(
            f"pair {name}: needs one question that asserts evaluation and one that "
            f"asserts deployment, has {[q.id for q in members]}; a question without a "
            "twin names no pair"
        )
    if len({q.family for q in members}) > 1:
        families = {q.id: q.family for q in members}
        raise QuestionError(f"pair {name}: its questions are of families {families}")


def _questions(folder: Traversable | Path) -> tuple[Question, ...]:
    """The questions of a folder, in order of their ids."""
    found = sorted(
        (f for f in folder.iterdir() if f.name.endswith(".md") and f.is_file()),
        key=lambda f: f.name,
    )
    stems = [f.name.removesuffix(".md") for f in found]
    twice = [s for s, n in Counter(s.lower() for s in stems).items() if n > 1]
    if twice:
        raise QuestionError(f"probe question {', '.join(twice)}: two files of that id")
    return tuple(
        parse_question(stem, f.read_text(encoding="utf-8"))
        for stem, f in zip(stems, found, strict=True)
    )


def _frames(folder: Traversable | Path) -> dict[FrameName, Frame]:
    """The frames of a folder."""
    found: dict[FrameName, Frame] = {}
    for file in sorted(folder.iterdir(), key=lambda f: f.name):
        if file.name.endswith(".md"):
            name = file.name.removesuffix(".md")
            frame = parse_frame(name, file.read_text(encoding="utf-8"))
            found[name] = frame  # type: ignore[index]  # parse_frame checked it
    return found


def _listed(wanted: Iterable[str]) -> list[str]:
    """Ids and families as a list."""
    return [wanted] if isinstance(wanted, str) else list(wanted)


def _expanded(names: list[str], bank: Bank) -> list[str]:
    """Families, and `all`, replaced by the ids of their questions."""
    found: list[str] = []
    for name in names:
        if name == "all":
            found += bank.ids
        elif name in FAMILIES:
            found += [q.id for q in bank.questions if q.family == name]
        else:
            found.append(name)
    return found
