"""`awareness score`: what is refused before anything is planned or asked."""

from pathlib import Path

import pytest
from builders import log_file, sample
from commands import page_of, refused, run

from inspect_awareness.cli._score import score


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
    assert page.startswith("1 transcripts x 16 questions, 32 answers of mockllm/model")


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
