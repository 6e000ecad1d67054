"""What all drawings share: SVG by matplotlib's object interface, no state kept."""

import warnings
from collections.abc import Callable
from io import StringIO
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INK = "#1f2933"
"""Colour of text and axes."""

COLOURS = {"evaluation": "#d55e00", "deployment": "#0072b2", "unknown": "#7f7f7f"}
"""Okabe and Ito's colours, told apart by colour-blind readers too."""

_STYLE: dict[Any, Any] = {
    "font.family": "sans-serif",
    "svg.fonttype": "none",
    "svg.hashsalt": "inspect-awareness",
    "text.parse_math": False,
}


def drawn(draw: "Callable[[], Figure]") -> str:
    """A figure as an SVG element, without XML prolog; the same each time."""
    from matplotlib import rc_context

    with rc_context(_STYLE), warnings.catch_warnings():
        # A name in a script that the font lacks is drawn by the browser's font.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        out = StringIO()
        draw().savefig(out, format="svg", transparent=True, metadata={"Date": None})
    text = out.getvalue()
    return text[text.index("<svg") :]


def short(text: str, longest: int) -> str:
    """Text on one line of printable characters, cut where it is long."""
    flat = "".join(c if c.isprintable() else " " for c in text)
    return flat if len(flat) <= longest else flat[: longest - 1] + "…"
