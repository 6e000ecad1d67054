"""A task's own score as one number: what awareness may have changed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from inspect_ai.scorer import Score, value_to_float

OURS = frozenset({"awareness", "verbalized", "cue", "direction"})
"""What the metadata of this package's own scores hold: these are no outcomes."""


@dataclass(frozen=True)
class Outcome:
    """One score of a sample as a number."""

    name: str | None = None
    """The score, with a dot before the key of a score of several; None without one."""

    value: float | None = None
    """The number; None where the score is none."""


def outcome_of(
    scores: Mapping[str, Score] | None, wanted: Sequence[str] = ()
) -> Outcome:
    """The task's first score as a number, or the first of those that are wanted.

    C, P, I and N are 1, 0.5, 0 and 0, as in Inspect. Awareness scores are no outcomes.

    Args:
        scores: The scores of a sample.
        wanted: Names of scores; `name.key` for a value of one that holds several.

    Returns:
        The score's name and its number. The number is None for a dict, a list, text
        and NaN; both are where there is no such score.
    """
    own = _own(scores)
    if not wanted:
        first = next(iter(own), None)
        return Outcome(first, _number(own[first].value)) if first else Outcome()
    values = dict(_values(own))
    found = next((name for name in wanted if name in values), None)
    return Outcome(found, _number(values[found])) if found else Outcome()


def outcome_names(scores: Mapping[str, Score] | None) -> list[str]:
    """The names of all scores of a sample that can be asked for; not awareness."""
    everything = _values(_own(scores))
    return [name for name, value in everything if not isinstance(value, dict | list)]


def _own(scores: Mapping[str, Score] | None) -> dict[str, Score]:
    """The task's own scores."""
    return {
        name: score
        for name, score in (scores or {}).items()
        if not OURS & set(score.metadata or {})
    }


def _values(scores: Mapping[str, Score]) -> Iterator[tuple[str, Any]]:
    """Every score, and every value of those that hold several."""
    for name, score in scores.items():
        yield name, score.value
        if isinstance(score.value, Mapping):
            for key, value in score.value.items():
                yield f"{name}.{key}", value


def _number(value: Any) -> float | None:
    """A value as Inspect reads it; None where it is no finite number."""
    if isinstance(value, str) and value not in ("C", "I", "P", "N"):
        return _finite(value)
    if isinstance(value, str | int | float):
        return _finite(value_to_float()(value))
    return None


def _finite(value: str | float) -> float | None:
    """The number, or None where there is none."""
    try:
        number = float(value)
    except ValueError:
        return None
    return number if isfinite(number) else None
