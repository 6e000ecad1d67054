"""Check the documents: links lead somewhere, and commands have the options they show.

The examples of docs/methods are run, and must give what is shown: Python blocks as
doctests, console blocks line by line (`$ awareness ...`; what `$ cat FILE` shows is
written into FILE). The blocks of a page share their names and an empty folder. Spaces
and line ends do not count, so that long lines may be wrapped.

Prints each fault, and exits with 1 if there is any.
"""

import doctest
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
from click.testing import CliRunner

from inspect_awareness.cli import main as awareness

ROOT = Path(__file__).parents[1]
LINK = re.compile(r"\[[^\]]*\]\((?!https?://|#)([^)#\s]+)")
SHELL = re.compile(r"```sh\n(.*?)```", re.DOTALL)
EXAMPLE = re.compile(r"^```(python|console)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
METHODS = ROOT / "docs" / "methods"


def documents() -> list[Path]:
    """Every page that a reader may open."""
    return [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]


def broken_links(page: Path) -> Iterator[str]:
    """Relative links of a page that lead nowhere."""
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        if not (page.parent / target).exists():
            yield f"{page.relative_to(ROOT)}: no such file: {target}"


def wrong_commands(page: Path) -> Iterator[str]:
    """`awareness` commands of a page that the command line would refuse."""
    for block in SHELL.findall(page.read_text(encoding="utf-8")):
        for line in block.replace("\\\n", " ").splitlines():
            words = shlex.split(line, comments=True)
            if words[:1] == ["awareness"]:
                fault = refused(words[1:])
                if fault:
                    yield f"{page.relative_to(ROOT)}: `{line.strip()}`: {fault}"


def refused(words: list[str]) -> str | None:
    """Why the command line would refuse these words; None if it takes them."""
    command: click.Command = awareness
    while isinstance(command, click.Group) and words and words[0] in command.commands:
        command, words = command.commands[words[0]], words[1:]
    try:
        command.make_context("awareness", list(words), resilient_parsing=False)
    except click.exceptions.Exit:
        return None
    except click.ClickException as ex:
        return ex.format_message()
    return None


def wrong_examples(text: str, name: str) -> Iterator[str]:
    """Examples of a page that give something else than they show."""
    names: dict[str, Any] = {}
    with TemporaryDirectory() as folder, chdir(folder):
        for kind, block in EXAMPLE.findall(text):
            found = python_faults if kind == "python" else console_faults
            yield from (f"{name}: {fault}" for fault in found(block, names))


def python_faults(block: str, names: dict[str, Any]) -> list[str]:
    """What a doctest of a Python block reports; it sees and adds to the page's names."""
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    test = doctest.DocTestParser().get_doctest(block, names, "example", None, None)
    runner, reports = doctest.DocTestRunner(optionflags=flags), list[str]()
    runner.run(test, out=reports.append, clear_globs=False)
    names.update(test.globs)
    return reports


def console_faults(block: str, _: dict[str, Any]) -> Iterator[str]:
    """Commands of a console block whose output is not the one shown."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        line, _, shown = part.replace("\\\n", " ").partition("\n")
        words = shlex.split(line)
        if words[0] == "cat":
            Path(words[1]).write_text(shown, encoding="utf-8")
        elif words[0] == "awareness":
            runner = CliRunner(env={"COLUMNS": "80"})
            given = runner.invoke(awareness, words[1:]).output
            if given.split() != shown.split():
                yield f"`{line}` gives\n{given}"
        else:
            yield f"`{line}`: only `cat` and `awareness` can be checked"


def faults() -> list[str]:
    """Everything that is wrong with the documents."""
    plain = [
        fault
        for page in documents()
        for fault in (*broken_links(page), *wrong_commands(page))
    ]
    run = [
        fault
        for page in sorted(METHODS.glob("*.md"))
        for fault in wrong_examples(page.read_text(encoding="utf-8"), page.name)
    ]
    return plain + run


if __name__ == "__main__":
    found = faults()
    print("\n".join(found) or f"{len(documents())} documents are in order")
    sys.exit(bool(found))
