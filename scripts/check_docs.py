"""Check the documents: links lead somewhere, and commands have the options they show.

The examples of docs/methods, and all console blocks, are run and must give what is
shown: Python blocks as doctests, console blocks line by line (`$ awareness ...`; what
`$ cat FILE` shows is written into FILE). The blocks of a page share their names and an
empty folder. Spaces and line ends do not count, so that long lines may be wrapped.

Prints each fault, and exits with 1 if there is any. With `--write` console blocks are
first brought up to date: read the difference before you keep it.
"""

import doctest
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import fill
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
            console = kind == "console"
            found = console_faults(block) if console else python_faults(block, names)
            yield from (f"{name}: {fault}" for fault in found)


def python_faults(block: str, names: dict[str, Any]) -> list[str]:
    """What a doctest of a Python block reports; it sees and adds to the page's names."""
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.FAIL_FAST
    test = doctest.DocTestParser().get_doctest(block, names, "example", None, None)
    runner, reports = doctest.DocTestRunner(optionflags=flags), list[str]()
    runner.run(test, out=reports.append, clear_globs=False)
    names.update(test.globs)
    return reports


def console_faults(block: str) -> Iterator[str]:
    """Commands of a console block whose output is not the one shown."""
    for line, shown in commands(block):
        given = output(line, shown)
        if given is None:
            yield f"`{line.strip()}`: only `cat` and `awareness` can be checked"
        elif given.split() != shown.split():
            yield f"`{line.strip()}` gives\n{given}"


def commands(block: str) -> Iterator[tuple[str, str]]:
    """Each command of a console block, as it is typed, and what is shown below it."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        cut = re.match(r"(?:.*\\\n)*.*\n?", part)
        end = cut.end() if cut else 0
        yield part[:end], part[end:]


def output(line: str, shown: str) -> str | None:
    """What a command gives; what `cat` shows is written first. None for others."""
    words = shlex.split(line.replace("\\\n", " "))
    if words[0] == "cat":
        Path(words[1]).parent.mkdir(parents=True, exist_ok=True)
        Path(words[1]).write_text(shown, encoding="utf-8")
        return shown
    if words[0] == "awareness":
        return CliRunner(env={"COLUMNS": "80"}).invoke(awareness, words[1:]).output
    return None


def refreshed(text: str) -> str:
    """A page whose console blocks show what the commands give now."""
    names: dict[str, Any] = {}

    def block(found: re.Match[str]) -> str:
        if found[1] == "python":
            python_faults(found[2], names)
            return found[0]
        parts = (
            f"$ {line}{wrapped(output(line, shown) or shown)}"
            for line, shown in commands(found[2])
        )
        return f"```console\n{''.join(parts)}```"

    with TemporaryDirectory() as folder, chdir(folder):
        return EXAMPLE.sub(block, text)


def wrapped(given: str) -> str:
    """Lines of no more than 88 characters, without spaces at their ends."""
    lines = given.rstrip("\n").split("\n")
    fitting = (fill(line, 88) if len(line) > 88 else line.rstrip() for line in lines)
    return "\n".join(fitting) + "\n"


def pages() -> list[Path]:
    """The pages whose examples are run."""
    rest = (p for p in documents() if "```console" in p.read_text(encoding="utf-8"))
    return sorted({*METHODS.glob("*.md"), *rest})


def faults() -> list[str]:
    """Everything that is wrong with the documents."""
    plain = [
        fault
        for page in documents()
        for fault in (*broken_links(page), *wrong_commands(page))
    ]
    run = [
        fault
        for page in pages()
        for fault in wrong_examples(page.read_text(encoding="utf-8"), page.name)
    ]
    return plain + run


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        for path in pages():
            new = refreshed(path.read_text(encoding="utf-8"))
            path.write_text(new, encoding="utf-8")
    found = faults()
    print("\n".join(found) or f"{len(documents())} documents are in order")
    sys.exit(bool(found))
