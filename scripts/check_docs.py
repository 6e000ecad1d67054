"""Check the documents: links lead somewhere, and commands have the options they show.

Prints each fault, and exits with 1 if there is any.
"""

import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from inspect_awareness.cli import main as awareness

ROOT = Path(__file__).parents[1]
LINK = re.compile(r"\[[^\]]*\]\((?!https?://|#)([^)#\s]+)")
SHELL = re.compile(r"```sh\n(.*?)```", re.DOTALL)


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


def faults() -> list[str]:
    """Everything that is wrong with the documents."""
    return [
        fault
        for page in documents()
        for fault in (*broken_links(page), *wrong_commands(page))
    ]


if __name__ == "__main__":
    found = faults()
    print("\n".join(found) or f"{len(documents())} documents are in order")
    sys.exit(bool(found))
