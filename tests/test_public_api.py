"""The public surface: sorted, complete, and loaded on demand."""

import importlib

import pytest

import inspect_awareness

STAGES = (
    "datasets",
    "solvers",
    "scorers",
    "scanners",
    "tasks",
    "stats",
    "surface",
    "tables",
    "report",
    "whitebox",
    "runs",
    "selections",
    "validation",
)


def test_every_public_name_loads() -> None:
    for name in inspect_awareness.__all__:
        assert getattr(inspect_awareness, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nope'"):
        inspect_awareness.nope  # noqa: B018


@pytest.mark.parametrize("stage", ["", *(f".{s}" for s in STAGES)])
def test_export_lists_are_sorted_and_complete(stage: str) -> None:
    module = importlib.import_module(f"inspect_awareness{stage}")
    assert module.__all__ == sorted(module.__all__)
    for name in module.__all__:
        assert hasattr(module, name)
