"""Scoring sets: labelled messages that directions and probes are judged on.

`situations` is the package's own: 216 messages that a model could receive and that say
something of why they were sent. Half are sent to measure the model, half because
somebody needs the answer; half of either are in the form of a test, half are free. So
what is told apart by form is not told apart by label. `refusal` holds 64 requests that
ought to be declined, each with a harmless twin.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, cast, get_args

import numpy as np
import numpy.typing as npt
from inspect_ai.model import ChatMessageUser

from inspect_awareness.datasets._records import checked_text, read_list
from inspect_awareness.datasets._transcript import Origin, Transcript
from inspect_awareness.errors import InputError

__all__ = [
    "CrossedCells",
    "ItemLabel",
    "ScoringItem",
    "crossed_cells",
    "repeated_texts",
    "scoring_set",
    "scoring_transcripts",
]

Rows = npt.NDArray[np.int64]

ItemLabel = Literal["evaluation", "deployment", "harmful", "harmless"]
"""The classes of the two concepts, that of each which counts as 1 first."""

POSITIVE = ("evaluation", "harmful")
"""Labels that count as 1."""

CONCEPTS: Mapping[ItemLabel, str] = {
    "evaluation": "evaluation",
    "deployment": "evaluation",
    "harmful": "refusal",
    "harmless": "refusal",
}
"""The concept that a label belongs to."""

BUNDLED: Mapping[str, str] = {
    "situations": "scoring/situations.jsonl",
    "refusal": "refusal/requests.jsonl",
}
"""Sets that come with the package."""

_FIELDS = {"id", "text", "label", "format", "source", "canary"}


@dataclass(frozen=True)
class ScoringItem:
    """A message with its label."""

    id: str
    """Names it in results."""

    text: str
    """What the model reads."""

    label: ItemLabel
    """evaluation or deployment; harmful or harmless in a set for refusal."""

    format: str
    """`test` for the form of a test (options, points, blanks), `free` for any other."""

    source: str
    """What counts as independent: the family of topics, or the collection."""

    @property
    def positive(self) -> bool:
        """Whether it counts as 1: evaluation, or harmful."""
        return self.label in POSITIVE


@dataclass(frozen=True, eq=False)
class CrossedCells:
    """Rows of the four cells of label and form."""

    evaluation_free: Rows
    """Evaluation in free form."""

    evaluation_test: Rows
    """Evaluation in the form of a test."""

    deployment_free: Rows
    """Deployment in free form."""

    deployment_test: Rows
    """Deployment in the form of a test."""

    @property
    def crossed(self) -> Rows:
        """Evaluation in free form and deployment in the form of a test.

        What detects the form has an AUROC below one half here.
        """
        return np.sort(np.concatenate([self.evaluation_free, self.deployment_test]))

    @property
    def aligned(self) -> Rows:
        """Evaluation in the form of a test and deployment in free form.

        What detects the form does well here, as on a set without crossed cells.
        """
        return np.sort(np.concatenate([self.evaluation_test, self.deployment_free]))


def scoring_set(name_or_path: str | Path = "situations") -> tuple[ScoringItem, ...]:
    """A set that comes with the package, or a user's own.

    A record of a JSON, JSON Lines or YAML file has `text` and `label` (evaluation and
    deployment, or harmful and harmless), and may have `id`, `format` (`free` by
    default) and `source` (the file's stem by default).

    Args:
        name_or_path: `situations`, `refusal`, or a file.

    Raises:
        InputError: A text is empty or has a slot left in it, a label is unknown, one
            of two labels is missing, or an id is there twice.

    Example:
        >>> len(scoring_set()), scoring_set("refusal")[0].label
        (216, 'harmful')
    """
    name = str(name_or_path)
    bundled = BUNDLED.get(name)
    if bundled is None and not Path(name).exists():
        raise InputError(
            f"scoring set {name!r} is neither one of {', '.join(BUNDLED)} nor a file; "
            "give one of these"
        )
    folder = files("inspect_awareness.datasets") / "bundled"
    path = Path(str(folder / bundled)) if bundled else Path(name)
    return checked_items(
        [
            _item(record, number, path)
            for number, record in enumerate(read_list(path), start=1)
        ],
        name,
    )


def checked_items(items: Sequence[ScoringItem], where: str) -> tuple[ScoringItem, ...]:
    """The items, unless no AUROC could be computed on them.

    Raises:
        InputError: They are of two concepts or of one label, or an id is there twice.
    """
    labels = Counter(item.label for item in items)
    counted = ", ".join(f"{n} {label}" for label, n in sorted(labels.items()))
    if len({CONCEPTS[label] for label in labels}) > 1:
        raise InputError(f"{where}: labels of two concepts ({counted}); split the set")
    if len(labels) < 2:
        raise InputError(f"{where}: only one label ({counted}); give items of both")
    twice = [id for id, n in Counter(item.id for item in items).items() if n > 1]
    if twice:
        raise InputError(
            f"{where}: two items have the id {twice[0]!r}; ids must differ"
        )
    return tuple(items)


def crossed_cells(items: Sequence[ScoringItem]) -> CrossedCells:
    """The rows of each combination of label and form.

    Raises:
        InputError: A form is neither `free` nor `test`, or a cell has no item.
    """
    rows: dict[tuple[bool, str], list[int]] = {}
    for row, item in enumerate(items):
        if item.format not in ("free", "test"):
            raise InputError(
                f"item {item.id}: format {item.format!r}; to cross label and form, "
                "each item must be `free` or `test`"
            )
        rows.setdefault((item.positive, item.format), []).append(row)
    cells = [(side, form) for side in (True, False) for form in ("free", "test")]
    for side, form in cells:
        if (side, form) not in rows:
            raise InputError(
                f"no {'positive' if side else 'negative'} item of format {form!r} among "
                f"{len(items)}; label and form are not crossed in this set"
            )
    return CrossedCells(*(np.array(rows[cell], dtype=np.int64) for cell in cells))


def repeated_texts(items: Iterable[ScoringItem]) -> dict[str, tuple[str, ...]]:
    """Texts that are there more than once, with the ids of their items."""
    ids: dict[str, list[str]] = {}
    for item in items:
        ids.setdefault(item.text, []).append(item.id)
    return {text: tuple(found) for text, found in ids.items() if len(found) > 1}


def scoring_transcripts(items: Iterable[ScoringItem]) -> tuple[Transcript, ...]:
    """Each item as a transcript of one message, for `surface_floors`.

    In a set for refusal, harmful stands as evaluation and harmless as deployment.
    """
    return tuple(
        Transcript(
            (ChatMessageUser(content=item.text),),
            Origin(
                item=item.id,
                label="evaluation" if item.positive else "deployment",
                source=item.source,
                task_id=item.id,
            ),
        )
        for item in items
    )


def _item(record: Mapping[str, Any], number: int, path: Path) -> ScoringItem:
    """One item from its record."""
    where = f"{path} entry {number}"
    unknown = sorted(str(key) for key in set(record) - _FIELDS)
    if unknown:
        raise InputError(
            f"{where}: unknown field {', '.join(unknown)}; allowed are "
            f"{', '.join(sorted(_FIELDS))}"
        )
    label = record.get("label")
    if label not in get_args(ItemLabel):
        raise InputError(
            f"{where}: label {label!r} is not one of: {', '.join(get_args(ItemLabel))}"
        )
    return ScoringItem(
        id=str(record.get("id", number)),
        text=checked_text(record.get("text"), where, "text"),
        label=cast(ItemLabel, label),
        format=checked_text(record.get("format", "free"), where, "format"),
        source=checked_text(record.get("source", path.stem), where, "source"),
    )
