"""`awareness score`: what is refused before anything is planned or asked."""

from pathlib import Path

import pytest
from builders import believer, log_file, rater, sample
from commands import page_of, refused, run

from inspect_awareness.cli._score import score
from inspect_awareness.cli._shared import progress_bar
from inspect_awareness.runs import Inputs, Target, score_files
from inspect_awareness.solvers._asking import asking


@pytest.mark.parametrize(
    ("output", "words"),
    [
        ((), "give -o OUTPUT, or --dry-run"),
        (("-o", "a.html"), "a.html: the output must end in .eval or .json"),
        (("-o", "a.eval", "--scores-only"), "must end in .parquet"),
    ],
)
def test_an_output_that_cannot_be_is_refused_before_anything_is_planned(
    tmp_path: Path, output: tuple[str, ...], words: str
) -> None:
    log = log_file(tmp_path / "in.eval", [sample(1)])
    result = run(score, log, "--model", "mockllm/model", *output)
    assert (result.exit_code, result.stdout) == (1, "")
    assert words in result.stderr


def test_a_dry_run_needs_no_output(tmp_path: Path) -> None:
    log = log_file(tmp_path / "a.eval", [sample(1)])
    page = page_of(score, log, "--model", "mockllm/model", "--dry-run")
    assert page.startswith("1 transcript x 16 questions, 32 answers of mockllm/model")


def test_one_question_is_counted_as_one(tmp_path: Path) -> None:
    log = log_file(tmp_path / "a.eval", [sample(1), sample(2)])
    how = ("--model", "mockllm/model", "--dry-run", "--questions", "direct-test")
    page = page_of(score, log, *how)
    assert page.startswith("2 transcripts x 1 question, 4 answers of mockllm/model")
    # four tokens for each one-word answer
    assert page.rstrip().endswith("16 written")


def test_answers_after_reasoning_are_planned_as_long_as_they_may_be(
    tmp_path: Path,
) -> None:
    log = log_file(tmp_path / "a.eval", [sample(1)])
    how = ("--model", "mockllm/model", "--dry-run", "--questions", "direct-test")
    thought = (*how, "--elicitation", "cot_label")
    # two label orders, 100 tokens each, or what --max-tokens leaves
    assert page_of(score, log, *thought).rstrip().endswith(" 200 written")
    short = page_of(score, log, *thought, "--max-tokens", 40)
    assert short.rstrip().endswith(" 80 written")


def test_an_output_in_the_way_is_the_only_line_of_the_error(tmp_path: Path) -> None:
    log = log_file(tmp_path / "a.eval", [sample(1)])
    output = tmp_path / "b.eval"
    output.write_text("")
    result = run(score, log, "--model", "mockllm/model", "-o", output)
    assert result.exit_code == 1
    # no bar is drawn for what is not asked
    (line,) = result.stderr.splitlines()
    assert line.startswith("error: ")
    assert "exists already" in line


def test_progress_is_drawn_once_it_begins(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_bar(3) as move:
        move(0)
        move(2)
    assert "2/3" in capsys.readouterr().err
    with pytest.raises(ValueError, match="before"), progress_bar(3):
        raise ValueError("before anything is asked")
    assert capsys.readouterr().err == ""


def test_asking_begins_before_the_first_transcript_is_done(tmp_path: Path) -> None:
    log = log_file(tmp_path / "a.eval", [sample(1), sample(2)])
    told: list[int] = []
    score_files(
        Inputs([str(log)]),
        rater(believer("evaluation")),
        asking(questions="direct-test"),
        Target(tmp_path / "b.eval"),
        progress=told.append,
    )
    assert told == [0, 1, 1]


@pytest.mark.parametrize(
    "option",
    [("--temperature", -1), ("--max-tokens", 0), ("--timeout", 0)],
)
def test_a_config_that_no_provider_takes_is_refused(
    tmp_path: Path, option: tuple[str, int]
) -> None:
    log = log_file(tmp_path / "a.eval", [sample(1)])
    said = refused(score, log, "--model", "mockllm/model", "--dry-run", *option)
    assert option[0] in said


def test_every_option_says_what_it_does() -> None:
    undocumented = [
        option.name
        for option in score.params
        if option.param_type_name == "option" and not getattr(option, "help", None)
    ]
    assert undocumented == []
