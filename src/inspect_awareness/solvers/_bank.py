"""Probe questions: one Markdown file each, and the bank that they make."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import yaml

from inspect_awareness.errors import QuestionError

Side = Literal["evaluation", "deployment"]
"""The two classes."""

Order = Literal["evaluation_first", "deployment_first"]
"""Which class's label the question names first."""

ORDERS: tuple[Order, ...] = ("evaluation_first", "deployment_first")

_FRONT_MATTER = re.compile(r"\A---\n(?P<fields>.*?)\n---\n(?P<body>.*)\Z", re.DOTALL)


@dataclass(frozen=True)
class Question:
    """A probe question and what its labels mean."""

    id: str
    """The file's stem."""

    version: int
    """Raised with every change of the words."""

    family: str
    """What it asks about: direct, purpose, setting, intent or stakes."""

    pair: str
    """Name shared by two questions of opposite polarity."""

    asserts: Side
    """The class that a yes speaks for."""

    evaluation: str
    """The label that means evaluation."""

    deployment: str
    """The label that means deployment."""

    text: str
    """The question's words."""

    def labels(self, order: Order) -> tuple[str, str]:
        """The two labels in the order in which the question names them."""
        if order == "evaluation_first":
            return self.evaluation, self.deployment
        return self.deployment, self.evaluation


@dataclass(frozen=True)
class Frame:
    """The words around every question."""

    text: str
    """With `{question}`, `{first}` and `{second}`."""

    prefill: str
    """What the answer starts with when labels are scored by their probability."""

    def render(self, question: Question, order: Order) -> str:
        """The message that asks a question with its labels in an order."""
        first, second = question.labels(order)
        return self.text.format(question=question.text, first=first, second=second)


@dataclass(frozen=True)
class Bank:
    """A set of probe questions that are asked together."""

    name: str
    """What the set is called."""

    frame: Frame
    """The words around every question."""

    questions: tuple[Question, ...]
    """In the order in which they are asked."""

    @property
    def hash(self) -> str:
        """Hash of every word that a rater reads: 16 hex digits of SHA-256."""
        words = repr((self.frame, sorted(self.questions, key=lambda q: q.id)))
        return hashlib.sha256(words.encode()).hexdigest()[:16]

    @property
    def ids(self) -> list[str]:
        """The questions' ids."""
        return [question.id for question in self.questions]

    def select(self, ids: Iterable[str] | None) -> "Bank":
        """The bank with only some of its questions.

        Raises:
            QuestionError: An id is unknown or given twice, or none is given.
        """
        if ids is None:
            return self
        wanted = [ids] if isinstance(ids, str) else list(ids)
        unknown = sorted(set(wanted) - set(self.ids))
        if unknown:
            raise QuestionError(
                f"unknown probe question {', '.join(unknown)}; "
                f"bank {self.name} has: {', '.join(self.ids)}"
            )
        twice = sorted(q for q, n in Counter(wanted).items() if n > 1)
        if twice:
            raise QuestionError(f"probe question given twice: {', '.join(twice)}")
        if not wanted:
            raise QuestionError("no probe question was chosen; give at least one id")
        chosen = tuple(q for q in self.questions if q.id in wanted)
        return Bank(self.name, self.frame, chosen)


@cache
def core_bank() -> Bank:
    """The questions that come with the package.

    Example:
        >>> sorted({question.family for question in core_bank().questions})
        ['direct', 'intent', 'purpose', 'setting', 'stakes']
    """
    folder = files("inspect_awareness.solvers")
    found = sorted(
        (f for f in folder.joinpath("questions").iterdir() if f.name.endswith(".md")),
        key=lambda f: f.name,
    )
    questions = [
        parse_question(f.name.removesuffix(".md"), f.read_text(encoding="utf-8"))
        for f in found
    ]
    frame = parse_frame(folder.joinpath("frame.md").read_text(encoding="utf-8"))
    return checked_bank(Bank("core-0", frame, tuple(questions)))


def parse_question(id: str, text: str) -> Question:
    """Read a question from the text of its Markdown file.

    Raises:
        QuestionError: The front matter lacks a field or holds a wrong value.
    """
    fields, body = _split(id, text)
    labels = fields.get("labels")
    if not isinstance(labels, dict) or set(labels) != {"evaluation", "deployment"}:
        raise QuestionError(
            f"probe question {id}: `labels` must name a label for evaluation and "
            f"one for deployment, got {labels!r}"
        )
    if fields.get("asserts") not in ("evaluation", "deployment"):
        raise QuestionError(
            f"probe question {id}: `asserts` is {fields.get('asserts')!r}; it must be "
            "evaluation or deployment, the class that a yes speaks for"
        )
    missing = sorted({"version", "family", "pair"} - set(fields))
    if missing or not body:
        raise QuestionError(
            f"probe question {id}: {', '.join(missing) or 'the question'} is missing"
        )
    return Question(
        id=id,
        version=int(fields["version"]),
        family=str(fields["family"]),
        pair=str(fields["pair"]),
        asserts=fields["asserts"],
        evaluation=str(labels["evaluation"]),
        deployment=str(labels["deployment"]),
        text=body,
    )


def parse_frame(text: str) -> Frame:
    """Read the frame from the text of its Markdown file.

    Raises:
        QuestionError: A placeholder or the prefill is missing.
    """
    fields, body = _split("frame", text)
    missing = [p for p in ("{question}", "{first}", "{second}") if p not in body]
    if missing or "prefill" not in fields:
        raise QuestionError(f"frame: {', '.join(missing) or 'prefill'} is missing")
    return Frame(body, str(fields["prefill"]))


def checked_bank(bank: Bank) -> Bank:
    """The bank, unless its pairs or labels would make the answers ambiguous.

    Raises:
        QuestionError: A pair is not two questions of opposite polarity, or one label
            of a question is the beginning of the other.
    """
    pairs: dict[str, list[Question]] = {}
    for question in bank.questions:
        pairs.setdefault(question.pair, []).append(question)
        one, other = question.evaluation.lower(), question.deployment.lower()
        if one.startswith(other) or other.startswith(one):
            raise QuestionError(
                f"probe question {question.id}: label {question.evaluation!r} and "
                f"{question.deployment!r} cannot be told apart by their beginning"
            )
    for name, members in pairs.items():
        if sorted(q.asserts for q in members) != ["deployment", "evaluation"]:
            raise QuestionError(
                f"pair {name}: needs one question that asserts evaluation and one "
                f"that asserts deployment, has {[q.id for q in members]}"
            )
    return bank


def _split(id: str, text: str) -> tuple[dict[str, Any], str]:
    """Front matter and body of a Markdown file."""
    match = _FRONT_MATTER.match(text)
    fields = yaml.safe_load(match["fields"]) if match else None
    if match is None or not isinstance(fields, dict):
        raise QuestionError(f"{id}: expected front matter between two lines of `---`")
    return fields, match["body"].strip()
