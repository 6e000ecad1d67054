"""The report works where nothing heavy and no key is at hand."""

import os
import subprocess
import sys
from pathlib import Path

from scored import Scored, scored_log, spread_out

BLOCKED = """
import sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"torch", "transformers", "sklearn"}:
            raise ImportError(name)

sys.meta_path.insert(0, Refuse())
"""


def run(code: str) -> str:
    """Run Python without any key in its environment."""
    clean = {k: v for k, v in os.environ.items() if "KEY" not in k and "TOKEN" not in k}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=clean,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_importing_it_loads_no_plotting_no_tables_and_no_inspect() -> None:
    loaded = run(
        "import sys, inspect_awareness.report, inspect_awareness.measurements\n"
        "print(*sys.modules)"
    ).split()
    for name in ("matplotlib", "pandas", "pyarrow", "jinja2", "torch", "inspect_ai"):
        assert name not in loaded, name


def test_a_report_needs_neither_torch_nor_a_model(tmp_path: Path) -> None:
    log = scored_log(tmp_path / "a.eval", Scored(spread_out(0.6, 5)))
    out = tmp_path / "a.html"
    run(
        BLOCKED
        + "from inspect_awareness.report import build_report, write_report\n"
        + f"write_report(build_report([{str(log)!r}]), {str(out)!r})"
    )
    assert out.read_text(encoding="utf-8").startswith("<!doctype html>")
