"""`awareness framings`: which framings there are, and whether one's own hold."""

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from inspect_awareness._counted import counted
from inspect_awareness.cli._shared import one_line_errors, out
from inspect_awareness.cli._stated import plain, say

if TYPE_CHECKING:
    from inspect_awareness.datasets.framings import Framing, Lengths

_BEGINNING = 26
"""Characters of a framing that are listed, so that a line fits a terminal."""

JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.group()
def framings() -> None:
    """Situations for a system prompt: the package's own, or those of a user."""


@framings.command("list")
@click.argument("path", required=False)
@JSON
@one_line_errors
def list_framings(path: str | None, *, as_json: bool) -> None:
    """List the framings of a folder or a file; the package's own by default."""
    from inspect_awareness.datasets.framings import framings as load

    found = load(path)
    if as_json:
        click.echo(json.dumps([_record(framing) for framing in found]))
        return
    from rich.table import Table

    shown = Table(box=None, header_style="bold")
    for name in ("arm", "framing", "hash", "begins"):
        shown.add_column(name, no_wrap=True)
    for framing in sorted(found, key=lambda f: (f.arm, f.id)):
        row = (framing.arm, framing.id, framing.hash, _beginning(framing.text))
        shown.add_row(*map(plain, row))
    out.print(shown)


@framings.command("check")
@click.argument("path", required=False)
@JSON
@one_line_errors
def check_framings(path: str | None, *, as_json: bool) -> None:
    """Check framings, and their lengths in tokens of the packaged models at hand."""
    from inspect_awareness.datasets.framings import bundled_lengths
    from inspect_awareness.datasets.framings import framings as load

    found = load(path)
    lengths = bundled_lengths() if path is None else _measured(found)
    sizes = Counter(framing.arm for framing in found)
    if as_json:
        record = {"arms": sizes, "lengths": [_length(each) for each in lengths]}
        click.echo(json.dumps(record))
        return
    say(f"{counted(len(found), 'framing')}: " + _sizes(sizes))
    for each in lengths:
        say(f"  {_stated(each)}")
    if not lengths:
        say(
            "  lengths were not compared: there is no tokenizer on this machine; "
            "`awareness models get smollm2-135m` brings one"
        )


def _measured(found: "tuple[Framing, ...]") -> "tuple[Lengths, ...]":
    """Lengths for the tokenizer of each packaged model that is ready."""
    from inspect_awareness.datasets.framings import framing_lengths
    from inspect_awareness.whitebox._packaged import packaged_models

    ready = [m for m in packaged_models() if m.status == "ready"]
    files = [(m.name, m.folder / "tokenizer.json") for m in ready]
    lengths = []
    for name, file in files:
        if file.is_file():
            from tokenizers import Tokenizer

            tokenizer = Tokenizer.from_file(str(file))

            def count(text: str, tokenizer: Any = tokenizer) -> int:
                return len(tokenizer.encode(text, add_special_tokens=False).ids)

            lengths.append(framing_lengths(found, name, count))
    return tuple(lengths)


def _beginning(text: str) -> str:
    """The first words of a framing."""
    line = " ".join(text.split())
    return line if len(line) <= _BEGINNING else f"{line[: _BEGINNING - 1]}…"


def _sizes(sizes: Counter[Any]) -> str:
    """How many framings each arm has."""
    return ", ".join(f"{n} {arm}" for arm, n in sorted(sizes.items()))


def _stated(lengths: "Lengths") -> str:
    """Lengths for one tokenizer in a sentence."""
    tokens = lengths.tokens.values()
    verdict = "matched" if lengths.matched else "NOT matched"
    return (
        f"{lengths.tokenizer}: {min(tokens)} to {max(tokens)} tokens, longest "
        f"{lengths.spread:.1%} above shortest: {verdict} (5 % or less)"
    )


def _length(lengths: "Lengths") -> dict[str, Any]:
    """Lengths as JSON."""
    return {
        "tokenizer": lengths.tokenizer,
        "tokens": dict(lengths.tokens),
        "spread": lengths.spread,
        "matched": lengths.matched,
    }


def _record(framing: "Framing") -> dict[str, Any]:
    """A framing as JSON."""
    return {
        "id": framing.id,
        "arm": framing.arm,
        "version": framing.version,
        "hash": framing.hash,
        "text": framing.text,
        "before": framing.before,
        "after": framing.after,
    }
