"""How something was asked, as one string."""

import json
from collections.abc import Mapping
from typing import Any


def implementation_of(instrument: Mapping[str, Any]) -> str:
    """How something was asked, as one string that is equal where everything is.

    Example:
        >>> implementation_of({"view": "full", "questions": ["b", "a"], "repeats": 1.0})
        'questions=["a","b"];repeats=1;view=full'
    """
    return ";".join(f"{k}={_canonical(k, instrument[k])}" for k in sorted(instrument))


def judged_as(record: Mapping[str, Any]) -> str:
    """How a judge judged, as one string.

    Records of before an instrument named its view have it in their transcript; which
    model role wrote the turns is not known of them.

    Args:
        record: A verdict's record.
    """
    view = (record.get("transcript") or {}).get("view") or "full"
    return implementation_of(
        {"view": view, "subject_role": None, **record["instrument"]}
    )


def implementation_fields(implementation: str) -> dict[str, str]:
    """The fields of an implementation, each as text.

    Example:
        >>> implementation_fields("repeats=1;view=full")
        {'repeats': '1', 'view': 'full'}
    """
    pairs = (field.partition("=") for field in implementation.split(";") if field)
    return {k: v.replace("%3B", ";").replace("%25", "%") for k, _, v in pairs}


def _canonical(key: str, value: Any) -> str:
    """A field's value as text without semicolons; the order of questions is none."""
    if key == "questions" and isinstance(value, list):
        value = sorted(value)
    text = value if isinstance(value, str) else _json(value)
    return text.replace("%", "%25").replace(";", "%3B")


def _json(value: Any) -> str:
    """JSON that is equal where the values are: 1.0 is written 1."""
    return json.dumps(
        _whole(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False
    )


def _whole(value: Any) -> Any:
    """Whole floats as integers, however deep."""
    if isinstance(value, dict):
        return {k: _whole(v) for k, v in value.items()}
    if isinstance(value, list):
        return [_whole(v) for v in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value
