"""Public sets as scoring items, from copies that a user has on disk.

None of their text comes with the package. Where a set has quirks, the loader says what
it does about them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspect_awareness.datasets._records import read_columns, read_list
from inspect_awareness.datasets.contrast_sets import contrast_set
from inspect_awareness.datasets.scoring_sets import (
    ItemLabel,
    ScoringItem,
    checked_items,
)
from inspect_awareness.errors import InputError

__all__ = [
    "answered_contrast_items",
    "format_context_items",
    "matched_pair_items",
    "refusal_items",
    "sad_oversight_items",
]


@dataclass(frozen=True)
class _Cell:
    """One Parquet file of the set of context and format."""

    name: str
    """Stem of the file."""

    column: str
    """The column that holds the message."""

    label: ItemLabel
    """The context."""

    format: str
    """The form."""

    source: str
    """Where the messages come from; "" where a column says it."""


_CELLS = (
    _Cell("bench_eval", "formatted_prompt", "evaluation", "test", ""),
    _Cell("casual_eval_mutual", "first_turn", "evaluation", "free", "mutual"),
    _Cell("bench_deploy_rewritten", "rewritten", "deployment", "test", "sharegpt"),
    _Cell("casual_deploy_matched", "first_turn", "deployment", "free", "sharegpt"),
)


def format_context_items(folder: str | Path) -> tuple[ScoringItem, ...]:
    """The four cells of context and format of Devbunova (arXiv 2603.19426).

    Evaluations are benchmark questions (MMLU, ARC, GSM8K) and first turns of listening
    tests (MuTual); deployments are first turns of ShareGPT, as they are and rewritten
    as multiple choice. Ids are the rows, since most of `bench_eval` have none. Some
    texts are there more than once (`repeated_texts`). Either label has at most three
    sources, so that intervals are conditional on these.

    Args:
        folder: A folder with the four Parquet files.

    Raises:
        InputError: A file is missing, or lacks a column.
    """
    found: list[ScoringItem] = []
    for cell in _CELLS:
        path = Path(folder) / f"{cell.name}.parquet"
        columns = [cell.column] if cell.source else [cell.column, "source"]
        for number, row in enumerate(read_columns(path, columns), start=1):
            found.append(
                ScoringItem(
                    id=f"{cell.name}/{number}",
                    text=_text(row[cell.column], f"{path} row {number}"),
                    label=cell.label,
                    format=cell.format,
                    source=cell.source or str(row["source"]),
                )
            )
    return checked_items(found, str(folder))


def matched_pair_items(path: str | Path) -> tuple[ScoringItem, ...]:
    """The two prompts of each pair of a file of test and deployment prompts.

    The source is the pair. The form goes with the label in such pairs, `test` with
    evaluation and `free` with deployment: what tells the two apart may be the form.

    Args:
        path: A file of pairs of prompts, in a spelling that `contrast_set` reads.

    Raises:
        InputError: As `contrast_set`; or the pairs have questions.
    """
    stem = Path(path).stem
    found: list[ScoringItem] = []
    for pair in contrast_set(path).pairs:
        if pair.question:
            raise InputError(
                f"{path} pair {pair.id}: a question with two answers, not two prompts; "
                "read such a set with answered_contrast_items"
            )
        source = f"{stem}/{pair.id}"
        found += [
            ScoringItem(f"{source}/e", pair.evaluation, "evaluation", "test", source),
            ScoringItem(f"{source}/d", pair.deployment, "deployment", "free", source),
        ]
    return checked_items(found, str(path))


def answered_contrast_items(
    path: str | Path, *, answer: str = "\n\nAnswer: "
) -> tuple[ScoringItem, ...]:
    """Each question of a contrast set with either answer, as two items.

    Args:
        path: A contrast set with questions.
        answer: What stands between question and answer.

    Raises:
        InputError: As `contrast_set`; or the set has no questions.
    """
    stem = Path(path).stem
    found: list[ScoringItem] = []
    for pair in contrast_set(path).pairs:
        if not pair.question:
            raise InputError(
                f"{path} pair {pair.id}: two prompts, and no question to answer; read "
                "such a set with matched_pair_items"
            )
        source, asked = f"{stem}/{pair.id}", pair.question + answer
        sides: tuple[tuple[ItemLabel, str], ...] = (
            ("evaluation", pair.evaluation),
            ("deployment", pair.deployment),
        )
        found += [
            ScoringItem(f"{source}/{label[0]}", asked + words, label, "test", source)
            for label, words in sides
        ]
    return checked_items(found, str(path))


def refusal_items(
    folder: str | Path, split: str = "test", *, per_class: int | None = None
) -> tuple[ScoringItem, ...]:
    """Harmful and harmless instructions of Arditi et al. (arXiv 2406.11717).

    The source is the category where there is one. The harmful of the test split have
    categories and the harmless have none, and the latter are eleven times as many.

    Args:
        folder: A folder with `harmful_SPLIT.json` and `harmless_SPLIT.json`.
        split: train, val or test.
        per_class: Take the first so many of each; all by default.

    Raises:
        InputError: A file is missing, or a record has no instruction.
    """
    found: list[ScoringItem] = []
    labels: tuple[ItemLabel, ...] = ("harmful", "harmless")
    for label in labels:
        path = Path(folder) / f"{label}_{split}.json"
        for number, record in enumerate(read_list(path)[:per_class], start=1):
            text = _text(record.get("instruction"), f"{path} entry {number}")
            source = str(record.get("category") or label)
            found.append(
                ScoringItem(f"{label}_{split}/{number}", text, label, "free", source)
            )
    return checked_items(found, str(folder))


def sad_oversight_items() -> tuple[ScoringItem, ...]:
    """The `stages_oversight` part of SAD (arXiv 2407.04694), through `inspect_evals`.

    Its authors ask that the text not be published in the clear: `inspect_evals`
    downloads and unpacks it, and nothing of it is kept here. An item is the message
    alone, without the question about it; its label is what the right answer says.

    Raises:
        InputError: `inspect_evals` is not installed, its data cannot be had, or a right
            answer is neither yes nor no.
    """
    try:
        from inspect_evals.sad.dataset import get_SAD_dataset
        from inspect_evals.sad.download_data import SAD
    except ImportError as ex:
        raise InputError(
            f"SAD is read through inspect_evals, which cannot be imported ({ex}): "
            "pip install inspect-evals"
        ) from ex
    try:
        dataset: Any = get_SAD_dataset(SAD.STAGES_OVERSIGHT, shuffle_choices=False)
    except Exception as ex:  # whatever a download or an archive may raise
        raise InputError(f"inspect_evals could not load SAD ({ex})") from ex
    return checked_items(
        [
            ScoringItem(
                id=str(sample.id),
                text=str(sample.input),
                # unshuffled, the right choice is the first one
                label=oversight_label(sample.choices[0], str(sample.id)),
                format="free",
                source="sad",
            )
            for sample in dataset
        ],
        "SAD stages_oversight",
    )


_OVERSIGHT: Mapping[str, ItemLabel] = {
    "yes": "evaluation",
    "testing": "evaluation",
    "no": "deployment",
    "deployment": "deployment",
}


def oversight_label(choice: str, id: str) -> ItemLabel:
    """The label that the right answer to a question about oversight stands for.

    Raises:
        InputError: The answer begins with none of the words that are known.

    Example:
        >>> oversight_label("Yes, it is part of a test.", "1")
        'evaluation'
    """
    word = choice.strip().split(maxsplit=1)[0].strip(".,:;!()").lower()
    if word not in _OVERSIGHT:
        raise InputError(
            f"SAD sample {id}: the right answer {choice!r} begins with none of "
            f"{', '.join(_OVERSIGHT)}, so its label is not known; report this with the "
            "version of inspect_evals"
        )
    return _OVERSIGHT[word]


def _text(value: object, where: str) -> str:
    """A message; users' messages may hold braces, so slots are not looked for."""
    if not isinstance(value, str) or not value.strip():
        raise InputError(f"{where}: the message is {value!r}; it must be text")
    return value
