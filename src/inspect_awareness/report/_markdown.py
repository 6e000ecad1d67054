"""A report as Markdown."""

import re
from collections.abc import Iterable

from inspect_awareness.claims import judging
from inspect_awareness.report._contents import Block, Report
from inspect_awareness.report._table import Table
from inspect_awareness.report._tables import (
    block_tables,
    files,
    implementation,
    report_tables,
)
from inspect_awareness.report._ways import heading_notes
from inspect_awareness.report.voiced import Voiced, headings, judged_how, voiced_tables


def markdown_text(report: Report) -> str:
    """The report as Markdown; all that comes from a log is escaped."""
    parts = ["# Evaluation awareness", _header(report)]
    for found, judge in zip(report.voiced, headings(report.voiced), strict=True):
        parts += _voiced(found, judge)
    for block, note in zip(report.blocks, heading_notes(report.blocks), strict=True):
        parts += _block(block, note)
    parts += [_table(table) for table in (*report_tables(report), files(report))]
    return "\n\n".join(part for part in parts if part) + "\n"


def escaped(text: str) -> str:
    """Text that Markdown shows as it is: no markup, HTML, links, cells or lines.

    Example:
        >>> escaped("<b> & c")
        '&lt;b&gt; &amp; c'
    """
    flat = " ".join("".join(_printable(text)).split())
    entities = flat.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    marked = re.sub(r"([\\`*_\[\]|~$!])", r"\\\1", entities)
    # GitHub links bare addresses; an entity in the middle prevents it.
    unlinked = marked.replace("://", "&#58;//").replace("@", "&#64;")
    return re.sub(r"\b(www)\.", r"\1&#46;", unlinked, flags=re.IGNORECASE)


def _printable(text: str) -> Iterable[str]:
    """Characters without controls, which become spaces."""
    return (c if c.isprintable() else " " for c in text)


def _header(report: Report) -> str:
    """When, with what, and what was left out."""
    lines = [
        f"Made {report.created:%Y-%m-%d %H:%M} UTC with inspect-awareness "
        f"{escaped(report.package_version)}; intervals at {100 * report.level:.3g} %; "
        f"seed {report.seed}."
    ]
    if report.duplicates:
        lines.append(f"{report.duplicates} repeated scores were dropped.")
    if report.skipped:
        names = ", ".join(escaped(name) for name in report.skipped)
        lines.append(f"Without awareness scores, and so left out: {names}.")
    return " ".join(lines)


def _block(block: Block, note: str) -> list[str]:
    """One rater asked in one way; the note tells it from others of this rater."""
    who = "; ".join(judging(block.rater, subject) for subject in block.subjects)
    who += f" ({note})" if note else ""
    tables = block_tables(block, drawn=False)
    reading = "\n".join(f"- {escaped(sentence)}" for sentence in block.reading)
    return [
        f"## {escaped(who)}",
        *(_table(table) for table in tables[:1]),
        "### How to read this, and what it cannot tell",
        reading,
        *(_table(table) for table in (*tables[1:], implementation(block))),
    ]


def _voiced(found: Voiced, judge: str) -> list[str]:
    """Awareness that was voiced, by one judge."""
    tables = voiced_tables(found)
    reading = "\n".join(f"- {escaped(sentence)}" for sentence in found.reading)
    return [
        f"## Awareness that models voiced, judged by {escaped(judge)}",
        *(_table(table) for table in tables[:1]),
        "### How to read this, and what it cannot tell",
        reading,
        *(_table(table) for table in (*tables[1:], judged_how(found))),
    ]


def _table(table: Table) -> str:
    """A table with its title and caption."""
    rule = ["---:" if i in table.numeric else "---" for i in range(len(table.header))]
    lines = [_line(table.header), _line(rule, raw=True)]
    lines += [_line(row) for row in table.rows]
    parts = [f"### {escaped(table.title)}", "\n".join(lines)]
    if table.caption:
        parts.append(escaped(table.caption))
    return "\n\n".join(parts)


def _line(cells: Iterable[str], *, raw: bool = False) -> str:
    """One line of a table."""
    return "| " + " | ".join(c if raw else escaped(c) for c in cells) + " |"
