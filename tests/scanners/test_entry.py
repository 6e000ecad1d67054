"""Scout's scanners stand in the registry, and cost nothing until they are used."""

import subprocess
import sys

import pytest

HIDE = "import sys; sys.modules['inspect_scout'] = None"
"""What makes Scout look as if it was not installed."""

REGISTERED = """
from inspect_ai._util.registry import registry_lookup
import inspect_awareness._registry
print([registry_lookup(kind, "inspect_awareness/probe_questions") is not None
       for kind in ("solver", "scanner")], "inspect_scout" in sys.modules)
"""


def python(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_solver_and_scanner_share_a_name_and_scout_is_not_imported() -> None:
    pytest.importorskip("inspect_scout", reason="the extra `scout` is not installed")
    assert python(f"import sys\n{REGISTERED}") == "[True, True] False"


def test_without_scout_all_but_the_scanner_is_there() -> None:
    code = f"""{HIDE}
{REGISTERED}
import inspect_awareness.tasks, inspect_awareness.scanners as scanners
from inspect_awareness.errors import MissingExtraError
try:
    scanners.probe_questions()
except MissingExtraError as ex:
    print(ex)
"""
    first, second = python(code).split("\n")
    assert first == "[True, False] True"
    assert second == (
        "the scanner `probe_questions` needs the extra `scout`: "
        'pip install "inspect-awareness[scout]"'
    )
