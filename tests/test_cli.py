"""The command line: what it prints, and how it fails."""

import json
from pathlib import Path
from typing import Any

import pytest
from builders import FORMS, chat, chat_file, log_file, sample
from click.testing import CliRunner, Result
from inspect_ai.log import read_eval_log
from tiny import model_folder

from inspect_awareness.cli import main


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(a) for a in arguments])


def output_of(*arguments: object) -> Any:
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def failure_of(*arguments: object) -> str:
    result = run(*arguments)
    assert result.exit_code == 1, result.output
    assert result.stderr.count("\n") == 1, result.stderr
    return result.stderr


def test_transcripts_counts_what_is_there(tmp_path: Path) -> None:
    log = log_file(tmp_path / "a.eval", [sample("x"), sample("y", error="boom")])
    assert output_of("transcripts", log, "--json") == {
        "transcripts": 1,
        "skipped": {"sample_error": 1},
        "by_source": {"arithmetic": 1},
        "by_label": {"evaluation": 1},
        "by_reasoning": {"none": 1},
    }


def test_transcripts_of_a_chat_file(tmp_path: Path) -> None:
    path = chat_file(tmp_path / "app.jsonl", chat("a", "b", "c", "d"))
    record = output_of("transcripts", path, "--view", "turns", "--json")
    assert (record["transcripts"], record["by_source"]) == (2, {"app": 2})


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["transcripts", "missing.eval"], "missing.eval: no such file"),
        (["score", "{log}", "--model", "nope/m", "-o", "x.eval"], "model nope/m"),
        (["score", "{log}", "--model", "mockllm/m"], "give -o OUTPUT"),
        (["score", "{log}", "--model", "mockllm/m", "--questions", "nope", "-o",
          "x.eval"], "unknown probe question nope"),
        (["score", "{log}", "--model", "mockllm/m", "-M", "a", "-o", "x.eval"],
         "-M takes KEY=VALUE"),
        (["report", "{log}", "-o", "x.html"], "a.eval"),
        (["report", "{log}"], "give -o FILE.html"),
        (["models", "get", "nope"], "nope"),
    ],
)  # fmt: skip
def test_an_error_is_one_line(tmp_path: Path, arguments: list[str], words: str) -> None:
    log = log_file(tmp_path / "a.eval", [sample()])
    given = [a.format(log=log) for a in arguments]
    assert words in failure_of(*given)


def test_a_dry_run_asks_nothing_and_writes_nothing(tmp_path: Path) -> None:
    log = log_file(tmp_path / "a.eval", [sample(), sample(2)])
    record = output_of("score", log, "--model", "mockllm/m", "--dry-run", "--json")
    assert record["transcripts"] == 2
    assert (record["questions"], record["answers"]) == (16, 2 * FORMS)
    assert record["input_tokens"] > 2 * FORMS * 20
    assert {p.name for p in tmp_path.iterdir()} == {"a.eval"}


@pytest.mark.local
def test_from_a_log_and_a_chat_file_to_a_calibrated_page(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="torch is not installed (extra `local`)")
    folder = model_folder()
    model = ["--model", f"whitebox/{folder}", "--min-mass", "0"]
    log = log_file(tmp_path / "a.eval", [sample(i) for i in range(3)])
    traffic = chat_file(
        tmp_path / "app.jsonl", *[chat(f"hi {i}", label="deployment") for i in range(3)]
    )
    made = output_of("score", log, *model, "-o", tmp_path / "b.eval", "--json")
    assert made["output"] == str(tmp_path / "b.eval")
    assert (made["scored"], made["unscored"]) == (3, {})
    assert made["mean"]["low"] <= made["mean"]["value"] <= made["mean"]["high"]
    assert made["mean"]["n"] == 3
    reference = tmp_path / "reference.parquet"
    output_of("score", traffic, *model, "--scores-only", "-o", reference, "--json")
    page = tmp_path / "page.html"
    record = output_of(
        "report", tmp_path / "b.eval", "--reference", reference, "-o", page, "--json"
    )
    assert json.dumps(record, allow_nan=False)
    assert "uncalibrated" not in page.read_text()
    assert "AUROC" in page.read_text()
    assert read_eval_log(str(tmp_path / "b.eval")).results is not None


def test_help_needs_nothing_heavy() -> None:
    import subprocess
    import sys

    code = (
        "import sys; from inspect_awareness.cli import main;"
        "heavy = {'torch', 'pandas', 'sklearn', 'matplotlib', 'inspect_ai', 'scipy'};"
        "sys.exit(str(heavy & set(sys.modules)) if heavy & set(sys.modules) else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
