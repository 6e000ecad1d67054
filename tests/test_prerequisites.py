"""What Inspect's command line prints where a component cannot be made or used."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from builders import log_file, sample
from inspect_ai._util.error import PrerequisiteError

from inspect_awareness import audit, p_eval, p_eval_selected, probe_log, probe_questions
from inspect_awareness import verbalized_awareness as verbalized
from inspect_awareness._prerequisites import checked, prerequisites
from inspect_awareness.errors import (
    AwarenessError,
    InputError,
    LogError,
    MissingExtraError,
    QuestionError,
    SelectionError,
)


@pytest.mark.parametrize(
    ("make", "kind", "words"),
    [
        (lambda: audit(), InputError, "audit: missing a required argument: 'task'"),  # type: ignore[call-arg]
        (lambda: audit("none/such"), InputError, "no task 'none/such'"),
        (lambda: audit("none.py"), InputError, "no file 'none.py'"),
        (lambda: probe_log(), InputError, r"missing .* 'log'; .* log \(required\)"),  # type: ignore[call-arg]
        (lambda: probe_log("no.eval"), LogError, "no.eval: no such file"),
        (lambda: p_eval(bogus=1), InputError, "unexpected .* 'bogus'; its arguments"),  # type: ignore[call-arg]
        (lambda: p_eval("bogus"), QuestionError, "unknown probe question bogus"),
        (lambda: probe_questions("bogus"), QuestionError, "unknown probe question"),
        (lambda: p_eval_selected(), InputError, "required argument: 'selection'"),  # type: ignore[call-arg]
        (lambda: p_eval_selected("no.json"), InputError, "no.json: no such file"),
        (lambda: verbalized(votes=2), InputError, "votes is 2; it must be odd"),
    ],
)
def test_an_error_of_a_component_is_ours_and_a_prerequisite(
    make: object, kind: type[AwarenessError], words: str
) -> None:
    with pytest.raises(kind, match=words) as caught:
        make()  # type: ignore[operator]
    assert isinstance(caught.value, PrerequisiteError)
    assert type(caught.value).__name__ == kind.__name__


def test_the_message_holds_no_markup_for_the_console() -> None:
    with pytest.raises(InputError) as caught, prerequisites():
        raise InputError("no [such] file")
    assert str(caught.value) == "no [such] file"
    assert caught.value.message == r"no \[such] file"  # type: ignore[attr-defined]


def test_an_error_with_arguments_of_its_own_keeps_its_words() -> None:
    with pytest.raises(MissingExtraError, match="needs the extra"), prerequisites():
        raise MissingExtraError("drawing", "plots")


def test_errors_that_are_not_ours_are_left_alone() -> None:
    @checked
    def broken(number: int) -> float:
        return 1 / number

    with pytest.raises(ZeroDivisionError) as caught:
        broken(0)
    assert not isinstance(caught.value, PrerequisiteError)
    assert broken(2) == 0.5


def test_a_scorer_in_use_raises_prerequisites_too() -> None:
    @checked
    def choosing() -> Callable[[str], Awaitable[str]]:
        async def score(rater: str) -> str:
            if rater != "right":
                raise SelectionError(f"not for {rater}")
            return "scored"

        return score

    assert asyncio.run(choosing()("right")) == "scored"  # type: ignore[arg-type]
    with pytest.raises(SelectionError, match="not for wrong") as caught:
        asyncio.run(choosing()("wrong"))  # type: ignore[arg-type]
    assert isinstance(caught.value, PrerequisiteError)


def printed(*arguments: object, folder: Path) -> str:
    """What Inspect prints and fails with, as one line of text."""
    done = subprocess.run(
        [sys.executable, "-m", "inspect_ai", *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "INSPECT_DISPLAY": "plain"},
    )
    assert done.returncode == 1, done.stdout
    return " ".join((done.stdout + done.stderr).split())


def test_inspect_prints_a_line_and_no_traceback(tmp_path: Path) -> None:
    said = printed(
        "eval", "inspect_awareness/audit", "--model", "mockllm/model", folder=tmp_path
    )
    assert said.startswith("audit: missing a required argument: 'task'")
    assert "Traceback" not in said
    assert "-T" in said


def test_a_selection_that_was_edited_is_a_line(tmp_path: Path) -> None:
    log = log_file(tmp_path / "a.eval", [sample(1)])
    (tmp_path / "s.json").write_text('{"chosen": ["direct"], "schema_version": 1}')
    said = printed(
        "score", log, "--scorer", "inspect_awareness/p_eval_selected",
        "-S", "selection=s.json", "--action", "append",
        "--output-file", "b.eval", "--model", "mockllm/model", folder=tmp_path,
    )  # fmt: skip
    assert "s.json" in said
    assert "A selection is not edited by hand" in said
    assert "Traceback" not in said
