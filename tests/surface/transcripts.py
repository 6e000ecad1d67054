"""Builders of labelled transcripts, and readers of published pairs."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import pytest
from builders import assistant, user
from studies import SHARED

from inspect_awareness.datasets import Label, Transcript
from inspect_awareness.datasets._transcript import Origin

PAIRS = SHARED / "data" / "matched_pairs"
NEEDHAM = SHARED / "data" / "transcripts" / "tiny_adapted_needham_dataset.json"

NEUTRAL = (
    "the",
    "of",
    "and",
    "to",
    "in",
    "that",
    "is",
    "for",
    "it",
    "with",
    "as",
    "was",
)


def transcript(
    text: str, label: Label, source: str, *, task: str | None = None, item: str = ""
) -> Transcript:
    messages = (user(text), assistant("Done."))
    return Transcript(
        messages, Origin(item or f"{source}-{text[:20]}", label, source, task)
    )


def noise(rng: np.random.Generator, words: int = 30) -> str:
    """Words that say nothing about the label."""
    return " ".join(rng.choice(NEUTRAL, words))


def written(
    *,
    sources: int = 10,
    each: int = 6,
    marks: tuple[str, str] = ("", ""),
    seed: int = 0,
    habit: bool = False,
) -> list[Transcript]:
    """Sources of alternating label, with a mark of its label in each text.

    With `habit`, each source has words of its own in every text.
    """
    rng = np.random.default_rng(seed)
    found = []
    for index in range(sources * each):
        number = index % sources
        source = f"s{number}"
        own = f" habit{number} trait{number}" * 3 if habit else ""
        mark = marks[number % 2]
        text = f"{noise(rng)}{own} {mark}".strip()
        label: Label = "deployment" if number % 2 else "evaluation"
        found.append(transcript(text, label, source, task=str(index)))
    return found


def matched_pairs(names: Sequence[str]) -> list[Transcript]:
    """Pairs of a test and a deployment prompt about one thing, by file or benchmark."""
    if not PAIRS.exists():
        pytest.skip(f"{PAIRS} is not on this machine")
    found = []
    for name in names:
        for number, pair in enumerate(_read(PAIRS / f"{name}_contrastive_pairs.json")):
            source = pair.get("benchmark_source", name)
            for side, label in (("test", "evaluation"), ("deploy", "deployment")):
                found.append(
                    Transcript(
                        (user(pair[side]),),
                        Origin(f"{name}-{number}-{side}", label, source, str(number)),  # type: ignore[arg-type]
                    )
                )
    return found


def needham() -> list[dict[str, object]]:
    """The 40 transcripts of 28 sources with human judgments."""
    if not NEEDHAM.exists():
        pytest.skip(f"{NEEDHAM} is not on this machine")
    return _read(NEEDHAM)


def needham_chats(path: Path, label: bool) -> Path:
    """Those of one label as a chat file, which says nothing about it."""
    chosen = [r for r in needham() if is_evaluation(r) == label]
    lines = [
        {"messages": r["input"], "id": r["id"], "source": str(r["id"]).split(":")[0]}
        for r in chosen
    ]
    path.write_text("\n".join(map(json.dumps, lines)) + "\n", encoding="utf-8")
    return path


def is_evaluation(record: dict[str, object]) -> bool:
    """Its published label."""
    return str(record["metadata"]["eval_category"]) == "True"  # type: ignore[index]


def swapped(transcripts: Iterable[Transcript]) -> list[Transcript]:
    """The same with the labels exchanged."""
    other: dict[str, Label] = {"evaluation": "deployment", "deployment": "evaluation"}
    return [t.relabelled(label=other[t.origin.label]) for t in transcripts]


def _read(path: Path) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(path.read_text(encoding="utf-8"))
    return found
