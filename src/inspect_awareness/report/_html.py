"""A report as one self-contained HTML page."""

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from inspect_awareness.claims import judging
from inspect_awareness.report._cards import cards
from inspect_awareness.report._contents import Block, Report
from inspect_awareness.report._curve_figure import curves_svg
from inspect_awareness.report._drawing import COLOURS, INK
from inspect_awareness.report._figures import distribution_svg
from inspect_awareness.report._tables import (
    block_tables,
    files,
    implementation,
    report_tables,
)
from inspect_awareness.report._ways import heading_notes
from inspect_awareness.report.voiced import (
    DRAWN,
    convention_svg,
    headings,
    judged_how,
    voiced_tables,
)

if TYPE_CHECKING:
    from jinja2 import Template
    from markupsafe import Markup

_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]")
"""Control characters, and those that turn the direction of the text after them."""


def html_text(report: Report) -> str:
    """The report as a page: no script, nothing loaded, all text escaped."""
    text = _template().render(
        report=report,
        blocks=[
            {
                "block": block,
                "who": _who(block),
                "note": note,
                "figure": _figure(distribution_svg(block)),
                "curves": _figure(curves_svg(block)),
                "cards": cards(block),
                "tables": block_tables(block, drawn=True),
                "implementation": implementation(block),
            }
            for block, note in zip(
                report.blocks, heading_notes(report.blocks), strict=True
            )
        ],
        voiced=[
            {
                "judge": judge,
                "figure": _figure(convention_svg(found)),
                "drawn": min(DRAWN, len(found.convention)),
                "tables": voiced_tables(found),
                "reading": found.reading,
                "implementation": judged_how(found),
            }
            for found, judge in zip(report.voiced, headings(report.voiced), strict=True)
        ],
        shared=report_tables(report),
        files=files(report),
    )
    return _CONTROLS.sub(" ", text)


@cache
def _template() -> "Template":
    """The page; autoescape is on for everything in it."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("report.html.jinja")


def _who(block: Block) -> list[str]:
    """Who judges whose transcripts."""
    return [judging(block.rater, subject) for subject in block.subjects]


def _figure(svg: str) -> "Markup":
    """The drawing in the page's colours; matplotlib escapes the names in it."""
    from markupsafe import Markup

    for label, colour in COLOURS.items():
        svg = svg.replace(colour, f"var(--{label})")
    return Markup(svg.replace(INK, "currentColor"))
