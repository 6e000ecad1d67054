"""`stats` is a leaf: arrays in, estimates out, and nothing of ours below it."""

import ast
from pathlib import Path

import inspect_awareness.stats

FOLDER = Path(inspect_awareness.stats.__file__).parent
ALLOWED = {
    "numpy",
    "scipy",
    "collections",
    "dataclasses",
    "itertools",
    "math",
    "typing",
}


def imported(file: Path) -> set[str]:
    """The modules that a file imports, in full."""
    nodes = list(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
    plain = {a.name for n in nodes if isinstance(n, ast.Import) for a in n.names}
    return plain | {n.module or "" for n in nodes if isinstance(n, ast.ImportFrom)}


def test_stats_imports_numpy_scipy_and_itself_only() -> None:
    for file in FOLDER.rglob("*.py"):
        for name in imported(file):
            ours = name.startswith("inspect_awareness.stats")
            assert ours or name.split(".")[0] in ALLOWED, f"{file.name}: {name}"


def test_the_public_names_are_sorted_and_exist() -> None:
    names = inspect_awareness.stats.__all__
    assert names == sorted(names)
    assert all(hasattr(inspect_awareness.stats, name) for name in names)


def test_nothing_in_stats_prints() -> None:
    for file in FOLDER.rglob("*.py"):
        names = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        assert not [n for n in names if isinstance(n, ast.Name) and n.id == "print"]
