"""The documents say what is there."""

import runpy
from pathlib import Path

CHECK = runpy.run_path(str(Path(__file__).parents[1] / "scripts" / "check_docs.py"))
METHODS: Path = CHECK["METHODS"]


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


def test_the_check_notices_an_example_that_gives_something_else() -> None:
    right = "```python\n>>> 1 + 1\n2\n```\n"
    assert list(CHECK["wrong_examples"](right, "page")) == []
    (fault,) = CHECK["wrong_examples"](right.replace("\n2\n", "\n3\n"), "page")
    assert "Expected" in fault
    shown = "```console\n$ awareness kappa 0 0 0 9\nnothing\n```\n"
    (fault,) = CHECK["wrong_examples"](shown, "page")
    assert "one category" in fault
    (fault,) = CHECK["wrong_examples"]("```console\n$ rm x\n```\n", "page")
    assert "only `cat` and `awareness`" in fault


def test_the_blocks_of_a_page_share_names_and_files() -> None:
    page = (
        "```python\n>>> from pathlib import Path\n```\n```console\n$ cat a.csv\n1,2\n```\n"
        "```python\n>>> Path('a.csv').read_text()\n'1,2\\n'\n```\n"
    )
    assert list(CHECK["wrong_examples"](page, "page")) == []


def test_the_index_of_methods_names_every_page() -> None:
    index = (METHODS / "README.md").read_text(encoding="utf-8")
    for page in METHODS.glob("*.md"):
        assert page.name == "README.md" or f"({page.name})" in index


def test_console_blocks_are_brought_up_to_date() -> None:
    page = "A\n\n```console\n$ awareness kappa 1 0 \\\n    0 x\nold\n```\n\nB\n"
    new = CHECK["refreshed"](page)
    assert "old" not in new
    assert "'x' is not a valid integer" in new
    assert CHECK["refreshed"](new) == new
