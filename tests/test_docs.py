"""The documents say what is there."""

import runpy
from pathlib import Path

CHECK = runpy.run_path(str(Path(__file__).parents[1] / "scripts" / "check_docs.py"))


def test_links_lead_somewhere_and_commands_are_taken() -> None:
    assert CHECK["faults"]() == []


def test_the_check_notices_a_wrong_option() -> None:
    assert "No such option" in CHECK["refused"](["score", "a.eval", "--modle", "m"])
    assert CHECK["refused"](["score", "a.eval", "--model", "m"]) is None


def test_no_document_and_no_source_names_a_path_of_a_machine() -> None:
    root = Path(__file__).parents[1]
    for path in [
        *root.glob("*.md"),
        *root.glob("docs/**/*.md"),
        *root.glob("src/**/*.py"),
    ]:
        text = path.read_text(encoding="utf-8")
        assert "/home/" not in text
        assert "/tmp/" not in text
