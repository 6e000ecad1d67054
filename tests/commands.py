"""Commands run in this process on small tables."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from click import Command
from click.testing import CliRunner, Result

HEADER = "model,benchmark,task,aware"


def run(command: Command, *arguments: object) -> Result:
    return CliRunner().invoke(command, [str(a) for a in arguments])


def output_of(command: Command, *arguments: object) -> Any:
    result = run(command, *arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def page_of(command: Command, *arguments: object) -> str:
    result = run(command, *arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def failure_of(command: Command, *arguments: object) -> str:
    result = run(command, *arguments)
    assert result.exit_code == 1, result.output
    assert result.stderr.count("\n") == 1, result.stderr
    return result.stderr


def csv_file(folder: Path, *lines: str) -> Path:
    path = folder / "table.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def refused(command: Command, *arguments: object) -> str:
    """The one line of a refusal that the command line itself makes."""
    result = run(command, *arguments)
    assert result.exit_code == 2, result.output
    return result.stderr


def numbers_of(record: Any) -> Iterable[float]:
    """All numbers of a JSON record, however deep."""
    if isinstance(record, dict):
        record = list(record.values())
    if isinstance(record, list):
        for each in record:
            yield from numbers_of(each)
    elif isinstance(record, int | float):
        yield float(record)
