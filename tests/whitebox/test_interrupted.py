"""An extraction may be killed at any moment, or split: its store ends the same."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="needs the extra `local`: torch")
pytest.importorskip("transformers", reason="needs the extra `local`: transformers")

PROGRAM = Path(__file__).with_name("interrupted.py")


def test_killed_at_random_moments_it_ends_with_the_bytes_of_a_quiet_run():
    done = subprocess.run(
        [sys.executable, PROGRAM, "50"],
        capture_output=True,
        text=True,
        env={
            **os.environ,
            "PYTHONPATH": str(PROGRAM.parents[1]),
            "OMP_NUM_THREADS": "1",
        },
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["kills"] == 50
    assert found["same"] == found["stores"] > 0
    assert found["shards"] == {"statuses": [0, 0, 0, 0], "same": True}
