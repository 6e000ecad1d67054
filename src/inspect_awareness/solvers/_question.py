"""A probe question: one Markdown file, its front matter and its words."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast, get_args

import yaml

from inspect_awareness.errors import QuestionError

Side = Literal["evaluation", "deployment"]
"""The two classes."""

Order = Literal["evaluation_first", "deployment_first"]
"""Which of the two labels the question names first."""

ORDERS: tuple[Order, ...] = ("evaluation_first", "deployment_first")

Family = Literal[
    "direct",
    "purpose",
    "setting",
    "intent",
    "stakes",
    "rating",
    "pairwise",
    "open",
    "indirect",
    "control",
]
"""What a question asks about, or in which other way it asks."""

FAMILIES: tuple[Family, ...] = get_args(Family)

FEEDING: tuple[Family, ...] = ("direct", "purpose", "setting", "intent", "stakes")
"""Families whose answers make P(eval); the others are reported apart."""

LABELLED: tuple[Family, ...] = (*FEEDING, "indirect", "control")
"""Families that are answered with one of two labels."""

Elicitation = Literal["logprob", "top_logprobs", "label", "cot_label", "letter"]
"""How a labelled answer is taken: the exact probability of both labels; their
probability among the provider's most probable tokens; a sampled label; a label after
reasoning; or the letter of an option, where either label is A once and B once."""

ELICITATIONS: tuple[Elicitation, ...] = get_args(Elicitation)

Person = Literal["first", "third"]
"""Whether the rater is asked about itself (`you`) or about an AI model."""

TRUTHS = ("tool_result", "question_mark", "several_user_turns", "code_block")
"""Facts about a transcript that control questions ask for."""

_FRONT_MATTER = re.compile(r"\A---\n(?P<fields>.*?)\n---\n(?P<body>.*)\Z", re.DOTALL)

_FIELDS = {
    "version",
    "family",
    "intensity",
    "person",
    "pair",
    "asserts",
    "labels",
    "elicitations",
    "truth",
}


@dataclass(frozen=True)
class Question:
    """A probe question and what its labels mean."""

    id: str
    """The file's stem."""

    version: int
    """Raised with every change of the words."""

    family: Family
    """What it asks about: direct, purpose, setting, intent or stakes feed P(eval)."""

    pair: str
    """Name shared by two questions of opposite polarity; its own id if it has none."""

    asserts: Side
    """The class that a yes speaks for; evaluation where there is no class."""

    evaluation: str
    """The label that means evaluation; yes where there is no class, and in a
    comparison the label of the first transcript."""

    deployment: str
    """The label that means deployment; no where there is no class, and in a
    comparison the label of the second transcript."""

    text: str
    """The question's words."""

    intensity: int = 0
    """How strongly the words suggest an evaluation, 0 to 3."""

    person: Person = "third"
    """Whether it speaks to the rater about itself."""

    elicitations: tuple[Elicitation, ...] = ELICITATIONS
    """The ways in which it may be asked, where it is answered with a label."""

    truth: str | None = None
    """For a control: the fact about the transcript that it asks for."""

    @property
    def feeds(self) -> bool:
        """Whether its answers count towards P(eval)."""
        return self.family in FEEDING

    @property
    def labelled(self) -> bool:
        """Whether it is answered with one of two labels."""
        return self.family in LABELLED

    def labels(self, order: Order) -> tuple[str, str]:
        """The two labels in the order in which the question names them."""
        if order == "evaluation_first" or self.family == "pairwise":
            return self.evaluation, self.deployment
        return self.deployment, self.evaluation


def parse_question(id: str, text: str) -> Question:
    """Read a question from the text of its Markdown file.

    Raises:
        QuestionError: The front matter lacks a field, or holds an unknown field or a
            wrong value.
    """
    fields, body = split(id, text)
    unknown = sorted(set(fields) - _FIELDS)
    if unknown:
        raise _wrong(id, f"unknown field {', '.join(unknown)}")
    missing = sorted({"version", "family"} - set(fields))
    if missing or not body:
        raise _wrong(id, f"{', '.join(missing) or 'the question'} is missing")
    family = cast(Family, _choice(id, fields, "family", FAMILIES))
    labels = _labels(id, fields, family)
    return Question(
        id=id,
        version=_whole(id, fields, "version", 1, 10_000),
        family=family,
        pair=str(fields.get("pair", id)),
        asserts=_asserts(id, fields, family),
        evaluation=labels[0],
        deployment=labels[1],
        text=body,
        intensity=_whole(id, {"intensity": 0, **fields}, "intensity", 0, 3),
        person=cast(
            Person,
            _choice(id, {"person": "third", **fields}, "person", get_args(Person)),
        ),
        elicitations=_elicitations(id, fields),
        truth=_truth(id, fields, family),
    )


def split(id: str, text: str) -> tuple[dict[str, Any], str]:
    """Front matter and body of a Markdown file.

    Raises:
        QuestionError: There is no front matter, or it is no mapping.
    """
    match = _FRONT_MATTER.match(text.replace("\r\n", "\n"))
    try:
        fields = (yaml.safe_load(match["fields"]) or {}) if match else None
    except yaml.YAMLError as ex:
        raise QuestionError(f"{id}: the front matter is no YAML ({ex})") from ex
    if match is None or not isinstance(fields, dict):
        raise QuestionError(f"{id}: expected front matter between two lines of `---`")
    return fields, match["body"].strip()


def _labels(id: str, fields: dict[str, Any], family: Family) -> tuple[str, str]:
    """The labels for the two classes, or for yes and no where there is no class."""
    names = _LABELS.get(family, _CLASSES)
    if family in ("rating", "open"):
        if "labels" in fields:
            raise _wrong(id, f"a question of family {family} has no labels")
        return "", ""
    labels = fields.get("labels")
    # an unquoted yes or no is a boolean in YAML, as a key too
    if isinstance(labels, dict):
        spelt = {True: "yes", False: "no"}
        labels = {
            spelt.get(k, k) if isinstance(k, bool) else k: labels[k] for k in labels
        }
    if not isinstance(labels, dict) or set(labels) != set(names):
        raise _wrong(
            id,
            f"`labels` must name a label for {names[0]} and one for {names[1]}, "
            f"got {labels!r}",
        )
    for name in names:
        if not isinstance(labels[name], str) or not labels[name].strip():
            raise _wrong(
                id, f"the label for {name} is {labels[name]!r}; put text in quotes"
            )
        if len(labels[name].split()) > 1:
            raise _wrong(
                id,
                f"the label for {name} is {labels[name]!r}; a label is one word, since "
                "answers are read by it",
            )
    return labels[names[0]].strip(), labels[names[1]].strip()


def _asserts(id: str, fields: dict[str, Any], family: Family) -> Side:
    """The class that a yes speaks for."""
    if family in ("open", "indirect", "control"):
        if "asserts" in fields:
            raise _wrong(id, f"a question of family {family} asserts no class")
        return "evaluation"
    found = fields.get("asserts")
    if found not in _CLASSES:
        raise _wrong(
            id,
            f"`asserts` is {found!r}; it must be evaluation or deployment, the "
            "class that a yes speaks for",
        )
    return cast(Side, found)


def _truth(id: str, fields: dict[str, Any], family: Family) -> str | None:
    """The fact that a control asks for."""
    if family == "control":
        return _choice(id, fields, "truth", TRUTHS)
    if "truth" in fields:
        raise _wrong(id, "only a control has a `truth`")
    return None


def _elicitations(id: str, fields: dict[str, Any]) -> tuple[Elicitation, ...]:
    """The ways in which a labelled question may be asked; all by default."""
    given = fields.get("elicitations", list(ELICITATIONS))
    wrong = (
        [g for g in given if g not in ELICITATIONS]
        if isinstance(given, list)
        else [given]
    )
    if wrong or not given:
        raise _wrong(
            id, f"`elicitations` are a list of {', '.join(ELICITATIONS)}, got {given!r}"
        )
    return tuple(given)


def _choice(
    id: str, fields: dict[str, Any], name: str, allowed: tuple[str, ...]
) -> str:
    """A field that is one of some words."""
    found = fields.get(name)
    if found not in allowed:
        raise _wrong(
            id, f"`{name}` is {found!r}; it must be one of: {', '.join(allowed)}"
        )
    return str(found)


def _whole(id: str, fields: dict[str, Any], name: str, low: int, high: int) -> int:
    """A field that is a whole number in a range."""
    found = fields[name]
    if (
        isinstance(found, bool)
        or not isinstance(found, int)
        or not low <= found <= high
    ):
        raise _wrong(id, f"`{name}` is {found!r}; it must be a number {low} to {high}")
    return found


def _wrong(id: str, what: str) -> QuestionError:
    """An error that names the question."""
    return QuestionError(f"probe question {id}: {what}")


_CLASSES = ("evaluation", "deployment")
_LABELS: Mapping[Family, tuple[str, str]] = {
    "pairwise": ("first", "second"),
    "indirect": ("yes", "no"),
    "control": ("yes", "no"),
}
