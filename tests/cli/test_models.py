"""The packaged models on the command line."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from inspect_awareness.cli import main
from inspect_awareness.whitebox._packaged import CACHE_VARIABLE, PINS, PROVENANCE


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["models", *arguments])


@pytest.mark.parametrize("arguments", [[], ["list"]])
def test_the_list_shows_sizes_dtypes_and_licences(arguments: list[str]) -> None:
    head, *rows = run(*arguments).output.splitlines()
    assert head.split("  ")[0] == "name"
    assert [row.split()[0] for row in rows] == list(PINS)
    assert "93 MB" in rows[0]
    assert "542 MB" in rows[0]
    assert "Apache-2.0" in rows[0]
    assert "Gemma Terms of Use" in rows[1]
    assert "3,566 MB" in rows[2]
    assert "bfloat16" in rows[2]


def test_a_ready_model_is_listed_with_its_folder() -> None:
    folder = PINS["gemma3-270m"].folder
    folder.mkdir(parents=True)
    (folder / PROVENANCE).write_text("{}")
    assert run("list").output.splitlines()[-1] == f"gemma3-270m lies in {folder}"
    ready = [m["status"] for m in json.loads(run("list", "--json").output)]
    assert ready.count("ready") == 1


def test_a_model_under_terms_is_fetched_only_when_they_are_accepted() -> None:
    pytest.importorskip("torch", reason="needs the extra `local`: torch")
    found = run("get", "gemma3-270m")
    assert found.exit_code == 1
    assert found.stderr.count("\n") == 1
    assert "https://ai.google.dev/gemma/terms" in found.stderr
    assert "awareness models get gemma3-270m --accept-licence" in found.stderr
    assert "Nothing was downloaded" in found.stderr
