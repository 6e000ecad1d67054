"""A later stage imports an earlier one, never the other way round."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "inspect_awareness"

MAY_IMPORT = {
    "errors": set(),
    "_counted": set(),
    "_version": set(),
    "_cues": set(),
    "_sealed": set(),
    "_prerequisites": {"errors"},
    "stats": set(),
    "tables": {"errors"},
    "whitebox": {"errors"},
    "datasets": {"errors", "stats"},
    "solvers": {"errors", "framed", "_prerequisites", "stats", "datasets", "whitebox"},
    "framed": {
        "errors",
        "stats",
        "datasets",
        "surface",
        "whitebox",
        "_version",
    },
    "scorers": {
        "framed",
        "_cues",
        "_prerequisites",
        "errors",
        "stats",
        "datasets",
        "whitebox",
        "solvers",
        "selections",
        "_version",
    },
    "scanners": {"errors", "_prerequisites", "datasets", "scorers"},
    "tasks": {
        "errors",
        "_prerequisites",
        "datasets",
        "solvers",
        "scorers",
        "_version",
    },
    "selections": {"errors", "_sealed", "stats", "_version"},
    "surface": {"errors", "_sealed", "stats", "datasets"},
    "measurements": {"_cues", "errors", "stats", "datasets"},
    "validation": {"_cues", "errors", "stats", "datasets", "measurements", "tables"},
    "claims": {"_counted", "errors", "stats", "measurements"},
    "report": {
        "_cues",
        "errors",
        "_sealed",
        "stats",
        "measurements",
        "claims",
        "tables",
        "validation",
        "_version",
    },
}
"""What each stage may import of ours; the rest composes and may import all."""


def stage(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(path: Path) -> set[str]:
    """The stages that a file imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        found |= {
            name.split(".")[1] if "." in name else "inspect_awareness"
            for name in names
            if name.split(".")[0] == "inspect_awareness"
        }
    return found


PRIVATE = {
    ("_prerequisites", "inspect_ai._util.error"),
    ("_entry", "inspect_ai._util.registry"),
}
"""Private imports, each with its reason beside it and a test that notices its move."""

FILES = [p for p in PACKAGE.rglob("*.py") if stage(p) in MAY_IMPORT]


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_a_stage_imports_earlier_ones_only(path: Path) -> None:
    allowed = MAY_IMPORT[stage(path)] | {stage(path)}
    assert imports(path) <= allowed


@pytest.mark.parametrize("path", list(PACKAGE.rglob("*.py")), ids=lambda p: p.stem)
def test_only_public_names_of_inspect_are_imported(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            parts = node.module.split(".")
            if parts[0] == "inspect_ai" and any(part[0] == "_" for part in parts):
                assert (path.stem, node.module) in PRIVATE
